package ai

import (
	"math"
	"time"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// How far a creature runs in fear before it runs somewhere else, yards.
//
// Source: FleeingMovementGenerator, AzerothCore; as system aura has players run.
const (
	leastHop = 8
	mostHop  = 14
)

// terrified reports whether a creature runs about, whatever its mood.
func (s *System) terrified(e ecs.Entity) bool {
	const held = components.StateStunned | components.StateRooted
	states := s.combats.Get(e).States
	return states&(components.StateFeared|components.StateConfused) != 0 && states&held == 0
}

// panic is a step of a creature in fear: it runs somewhere, and when it is there, somewhere else. It looks up often,
// so that it goes back to the fight when its fear is over.
func (s *System) panic(e ecs.Entity) (time.Duration, sched.Counter) {
	mind := s.aiStates.Get(e)
	mind.ReachedMs = s.tick.NowMs
	legs, leftMs := s.walks.Get(e).Remaining(s.tick.NowMs)
	if leftMs == 0 || legs[len(legs)-1].To != mind.VictimPos { // whoever chases runs beside its aim
		dice := s.dice("ai.panic", e)
		yards := dice.Between(leastHop, mostHop)
		mind.VictimPos = s.beside(s.positions.Get(e).Vec(), dice.Between(0, 2*math.Pi), yards)
		leftMs = uint32(s.runTo(e, mind.VictimPos) / time.Millisecond)
	}
	return min(max(time.Duration(leftMs)*time.Millisecond, s.tick.Step), chasePace), s.why.helpless
}
