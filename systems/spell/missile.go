package spell

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Missiles has casts arrive at their targets: at once, or when their missile does.
type Missiles struct {
	immunities rules.Immunities

	entities     ecs.Entities
	defs         ecs.Res[defs.World]
	out          change.Out
	launches     ecs.Requests[launched]
	landings     ecs.Emit[landed]
	objects      ecs.Read[components.Object]
	positions    ecs.Read[components.Position]
	threatStates ecs.Read[components.ThreatState]

	lost     sched.Counter `name:"spell.missile_lost"` // missiles without a thrower or a target
	missiles sched.Wheel[missile]
	miss     msg.SpellLogMiss // kept here, since a packet takes its message by reference
}

// A missile is a cast in flight to one of its targets.
type missile struct {
	target castTarget
	cast   castEvent
}

// A landed is a cast that has arrived at one of its targets.
type landed launched

// leastFlight is the least distance that a missile flies, yards.
//
// Source: Spell::AddUnitTarget, AzerothCore (5).
const leastFlight = 5

// Run lands the missiles that are due, before casts.
func (s *Missiles) Run(t sched.Tick) {
	s.land(t)
	s.React(t)
}

// React implements sched.Reactor.
func (s *Missiles) React(t sched.Tick) {
	for _, l := range s.launches.Take() {
		if !s.entities.Exists(l.cast.by) || !s.entities.Exists(l.target.entity) {
			continue
		}
		if speed := s.defs.Get().Spell(l.cast.id).MissileSpeed; speed > 0 && !l.pulse && l.target.miss == msg.MissNone && l.target.entity != l.cast.by {
			s.throw(t, &l, speed)
		} else {
			s.arrive(landed(l))
		}
	}
}

// throw launches a missile.
func (s *Missiles) throw(t sched.Tick, l *launched, speed float32) {
	yards := max(far(s.positions.Get(l.cast.by).Vec(), s.positions.Get(l.target.entity).Vec()), leastFlight)
	ms := uint32(float32(yards / speed * 1000))
	s.missiles.Add(t.After(time.Duration(ms)*time.Millisecond), missile{l.target, l.cast})
}

// land has missiles arrive. One whose caster has left the world does nothing.
func (s *Missiles) land(t sched.Tick) {
	for _, m := range s.missiles.Take(t.N) {
		if !s.entities.Exists(m.cast.by) || !s.entities.Exists(m.target.entity) {
			s.lost.Count()
			continue
		}
		switch sp := s.defs.Get().Spell(m.cast.id); { // changes since the missile was launched
		case !sp.Has(defs.SpellHarmful):
		case s.threatStates.Get(m.target.entity).Evading != 0:
			m.target.miss = msg.MissEvade
		case s.immunities.ImmuneTo(m.target.entity, sp):
			m.target.miss = msg.MissImmune
		}
		m.cast.target = m.target.entity
		s.arrive(landed{cast: m.cast, target: m.target})
	}
}

// arrive has a cast affect a target, and logs that it misses it.
//
// Source: Unit::SendSpellMiss, AzerothCore.
func (s *Missiles) arrive(l landed) {
	s.landings.Emit(l)
	if l.target.miss != msg.MissNone {
		p := &s.miss
		p.Spell, p.Caster = l.cast.id, s.objects.Get(l.cast.by).GUID
		p.Misses = append(p.Misses[:0], msg.LogMiss{Target: s.objects.Get(l.target.entity).GUID, Reason: l.target.miss})
		s.out.Broadcast(l.target.entity, msg.OpSpellLogMiss, p)
	}
}
