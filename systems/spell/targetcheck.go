package spell

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// TargetChecks checks whether what casts are aimed at is a target for them, and in reach.
type TargetChecks struct {
	rules.Units
	rules.Reach

	entities  ecs.Entities
	defs      ecs.Res[defs.World]
	attempts  ecs.Requests[casterChecked]
	checked   ecs.Emit[targetChecked]
	auras     rules.AuraReader
	vitals    ecs.Read[components.Vitals]
	units     ecs.Read[components.Unit]
	positions ecs.Read[components.Position]
}

// A targetChecked is an attempt that has been through TargetChecks, too.
type targetChecked attempt

// React implements sched.Reactor.
func (s *TargetChecks) React(sched.Tick) {
	for _, a := range s.attempts.Take() {
		if !s.entities.Exists(a.cast.by) {
			continue
		}
		if !s.entities.Exists(a.cast.target) {
			a.cast.target = ecs.Entity{}
		}
		if a.why == castOK {
			a.why = s.check((*attempt)(&a))
		}
		s.checked.Emit(targetChecked(a))
	}
}

// check returns why a cast is impossible at its target, castOK if it is possible. It is strict at the beginning of a
// cast and allows the target more distance at its end.
//
// Source: Spell::CheckCast, AzerothCore, in its order.
func (s *TargetChecks) check(a *attempt) msg.CastResult {
	c := a.cast.in(s.defs.Get())
	if a.step == atPulse {
		return s.channelError(&c)
	}
	if r := s.checkTarget(&c); r != castOK {
		return r
	}
	if r := s.checkUse(&c); r != castOK || c.triggered {
		return r
	}
	return s.checkRange(&c, a.step == atBegin)
}

// checkTarget checks the target of a cast, or its place.
//
// Source: SpellInfo::CheckExplicitTarget and SpellInfo::CheckTarget, AzerothCore.
func (s *TargetChecks) checkTarget(c *cast) msg.CastResult {
	for i := range c.spell.Effects {
		e := &c.spell.Effects[i]
		if e.Kind == defs.EffectNone {
			continue
		}
		if e.Target.Placed() && !c.placed {
			return msg.CastBadTargets
		}
		if !e.Target.Aimed() {
			continue
		}
		if c.target == (ecs.Entity{}) || !s.entities.Exists(c.target) {
			return msg.CastBadTargets
		}
		if r := s.checkKind(c, e.Target); r != castOK {
			return r
		}
	}
	return castOK
}

func (s *TargetChecks) checkKind(c *cast, kind defs.Target) msg.CastResult {
	dead := !s.Alive(c.target)
	switch {
	case c.spell.Has(defs.SpellOnDead):
		if !dead {
			return msg.CastTargetNotDead
		}
		if kind == defs.TargetFriend && s.Hostile(c.by, c.target) {
			return msg.CastBadTargets
		}
	case dead:
		return msg.CastTargetsDead
	case kind == defs.TargetEnemy && !s.Attackable(c.by, c.target):
		return msg.CastBadTargets
	case kind == defs.TargetAny && c.spell.Has(defs.SpellHarmful) && !s.Attackable(c.by, c.target):
		return msg.CastBadTargets
	case (kind == defs.TargetFriend || kind == defs.TargetChainFriends) && s.Hostile(c.by, c.target):
		return msg.CastBadTargets
	}
	return castOK
}

// Distances of a target, yards: least melee range, what is added to melee reach, and what is added to the range of a
// spell when it begins and when it ends.
//
// Source: Spell::CheckRange, CMaNGOS; ATTACK_DISTANCE, AzerothCore.
const (
	meleeLeast  = 5
	meleeBeyond = 4.0 / 3
	strictGive  = 1.25
	looseGive   = 6.25
)

// checkRange checks that the target is near enough, far enough and in front of the caster. Creatures turn to their
// target.
//
// Source: Spell::CheckRange, AzerothCore.
func (s *TargetChecks) checkRange(c *cast, strict bool) msg.CastResult {
	give := float32(looseGive)
	if strict {
		give = strictGive
	}
	p := s.positions.Get(c.by)
	if c.placed && placed(c.spell) && far(p.Vec(), c.to) > c.spell.MaxRange+give {
		return msg.CastOutOfRange
	}
	if !s.distant(c) {
		return castOK
	}
	if r := s.checkReach(c, give); r != castOK {
		return r
	}
	if c.spell.MinRange > 0 && far(p.Vec(), s.positions.Get(c.target).Vec()) < c.spell.MinRange {
		return msg.CastTooClose
	}
	if c.spell.Has(defs.SpellHarmful) && !c.spell.Has(defs.SpellBackTurned) && s.Player(c.by) &&
		!s.InFront(c.by, c.target) {
		return msg.CastUnitNotInFront
	}
	return castOK
}

// distant reports whether a cast is aimed at another unit than its caster.
func (s *TargetChecks) distant(c *cast) bool {
	return c.target != (ecs.Entity{}) && c.target != c.by && aimed(c.spell)
}

// checkReach checks that the target is near enough. Melee range is extended only at the end of a cast.
func (s *TargetChecks) checkReach(c *cast, give float32) msg.CastResult {
	if !s.distant(c) {
		return castOK
	}
	reach := s.units.Get(c.by).CombatReach + s.units.Get(c.target).CombatReach
	most := c.spell.MaxRange + reach + give
	if c.spell.MaxRange == 0 {
		most = max(meleeLeast, reach+meleeBeyond)
		if give > strictGive {
			most += give
		}
	}
	if far(s.positions.Get(c.by).Vec(), s.positions.Get(c.target).Vec()) > most {
		return msg.CastOutOfRange
	}
	return castOK
}

// aimed reports whether a spell has an effect on the unit that it is aimed at.
func aimed(sp *defs.Spell) bool {
	for i := range sp.Effects {
		if sp.Effects[i].Kind != defs.EffectNone && sp.Effects[i].Target.Aimed() {
			return true
		}
	}
	return false
}

func placed(sp *defs.Spell) bool {
	for i := range sp.Effects {
		if sp.Effects[i].Kind != defs.EffectNone && sp.Effects[i].Target.Placed() {
			return true
		}
	}
	return false
}

func far(a, b components.Vec) float32 {
	x, y, z := a.X-b.X, a.Y-b.Y, a.Z-b.Z
	return float32(math.Sqrt(float64(float32(x*x) + float32(y*y) + float32(z*z))))
}

// before reports whether a world time is in the future. One further away than longestMs has passed long ago: the
// clock wraps after 49 days.
func before(nowMs, untilMs uint32) bool { return untilMs != 0 && untilMs-nowMs-1 < longestMs }

// longestMs is longer than any cast, channel, lock or shot.
const longestMs = 1 << 24

// channelError returns why a channel cannot go on, castOK if it can.
//
// Source: Spell::UpdateChanneledTargetList, AzerothCore.
func (s *TargetChecks) channelError(c *cast) msg.CastResult {
	switch {
	case !s.Alive(c.by):
		return msg.CastCasterDead
	case !aimed(c.spell):
		return castOK
	case !s.Alive(c.target), appliesAura(c.spell) && !s.auras.Has(c.target, c.spell.ID, c.by):
		return msg.CastBadTargets
	}
	return s.checkReach(c, looseGive)
}

// appliesAura reports whether a channel applies an aura to its target, with which it ends.
func appliesAura(sp *defs.Spell) bool {
	for i := range sp.Effects {
		if e := &sp.Effects[i]; e.Kind == defs.EffectApplyAura && e.Target.Aimed() && Refusal(sp, i) == "" {
			return true
		}
	}
	return false
}
