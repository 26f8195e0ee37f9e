package ai

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// AITimers has the steps of creatures that are due.
type AITimers struct {
	entities ecs.Entities
	deaths   ecs.EventReader[rules.Death]
	woken    ecs.Events[change.Woken]
	rests    ecs.Requests[rest]
	turns    ecs.Emit[turn]
	timers   ecs.Write[components.StepTimer]

	wheel sched.Wheel[due]
}

// A turn is a creature whose step is due. System aidispatch takes it in the same tick.
type turn struct{ entity ecs.Entity }

// A due is a creature's scheduled step; it is stale if the creature's step number has changed since.
type due struct {
	entity ecs.Entity
	number uint32
}

// Run implements sched.Runner.
func (s *AITimers) Run(t sched.Tick) {
	s.React(t)
	for _, it := range s.woken.All() { // what it had scheduled waits for as long as it slept: system wakes schedules it
		if timer := s.timers.Get(it.Entity); timer != nil && timer.Number != 0 {
			timer.Number++
			timer.DueMs += it.SleptMs
		}
	}
	for _, it := range s.wheel.Take(t.N) {
		if s.entities.Exists(it.entity) && s.timers.Get(it.entity).Number == it.number {
			s.turns.Emit(turn{it.entity})
		}
	}
}

// React implements sched.Reactor: it schedules steps. A creature has one at a time, the last that was asked for, and
// none once it is dead.
func (s *AITimers) React(t sched.Tick) {
	for _, it := range s.rests.Take() {
		if !s.entities.Exists(it.entity) {
			continue
		}
		timer := s.timers.Get(it.entity)
		timer.Number++
		timer.DueMs = t.NowMs + uint32(it.delay/time.Millisecond)
		s.wheel.Add(t.After(it.delay), due{it.entity, timer.Number})
	}
	for _, death := range s.deaths.Next() {
		if s.entities.Exists(death.Entity) && s.timers.Has(death.Entity) {
			s.timers.Get(death.Entity).Number++
		}
	}
}
