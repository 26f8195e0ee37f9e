package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// CastStarts does what has been decided of casts: it broadcasts their start or sends why they fail, has those executed
// whose time has come, and the others wait.
type CastStarts struct {
	refusals

	entities    ecs.Entities
	defs        ecs.Res[defs.World]
	tried       ecs.Requests[tried]
	executed    ecs.Emit[executed]
	waits       ecs.Emit[castWait]
	shots       ecs.Emit[shotTried]
	ends        ecs.Emit[castEnd]
	aurasBroken ecs.Emit[rules.AuraBroken]
	unitAuras   ecs.Read[components.UnitAuras]

	interrupted sched.Counter  `name:"spell.interrupted"` // casts that were not ended
	start       msg.SpellStart // kept here, since a packet takes its message by reference
}

// A castWait is a cast that takes time. System casts takes it.
type castWait struct {
	cast castEvent
	ms   uint32 // of the cast time; 0: it is a channel, or waits for the caster's next swing
}

// React implements sched.Reactor.
func (s *CastStarts) React(sched.Tick) {
	all := s.tried.Take()
	for i := range all {
		if it := &all[i]; s.entities.Exists(it.cast.by) {
			if c := it.cast.in(s.defs.Get()); it.why == castOK {
				s.proceed(it, &c)
			} else {
				s.stop(it)
			}
		}
	}
}

// proceed does what is possible.
func (s *CastStarts) proceed(it *tried, c *cast) {
	if it.ticket != 0 {
		s.results.Emit(rules.CastResult{Ticket: it.ticket, Begun: true})
	}
	switch {
	case it.step == atPulse:
		if it.due {
			s.executed.Emit(executed{cast: c.castEvent, pulse: true})
		}
		return
	case it.step == atShot:
		s.shots.Emit(shotTried{cast: c.castEvent, why: castOK})
	case it.step == atBegin && !c.triggered:
		s.begin(it, c)
	}
	if it.executes(c.spell) {
		s.execute(it, c)
	}
}

// begin broadcasts that a cast begins, and has it wait if it is not executed at once.
//
// Source: Spell::prepare and Spell::SendSpellStart, AzerothCore.
func (s *CastStarts) begin(it *tried, c *cast) {
	m := &s.start
	guid, targetGUID, ms := s.objects.Get(c.by).GUID, uint64(0), it.castMs
	if s.entities.Exists(c.target) {
		targetGUID = s.objects.Get(c.target).GUID
	}
	switch {
	case c.spell.Has(defs.SpellNextSwing):
		ms = 0
		s.waits.Emit(castWait{c.castEvent, 0})
	case c.spell.Has(defs.SpellAutoRepeat):
		ms = 0
		s.shots.Emit(shotTried{cast: c.castEvent, begins: true})
	case ms > 0:
		s.waits.Emit(castWait{c.castEvent, ms})
	}
	*m = msg.SpellStart{
		Source: guid, Caster: guid, Count: c.count, Spell: c.id, Flags: msg.CastBegun, CastMs: ms,
		Targets: wireTargets(c, targetGUID),
	}
	if it.player {
		m.Flags |= msg.CastPower
		m.Power = it.before
	}
	s.out.Broadcast(c.by, msg.OpSpellStart, m)
	s.out.FlushNow(c.by)
}

// execute executes a cast. A channel goes on from there.
//
// Source: Spell::_cast, AzerothCore.
func (s *CastStarts) execute(it *tried, c *cast) {
	if !c.triggered && s.unitAuras.Get(c.by).Block != 0 {
		s.aurasBroken.Emit(rules.AuraBroken{Entity: c.by, Why: defs.BreakCast})
	}
	s.executed.Emit(executed{cast: c.castEvent, power: it.power})
	if c.channelled() {
		s.waits.Emit(castWait{c.castEvent, 0})
	}
}

// stop sends why a cast is not possible, and ends it.
func (s *CastStarts) stop(it *tried) {
	switch c := &it.cast; it.step {
	case atBegin:
		s.refuse(&it.attempt, it.why)
	case atEnd:
		s.interrupted.Count()
		s.fail(c, it.why)
	case atPulse:
		s.ends.Emit(castEnd{entity: c.by, how: endChannelled, spell: c.id})
	case atShot:
		s.shots.Emit(shotTried{cast: *c, why: it.why})
	case atSwing:
		s.fail(c, it.why)
	}
}
