package aura

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// apply puts an aura on a unit, if it can. If it cannot, also because the unit is gone, the cooldown of a spell that waits for its
// aura begins.
func (s *AppliedAuras) apply(t sched.Tick, a *rules.ApplyAura) {
	if a.Hold != rules.NoHold {
		if s.entities.Exists(a.To) {
			s.hold(a.To, a.Hold == rules.HoldRooted)
		}
		return
	}
	sp := s.defs.Get().Spell(a.Spell)
	if sp != nil && !(s.entities.Exists(a.To) && s.stackOrAdd(t, a, sp)) {
		s.release(&components.Aura{Spell: a.Spell, Caster: a.By})
	}
}

// stackOrAdd puts an aura on a unit, and reports whether it is on it now. Onto an aura of the same spell it stacks, or it
// refreshes it; it replaces auras of lower rank, and does nothing if one of a higher rank is there.
//
// Source: Unit::_TryStackingOrRefreshingExistingAura and Aura::CanStackWith, AzerothCore.
func (s *AppliedAuras) stackOrAdd(t sched.Tick, a *rules.ApplyAura, sp *defs.Spell) bool {
	if !s.Alive(a.To) && !sp.Has(defs.SpellOutlivesDeath|defs.SpellPassive) {
		return false
	}
	casterGUID := uint64(0)
	if s.entities.Exists(a.By) {
		casterGUID = s.objects.Get(a.By).GUID
	}
	if auras := s.auras(a.To); auras != nil {
		for i := 0; i < int(auras.Count); i++ {
			old := &auras.List[i]
			own := old.CasterGUID == casterGUID
			switch {
			case old.Spell == a.Spell && own:
				s.refresh(t, a.To, old, a)
				return true
			case old.Spell == a.Spell && !s.coexists(sp), s.replaces(sp, old.Spell) && (own || !s.coexists(sp)):
				s.remove(t, a.To, i)
				i--
			case s.outranked(sp, old.Spell) && (own || !s.coexists(sp)):
				return false
			}
		}
	}
	return s.add(t, a, sp, casterGUID)
}

// coexists reports whether auras of several casters can be on a unit at the same time: periodic harmful ones, and those
// of channelled spells.
//
// Source: Aura::CanStackWith, AzerothCore.
func (s *AppliedAuras) coexists(sp *defs.Spell) bool {
	if sp.Has(defs.SpellChannelled) {
		return true
	}
	if !sp.Has(defs.SpellHarmful) {
		return false
	}
	for i := range sp.Effects {
		if sp.Effects[i].PulseMs > 0 {
			return true
		}
	}
	return false
}

// replaces reports whether a spell is a higher rank of another.
func (s *AppliedAuras) replaces(sp *defs.Spell, lower uint32) bool {
	for n := 0; sp != nil && sp.Replaces != 0 && n < maxRanks; n++ {
		if sp.Replaces == lower {
			return true
		}
		sp = s.defs.Get().Spell(sp.Replaces)
	}
	return false
}

// maxRanks is the most ranks that a spell has, our own bound.
const maxRanks = 20

// outranked reports whether another spell is a higher rank of this one.
func (s *AppliedAuras) outranked(sp *defs.Spell, other uint32) bool {
	higher := s.defs.Get().Spell(other)
	return higher != nil && s.replaces(higher, sp.ID)
}

// add adds a new aura, if there is room for it.
func (s *AppliedAuras) add(t sched.Tick, a *rules.ApplyAura, sp *defs.Spell, casterGUID uint64) bool {
	state := s.unitAuras.Get(a.To)
	if state.Block == 0 {
		state.Block = s.slab.Get().Alloc()
	}
	auras := s.slab.Get().At(state.Block)
	if auras.Count == life.MaxAuras {
		s.full.Count()
		return false
	}
	n := components.Aura{
		CasterGUID: casterGUID, Caster: a.By, Spell: a.Spell, MaxMs: sp.DurationMs, EndMs: t.NowMs + sp.DurationMs,
		Amount: a.Amount, Effects: a.Effects, Stacks: 1, Charges: sp.Charges, Level: a.Level,
	}
	at := 0
	if n.Slot = rules.HiddenSlot; !sp.Has(defs.SpellPassive) {
		n.Slot = 0
		for at < int(auras.Count) && auras.List[at].Slot == n.Slot { // the first free slot; the list is in slot order
			at++
			n.Slot++
		}
	} else {
		at = int(auras.Count)
	}
	for i := range sp.Effects {
		if n.Effects&(1<<i) != 0 {
			if kind := kinds[sp.Effects[i].Aura]; kind.refused != "" || kind.name == "" || Refusal(sp, i) != "" {
				s.refused.Count()
			}
		}
	}
	s.pulseFrom(t, &n, sp, n.Effects)
	copy(auras.List[at+1:auras.Count+1], auras.List[at:auras.Count])
	auras.List[at] = n
	auras.Count++
	s.schedule(t, a.To, &auras.List[at])
	s.broadcast(t, a.To, &auras.List[at])
	s.changed(a.To)
	return true
}

// pulseFrom starts the pulses of some effects of an aura.
func (s *AppliedAuras) pulseFrom(t sched.Tick, a *components.Aura, sp *defs.Spell, effects uint32) {
	for i := range sp.Effects {
		if every := sp.Effects[i].PulseMs; every > 0 && effects&(1<<i) != 0 {
			a.NextMs[i] = t.NowMs + every
		}
	}
}

// refresh restarts the duration of an aura, with one more stack if it stacks. Its pulses keep their times.
//
// Source: Aura::ModStackAmount and Aura::RefreshTimers, AzerothCore.
func (s *AppliedAuras) refresh(t sched.Tick, to ecs.Entity, old *components.Aura, a *rules.ApplyAura) {
	sp := s.template(old)
	if old.Stacks < max(sp.Stacks, 1) {
		old.Stacks++
	}
	old.Charges, old.Amount, old.Level, old.Caster = sp.Charges, a.Amount, a.Level, a.By
	s.pulseFrom(t, old, sp, a.Effects&^old.Effects)
	old.Effects |= a.Effects
	old.MaxMs, old.EndMs = sp.DurationMs, t.NowMs+sp.DurationMs
	s.schedule(t, to, old)
	s.broadcast(t, to, old)
	s.changed(to)
}

// schedule adds a timer for when an aura is due next: for a pulse, or for its end.
func (s *AppliedAuras) schedule(t sched.Tick, e ecs.Entity, a *components.Aura) {
	wait := int32(-1)
	if a.MaxMs != 0 {
		wait = max(int32(a.EndMs-t.NowMs), 0)
	}
	sp := s.template(a)
	for i := range a.NextMs {
		if a.Effects&(1<<i) != 0 && sp.Effects[i].PulseMs > 0 {
			if left := max(int32(a.NextMs[i]-t.NowMs), 0); wait < 0 || left < wait {
				wait = left
			}
		}
	}
	s.last++
	a.Timer = s.last
	if wait >= 0 {
		s.timers.Add(t.After(time.Duration(wait)*time.Millisecond), timer{e, a.Timer})
	}
}
