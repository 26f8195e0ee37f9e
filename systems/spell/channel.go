package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/msg"
	"muster/sched"
	"muster/systems/rules"
)

// channel has the caster attend to a spell for as long as it lasts.
//
// Source: Spell::handle_immediate and Spell::SendChannelStart, AzerothCore.
func (s *system) channel(t sched.Tick, c *cast) {
	busy := s.hold(t, c, c.spell.DurationMs)
	busy.Channel = 1
	if every := pulseMs(c.spell); every > 0 {
		busy.PulseMs = t.NowMs + every
		s.rouse(t, c.by, every)
	}
	p := &s.said.channel
	p.Caster, p.Spell, p.DurationMs = s.objects.Get(c.by).GUID, c.spell.ID, c.spell.DurationMs
	s.event(c.by, msg.OpChannelStart, p)
}

// pulseMs is the time between two pulses of a channel, 0 if it has none of its own: its aura may have.
func pulseMs(sp *defs.Spell) uint32 {
	for i := range sp.Effects {
		if e := &sp.Effects[i]; pulsing(e) {
			return e.PulseMs
		}
	}
	return 0
}

// pulse does what is due of a channel: a pulse, its end, or both.
func (s *system) pulse(t sched.Tick, e ecs.Entity) {
	busy := &s.casting.Get(e).Cast
	c := s.held(e)
	if s.aimed(c.spell) && !s.book.Alive(c.target) {
		s.fail(t, e, msg.CastBadTargets)
		return
	}
	if every := pulseMs(c.spell); every > 0 && !before(t.NowMs, busy.PulseMs) {
		busy.PulseMs += every
		s.meet(t, c)
		for i := range s.gather.met {
			s.strike(t, c, &s.gather.met[i], atPulse)
		}
	}
	switch {
	case busy.Spell == 0: // the pulse has killed it
	case !before(t.NowMs, busy.EndMs):
		s.unchannel(t, c)
	default:
		s.rouse(t, e, s.nextMs(busy)-t.NowMs)
	}
}

// shorten takes a part of its time off a channel.
//
// Source: Spell::DelayedChannel, AzerothCore.
func (s *system) shorten(t sched.Tick, e ecs.Entity) {
	busy := &s.casting.Get(e).Cast
	less := s.spell(busy.Spell).DurationMs * channelPercent / 100
	left := uint32(max(int32(busy.EndMs-t.NowMs), 0))
	busy.EndMs -= min(less, left)
	s.tellChannel(e, busy.EndMs-t.NowMs)
	s.rouse(t, e, s.nextMs(busy)-t.NowMs)
}

// nextMs is when something is due of a channel.
func (s *system) nextMs(busy *components.Cast) uint32 {
	if busy.PulseMs != 0 && int32(busy.PulseMs-busy.EndMs) < 0 {
		return busy.PulseMs
	}
	return busy.EndMs
}

// unchannel ends a channel. Its auras end with it, if they have not ended by themselves.
func (s *system) unchannel(t sched.Tick, c *cast) {
	busy := &s.casting.Get(c.by).Cast
	early := busy.Spell == 0 || busy.Pushed > 0
	*busy = components.Cast{}
	s.tellChannel(c.by, 0)
	if early && c.target != (ecs.Entity{}) {
		*s.strips.Next() = rules.Strip{From: c.target, By: c.by, Spell: c.spell.ID}
	}
}

func (s *system) tellChannel(e ecs.Entity, leftMs uint32) {
	p := &s.said.update
	p.Caster, p.LeftMs = s.objects.Get(e).GUID, leftMs
	s.event(e, msg.OpChannelUpdate, p)
}
