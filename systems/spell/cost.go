package spell

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// CastCosts decides whether steps of casts are possible, by what they take of their casters: the global cooldown and
// those of spells, power, an item. It takes that from those that are, so that what is attempted after them in the same tick
// does without.
type CastCosts struct {
	entities  ecs.Entities
	defs      ecs.Res[defs.World]
	unsaved   change.Unsaved
	items     goods.Reader
	attempts  ecs.Requests[targetChecked]
	changes   ecs.Requests[limitChange]
	tried     ecs.Emit[tried]
	locks     ecs.Emit[spellLock]
	powers    ecs.Emit[rules.PowerChange]
	uses      ecs.Emit[goods.UseItem]
	casting   ecs.ReadRef[components.Casting]
	vitals    ecs.Read[components.Vitals]
	stats     ecs.ReadRef[components.Stats]
	limits    ecs.Write[components.CastLimits]
	cooldowns ecs.Write[components.Cooldowns]

	full sched.Counter `name:"spell.cooldowns_full"` // cooldowns that were forgotten for lack of room
}

// A tried is an attempt that is possible or not, for good.
type tried struct {
	attempt
	before, power uint32 // that the caster has of the spell's type, before what the cast takes and after it
}

// A limitChange is what the end of a cast means for when its caster can cast again. System castcosts takes it.
type limitChange struct {
	entity          ecs.Entity
	schools, lockMs uint32 // it casts nothing of these for so long; 0 not at all
	release         uint32 // a spell whose cooldown has not begun, and begins; 0 none
	failed          bool   // the cast was not completed
}

// React implements sched.Reactor.
func (s *CastCosts) React(t sched.Tick) {
	for _, it := range s.changes.Take() {
		if s.entities.Exists(it.entity) {
			s.change(t, &it)
		}
	}
	for _, checked := range s.attempts.Take() {
		if a := attempt(checked); s.entities.Exists(a.cast.by) {
			s.try(t, &a)
		}
	}
}

// change changes the limits of a unit whose cast has ended.
//
// Source: Spell::cancel, AzerothCore, which gives the global cooldown back.
func (s *CastCosts) change(t sched.Tick, it *limitChange) {
	limits := s.limits.Get(it.entity)
	if it.failed {
		limits.GlobalUntilMs = 0
	}
	if it.lockMs != 0 {
		limits.LockSchools, limits.LockUntilMs = it.schools, t.NowMs+it.lockMs
		s.locks.Emit(spellLock{it.entity, it.schools, it.lockMs})
	}
	if it.release != 0 && s.cooldowns.Has(it.entity) {
		s.cooldowns.Get(it.entity).Release(it.release, t.NowMs+s.defs.Get().Spell(it.release).CooldownMs)
	}
}

// try decides an attempt.
//
// Source: Spell::CheckCast, AzerothCore, in its order.
func (s *CastCosts) try(t sched.Tick, a *attempt) {
	c := a.cast.in(s.defs.Get())
	out := tried{before: s.power(t, &c)}
	cost := s.cost(a, &c)
	switch {
	case a.step == atPulse, a.why == msg.CastCasterDead:
	case c.item != 0 && !s.items.Has(c.by, c.item):
		a.why = msg.CastItemGone
	case c.triggered:
	case !s.ready(t, a, &c):
		a.why = msg.CastNotReady
	case s.casts(t, a, &c):
		a.why = msg.CastInProgress
	case a.why == castOK && cost > out.before:
		a.why = msg.CastNoPower
	}
	if a.why == castOK {
		s.take(t, a, &c, cost)
	} else if a.step == atEnd {
		s.limits.Get(c.by).GlobalUntilMs = 0
	}
	out.attempt, out.power = *a, s.power(t, &c)
	s.tried.Emit(out)
}

// take takes what a step of a cast takes of its caster.
func (s *CastCosts) take(t sched.Tick, a *attempt, c *cast, cost uint32) {
	limits := s.limits.Get(c.by)
	if a.step == atBegin && !c.spell.Has(defs.SpellNextSwing|defs.SpellAutoRepeat) && a.globalMs > 0 {
		limits.GlobalUntilMs = t.NowMs + a.globalMs
	}
	switch {
	case a.step == atPulse:
		return
	case !a.executes(c.spell):
		if a.castMs > 0 && !c.spell.Has(defs.SpellNextSwing|defs.SpellAutoRepeat) {
			limits.BusyTick = uint32(t.N)
		}
		return
	case c.channelled(), a.step == atEnd && a.player: // what its client asks for in the same tick would be told of before the end
		limits.BusyTick = uint32(t.N)
	}
	if cost > 0 {
		s.pay(t, c, cost)
	}
	if c.item != 0 {
		s.uses.Emit(goods.UseItem{Entity: c.by, Counter: c.item})
	}
	s.cool(t, a, c)
}

// ready reports whether the caster may cast a spell: neither a cooldown nor a lock keeps it from it.
func (s *CastCosts) ready(t sched.Tick, a *attempt, c *cast) bool {
	limits := s.limits.Get(c.by)
	if limits.LockSchools&c.spell.School != 0 && before(t.NowMs, limits.LockUntilMs) {
		return false
	}
	if a.step != atBegin {
		return true
	}
	if s.cooldowns.Has(c.by) {
		if ms, held := s.cooldowns.Get(c.by).WaitMs(c.id, c.spell.Category, t.NowMs); ms > 0 || held {
			return false
		}
	}
	return c.spell.GlobalMs == 0 || !before(t.NowMs, limits.GlobalUntilMs)
}

// casts reports whether a cast cannot begin because its caster casts or channels.
func (s *CastCosts) casts(t sched.Tick, a *attempt, c *cast) bool {
	return a.step == atBegin && !c.spell.Has(defs.SpellNextSwing|defs.SpellAutoRepeat) &&
		(s.casting.Get(c.by).Cast.Spell != 0 || s.limits.Get(c.by).BusyTick == uint32(t.N))
}

// cost returns the power that a spell costs.
//
// Source: SpellInfo::CalcPowerCost, AzerothCore.
func (s *CastCosts) cost(a *attempt, c *cast) uint32 {
	if c.triggered || c.item != 0 || a.cheats&components.CheatNoCost != 0 {
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
	if v.MaxPower[c.spell.Power%7] == 0 && !a.player {
		return 0 // a creature without this power
	}
	return cost
}

// power returns the caster's power of the spell's type that it has not paid with yet in this tick.
func (s *CastCosts) power(t sched.Tick, c *cast) uint32 {
	power := uint32(c.spell.Power % 7)
	have := s.vitals.Get(c.by).Power[power]
	if limits := s.limits.Get(c.by); limits.PaidTick == uint32(t.N) && limits.PaidPower == power {
		have -= min(limits.Paid, have)
	}
	return have
}

// pay has system vitals take the cost of a cast, and reserves it until then.
func (s *CastCosts) pay(t sched.Tick, c *cast, cost uint32) {
	limits, power := s.limits.Get(c.by), uint32(c.spell.Power%7)
	if limits.PaidTick != uint32(t.N) || limits.PaidPower != power {
		limits.PaidTick, limits.PaidPower, limits.Paid = uint32(t.N), power, 0
	}
	limits.Paid += cost
	s.powers.Emit(rules.PowerChange{
		To: c.by, Power: uint8(power), Delta: -int32(min(cost, math.MaxInt32)), Kind: rules.NoReport, Cost: true,
	})
}

// cool starts the cooldowns of a spell and of its category. The client starts them by itself; one that waits for
// its aura starts with SMSG_COOLDOWN_EVENT, or with a cast that hits no unit.
//
// Source: Player::AddSpellAndCategoryCooldowns, AzerothCore.
func (s *CastCosts) cool(t sched.Tick, a *attempt, c *cast) {
	if c.triggered || !s.cooldowns.Has(c.by) || a.cheats&components.CheatNoCooldown != 0 {
		return
	}
	held := uint32(0)
	if c.spell.Has(defs.SpellWaitsForAura) {
		held = 1
	}
	if c.spell.CooldownMs > 0 {
		s.wait(t, c.by, components.Cooldown{Spell: c.id, UntilMs: t.NowMs + c.spell.CooldownMs, Held: held})
	}
	if c.spell.Category != 0 && c.spell.CategoryMs > 0 {
		s.wait(t, c.by, components.Cooldown{Category: c.spell.Category, UntilMs: t.NowMs + c.spell.CategoryMs})
	}
}

func (s *CastCosts) wait(t sched.Tick, e ecs.Entity, c components.Cooldown) {
	if !s.cooldowns.Get(e).Wait(c, t.NowMs) {
		s.full.Count()
	}
	s.unsaved.Mark(e, life.Cooldowns)
}
