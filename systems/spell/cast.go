package spell

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// A timer is the end of a cast, the next pulse of a channel or the next shot of a unit; it is stale if the unit has
// another number since.
type timer struct {
	entity ecs.Entity
	number uint32
	shot   bool
}

// begin begins a cast, or refuses it with a reason.
//
// Source: Spell::prepare, AzerothCore.
func (s *System) begin(t sched.Tick, ask *rules.Cast) {
	if !s.entities.Alive(ask.By) {
		return
	}
	sp := s.defs.Get().Spell(ask.Spell)
	switch {
	case sp == nil:
		s.unknown.Count()
		s.refuse(t, ask, msg.CastNotKnown)
		return
	case ask.Asked && (sp.Has(defs.SpellPassive) || !s.spells.Get(ask.By).Knows(sp.ID)):
		s.notKnown.Count()
		s.refuse(t, ask, msg.CastNotKnown)
		return
	}
	c := s.hand(cast{
		by: ask.By, target: ask.Target, to: ask.To, spell: sp, count: ask.Count, placed: ask.Placed,
		depth: ask.Depth, triggered: ask.Triggered, level: s.units.Get(ask.By).Level, item: ask.Item,
	})
	if c.target == (ecs.Entity{}) && friendly(sp) {
		c.target = c.by
	}
	if r := s.check(t, c, true); r != castOK {
		s.refuse(t, ask, r)
		return
	}
	if ask.Ticket != 0 {
		s.castResults.Emit(rules.CastResult{Ticket: ask.Ticket, Begun: true})
	}
	switch castMs := s.castMs(c); {
	case c.triggered:
		s.finish(t, c)
	case sp.Has(defs.SpellNextSwing):
		casting := s.casting.Get(c.by)
		casting.NextSwing, casting.NextSwingCount = sp.ID, uint32(c.count)
		s.sendStart(t, c, 0)
	case sp.Has(defs.SpellAutoRepeat):
		s.repeat(t, c)
	case castMs > 0:
		s.start(t, c, castMs)
	default:
		s.global(t, c)
		s.sendStart(t, c, 0)
		s.finish(t, c)
	}
}

// friendly reports whether a spell cast without a target is cast on its caster.
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

// castMs returns the cast time of a cast.
//
// Source: Unit::ModSpellCastTime, AzerothCore.
func (s *System) castMs(c *cast) uint32 {
	if c.triggered || c.spell.CastMs == 0 || s.exempt(c.by, components.CheatInstantCast) {
		return 0
	}
	return uint32(float32(float32(c.spell.CastMs) * s.haste(c.by)))
}

// exempt reports whether a unit is a player that is exempt from a rule.
func (s *System) exempt(e ecs.Entity, cheat uint16) bool {
	return s.cheats.Has(e) && s.cheats.Get(e).Set&cheat != 0
}

// haste returns the factor on cast times.
func (s *System) haste(e ecs.Entity) float32 { return s.combatStats.Get(e).CastSpeed }

// start begins a cast with a cast time.
func (s *System) start(t sched.Tick, c *cast, castMs uint32) {
	s.hold(t, c, castMs)
	s.global(t, c)
	s.sendStart(t, c, castMs)
}

// hold sets the caster's present cast, of a duration.
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
	s.setTimer(t, c.by, ms)
	return &casting.Cast
}

// setTimer sets the caster's timer; earlier timers become stale.
func (s *System) setTimer(t sched.Tick, e ecs.Entity, ms uint32) {
	casting := s.casting.Get(e)
	casting.Number++
	s.timers.Add(t.After(time.Duration(ms)*time.Millisecond), timer{entity: e, number: casting.Number})
}

// fire handles the timers that are due, and then missiles.
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
			s.setTimer(t, due.entity, casting.Cast.EndMs-t.NowMs)
		default:
			s.complete(t, due.entity)
		}
	}
	s.land(t)
}

// complete ends a cast whose cast time is over.
func (s *System) complete(t sched.Tick, e ecs.Entity) {
	c := s.held(e)
	if r := s.check(t, c, false); r != castOK {
		s.fail(t, e, r)
		return
	}
	s.casting.Get(e).Cast = components.Cast{}
	s.finish(t, c)
}

// held returns the present cast of a unit.
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

// finish executes a cast: it takes the cost, selects the targets and launches the effects.
//
// Source: Spell::_cast, AzerothCore.
func (s *System) finish(t sched.Tick, c *cast) {
	if cost := s.cost(c); cost > 0 {
		s.pay(t, c, cost)
	}
	if c.item != 0 {
		s.uses.Emit(goods.UseItem{Entity: c.by, Counter: c.item})
	}
	if !c.triggered && s.auraStates.Get(c.by).Block != 0 {
		s.aurasBroken.Emit(rules.AuraBroken{Entity: c.by, Why: defs.BreakCast})
	}
	s.selectTargets(t, c)
	s.cooldown(t, c)
	s.sendGo(t, c)
	if c.spell.Has(defs.SpellChannelled) && !c.triggered {
		s.channel(t, c)
	}
	s.launch(t, c)
}

// fail ends a cast or channel early, with a reason.
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
		s.endChannel(t, c)
		return
	}
	casting.GlobalUntilMs = 0 // Source: Spell::cancel, AzerothCore, which gives the global cooldown back
	s.sendFailure(c, why)
}

// pushBack delays the casts of units that have been damaged.
//
// Source: Unit::DealDamage, Spell::Delayed and Spell::DelayedChannel, AzerothCore, where only players are put
// off; here everybody is. What hurts again and again does not put off.
func (s *System) pushBack(t sched.Tick) {
	for dealt, i := s.damageDealt.Next(), 0; i < len(dealt); i++ {
		b := &dealt[i]
		if b.Dealt == 0 || b.Kind == rules.PeriodicDamage || b.By == b.To || !s.entities.Alive(b.To) {
			continue
		}
		c := &s.casting.Get(b.To).Cast
		if c.Spell == 0 || c.Pushed >= maxPushes || !s.spell(c.Spell).Has(defs.SpellPushedBack) {
			continue
		}
		c.Pushed++
		if c.Channel != 0 {
			s.shortenChannel(t, b.To)
		} else {
			put := min(pushMs, t.NowMs-c.StartMs)
			c.StartMs, c.EndMs = c.StartMs+put, c.EndMs+put // the timer is set again when it fires
			s.sendDelay(b.To, put)
		}
	}
}

// By how much a hit delays a cast, how often, and what percentage of its duration a channel loses.
//
// Source: Spell::Delayed and Spell::DelayedChannel, AzerothCore.
const (
	pushMs         = 500
	maxPushes      = 2
	channelPercent = 25
)

// cancelDead ends the casts of units that have died.
func (s *System) cancelDead(t sched.Tick) {
	for _, d := range s.deaths.Next() {
		if s.entities.Alive(d.Entity) {
			s.cancelAll(t, d.Entity)
		}
	}
}

// cancelAll ends all casts of a unit, also those that repeat or wait for the next swing.
func (s *System) cancelAll(t sched.Tick, e ecs.Entity) {
	s.fail(t, e, msg.CastCasterDead)
	casting := s.casting.Get(e)
	casting.NextSwing, casting.Repeat = 0, 0
}

// hand keeps a cast while it is executed, so that it is not allocated. There are more entries than casts in execution
// at one time.
func (s *System) hand(c cast) *cast {
	s.used = (s.used + 1) % len(s.hands)
	s.hands[s.used] = c
	return &s.hands[s.used]
}

// spell returns the template of a spell that is known to exist.
func (s *System) spell(id uint32) *defs.Spell { return s.defs.Get().Spell(id) }
