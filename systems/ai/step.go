package ai

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// step runs a creature's next step: it starts an action, and returns the delay until the next and the reason. Rules
// of single creatures belong here, before the mode decides: each rule whose event has occurred and whose action has a
// delay is a step like the others.
func (s *System) step(e ecs.Entity) (delay time.Duration, reason sched.Counter) {
	if s.vitals.Get(e).Health == 0 {
		return longestRest, s.why.stuck
	}
	if leftMs, on := s.walks.Get(e).Forced(s.tick.NowMs); on {
		return time.Duration(leftMs) * time.Millisecond, s.why.thrown
	}
	if s.terrified(e) {
		return s.runInFear(e)
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
