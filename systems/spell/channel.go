package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// channel has the caster attend to a spell for as long as it lasts. Whoever misses the one at whom it is aimed has
// nothing to attend to.
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
	s.rouse(t, c.by, s.nextMs(t, busy))
	s.attend(c.by, busy.TargetGUID, c.spell.ID)
	p := &s.said.channel
	p.Caster, p.Spell, p.DurationMs = s.objects.Get(c.by).GUID, c.spell.ID, c.spell.DurationMs
	s.out.Broadcast(c.by, msg.OpChannelStart, p)
}

// missed reports whether the cast that was just met does nothing to somebody.
func (s *System) missed(e ecs.Entity) bool {
	for i := range s.gather.met {
		if m := &s.gather.met[i]; m.entity == e {
			return m.miss != msg.MissNone
		}
	}
	return true
}

// attend shows what a unit channels, and at whom; 0 is nothing.
func (s *System) attend(e ecs.Entity, at uint64, spell uint32) {
	target := s.regards.Get(e)
	if target.Channel != at || target.ChannelSpell != spell {
		target.Channel, target.ChannelSpell = at, spell
		s.dirty.Mark(e, components.DirtyTarget)
	}
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

// pulse does what is due of a channel: a look at whether it can go on, a pulse, its end, or all of these.
func (s *System) pulse(t sched.Tick, e ecs.Entity) {
	busy := &s.casting.Get(e).Cast
	c := s.held(e)
	if why := s.severed(c); why != castOK {
		s.fail(t, e, why)
		return
	}
	if every := pulseMs(c.spell); every > 0 && !before(t.NowMs, busy.PulseMs) {
		busy.PulseMs += every
		s.meet(t, c)
		for i := range s.gather.met {
			s.strike(t, c, &s.gather.met[i], atPulse)
		}
	}
	if before(t.NowMs, busy.EndMs) {
		s.rouse(t, e, s.nextMs(t, busy))
	} else {
		s.unchannel(t, c)
	}
}

// severed says why a channel cannot go on, castOK if it can.
//
// Source: Spell::UpdateChanneledTargetList, AzerothCore.
func (s *System) severed(c *cast) msg.CastResult {
	switch {
	case !s.book.Alive(c.by):
		return msg.CastCasterDead
	case !s.aimed(c.spell):
		return castOK
	case !s.book.Alive(c.target), lays(c.spell) && !s.book.HasAuraOf(c.target, c.spell.ID, c.by):
		return msg.CastBadTargets
	}
	return s.checkReach(c, looseGive)
}

// lays reports whether a channel lays an aura on whom it is aimed at, with which it ends.
func lays(sp *defs.Spell) bool {
	for i := range sp.Effects {
		if e := &sp.Effects[i]; e.Kind == defs.EffectApplyAura && e.Target.Aimed() && Refusal(sp, i) == "" {
			return true
		}
	}
	return false
}

// shorten takes a part of its time off a channel.
//
// Source: Spell::DelayedChannel, AzerothCore.
func (s *System) shorten(t sched.Tick, e ecs.Entity) {
	busy := &s.casting.Get(e).Cast
	less := s.spell(busy.Spell).DurationMs * channelPercent / 100
	left := until(t.NowMs, busy.EndMs)
	busy.EndMs -= min(less, left)
	s.tellChannel(e, until(t.NowMs, busy.EndMs))
	s.rouse(t, e, s.nextMs(t, busy))
}

// lookMs is how long a channel goes on before somebody looks whether it can.
//
// Source: Spell::update, AzerothCore, looks at each update of the world; that often is our own choice.
const lookMs = 500

// nextMs is how long it takes until something is due of a channel.
func (s *System) nextMs(t sched.Tick, busy *components.Cast) uint32 {
	next := min(until(t.NowMs, busy.EndMs), lookMs)
	if busy.PulseMs != 0 {
		next = min(next, until(t.NowMs, busy.PulseMs))
	}
	return next
}

// until is how long it is until a world time, 0 if that has passed.
func until(nowMs, thenMs uint32) uint32 { return uint32(max(int32(thenMs-nowMs), 0)) }

// unchannel ends a channel. Its auras, on whom it is aimed at and on the caster, end with it, if they have not ended by
// themselves.
func (s *System) unchannel(t sched.Tick, c *cast) {
	busy := &s.casting.Get(c.by).Cast
	early := busy.Spell == 0 || busy.Pushed > 0
	*busy = components.Cast{}
	s.attend(c.by, 0, 0)
	s.tellChannel(c.by, 0)
	if !early {
		return
	}
	s.auraRemovals.Emit(rules.RemoveAuras{From: c.by, By: c.by, Spell: c.spell.ID})
	if c.target != (ecs.Entity{}) && c.target != c.by {
		s.auraRemovals.Emit(rules.RemoveAuras{From: c.target, By: c.by, Spell: c.spell.ID})
	}
}

func (s *System) tellChannel(e ecs.Entity, leftMs uint32) {
	p := &s.said.update
	p.Caster, p.LeftMs = s.objects.Get(e).GUID, leftMs
	s.out.Broadcast(e, msg.OpChannelUpdate, p)
}
