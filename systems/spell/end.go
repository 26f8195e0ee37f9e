package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
)

// endCasts ends and delays casts. What ends a channel in the tick in which it has begun, ends it in the next: its auras are
// still to be applied.
func (s *Casts) endCasts(t sched.Tick) {
	for _, it := range s.ends.Take() {
		switch c := s.casts(it.entity); {
		case c == nil:
		case c.Channel != 0 && c.StartMs == t.NowMs && it.how != endChannelled && it.how != delayIt:
			s.late = append(s.late, it)
		default:
			s.endCast(t, &it)
		}
	}
}

// endLate ends what endCasts has left.
func (s *Casts) endLate(t sched.Tick) {
	for i := range s.late {
		if it := &s.late[i]; s.entities.Exists(it.entity) {
			s.endCast(t, it)
		}
	}
	s.late = s.late[:0]
}

// casts is what a unit casts, nil if there is no such unit.
func (s *Casts) casts(e ecs.Entity) *components.Cast {
	if !s.entities.Exists(e) {
		return nil
	}
	return &s.casting.Get(e).Cast
}

func (s *Casts) endCast(t sched.Tick, it *castEnd) {
	casting := s.casting.Get(it.entity)
	channel := casting.Cast.Channel != 0
	switch it.how {
	case endIt:
		s.stop(it.entity, it.why)
	case endAll:
		s.stop(it.entity, msg.CastCasterDead)
		casting.NextSwing = 0
	case endSchools:
		s.halt(it)
	case endInterruptible:
		if casts := casting.Cast.Spell; casts != 0 && s.spell(casts).Has(defs.SpellInterruptible) {
			s.halt(it)
		}
	case endCancelled:
		if casting.Cast.Spell == it.spell && !channel {
			s.stop(it.entity, msg.CastInterrupted)
		} else if casting.NextSwing == it.spell {
			casting.NextSwing = 0
		}
	case endChannelled:
		if casting.Cast.Spell == it.spell && channel && casting.Cast.StartMs != t.NowMs { // one of this tick is another
			s.stop(it.entity, msg.CastInterrupted)
		}
	case delayIt:
		s.pushBack(t, it.entity)
	}
}

// halt ends a cast of some schools, and locks its own if that is asked for.
//
// Source: AuraEffect::HandleAuraModSilence, AzerothCore.
func (s *Casts) halt(it *castEnd) {
	casts := s.casting.Get(it.entity).Cast.Spell
	if casts == 0 {
		return
	}
	sp := s.spell(casts)
	if it.schools != 0 && it.schools&sp.School == 0 {
		return
	}
	s.stop(it.entity, msg.CastInterrupted)
	if it.lockMs != 0 {
		s.changes.Emit(limitChange{entity: it.entity, schools: sp.School, lockMs: it.lockMs})
	}
}

// stop ends a cast or channel early, with a reason.
//
// Source: Spell::cancel and Spell::SendInterrupted, AzerothCore.
func (s *Casts) stop(e ecs.Entity, why msg.CastResult) {
	casting := s.casting.Get(e)
	if casting.Cast.Spell == 0 {
		return
	}
	casting.Number++
	s.interrupted.Count()
	if casting.Cast.Channel != 0 {
		s.endChannel(e, true)
		return
	}
	c := held(e, &casting.Cast)
	casting.Cast = components.Cast{}
	s.changes.Emit(limitChange{entity: e, failed: true})
	s.fail(&c, why)
}

// By how much a hit delays a cast, how often, and what percentage of its duration a channel loses.
//
// Source: Spell::Delayed and Spell::DelayedChannel, AzerothCore.
const (
	pushMs         = 500
	maxPushes      = 2
	channelPercent = 25
)

// pushBack delays the cast of a unit.
//
// Source: Spell::Delayed and Spell::DelayedChannel, AzerothCore.
func (s *Casts) pushBack(t sched.Tick, e ecs.Entity) {
	c := &s.casting.Get(e).Cast
	if c.Spell == 0 || c.Pushed >= maxPushes {
		return
	}
	c.Pushed++
	if c.Channel != 0 {
		s.shortenChannel(t, e)
		return
	}
	put := min(pushMs, t.NowMs-c.StartMs)
	c.StartMs, c.EndMs = c.StartMs+put, c.EndMs+put // the timer is set again when it fires
	if put > 0 {
		p := &s.delayed
		p.Caster, p.DelayMs = s.objects.Get(e).GUID, put
		s.out.Broadcast(e, msg.OpSpellDelayed, p) // clients move cast bars by it
	}
}
