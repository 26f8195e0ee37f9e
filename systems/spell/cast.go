package spell

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
)

// A timer is the end of a cast or the next pulse of a channel; it is stale if the unit has another number since.
type timer struct {
	entity ecs.Entity
	number uint32
}

// wait has the caster of a cast wait for its end, or for its next swing, or channel it. What a channel's targets come to
// says whether it goes on: see settle.
func (s *Casts) wait(t sched.Tick, w *castWait) {
	c := w.cast.in(s.defs.Get())
	switch {
	case w.ms > 0:
		s.hold(t, &c, w.ms)
	case c.spell.Has(defs.SpellNextSwing):
		casting := s.casting.Get(c.by)
		casting.NextSwing, casting.NextSwingCount = c.id, uint32(c.count)
	default:
		busy := s.hold(t, &c, c.spell.DurationMs)
		busy.Channel = 1
		if every := pulseMs(c.spell); every > 0 {
			busy.PulseMs = t.NowMs + every
		}
		s.setTimer(t, c.by, nextMs(t, busy))
	}
}

// hold sets the caster's present cast, of a duration.
func (s *Casts) hold(t sched.Tick, c *cast, ms uint32) *components.Cast {
	casting := s.casting.Get(c.by)
	casting.Cast = components.Cast{
		Target: c.target, To: c.to, Spell: c.id, StartMs: t.NowMs, EndMs: t.NowMs + ms, Count: uint32(c.count), Item: c.item,
	}
	if c.placed {
		casting.Cast.Placed = 1
	}
	if s.entities.Exists(c.target) {
		casting.Cast.TargetGUID = s.objects.Get(c.target).GUID
	}
	s.setTimer(t, c.by, ms)
	return &casting.Cast
}

// setTimer sets the caster's timer; earlier timers become stale.
func (s *Casts) setTimer(t sched.Tick, e ecs.Entity, ms uint32) {
	casting := s.casting.Get(e)
	casting.Number++
	s.timers.Add(t.After(time.Duration(ms)*time.Millisecond), timer{e, casting.Number})
}

// fire handles the timers that are due.
func (s *Casts) fire(t sched.Tick) {
	for _, due := range s.timers.Take(t.N) {
		if !s.entities.Exists(due.entity) {
			continue
		}
		casting := s.casting.Get(due.entity)
		switch {
		case casting.Number != due.number || casting.Cast.Spell == 0:
		case casting.Cast.Channel != 0:
			s.pulse(t, due.entity)
		case before(t.NowMs, casting.Cast.EndMs): // pushed back meanwhile
			s.setTimer(t, due.entity, casting.Cast.EndMs-t.NowMs)
		default:
			s.attempts.Emit(newAttempt(atEnd, held(due.entity, &casting.Cast)))
			casting.Cast = components.Cast{}
		}
	}
}

// held returns the present cast of a unit.
func held(e ecs.Entity, busy *components.Cast) castEvent {
	return castEvent{
		by: e, target: busy.Target, to: busy.To, id: busy.Spell, count: uint8(busy.Count), placed: busy.Placed != 0,
		item: busy.Item,
	}
}

// swing attempts the spells that replace melee swings that are due.
//
// Source: Unit::AttackerStateUpdate with CURRENT_MELEE_SPELL, AzerothCore.
func (s *Casts) swing() {
	for _, r := range s.swingReplaced.All() {
		if !s.entities.Exists(r.Entity) {
			continue
		}
		casting := s.casting.Get(r.Entity)
		if id := casting.NextSwing; s.spell(id) != nil {
			s.attempts.Emit(newAttempt(atSwing, castEvent{by: r.Entity, target: r.Victim, id: id, count: uint8(casting.NextSwingCount)}))
		}
		casting.NextSwing = 0
	}
}
