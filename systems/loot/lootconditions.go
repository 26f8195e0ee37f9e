package loot

import (
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// An asked is a request for whose conditions LootRequests has asked.
type asked struct{ Request }

// LootConditions notes in requests which items of a body are for the player that opens it, and hands them to system loot.
type LootConditions struct {
	asked    ecs.Requests[asked]
	answers  ecs.EventReader[rules.ConditionAnswer]
	requests ecs.Emit[Request]
}

// React implements sched.Reactor.
func (s *LootConditions) React(sched.Tick) {
	requests := s.asked.Take()
	for _, a := range s.answers.Next() {
		for i := range requests {
			if r := &requests[i].Request; a.For == rules.ForLoot && a.Holds && r.N == a.A && r.By == a.First {
				r.Allowed |= 1 << a.B
			}
		}
	}
	for i := range requests {
		s.requests.Emit(requests[i].Request)
	}
}
