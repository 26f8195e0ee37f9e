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

// A cast is a spell in execution.
type cast struct {
	by, target ecs.Entity // target may be zero
	to         components.Vec
	spell      *defs.Spell
	count      uint8
	depth      uint8 // length of the chain of spells that triggered it
	placed     bool
	triggered  bool
	level      uint32 // of the caster
	item       uint32 // counter of the caster's item that casts it and is used up; 0 none
}

// castOK is the result of a check without an error.
const castOK = msg.CastResult(255)

// check returns why a cast is impossible, castOK if it is possible. It is strict at the beginning of a cast and
// allows the target more distance at its end. A triggered spell is not checked for readiness and cost: the spell that
// triggered it was.
//
// Source: Spell::CheckCast, AzerothCore, in its order.
func (s *System) check(t sched.Tick, c *cast, strict bool) msg.CastResult {
	if !s.Alive(c.by) {
		return msg.CastCasterDead
	}
	if c.item != 0 && !s.items.Has(c.by, c.item) {
		return msg.CastItemGone
	}
	if !c.triggered {
		if r := s.checkReady(t, c, strict); r != castOK {
			return r
		}
		if r := s.checkCaster(c); r != castOK {
			return r
		}
	}
	if r := s.checkTarget(c); r != castOK {
		return r
	}
	if r := s.checkUse(c); r != castOK {
		return r
	}
	if c.triggered {
		return castOK
	}
	if r := s.checkRange(c, strict); r != castOK {
		return r
	}
	if s.cost(c) > s.power(t, c) {
		return msg.CastNoPower
	}
	return castOK
}

// checkReady checks cooldowns, locks and whether the caster is casting.
func (s *System) checkReady(t sched.Tick, c *cast, strict bool) msg.CastResult {
	casting := s.casting.Get(c.by)
	if casting.LockSchools&c.spell.School != 0 && before(t.NowMs, casting.LockUntilMs) {
		return msg.CastNotReady
	}
	if !strict {
		return castOK
	}
	if s.cooldowns.Has(c.by) {
		if ms, held := s.cooldowns.Get(c.by).WaitMs(c.spell.ID, c.spell.Category, t.NowMs); ms > 0 || held {
			return msg.CastNotReady
		}
	}
	switch {
	case c.spell.GlobalMs > 0 && before(t.NowMs, casting.GlobalUntilMs):
		return msg.CastNotReady
	case casting.Cast.Spell != 0 && !c.spell.Has(defs.SpellNextSwing|defs.SpellAutoRepeat):
		return msg.CastInProgress
	}
	return castOK
}

// checkCaster checks whether the caster is in a state to cast.
//
// Source: Spell::CheckCasterAuras and Spell::CheckCast, AzerothCore.
func (s *System) checkCaster(c *cast) msg.CastResult {
	states, unit := s.auraStates.Get(c.by).States, s.units.Get(c.by)
	switch {
	case c.spell.Has(defs.SpellWhileStunned):
	case states&components.StateStunned != 0:
		return msg.CastStunned
	case states&components.StateFeared != 0:
		return msg.CastFleeing
	case states&components.StateConfused != 0:
		return msg.CastConfused
	}
	bodily := c.spell.School == defs.SchoolPhysical
	switch {
	case states&components.StateSilenced != 0 && !bodily:
		return msg.CastSilenced
	case states&components.StatePacified != 0 && bodily && c.spell.Has(defs.SpellHarmful):
		return msg.CastPacified
	case c.spell.Has(defs.SpellOutOfCombat) && unit.Flags&components.UnitInCombat != 0:
		return msg.CastAffectingCombat
	case s.stances.Get(c.by).Bytes1[components.ByteStand] != components.Standing:
		return msg.CastNotStanding
	case c.spell.Has(defs.SpellStill) && s.isMoving(c.by):
		return msg.CastMoving
	case c.spell.Has(defs.SpellRanged) && s.combatStats.Get(c.by).MaxDamage[components.RangedHand] == 0:
		return msg.CastEquippedItem
	}
	return castOK
}

// checkTarget checks the target of a cast, or its place.
//
// Source: SpellInfo::CheckExplicitTarget and SpellInfo::CheckTarget, AzerothCore.
func (s *System) checkTarget(c *cast) msg.CastResult {
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
		if c.target == (ecs.Entity{}) || !s.entities.Alive(c.target) {
			return msg.CastBadTargets
		}
		if r := s.checkKind(c, e.Target); r != castOK {
			return r
		}
	}
	return castOK
}

func (s *System) checkKind(c *cast, kind defs.Target) msg.CastResult {
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
func (s *System) checkRange(c *cast, strict bool) msg.CastResult {
	give := float32(looseGive)
	if strict {
		give = strictGive
	}
	p := s.positions.Get(c.by)
	if c.placed && s.placed(c.spell) && far(p.Vec(), c.to) > c.spell.MaxRange+give {
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
func (s *System) distant(c *cast) bool {
	return c.target != (ecs.Entity{}) && c.target != c.by && s.aimed(c.spell)
}

// checkReach checks that the target is near enough. Melee range is extended only at the end of a cast.
func (s *System) checkReach(c *cast, give float32) msg.CastResult {
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
func (s *System) aimed(sp *defs.Spell) bool {
	for i := range sp.Effects {
		if sp.Effects[i].Kind != defs.EffectNone && sp.Effects[i].Target.Aimed() {
			return true
		}
	}
	return false
}

func (s *System) placed(sp *defs.Spell) bool {
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

// cost returns the power that a spell costs.
//
// Source: SpellInfo::CalcPowerCost, AzerothCore.
func (s *System) cost(c *cast) uint32 {
	if c.triggered || c.item != 0 || s.exempt(c.by, components.CheatNoCost) {
		return 0
	}
	v := s.vitals.Get(c.by)
	cost := c.spell.Cost
	if c.spell.CostPercent != 0 {
		base := v.MaxPower[c.spell.Power%7]
		if c.spell.Power == components.PowerMana && s.stats.Has(c.by) {
			base = s.stats.Get(c.by).BaseMana
		}
		cost += base * c.spell.CostPercent / 100
	}
	if v.MaxPower[c.spell.Power%7] == 0 && !s.Player(c.by) {
		return 0 // a creature without this power
	}
	return cost
}

// power returns the caster's power of the spell's type that it has not paid with yet in this tick.
func (s *System) power(t sched.Tick, c *cast) uint32 {
	power := uint32(c.spell.Power % 7)
	have := s.vitals.Get(c.by).Power[power]
	if casting := s.casting.Get(c.by); casting.PaidTick == uint32(t.N) && casting.PaidPower == power {
		have -= min(casting.Paid, have)
	}
	return have
}

// pay has system vitals take the cost of a cast, and reserves it until then.
func (s *System) pay(t sched.Tick, c *cast, cost uint32) {
	casting, power := s.casting.Get(c.by), uint32(c.spell.Power%7)
	if casting.PaidTick != uint32(t.N) || casting.PaidPower != power {
		casting.PaidTick, casting.PaidPower, casting.Paid = uint32(t.N), power, 0
	}
	casting.Paid += cost
	s.powers.Emit(rules.PowerChange{
		To: c.by, Power: uint8(power), Delta: -int32(min(cost, math.MaxInt32)), Kind: rules.NoReport, Cost: true,
	})
}
