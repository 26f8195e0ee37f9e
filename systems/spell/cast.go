package spell

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// A timer is the end of a cast, the next pulse of a channel or the next shot of a unit; it is stale if the unit
// has got another number since.
type timer struct {
	entity ecs.Entity
	number uint32
	shot   bool
}

// begin does what is asked for, or says why not.
//
// Source: Spell::prepare, AzerothCore.
func (s *System) begin(t sched.Tick, wish *rules.Cast) {
	if !s.entities.Alive(wish.By) {
		return
	}
	sp := s.defs.Get().Spell(wish.Spell)
	switch {
	case sp == nil:
		s.unknown.Count()
		s.refuse(t, wish, msg.CastNotKnown)
		return
	case wish.Asked && (sp.Has(defs.SpellPassive) || !s.spells.Get(wish.By).Knows(sp.ID)):
		s.notKnown.Count()
		s.refuse(t, wish, msg.CastNotKnown)
		return
	}
	c := s.hand(cast{
		by: wish.By, target: wish.Target, to: wish.To, spell: sp, count: wish.Count, placed: wish.Placed,
		depth: wish.Depth, triggered: wish.Triggered, level: s.units.Get(wish.By).Level, item: wish.Item,
	})
	if c.target == (ecs.Entity{}) && friendly(sp) {
		c.target = c.by
	}
	if r := s.check(t, c, true); r != castOK {
		s.refuse(t, wish, r)
		return
	}
	if wish.Ticket != 0 {
		s.castResults.Emit(rules.CastResult{Ticket: wish.Ticket, Begun: true})
	}
	switch castMs := s.castMs(c); {
	case c.triggered:
		s.finish(t, c)
	case sp.Has(defs.SpellNextSwing):
		casting := s.casting.Get(c.by)
		casting.NextSwing, casting.NextSwingCount = sp.ID, uint32(c.count)
		s.tellStart(t, c, 0)
	case sp.Has(defs.SpellAutoRepeat):
		s.repeat(t, c)
	case castMs > 0:
		s.start(t, c, castMs)
	default:
		s.global(t, c)
		s.tellStart(t, c, 0)
		s.finish(t, c)
	}
}

// friendly reports whether a spell that is aimed at nobody is aimed at its caster.
func friendly(sp *defs.Spell) bool {
	if sp.Has(defs.SpellHarmful) {
		return false
	}
	for i := range sp.Effects {
		if e := &sp.Effects[i]; e.Kind != defs.EffectNone && e.Target.Aimed() {
			return e.Target != defs.TargetEnemy
		}
	}
	return false
}

// castMs is how long a cast takes its caster.
//
// Source: Unit::ModSpellCastTime, AzerothCore.
func (s *System) castMs(c *cast) uint32 {
	if c.triggered || c.spell.CastMs == 0 || s.cheats(c.by, components.StateInstantCast) {
		return 0
	}
	return uint32(float32(float32(c.spell.CastMs) * s.haste(c.by)))
}

// cheats reports whether a unit is let off something.
func (s *System) cheats(e ecs.Entity, state uint16) bool { return s.combats.Get(e).States&state != 0 }

// haste is the factor on cast times.
func (s *System) haste(e ecs.Entity) float32 { return s.book.CombatStats(e).CastSpeed }

// start begins a cast that takes its time.
func (s *System) start(t sched.Tick, c *cast, castMs uint32) {
	s.hold(t, c, castMs)
	s.global(t, c)
	s.tellStart(t, c, castMs)
}

// hold has the caster busy with a cast for a time.
func (s *System) hold(t sched.Tick, c *cast, ms uint32) *components.Cast {
	casting := s.casting.Get(c.by)
	casting.Cast = components.Cast{
		Target: c.target, To: c.to, Spell: c.spell.ID, StartMs: t.NowMs, EndMs: t.NowMs + ms, Count: uint32(c.count),
		Item: c.item,
	}
	if c.placed {
		casting.Cast.Placed = 1
	}
	if c.target != (ecs.Entity{}) {
		casting.Cast.TargetGUID = s.objects.Get(c.target).GUID
	}
	s.rouse(t, c.by, ms)
	return &casting.Cast
}

// rouse has the caster's timer ring after a time; older ones are stale.
func (s *System) rouse(t sched.Tick, e ecs.Entity, ms uint32) {
	casting := s.casting.Get(e)
	casting.Number++
	s.timers.Add(t.After(time.Duration(ms)*time.Millisecond), timer{entity: e, number: casting.Number})
}

// fire does what is due.
func (s *System) fire(t sched.Tick) {
	for _, due := range s.timers.Take(t.N) {
		if !s.entities.Alive(due.entity) {
			continue
		}
		casting := s.casting.Get(due.entity)
		switch {
		case due.shot:
			if casting.Shot == due.number && casting.Repeat != 0 {
				s.shoot(t, due.entity)
			}
		case casting.Number != due.number || casting.Cast.Spell == 0:
		case casting.Cast.Channel != 0:
			s.pulse(t, due.entity)
		case before(t.NowMs, casting.Cast.EndMs): // pushed back meanwhile
			s.rouse(t, due.entity, casting.Cast.EndMs-t.NowMs)
		default:
			s.complete(t, due.entity)
		}
	}
	s.land(t)
}

// complete ends a cast whose time has come.
func (s *System) complete(t sched.Tick, e ecs.Entity) {
	c := s.held(e)
	if r := s.check(t, c, false); r != castOK {
		s.fail(t, e, r)
		return
	}
	s.casting.Get(e).Cast = components.Cast{}
	s.finish(t, c)
}

// held is the cast that a unit is busy with.
func (s *System) held(e ecs.Entity) *cast {
	busy := &s.casting.Get(e).Cast
	c := s.hand(cast{
		by: e, target: busy.Target, to: busy.To, spell: s.spell(busy.Spell), count: uint8(busy.Count),
		placed: busy.Placed != 0, level: s.units.Get(e).Level, item: busy.Item,
	})
	if !s.entities.Alive(c.target) {
		c.target = ecs.Entity{}
	}
	return c
}

// finish does what a cast was for: takes what it costs, says whom it meets, and sees to it.
//
// Source: Spell::_cast, AzerothCore.
func (s *System) finish(t sched.Tick, c *cast) {
	if cost := s.cost(c); cost > 0 {
		s.book.Spend(t, c.by, int(c.spell.Power%7), cost)
	}
	if c.item != 0 {
		s.ledger.Use(t, c.by, c.item)
	}
	if !c.triggered && s.combats.Get(c.by).Auras != 0 {
		s.aurasBroken.Emit(rules.AuraBroken{Entity: c.by, Why: defs.BreakCast})
	}
	s.meet(t, c)
	s.cooldown(t, c)
	s.tellGo(t, c)
	if c.spell.Has(defs.SpellChannelled) && !c.triggered {
		s.channel(t, c)
	}
	s.launch(t, c)
}

// fail ends a cast or channel before its time, and says why.
//
// Source: Spell::cancel and Spell::SendInterrupted, AzerothCore.
func (s *System) fail(t sched.Tick, e ecs.Entity, why msg.CastResult) {
	casting := s.casting.Get(e)
	if casting.Cast.Spell == 0 {
		return
	}
	c, channel := s.held(e), casting.Cast.Channel != 0
	casting.Cast = components.Cast{}
	casting.Number++
	s.interrupted.Count()
	if channel {
		s.unchannel(t, c)
		return
	}
	casting.GlobalUntilMs = 0 // Source: Spell::cancel, AzerothCore, which gives the global cooldown back
	s.tellFailure(c, why)
}

// push puts off the casts of those who were hurt in this tick.
//
// Source: Unit::DealDamage, Spell::Delayed and Spell::DelayedChannel, AzerothCore, where only players are put
// off; here everybody is. What hurts again and again does not put off.
func (s *System) push(t sched.Tick) {
	for _, b := range s.damageDealt.All() {
		if b.Dealt == 0 || b.Periodic || b.By == b.To || !s.entities.Alive(b.To) {
			continue
		}
		c := &s.casting.Get(b.To).Cast
		if c.Spell == 0 || c.Pushed >= maxPushes || !s.spell(c.Spell).Has(defs.SpellPushedBack) {
			continue
		}
		c.Pushed++
		if c.Channel != 0 {
			s.shorten(t, b.To)
		} else {
			put := min(pushMs, t.NowMs-c.StartMs)
			c.StartMs, c.EndMs = c.StartMs+put, c.EndMs+put // the timer finds the new end when it rings
			s.tellDelay(b.To, put)
		}
	}
}

// How far a blow puts off a cast, how often, and what part of its time a channel loses.
//
// Source: Spell::Delayed and Spell::DelayedChannel, AzerothCore.
const (
	pushMs         = 500
	maxPushes      = 2
	channelPercent = 25
)

// bury ends the casts of those who died in this tick.
func (s *System) bury(t sched.Tick) {
	for _, d := range s.deaths.Next() {
		if s.entities.Alive(d.Entity) {
			s.perish(t, d.Entity)
		}
	}
}

// perish ends all that a unit casts or is about to.
func (s *System) perish(t sched.Tick, e ecs.Entity) {
	s.fail(t, e, msg.CastCasterDead)
	casting := s.casting.Get(e)
	casting.NextSwing, casting.Repeat = 0, 0
}

// hand keeps a cast while it is being done, so that it need not be made anew. There are more hands than casts that
// are being done at one time.
func (s *System) hand(c cast) *cast {
	s.used = (s.used + 1) % len(s.hands)
	s.hands[s.used] = c
	return &s.hands[s.used]
}

// spell is the template of a spell that is known to be there.
func (s *System) spell(id uint32) *defs.Spell { return s.defs.Get().Spell(id) }
