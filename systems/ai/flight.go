package ai

import (
	"math"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// fleeYards is the distance that creatures flee, our own choice.
const fleeYards = 20

// The distance that a creature in fear runs before it changes its direction, yards.
//
// Source: FleeingMovementGenerator, AzerothCore; as system appliedauras has players run.
const (
	leastHop = 8
	mostHop  = 14
)

// Fleeing has creatures run away from a fight, and run about in fear.
type Fleeing struct {
	place  ecs.Res[defs.Map]
	steps  ecs.Events[step]
	stops  ecs.Emit[rules.StopAttack]
	orders ecs.Emit[walkOrder]
	rests  ecs.Emit[rest]

	objects   ecs.Read[components.Object]
	positions ecs.Read[components.Position]
	speeds    ecs.Read[components.Speeds]
	walks     ecs.ReadRef[components.Walk]
	aiStates  ecs.Write[components.AIState]

	fleeing  sched.Counter `name:"ai.flee"`
	helpless sched.Counter `name:"ai.helpless"`
}

// OnEvents implements sched.Handler.
func (s *Fleeing) OnEvents(t sched.Tick) {
	for _, it := range s.steps.All() {
		switch it.task {
		case toFlee:
			s.flee(t, it)
			s.fleeing.Count()
		case toPanic:
			s.panic(t, it)
			s.helpless.Count()
		}
	}
}

// run begins a run to a point, and returns its duration.
func (s *Fleeing) run(it step, to components.Vec) time.Duration {
	speed := s.speeds.Get(it.entity)[components.SpeedRun]
	s.orders.Emit(walkOrder{entity: it.entity, to: to, speed: speed, turn: it.turn})
	return walkTime(s.positions.Get(it.entity).Vec(), to, speed)
}

// flee runs away from a foe.
func (s *Fleeing) flee(t sched.Tick, it step) {
	e, state := it.entity, s.aiStates.Get(it.entity)
	state.Mode, state.Fled, state.SinceMs = components.Fleeing, 1, t.NowMs
	s.stops.Emit(rules.StopAttack{Entity: e})
	here, there := s.positions.Get(e).Vec(), s.positions.Get(it.foe).Vec()
	dice := t.Dice("ai.flee", s.objects.Get(e).GUID)
	away := float32(math.Atan2(float64(here.Y-there.Y), float64(here.X-there.X))) + dice.Between(-0.5, 0.5)
	took := s.run(it, beside(s.place.Get(), here, away, fleeYards))
	s.rests.Emit(rest{e, min(max(took, meleePace), fleeMs*time.Millisecond)})
}

// panic is a step of a creature in fear: it runs to a random point, and from there to another. Steps are frequent, so
// that it returns to the fight soon after the fear ends.
func (s *Fleeing) panic(t sched.Tick, it step) {
	e, state := it.entity, s.aiStates.Get(it.entity)
	state.ReachedMs = t.NowMs
	legs, leftMs := s.walks.Get(e).Remaining(t.NowMs)
	left := time.Duration(leftMs) * time.Millisecond
	if leftMs == 0 || legs[len(legs)-1].To != state.VictimPos { // a chase has other end points than its VictimPos
		dice := t.Dice("ai.panic", s.objects.Get(e).GUID)
		yards := dice.Between(leastHop, mostHop)
		state.VictimPos = beside(s.place.Get(), s.positions.Get(e).Vec(), dice.Between(0, 2*math.Pi), yards)
		left = s.run(it, state.VictimPos)
	}
	s.rests.Emit(rest{e, min(max(left, leastPace), chasePace)})
}
