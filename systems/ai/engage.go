package ai

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A begun is a fight that a creature has begun in this tick.
type begun struct {
	entity, foe ecs.Entity
	calls       bool // it calls for assistance
	noticed     bool // it was not attacked, but noticed its foe
}

// A combatStarter is the part of systems that begin fights.
type combatStarter struct {
	rules.Units
	begins    ecs.Emit[begun]
	positions ecs.Read[components.Position]
	aiStates  ecs.Write[components.AIState]
}

// begin begins a creature's fight with a foe, and reports whether there was one to begin.
func (s *combatStarter) begin(t sched.Tick, it begun) bool {
	if !s.Alive(it.entity) || s.Player(it.entity) {
		return false
	}
	state := s.aiStates.Get(it.entity)
	if state.Mode != components.Idle { // also while it returns: it evades
		return false
	}
	state.HomePosition = s.positions.Get(it.entity)
	state.Mode, state.Fled = components.Fighting, 0
	state.SinceMs, state.ReachedMs = t.NowMs, t.NowMs
	s.begins.Emit(it)
	return true
}

// A callingStarter is a combatStarter of fights in which a creature calls for assistance, unless it is a servant.
type callingStarter struct {
	combatStarter
	spawnInfos ecs.Read[components.SpawnInfo]
}

func (s *callingStarter) beginCalling(t sched.Tick, e, foe ecs.Entity, noticed bool) bool {
	calls := s.spawnInfos.Has(e) && s.spawnInfos.Get(e).Owner == ecs.Entity{}
	return s.begin(t, begun{e, foe, calls, noticed})
}

// Defenses has creatures fight back that were attacked, or entered combat otherwise.
type Defenses struct {
	callingStarter
	entities     ecs.Entities
	engaged      ecs.EventReader[rules.Engaged]
	threatStates ecs.Read[components.ThreatState]
}

// OnEvents implements sched.Handler.
func (s *Defenses) OnEvents(t sched.Tick) {
	for _, it := range s.engaged.Next() {
		if s.entities.Exists(it.Entity) && s.threatStates.Get(it.Entity).List != 0 {
			s.beginCalling(t, it.Entity, it.By, false)
		}
	}
}

// Engagements has creatures act that have begun to fight: they take their first step in the next tick, their owners
// enter combat, too, and clients are sent that they have noticed their foes.
type Engagements struct {
	entities   ecs.Entities
	begun      ecs.EventReader[begun]
	rests      ecs.Emit[rest]
	engages    ecs.Emit[rules.Engage]
	out        change.Out
	objects    ecs.Read[components.Object]
	spawnInfos ecs.Read[components.SpawnInfo]

	aggro    sched.Counter `name:"ai.aggro"`
	reaction msg.AIReaction
}

// OnEvents implements sched.Handler.
func (s *Engagements) OnEvents(sched.Tick) {
	for _, it := range s.begun.Next() {
		if !s.entities.Exists(it.entity) {
			continue
		}
		s.rests.Emit(rest{it.entity, 0})
		if owner := s.spawnInfos.Get(it.entity).Owner; owner != (ecs.Entity{}) {
			s.engages.Emit(rules.Engage{By: owner, To: it.foe})
		}
		if it.noticed {
			s.aggro.Count()
			s.reaction = msg.AIReaction{GUID: s.objects.Get(it.entity).GUID, Reaction: msg.AIAggro}
			s.out.Broadcast(it.entity, msg.OpAIReaction, &s.reaction)
		}
	}
}
