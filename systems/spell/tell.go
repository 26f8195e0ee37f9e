package spell

import (
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// said are the messages of system spell, kept so that sending them does not allocate. Slices in them keep their
// memory.
type said struct {
	start    msg.SpellStart
	done     msg.SpellGo
	failed   msg.CastFailed
	failure  msg.SpellFailure
	other    msg.SpellFailedOther
	cooldown msg.SpellCooldown
	delayed  msg.SpellDelayed
	channel  msg.ChannelStart
	update   msg.ChannelUpdate
	miss     msg.SpellLogMiss
}

// refuse sends the client that asked for a cast the reason of its refusal.
func (s *System) refuse(_ sched.Tick, ask *rules.Cast, why msg.CastResult) {
	s.refused.Count()
	if ask.Ticket != 0 {
		s.castResults.Emit(rules.CastResult{Ticket: ask.Ticket, Why: why})
	}
	if ask.Asked || ask.Item != 0 {
		m := &s.said.failed
		m.Count, m.Spell, m.Result = ask.Count, ask.Spell, why
		s.out.SendNow(ask.By, msg.OpCastFailed, m)
		s.out.Happen(change.Happening{Kind: change.HappenedCastFailed, Subject: s.objects.Get(ask.By).GUID, ID: ask.Spell, Amount: uint32(why)})
	}
}

// sendStart broadcasts the start of a cast.
//
// Source: Spell::SendSpellStart, AzerothCore.
func (s *System) sendStart(t sched.Tick, c *cast, castMs uint32) {
	m := &s.said.start
	guid := s.objects.Get(c.by).GUID
	*m = msg.SpellStart{
		Source: guid, Caster: guid, Count: c.count, Spell: c.spell.ID, Flags: msg.CastBegun, CastMs: castMs,
		Targets: s.targets(c),
	}
	if s.Player(c.by) {
		m.Flags |= msg.CastPower
		m.Power = s.power(t, c)
	}
	s.out.Broadcast(c.by, msg.OpSpellStart, m)
	s.out.FlushNow(c.by)
}

// sendDelay broadcasts the delay of a cast. Clients move cast bars by it.
//
// Source: Spell::Delayed, AzerothCore.
func (s *System) sendDelay(e ecs.Entity, ms uint32) {
	if ms > 0 {
		m := &s.said.delayed
		m.Caster, m.DelayMs = s.objects.Get(e).GUID, ms
		s.out.Broadcast(e, msg.OpSpellDelayed, m)
	}
}

// targets returns the targets of a cast as the wire has them.
func (s *System) targets(c *cast) (to msg.Targets) {
	if c.target != (ecs.Entity{}) && s.aimed(c.spell) {
		to.Mask |= msg.TargetUnit
		to.Unit = s.objects.Get(c.target).GUID
	}
	if c.placed && s.placed(c.spell) {
		to.Mask |= msg.TargetDest
		to.Dst.Position = wire.Vec3(c.to)
	}
	return to
}

// sendGo broadcasts the execution of a cast, and its targets.
//
// Source: Spell::SendSpellGo, AzerothCore.
func (s *System) sendGo(t sched.Tick, c *cast) {
	m := &s.said.done
	guid := s.objects.Get(c.by).GUID
	hits, misses := m.Hits[:0], m.Misses[:0]
	for i := range s.gather.targets {
		target := &s.gather.targets[i]
		if guid := s.objects.Get(target.entity).GUID; target.miss == msg.MissNone {
			hits = append(hits, guid)
		} else {
			misses = append(misses, msg.SpellMiss{Target: guid, Reason: target.miss})
		}
	}
	*m = msg.SpellGo{
		Source: guid, Caster: guid, Count: c.count, Spell: c.spell.ID, Flags: msg.CastDone, TimeMs: t.NowMs,
		Hits: hits, Misses: misses, Targets: s.targets(c),
	}
	if c.triggered {
		m.Flags |= msg.CastPending
	}
	if s.Player(c.by) {
		m.Flags |= msg.CastPower
		m.Power = s.power(t, c)
	}
	s.out.Broadcast(c.by, msg.OpSpellGo, m)
	done := change.Happening{Kind: change.HappenedSpell, Subject: guid, ID: c.spell.ID}
	if len(hits) > 0 {
		done.Other = hits[0]
	}
	s.out.Happen(done)
	s.out.FlushNow(c.by)
}

// sendFailure sends the caster the reason for which a cast failed, and broadcasts the failure.
//
// Source: Spell::SendCastResult and Spell::SendInterrupted, AzerothCore.
func (s *System) sendFailure(c *cast, why msg.CastResult) {
	guid := s.objects.Get(c.by).GUID
	f := &s.said.failed
	f.Count, f.Spell, f.Result = c.count, c.spell.ID, why
	s.out.SendNow(c.by, msg.OpCastFailed, f)
	m := &s.said.failure
	m.Caster, m.Count, m.Spell, m.Result = guid, c.count, c.spell.ID, why
	s.out.Broadcast(c.by, msg.OpSpellFailure, m)
	o := &s.said.other
	*o = msg.SpellFailedOther(*m)
	s.out.Broadcast(c.by, msg.OpSpellFailedOther, o)
	s.out.Happen(change.Happening{Kind: change.HappenedCastFailed, Subject: guid, ID: c.spell.ID, Amount: uint32(why)})
}
