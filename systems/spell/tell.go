package spell

import (
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/sched"
	"muster/systems/rules"
)

// said are the packets of system spell, kept so that nobody has to make them anew. What is a list in one keeps
// its memory.
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
	damage   msg.SpellDamageLog
	heal     msg.SpellHealLog
	energize msg.SpellEnergizeLog
	miss     msg.SpellLogMiss
	learned  msg.LearnedSpell
	replaced msg.SupercededSpell
	removed  msg.RemovedSpell
}

// refuse tells who asked why it cannot have what it asked for.
func (s *System) refuse(_ sched.Tick, wish *rules.Cast, why msg.CastResult) {
	s.refused.Count()
	if wish.Ticket != 0 {
		s.castResults.Emit(rules.CastResult{Ticket: wish.Ticket, Why: why})
	}
	if wish.Asked || wish.Item != 0 {
		m := &s.said.failed
		m.Count, m.Spell, m.Result = wish.Count, wish.Spell, why
		s.out.SendNow(wish.By, msg.OpCastFailed, m)
	}
}

// tellStart says that a cast has begun.
//
// Source: Spell::SendSpellStart, AzerothCore.
func (s *System) tellStart(_ sched.Tick, c *cast, castMs uint32) {
	m := &s.said.start
	guid := s.objects.Get(c.by).GUID
	*m = msg.SpellStart{
		Source: guid, Caster: guid, Count: c.count, Spell: c.spell.ID, Flags: msg.CastBegun, CastMs: castMs,
		Targets: s.targets(c),
	}
	if s.book.Player(c.by) {
		m.Flags |= msg.CastPower
		m.Power = s.power(c)
	}
	s.out.Broadcast(c.by, msg.OpSpellStart, m)
	s.out.FlushNow(c.by)
}

// tellDelay says that a cast is put off. A client moves the bar of its own cast and those of others by it.
//
// Source: Spell::Delayed, AzerothCore.
func (s *System) tellDelay(e ecs.Entity, ms uint32) {
	if ms > 0 {
		m := &s.said.delayed
		m.Caster, m.DelayMs = s.objects.Get(e).GUID, ms
		s.out.Broadcast(e, msg.OpSpellDelayed, m)
	}
}

// targets is at what a spell is cast.
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

// tellGo says that a cast is done, and whom it meets.
//
// Source: Spell::SendSpellGo, AzerothCore.
func (s *System) tellGo(t sched.Tick, c *cast) {
	m := &s.said.done
	guid := s.objects.Get(c.by).GUID
	hits, misses := m.Hits[:0], m.Misses[:0]
	for i := range s.gather.met {
		met := &s.gather.met[i]
		if guid := s.objects.Get(met.entity).GUID; met.miss == msg.MissNone {
			hits = append(hits, guid)
		} else {
			misses = append(misses, msg.SpellMiss{Target: guid, Reason: met.miss})
		}
	}
	*m = msg.SpellGo{
		Source: guid, Caster: guid, Count: c.count, Spell: c.spell.ID, Flags: msg.CastDone, TimeMs: t.NowMs,
		Hits: hits, Misses: misses, Targets: s.targets(c),
	}
	if c.triggered {
		m.Flags |= msg.CastPending
	}
	if s.book.Player(c.by) {
		m.Flags |= msg.CastPower
		m.Power = s.power(c)
	}
	s.out.Broadcast(c.by, msg.OpSpellGo, m)
	s.out.FlushNow(c.by)
}

// tellFailure says that a cast has come to nothing: why to the caster, and that to everybody.
//
// Source: Spell::SendCastResult and Spell::SendInterrupted, AzerothCore.
func (s *System) tellFailure(c *cast, why msg.CastResult) {
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
}
