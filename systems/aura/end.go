package aura

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// A reason is why an aura ends.
type reason int

const (
	byTime  reason = iota
	byClick        // of its bearer
	byOther        // another takes its place
	byForce        // somebody took it off, or something broke it
	byDeath
)

// remove takes the aura at a place of its bearer's list off.
//
// Source: Unit::_UnapplyAura, AzerothCore.
func (s *System) remove(t sched.Tick, e ecs.Entity, at int, _ reason) {
	bout := s.combats.Get(e)
	auras := s.slab.Get().At(bout.Auras)
	a := auras.List[at]
	auras.Count--
	copy(auras.List[at:], auras.List[at+1:auras.Count+1])
	auras.List[auras.Count] = components.Aura{}
	if auras.Count == 0 {
		s.slab.Get().Free(bout.Auras)
		bout.Auras = 0
	}
	s.tellGone(e, &a)
	s.release(t, &a)
	s.changed(t, e)
}

// release begins the cooldown of a spell that has waited for its aura to end.
//
// Source: Player::SendCooldownEvent, AzerothCore.
func (s *System) release(t sched.Tick, a *components.Aura) {
	sp := s.template(a)
	if !sp.Has(defs.SpellWaitsForAura) || !s.entities.Alive(a.Caster) || !s.spells.Has(a.Caster) ||
		!s.spells.Get(a.Caster).Release(a.Spell, t.NowMs+sp.CooldownMs) {
		return
	}
	s.unsaved.Mark(a.Caster, life.Cooldowns)
	p := &s.said.event
	p.Spell, p.GUID = a.Spell, a.CasterGUID
	s.out.SendNow(a.Caster, msg.OpCooldownEvent, p)
}

// removeAll takes off those auras of a unit that are meant, at most so many, and reports how many they were.
func (s *System) removeAll(t sched.Tick, e ecs.Entity, most int, why reason, meant func(*components.Aura, *defs.Spell) bool) (n int) {
	auras := s.auras(e)
	if auras == nil {
		return 0
	}
	for i := int(auras.Count) - 1; i >= 0 && n < most; i-- {
		if meant(&auras.List[i], s.template(&auras.List[i])) {
			s.remove(t, e, i, why)
			n++
		}
	}
	return n
}

// strip takes off what somebody wants to be gone, those of the highest slots first. Who dispels takes as many off as lie
// on each other.
//
// Source: Unit::RemoveAurasDueToSpellByDispel, AzerothCore.
func (s *System) strip(t sched.Tick, strip *rules.RemoveAuras) {
	auras := s.auras(strip.From)
	if auras == nil {
		return
	}
	left := math.MaxInt
	if strip.Most > 0 {
		left = int(strip.Most)
	}
	by := uint64(0)
	if s.entities.Alive(strip.By) {
		by = s.objects.Get(strip.By).GUID
	}
	for at := int(auras.Count) - 1; at >= 0 && left > 0; at-- {
		a := &auras.List[at]
		sp := s.template(a)
		switch {
		case by != 0 && a.CasterGUID != by, strip.Spell != 0 && a.Spell != strip.Spell:
		case strip.Dispel == 0:
			s.remove(t, strip.From, at, byForce)
			left--
		case !strip.Takes(sp):
		case int(a.Stacks) > left:
			a.Stacks -= uint8(left)
			left = 0
			s.tell(t, strip.From, a)
			s.changed(t, strip.From)
		default:
			left -= max(int(a.Stacks), 1)
			s.remove(t, strip.From, at, byForce)
		}
	}
}

// click takes off what players do not want: nothing that is bad, and nothing that is theirs for good.
//
// Source: WorldSession::HandleCancelAuraOpcode, AzerothCore.
func (s *System) click(t sched.Tick) {
	for _, sent := range s.clicks.All() {
		if s.entities.Alive(sent.By) {
			s.removeAll(t, sent.By, life.MaxAuras, byClick, func(a *components.Aura, sp *defs.Spell) bool {
				return a.Spell == sent.Msg.Spell && !sp.Has(defs.SpellHarmful|defs.SpellPassive|defs.SpellCannotCancel)
			})
		}
	}
}

// breakOff ends what breaks when its bearer moves, casts or stands up, and takes the charges that a cast takes.
//
// Source: Unit::RemoveAurasWithInterruptFlags, AzerothCore.
func (s *System) breakOff(t sched.Tick) {
	moves := s.moves.All()
	for i := range moves {
		if e := moves[i].By; s.entities.Alive(e) && s.breaks(e, defs.BreakMove) && s.motions.Get(e).Flags&moving != 0 {
			s.breakAuras(t, e, defs.BreakMove, 0)
		}
	}
	for _, b := range s.aurasBroken.Take() {
		if s.entities.Alive(b.Entity) {
			s.breakAuras(t, b.Entity, b.Why, 0)
			if b.Why&defs.BreakCast != 0 {
				s.spend(t, b.Entity, defs.SpentCast)
			}
		}
	}
}

// moving is every bit of components.Motion.Flags with which somebody goes somewhere.
//
// Source: MOVEMENTFLAG_MASK_MOVING, UnitDefines.h, AzerothCore.
const moving = components.MoveForward | components.MoveBackward | components.MoveStrafeLeft | components.MoveStrafeRight |
	components.MoveFalling | components.MoveFallingFar | components.MoveAscending | components.MoveDescending

// breakAuras takes off what something breaks. What one spell does does not break its own auras, and with no spell none
// is spared: a root that hurts by and by would hold nobody.
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

// breaks reports whether something takes any aura off a unit.
func (s *System) breaks(e ecs.Entity, why defs.Break) bool {
	auras := s.auras(e)
	return auras != nil && defs.Break(auras.Sum.Breaks)&why != 0
}

// bury takes off what does not outlive death, of those who died in this tick.
//
// Source: Unit::RemoveAllAurasOnDeath, AzerothCore.
func (s *System) bury(t sched.Tick) {
	for _, d := range s.deaths.Next() {
		if s.entities.Alive(d.Entity) && !s.book.Alive(d.Entity) {
			s.interrupts.Emit(rules.InterruptCast{Entity: d.Entity}) // system spell may not have heard of it
			s.removeAll(t, d.Entity, life.MaxAuras, byDeath, func(_ *components.Aura, sp *defs.Spell) bool {
				return !sp.Has(defs.SpellPassive|defs.SpellOutlivesDeath) || !s.sessions.Has(d.Entity)
			})
		}
	}
}
