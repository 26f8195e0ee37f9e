package ai

import (
	"math"
	"time"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// The distance that a creature in fear runs before it changes its direction, yards.
//
// Source: FleeingMovementGenerator, AzerothCore; as system aura has players run.
const (
	leastHop = 8
	mostHop  = 14
)

// terrified reports whether a creature is feared or confused and can move, whatever its mode.
func (s *System) terrified(e ecs.Entity) bool {
	const held = components.StateStunned | components.StateRooted
	states := s.auraStates.Get(e).States
	return states&(components.StateFeared|components.StateConfused) != 0 && states&held == 0
}

// runInFear is a step of a creature in fear: it runs to a random point, and from there to another. Steps are
// frequent, so that it returns to the fight soon after the fear ends.
func (s *System) runInFear(e ecs.Entity) (time.Duration, sched.Counter) {
	state := s.aiStates.Get(e)
	state.ReachedMs = s.tick.NowMs
	legs, leftMs := s.walks.Get(e).Remaining(s.tick.NowMs)
	if leftMs == 0 || legs[len(legs)-1].To != state.VictimPos { // a chase has other end points than its VictimPos
		dice := s.dice("ai.panic", e)
		yards := dice.Between(leastHop, mostHop)
		state.VictimPos = s.beside(s.positions.Get(e).Vec(), dice.Between(0, 2*math.Pi), yards)
		leftMs = uint32(s.runTo(e, state.VictimPos) / time.Millisecond)
	}
	return min(max(time.Duration(leftMs)*time.Millisecond, leastPace), chasePace), s.why.helpless
}
