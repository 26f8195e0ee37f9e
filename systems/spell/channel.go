package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// channel starts the channel of a cast. There is none if the cast misses its target.
//
// Source: Spell::handle_immediate, Spell::SendChannelStart and Spell::UpdateChanneledTargetList, AzerothCore.
func (s *System) channel(t sched.Tick, c *cast) {
	if s.aimed(c.spell) && s.missed(c.target) {
		return
	}
	busy := s.hold(t, c, c.spell.DurationMs)
	busy.Channel = 1
	if every := pulseMs(c.spell); every > 0 {
		busy.PulseMs = t.NowMs + every
	}
	s.setTimer(t, c.by, s.nextMs(t, busy))
	s.channels.Emit(rules.SetChannel{Entity: c.by, GUID: busy.TargetGUID, Spell: c.spell.ID})
	p := &s.said.channel
	p.Caster, p.Spell, p.DurationMs = s.objects.Get(c.by).GUID, c.spell.ID, c.spell.DurationMs
	s.out.Broadcast(c.by, msg.OpChannelStart, p)
}

// missed reports whether the cast whose targets were just selected misses a unit.
func (s *System) missed(e ecs.Entity) bool {
	for i := range s.gather.targets {
		if m := &s.gather.targets[i]; m.entity == e {
			return m.miss != msg.MissNone
		}
	}
	return true
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

// pulse does what is due of a channel: a check whether it can go on, a pulse, its end, or all of these.
func (s *System) pulse(t sched.Tick, e ecs.Entity) {
	busy := &s.casting.Get(e).Cast
	c := s.held(e)
	if why := s.channelError(c); why != castOK {
		s.fail(t, e, why)
		return
	}
	if every := pulseMs(c.spell); every > 0 && !before(t.NowMs, busy.PulseMs) {
		busy.PulseMs += every
		s.selectTargets(t, c)
		for i := range s.gather.targets {
			s.applyEffects(t, c, &s.gather.targets[i], atPulse)
		}
	}
	if before(t.NowMs, busy.EndMs) {
		s.setTimer(t, e, s.nextMs(t, busy))
	} else {
		s.endChannel(t, c)
	}
}

// channelError returns why a channel cannot go on, castOK if it can.
//
// Source: Spell::UpdateChanneledTargetList, AzerothCore.
func (s *System) channelError(c *cast) msg.CastResult {
	switch {
	case !s.Alive(c.by):
		return msg.CastCasterDead
	case !s.aimed(c.spell):
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

// shortenChannel shortens a channel.
//
// Source: Spell::DelayedChannel, AzerothCore.
func (s *System) shortenChannel(t sched.Tick, e ecs.Entity) {
	busy := &s.casting.Get(e).Cast
	less := s.spell(busy.Spell).DurationMs * channelPercent / 100
	left := until(t.NowMs, busy.EndMs)
	busy.EndMs -= min(less, left)
	s.sendChannel(e, until(t.NowMs, busy.EndMs))
	s.setTimer(t, e, s.nextMs(t, busy))
}

// channelCheckMs is the interval at which a channel is checked.
//
// Source: Spell::update, AzerothCore, looks at each update of the world; that often is our own choice.
const channelCheckMs = 500

// nextMs returns the time until something is due of a channel.
func (s *System) nextMs(t sched.Tick, busy *components.Cast) uint32 {
	next := min(until(t.NowMs, busy.EndMs), channelCheckMs)
	if busy.PulseMs != 0 {
		next = min(next, until(t.NowMs, busy.PulseMs))
	}
	return next
}

// until returns the time until a world time, 0 if that has passed.
func until(nowMs, thenMs uint32) uint32 { return uint32(max(int32(thenMs-nowMs), 0)) }

// endChannel ends a channel. Its auras on the target and on the caster are removed, if they have not expired.
func (s *System) endChannel(t sched.Tick, c *cast) {
	busy := &s.casting.Get(c.by).Cast
	early := busy.Spell == 0 || busy.Pushed > 0
	*busy = components.Cast{}
	s.channels.Emit(rules.SetChannel{Entity: c.by})
	s.sendChannel(c.by, 0)
	if !early {
		return
	}
	s.auraRemovals.Emit(rules.RemoveAuras{From: c.by, By: c.by, Spell: c.spell.ID})
	if c.target != (ecs.Entity{}) && c.target != c.by {
		s.auraRemovals.Emit(rules.RemoveAuras{From: c.target, By: c.by, Spell: c.spell.ID})
	}
}

func (s *System) sendChannel(e ecs.Entity, leftMs uint32) {
	p := &s.said.update
	p.Caster, p.LeftMs = s.objects.Get(e).GUID, leftMs
	s.out.Broadcast(e, msg.OpChannelUpdate, p)
}
