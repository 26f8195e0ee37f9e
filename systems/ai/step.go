package ai

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// step is a creature's next step: it starts something, and says how long it takes and why. Rules that a
// creature has of its own are to be asked here, before its mood decides: each rule whose event has come and
// whose action says how long it takes is a step like the others.
func (s *System) step(e ecs.Entity) (delay time.Duration, reason sched.Counter) {
	if s.vitals.Get(e).Health == 0 {
		return longestRest, s.why.stuck
	}
	if leftMs, on := s.walks.Get(e).Forced(s.tick.NowMs); on {
		return time.Duration(leftMs) * time.Millisecond, s.why.thrown
	}
	if s.terrified(e) {
		return s.panic(e)
	}
	switch s.aiStates.Get(e).Mode {
	case components.Fighting:
		return s.fight(e)
	case components.Fleeing:
		return s.fleeOn(e)
	case components.Returning:
		return s.goHome(e)
	}
	return s.idle(e)
}
