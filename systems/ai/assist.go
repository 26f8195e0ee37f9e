package ai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

// An assistant is the part of systems that have creatures assist others.
type assistant struct {
	combatStarter
	units        ecs.Read[components.Unit]
	threatStates ecs.Read[components.ThreatState]
	engages      ecs.Emit[rules.Engage]
	assists      sched.Counter `name:"ai.assist"`
}

// assist has an idle creature fight the foe of another. One that is in combat already or cannot attack the foe does
// not.
func (s *assistant) assist(t sched.Tick, e, foe ecs.Entity) {
	if s.aiStates.Get(e).Mode != components.Idle || !s.Alive(e) || s.threatStates.Get(e).List != 0 || !s.Attackable(e, foe) {
		return
	}
	s.engages.Emit(rules.Engage{By: foe, To: e})
	if s.begin(t, begun{entity: e, foe: foe}) {
		s.assists.Count()
	}
}

// Assistance has creatures assist others that call them: those of the same faction within a distance, and members of
// the same formation. Those that assist do not call in their turn.
//
// Source: Creature::CallAssistance and Creature::CanAssistTo, AzerothCore.
type Assistance struct {
	assistant
	entities   ecs.Entities
	defs       ecs.Res[defs.World]
	space      ecs.Res[space.Space]
	begun      ecs.EventReader[begun]
	calls      ecs.Events[call]
	objects    ecs.Read[components.Object]
	homeCells  ecs.Read[components.HomeCell]
	formations ecs.Read[components.Formation]

	tick   sched.Tick
	caller call             // that is answered
	onCall func(ecs.Entity) // answer, bound once
}

// A call has aggressive creatures of a creature's faction assist it against a foe. System assistance takes it.
type call struct {
	entity, foe ecs.Entity
	yards       float32
}

// Init implements ecs.Initializer.
func (s *Assistance) Init() { s.onCall = s.answer }

// OnEvents implements sched.Handler.
func (s *Assistance) OnEvents(t sched.Tick) {
	s.tick = t
	for _, it := range s.calls.All() {
		s.call(it)
	}
	for _, it := range s.begun.Next() {
		if it.calls && s.entities.Exists(it.entity) {
			s.call(call{it.entity, it.foe, s.defs.Get().Creature(s.objects.Get(it.entity).Entry).CallYards})
			s.assistGroup(it.entity, it.foe)
		}
	}
}

func (s *Assistance) call(c call) {
	if c.yards > 0 {
		p := s.positions.Get(c.entity)
		s.caller = c
		s.space.Get().Hunters.Within(p.X, p.Y, c.yards, s.homeCells.Get(c.entity).Cell.Layer(), s.onCall)
	}
}

func (s *Assistance) answer(e ecs.Entity) {
	if e != s.caller.entity && s.Alive(e) && s.units.Get(e).Faction == s.units.Get(s.caller.entity).Faction {
		s.assist(s.tick, e, s.caller.foe)
	}
}

// assistGroup has the members of a creature's formation assist it, aggressive or not.
func (s *Assistance) assistGroup(e, foe ecs.Entity) {
	leader := s.formations.Get(e).Leader
	if !s.entities.Exists(leader) {
		leader = e
	}
	if leader != e {
		s.assist(s.tick, leader, foe)
	}
	for f := s.formations.Get(leader).Follower; f != (ecs.Entity{}); f = s.formations.Get(f).Next {
		if f != e {
			s.assist(s.tick, f, foe)
		}
	}
}
