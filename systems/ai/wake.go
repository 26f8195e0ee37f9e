package ai

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/sched"
)

// Wakes has creatures resume what they did when their cells fell asleep, and new creatures begin.
type Wakes struct {
	entities ecs.Entities
	idleActions

	space    ecs.Res[space.Space]
	woken    ecs.Events[change.Woken]
	steps    ecs.Emit[step]
	rests    ecs.Emit[rest]
	setOut   ecs.Emit[change.SetOut]
	objects  ecs.Read[components.Object]
	vitals   ecs.Read[components.Vitals]
	aiStates ecs.Read[components.AIState]
	timers   ecs.Read[components.StepTimer]
	walks    ecs.Write[components.Walk]
}

// OnEvents implements sched.Handler.
func (s *Wakes) OnEvents(t sched.Tick) {
	for _, it := range s.woken.All() {
		if !s.entities.Exists(it.Entity) {
			continue
		}
		if s.vitals.Has(it.Entity) && s.vitals.Get(it.Entity).Health != 0 { // a game object has none
			s.wake(t, it)
		}
	}
}

func (s *Wakes) wake(t sched.Tick, it change.Woken) {
	e := it.Entity
	if walk := s.walks.Get(e); it.SleptMs != 0 && walk.Walking() {
		walk.StartMs += it.SleptMs
		s.setOut.Emit(change.SetOut{Entity: e})
	}
	serves, hunts := s.spawnInfos.Get(e).Owner != ecs.Entity{}, s.space.Get().Hunts(e)
	idle, timer := s.aiStates.Get(e).Mode == components.Idle, s.timers.Get(e)
	if idle && hunts && !serves && timer.Number != 0 {
		s.steps.Emit(step{entity: e, task: toLook})
	}
	switch {
	case serves:
		s.rests.Emit(rest{e, leastPace})
	case timer.Number == 0 && hunts: // it searches first
		s.rests.Emit(rest{e, lookEvery})
	case idle && !s.restless(e):
	case timer.Number == 0: // first steps are spread over time
		dice := t.Dice("ai.wake", s.objects.Get(e).GUID)
		s.rests.Emit(rest{e, time.Duration(dice.Between(0, float32(longestRest)))})
	case it.SleptMs != 0:
		left := max(int32(timer.DueMs-t.NowMs), 0)
		s.rests.Emit(rest{e, time.Duration(left) * time.Millisecond})
	}
}
