package ai

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Errands notes until when idle creatures are busy, and has them take their next steps then.
type Errands struct {
	entities ecs.Entities
	space    ecs.Res[space.Space]
	busy     ecs.Events[busy]
	woken    ecs.Events[change.Woken]
	changes  ecs.Events[rules.SpawnInfoChanged]
	orders   ecs.Emit[walkOrder]
	rests    ecs.Emit[rest]

	errands  ecs.Write[components.Errand]
	aiStates ecs.Read[components.AIState]
	vitals   ecs.Read[components.Vitals]
}

// A busy is an action that an idle creature has started. System errands takes it.
type busy struct {
	entity ecs.Entity
	delay  time.Duration
	walks  bool
}

// OnEvents implements sched.Handler.
func (s *Errands) OnEvents(t sched.Tick) {
	for _, it := range s.woken.All() {
		if errand := s.errands.Get(it.Entity); errand != nil {
			errand.BusyMs += it.SleptMs
		}
	}
	for _, it := range s.busy.All() {
		s.errands.Get(it.entity).BusyMs = t.NowMs + uint32(it.delay/time.Millisecond)
		if it.walks && s.space.Get().Hunts(it.entity) { // it looks around meanwhile
			it.delay = min(it.delay, lookEvery)
		}
		s.rests.Emit(rest{it.entity, it.delay})
	}
	for _, it := range s.changes.All() {
		s.restart(t, it.Entity)
	}
}

// restart has a creature act by its changed spawn information: at once if it is idle, otherwise when it is idle
// again.
func (s *Errands) restart(t sched.Tick, e ecs.Entity) {
	if !s.entities.Exists(e) || s.vitals.Get(e).Health == 0 {
		return
	}
	s.errands.Get(e).BusyMs = t.NowMs
	if s.aiStates.Get(e).Mode == components.Idle {
		s.orders.Emit(walkOrder{entity: e, halt: true})
		s.rests.Emit(rest{e, 0})
	}
}
