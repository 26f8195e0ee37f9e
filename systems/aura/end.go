package aura

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// A reason is why an aura ends.
type reason int

const (
	byTime   reason = iota
	byCancel        // by the player that has it
	byOther         // replaced by another aura
	byForce         // removed by another system, or broken
	byDeath
)

// remove removes the aura at an index of a unit's list.
//
// Source: Unit::_UnapplyAura, AzerothCore.
func (s *System) remove(t sched.Tick, e ecs.Entity, at int, _ reason) {
	state := s.auraStates.Get(e)
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
func (s *System) release(a *components.Aura) {
	if s.template(a).Has(defs.SpellWaitsForAura) && s.entities.Alive(a.Caster) {
		s.releases.Emit(rules.ReleaseCooldown{Entity: a.Caster, Spell: a.Spell})
	}
}

// removeAll removes the auras of a unit for which match is true, at most so many, and returns their number.
func (s *System) removeAll(t sched.Tick, e ecs.Entity, most int, why reason, match func(*components.Aura, *defs.Spell) bool) (n int) {
	auras := s.auras(e)
	if auras == nil {
		return 0
	}
	for i := int(auras.Count) - 1; i >= 0 && n < most; i-- {
		if match(&auras.List[i], s.template(&auras.List[i])) {
			s.remove(t, e, i, why)
			n++
		}
	}
	return n
}

// removeRequested executes a request to remove auras, highest slots first. A dispel removes stacks.
//
// Source: Unit::RemoveAurasDueToSpellByDispel, AzerothCore.
func (s *System) removeRequested(t sched.Tick, request *rules.RemoveAuras) {
	auras := s.auras(request.From)
	if auras == nil {
		return
	}
	left := math.MaxInt
	if request.Most > 0 {
		left = int(request.Most)
	}
	by := uint64(0)
	if s.entities.Alive(request.By) {
		by = s.objects.Get(request.By).GUID
	}
	for at := int(auras.Count) - 1; at >= 0 && left > 0; at-- {
		a := &auras.List[at]
		sp := s.template(a)
		switch {
		case by != 0 && a.CasterGUID != by, request.Spell != 0 && a.Spell != request.Spell:
		case request.Dispel == 0:
			s.remove(t, request.From, at, byForce)
			left--
		case !request.Takes(sp):
		case int(a.Stacks) > left:
			a.Stacks -= uint8(left)
			left = 0
			s.broadcast(t, request.From, a)
			s.changed(request.From)
		default:
			left -= max(int(a.Stacks), 1)
			s.remove(t, request.From, at, byForce)
		}
	}
}

// cancel removes auras that players cancel: neither harmful nor permanent ones.
//
// Source: WorldSession::HandleCancelAuraOpcode, AzerothCore.
func (s *System) cancel(t sched.Tick) {
	for _, sent := range s.clicks.All() {
		s.removeAll(t, sent.By, life.MaxAuras, byCancel, func(a *components.Aura, sp *defs.Spell) bool {
			return a.Spell == sent.Msg.Spell && !sp.Has(defs.SpellHarmful|defs.SpellPassive|defs.SpellCannotCancel)
		})
	}
}

// breakByMoves removes auras that break when a player moves.
//
// Source: Unit::RemoveAurasWithInterruptFlags, AzerothCore.
func (s *System) breakByMoves(t sched.Tick) {
	moves := s.moves.All()
	for i := range moves {
		if e := moves[i].By; s.breaks(e, defs.BreakMove) && s.motions.Get(e).Flags&moving != 0 {
			s.breakAuras(t, e, defs.BreakMove, 0)
		}
	}
}

// moving has all bits of components.Motion.Flags with which a unit changes its place.
//
// Source: MOVEMENTFLAG_MASK_MOVING, UnitDefines.h, AzerothCore.
const moving = components.MoveForward | components.MoveBackward | components.MoveStrafeLeft | components.MoveStrafeRight |
	components.MoveFalling | components.MoveFallingFar | components.MoveAscending | components.MoveDescending

// breakAuras removes the auras that an event breaks. A spell does not break its own auras, since otherwise a root
// with periodic damage would break at once; except is 0 for events without a spell.
//
// Source: Unit::DealDamage, which excepts the spell, and Unit::RemoveAurasWithInterruptFlags, AzerothCore.
func (s *System) breakAuras(t sched.Tick, e ecs.Entity, why defs.Break, except uint32) {
	if !s.breaks(e, why) {
		return
	}
	s.removeAll(t, e, life.MaxAuras, byForce, func(a *components.Aura, sp *defs.Spell) bool {
		return sp.Breaks&why != 0 && sp.ID != except
	})
}

// breaks reports whether an event removes any aura of a unit.
func (s *System) breaks(e ecs.Entity, why defs.Break) bool {
	auras := s.auras(e)
	return auras != nil && defs.Break(auras.Sum.Breaks)&why != 0
}

// endAtDeath removes the auras that end with death from units that have died.
//
// Source: Unit::RemoveAllAurasOnDeath, AzerothCore.
func (s *System) endAtDeath(t sched.Tick) {
	for _, d := range s.deaths.Next() {
		if s.entities.Alive(d.Entity) && !s.Alive(d.Entity) {
			s.interrupts.Emit(rules.InterruptCast{Entity: d.Entity}) // system spell may not know yet
			s.removeAll(t, d.Entity, life.MaxAuras, byDeath, func(_ *components.Aura, sp *defs.Spell) bool {
				return !sp.Has(defs.SpellPassive|defs.SpellOutlivesDeath) || !s.sessions.Has(d.Entity)
			})
		}
	}
}
