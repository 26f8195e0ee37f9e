package spell

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// repeat starts a unit's repeated shots at its target.
//
// Source: Unit::_UpdateAutoRepeatSpell, AzerothCore.
func (s *System) repeat(t sched.Tick, c *cast) {
	casting := s.casting.Get(c.by)
	casting.Repeat, casting.RepeatAt = c.spell.ID, c.target
	s.sendStart(t, c, 0)
	wait := uint32(0)
	if next := s.swings.Get(c.by).NextMs[components.RangedHand]; before(t.NowMs, next) {
		wait = next - t.NowMs
	}
	if wait == 0 {
		s.shoot(t, c.by)
	} else {
		s.scheduleShot(t, c.by, wait)
	}
}

// scheduleShot schedules a unit's next shot; earlier timers become stale.
func (s *System) scheduleShot(t sched.Tick, e ecs.Entity, ms uint32) {
	casting := s.casting.Get(e)
	casting.Shot++
	s.timers.Add(t.After(time.Duration(ms)*time.Millisecond), timer{entity: e, number: casting.Shot, shot: true})
}

// retryMs is the delay after a shot that was not possible: the unit moves, casts or does not face its target.
//
// Source: Unit::_UpdateAutoRepeatSpell, AzerothCore (500).
const retryMs = 500

// shoot shoots, if it can, and schedules the next shot. It stops when the target is gone.
func (s *System) shoot(t sched.Tick, e ecs.Entity) {
	casting := s.casting.Get(e)
	c := s.hand(cast{by: e, target: casting.RepeatAt, spell: s.spell(casting.Repeat), level: s.units.Get(e).Level})
	if s.isMoving(e) || casting.Cast.Spell != 0 {
		s.scheduleShot(t, e, retryMs)
		return
	}
	switch r := s.check(t, c, false); r {
	case castOK:
	case msg.CastOutOfRange, msg.CastTooClose, msg.CastUnitNotInFront, msg.CastNotReady, msg.CastStunned:
		s.scheduleShot(t, e, retryMs)
		return
	default:
		casting.Repeat = 0
		return
	}
	s.finish(t, c)
	ms := s.combatStats.Get(e).SwingMs[components.RangedHand]
	if ms == 0 {
		ms = s.units.Get(e).RangedAttackTimeMs
	}
	ms = max(ms, retryMs)
	s.shots.Emit(rules.SwingChanged{Entity: e, NextShotMs: t.NowMs + ms})
	s.scheduleShot(t, e, ms)
}

// swing casts the spells that replace melee swings that are due.
//
// Source: Unit::AttackerStateUpdate with CURRENT_MELEE_SPELL, AzerothCore.
func (s *System) swing(t sched.Tick) {
	for _, r := range s.swingReplaced.All() {
		if !s.entities.Alive(r.Entity) {
			continue
		}
		casting := s.casting.Get(r.Entity)
		sp := s.defs.Get().Spell(casting.NextSwing)
		casting.NextSwing = 0
		if sp == nil {
			continue
		}
		c := s.hand(cast{
			by: r.Entity, target: r.Victim, spell: sp, count: uint8(casting.NextSwingCount),
			level: s.units.Get(r.Entity).Level,
		})
		if why := s.check(t, c, false); why != castOK {
			s.sendFailure(c, why)
			continue
		}
		s.finish(t, c)
	}
}
