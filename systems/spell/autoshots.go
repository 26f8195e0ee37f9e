package spell

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// AutoShots repeats spells automatically: it times the shots of units.
type AutoShots struct {
	motion

	entities ecs.Entities
	wishes   ecs.Events[change.Sent[msg.Empty]]
	deaths   ecs.EventReader[rules.Death]
	tried    ecs.Requests[shotTried]
	attempts ecs.Emit[attempt]
	shots    ecs.Emit[rules.SwingChanged]

	swings      ecs.Read[components.SwingTimers]
	units       ecs.Read[components.Unit]
	combatStats ecs.ReadRef[components.CombatStats]
	casting     ecs.ReadRef[components.Casting]
	repeats     ecs.Write[components.AutoRepeat]

	timers sched.Wheel[timer]
}

// A shotTried is a shot that was attempted, or a spell that is to be repeated from now on.
type shotTried struct {
	cast   castEvent
	begins bool
	why    msg.CastResult // why it was not possible, castOK if it was
}

// Run ends what is not to be repeated any more, and attempts the shots that are due.
func (s *AutoShots) Run(t sched.Tick) {
	s.endDead()
	for _, sent := range s.wishes.All() {
		if sent.Op == msg.OpCancelAutoRepeat {
			s.repeats.Get(sent.By).Spell = 0
		}
	}
	for _, due := range s.timers.Take(t.N) {
		if !s.entities.Exists(due.entity) {
			continue
		}
		if repeat := s.repeats.Get(due.entity); repeat.Number == due.number && repeat.Spell != 0 {
			s.shoot(t, due.entity)
		}
	}
}

// React schedules shots by what the last ones have come to.
func (s *AutoShots) React(t sched.Tick) {
	for _, it := range s.tried.Take() {
		switch e := it.cast.by; {
		case !s.entities.Exists(e):
		case it.begins:
			s.begin(t, &it.cast)
		default:
			s.next(t, e, it.why)
		}
	}
	s.endDead()
}

func (s *AutoShots) endDead() {
	for _, d := range s.deaths.Next() {
		if s.entities.Exists(d.Entity) {
			s.repeats.Get(d.Entity).Spell = 0
		}
	}
}

// begin starts a unit's repeated shots at its target.
func (s *AutoShots) begin(t sched.Tick, c *castEvent) {
	repeat := s.repeats.Get(c.by)
	repeat.Spell, repeat.Target = c.id, c.target
	s.shoot(t, c.by)
}

// schedule schedules a unit's next shot; earlier timers become stale.
func (s *AutoShots) schedule(t sched.Tick, e ecs.Entity, ms uint32) {
	repeat := s.repeats.Get(e)
	repeat.Number++
	s.timers.Add(t.After(time.Duration(ms)*time.Millisecond), timer{e, repeat.Number})
}

// retryMs is the delay after a shot that was not possible: the unit moves, casts or does not face its target.
//
// Source: Unit::_UpdateAutoRepeatSpell, AzerothCore (500).
const retryMs = 500

// shoot attempts a shot when the weapon is ready, at most once in a tick: what the attempt comes to, and with that when the weapon
// is ready again, is known only later in the tick.
//
// Source: Unit::_UpdateAutoRepeatSpell, AzerothCore.
func (s *AutoShots) shoot(t sched.Tick, e ecs.Entity) {
	repeat := s.repeats.Get(e)
	if next := s.swings.Get(e).NextMs[components.RangedHand]; before(t.NowMs, next) {
		s.schedule(t, e, next-t.NowMs)
		return
	}
	if repeat.Tried == uint32(t.N) {
		s.schedule(t, e, 0) // in the next tick
		return
	}
	if s.isMoving(e) || s.casting.Get(e).Cast.Spell != 0 {
		s.schedule(t, e, retryMs)
		return
	}
	repeat.Tried = uint32(t.N)
	s.attempts.Emit(newAttempt(atShot, castEvent{by: e, target: repeat.Target, id: repeat.Spell}))
}

// next schedules the shot after one that was attempted. There is none when the target is gone.
func (s *AutoShots) next(t sched.Tick, e ecs.Entity, why msg.CastResult) {
	switch why {
	case castOK:
	case msg.CastOutOfRange, msg.CastTooClose, msg.CastUnitNotInFront, msg.CastNotReady, msg.CastStunned:
		s.schedule(t, e, retryMs)
		return
	default:
		s.repeats.Get(e).Spell = 0
		return
	}
	ms := s.combatStats.Get(e).SwingMs[components.RangedHand]
	if ms == 0 {
		ms = s.units.Get(e).RangedAttackTimeMs
	}
	ms = max(ms, retryMs)
	s.shots.Emit(rules.SwingChanged{Entity: e, NextShotMs: t.NowMs + ms})
	s.schedule(t, e, ms)
}
