package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// settle begins the cooldown of a spell that waits for an aura that no unit got. A channel is broadcast, or ends
// at once if the cast has missed the unit that it is aimed at.
//
// Source: Spell::handle_immediate, Spell::SendChannelStart and Spell::UpdateChanneledTargetList, AzerothCore.
func (s *Casts) settle(t sched.Tick, o *outcome) {
	sp, casting := s.spell(o.spell), s.casting.Get(o.by)
	if sp.Has(defs.SpellWaitsForAura) && !o.hits {
		s.changes.Emit(limitChange{entity: o.by, release: sp.ID})
	}
	switch busy := &casting.Cast; {
	case busy.Channel == 0 || busy.Spell != sp.ID || busy.StartMs != t.NowMs:
	case aimed(sp) && !o.struck:
		*busy = components.Cast{}
		casting.Number++
	default:
		s.channels.Emit(rules.SetChannel{Entity: o.by, GUID: busy.TargetGUID, Spell: sp.ID})
		p := &s.start
		p.Caster, p.Spell, p.DurationMs = s.objects.Get(o.by).GUID, sp.ID, sp.DurationMs
		s.out.Broadcast(o.by, msg.OpChannelStart, p)
	}
}

// pulseMs returns the time between two pulses of a channel, 0 if it has none: its aura may have its own.
func pulseMs(sp *defs.Spell) uint32 {
	for i := range sp.Effects {
		if e := &sp.Effects[i]; pulsing(e) {
			return e.PulseMs
		}
	}
	return 0
}

// pulse does what is due of a channel: an attempt to go on and to pulse, and its end.
func (s *Casts) pulse(t sched.Tick, e ecs.Entity) {
	busy := &s.casting.Get(e).Cast
	a := newAttempt(atPulse, held(e, busy))
	if every := pulseMs(s.spell(busy.Spell)); every > 0 && !before(t.NowMs, busy.PulseMs) {
		busy.PulseMs += every
		a.due = true
	}
	s.attempts.Emit(a)
	if before(t.NowMs, busy.EndMs) {
		s.setTimer(t, e, nextMs(t, busy))
	} else {
		s.endChannel(e, busy.Pushed > 0)
	}
}

// shortenChannel shortens a channel.
//
// Source: Spell::DelayedChannel, AzerothCore.
func (s *Casts) shortenChannel(t sched.Tick, e ecs.Entity) {
	busy := &s.casting.Get(e).Cast
	less := s.spell(busy.Spell).DurationMs * channelPercent / 100
	left := until(t.NowMs, busy.EndMs)
	busy.EndMs -= min(less, left)
	s.sendChannel(e, until(t.NowMs, busy.EndMs))
	s.setTimer(t, e, nextMs(t, busy))
}

// channelCheckMs is the interval at which a channel is checked.
//
// Source: Spell::update, AzerothCore, looks at each update of the world; that often is our own choice.
const channelCheckMs = 500

// nextMs returns the time until something is due of a channel.
func nextMs(t sched.Tick, busy *components.Cast) uint32 {
	next := min(until(t.NowMs, busy.EndMs), channelCheckMs)
	if busy.PulseMs != 0 {
		next = min(next, until(t.NowMs, busy.PulseMs))
	}
	return next
}

// until returns the time until a world time, 0 if that has passed.
func until(nowMs, thenMs uint32) uint32 { return uint32(max(int32(thenMs-nowMs), 0)) }

// endChannel ends a channel. If it ends early, its auras on the target and on the caster are removed.
func (s *Casts) endChannel(e ecs.Entity, early bool) {
	busy := &s.casting.Get(e).Cast
	target, id := busy.Target, busy.Spell
	*busy = components.Cast{}
	s.channels.Emit(rules.SetChannel{Entity: e})
	s.sendChannel(e, 0)
	if !early {
		return
	}
	s.auraRemovals.Emit(rules.RemoveAuras{From: e, By: e, Spell: id})
	if target != e && s.entities.Exists(target) {
		s.auraRemovals.Emit(rules.RemoveAuras{From: target, By: e, Spell: id})
	}
}

func (s *Casts) sendChannel(e ecs.Entity, leftMs uint32) {
	p := &s.update
	p.Caster, p.LeftMs = s.objects.Get(e).GUID, leftMs
	s.out.Broadcast(e, msg.OpChannelUpdate, p)
}
