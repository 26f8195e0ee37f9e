package aura

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// endAuras ends auras and takes charges of them.
func (s *AppliedAuras) endAuras(t sched.Tick) {
	for _, it := range s.ends.Take() {
		if s.entities.Exists(it.entity) && s.unitAuras.Get(it.entity).Block != 0 {
			s.end(t, &it)
		}
	}
}

// end ends auras of a unit. A spell does not break its own auras, since otherwise a root with periodic damage would
// break at once.
//
// Source: Unit::DealDamage, which excepts the spell, Unit::RemoveAurasWithInterruptFlags, Unit::RemoveAllAurasOnDeath
// and WorldSession::HandleCancelAuraOpcode, AzerothCore.
func (s *AppliedAuras) end(t sched.Tick, it *auraEnd) {
	if it.cause == creatureLeft || it.cause == playerLeft {
		s.leave(it)
		return
	}
	if it.absorbed {
		s.changes.Emit(Changed{Entity: it.entity})
	}
	if it.absorbed || it.cause != noCause || it.cancels != 0 || defs.Break(s.auras(it.entity).Sum.Breaks)&it.breaks != 0 {
		s.removeEnded(t, it)
	}
	if it.attacker != (ecs.Entity{}) {
		s.shieldDamage(it.entity, it.attacker)
	}
	s.spend(t, it.entity, it.spent)
}

// leave ends the auras of a unit that leaves the world, without a word: clients see it leave. A player's are saved with its
// character, and with them a cooldown of its own that waits for one.
func (s *AppliedAuras) leave(it *auraEnd) {
	auras := s.auras(it.entity)
	for i := range auras.List[:auras.Count] {
		if a := &auras.List[i]; a.Caster != it.entity {
			s.release(a)
		}
	}
	if it.cause == creatureLeft {
		state := s.unitAuras.Get(it.entity)
		s.slab.Get().Free(state.Block)
		state.Block = 0
	}
}

// remove removes the aura at an index of a unit's list.
//
// Source: Unit::_UnapplyAura, AzerothCore.
func (s *AppliedAuras) remove(t sched.Tick, e ecs.Entity, at int) {
	state := s.unitAuras.Get(e)
	auras := s.slab.Get().At(state.Block)
	a := auras.List[at]
	auras.Count--
	copy(auras.List[at:], auras.List[at+1:auras.Count+1])
	auras.List[auras.Count] = components.Aura{}
	if auras.Count == 0 {
		s.slab.Get().Free(state.Block)
		state.Block = 0
	}
	s.broadcastGone(e, &a)
	s.release(&a)
	s.changed(e)
}

// release starts the cooldown of a spell that waits for its aura to end.
func (s *AppliedAuras) release(a *components.Aura) {
	if s.template(a).Has(defs.SpellWaitsForAura) && s.entities.Exists(a.Caster) {
		s.releases.Emit(rules.ReleaseCooldown{Entity: a.Caster, Spell: a.Spell})
	}
}

// removeEnded removes the auras of a unit that an auraEnd ends, the last one first.
func (s *AppliedAuras) removeEnded(t sched.Tick, it *auraEnd) {
	auras := s.auras(it.entity)
	for i := int(auras.Count) - 1; i >= 0; i-- {
		if a := &auras.List[i]; it.takes(a, s.template(a)) {
			s.remove(t, it.entity, i)
		}
	}
}

// takes reports whether an auraEnd ends an aura. Players cancel neither harmful nor permanent ones.
func (it *auraEnd) takes(a *components.Aura, sp *defs.Spell) bool {
	switch {
	case it.cause == creatureDied:
		return true
	case it.cause == playerDied:
		return !sp.Has(defs.SpellPassive | defs.SpellOutlivesDeath)
	case it.cancels != 0:
		return a.Spell == it.cancels && !sp.Has(defs.SpellHarmful|defs.SpellPassive|defs.SpellCannotCancel)
	}
	return it.absorbed && usedUp(a, sp) || sp.Breaks&it.breaks != 0 && sp.ID != it.except
}

// removeRequested executes a request to remove auras, highest slots first. A dispel removes stacks.
//
// Source: Unit::RemoveAurasDueToSpellByDispel, AzerothCore.
func (s *AppliedAuras) removeRequested(t sched.Tick, request *rules.RemoveAuras) {
	auras := s.auras(request.From)
	if auras == nil {
		return
	}
	left := math.MaxInt
	if request.Most > 0 {
		left = int(request.Most)
	}
	by := uint64(0)
	if s.entities.Exists(request.By) {
		by = s.objects.Get(request.By).GUID
	}
	for at := int(auras.Count) - 1; at >= 0 && left > 0; at-- {
		a := &auras.List[at]
		sp := s.template(a)
		switch {
		case by != 0 && a.CasterGUID != by, request.Spell != 0 && a.Spell != request.Spell:
		case request.Dispel == 0:
			s.remove(t, request.From, at)
			left--
		case !request.Takes(sp):
		case int(a.Stacks) > left:
			a.Stacks -= uint8(left)
			left = 0
			s.broadcast(t, request.From, a)
			s.changed(request.From)
		default:
			left -= max(int(a.Stacks), 1)
			s.remove(t, request.From, at)
		}
	}
}
