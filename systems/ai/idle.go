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

// The pause between two walks of a creature that wanders, our own choice.
const (
	shortestRest = 3 * time.Second
	longestRest  = 12 * time.Second
)

// sitFor is the shortest pause at a node of a path during which a creature sits.
const sitFor = 4 * time.Second

// forever is the delay of a creature that takes no further step until an event concerns it.
const forever = time.Duration(-1)

// lookEvery is the time between two searches of an aggressive creature that walks, our own choice: it walks 2.5 yards
// in it.
const lookEvery = time.Second

// restless reports whether an idle creature has something to do without an event.
func (s *System) restless(e ecs.Entity) bool {
	post := s.spawnInfos.Get(e)
	return s.serves(e) || post.Path >= 0 || post.Wander > 0 || s.formations.Get(e).Leader != (ecs.Entity{}) || s.astray(e)
}

// restart has a creature act by its changed spawn information: at once if it is idle, otherwise when it is idle
// again.
func (s *System) restart(e ecs.Entity) {
	if !s.entities.Alive(e) || s.vitals.Get(e).Health == 0 {
		return
	}
	state := s.aiStates.Get(e)
	state.Node, state.Rested, state.BusyMs = 0, 0, s.tick.NowMs
	if state.Mode == components.Idle {
		s.halt(e)
		s.schedule(e, 0)
	}
}

// astray reports whether a creature without path and wander distance is away from its spawn point.
func (s *System) astray(e ecs.Entity) bool {
	post := s.spawnInfos.Get(e)
	return post.Path < 0 && post.Wander == 0 && flat(post.At.Vec(), s.positions.Get(e).Vec()) > 1
}

// idle is a step of an idle creature. An aggressive one searches while it walks.
func (s *System) idle(e ecs.Entity) (time.Duration, sched.Counter) {
	if s.serves(e) {
		return s.serve(e)
	}
	state := s.aiStates.Get(e)
	delay, reason := time.Duration(int32(state.BusyMs-s.tick.NowMs))*time.Millisecond, s.why.watch
	switch {
	case s.look(e):
		return 0, s.why.aggro
	case !s.restless(e):
		return forever, s.why.rest
	case delay <= 0:
		delay, reason = s.occupy(e)
		state = s.aiStates.Get(e)
		state.BusyMs = s.tick.NowMs + uint32(delay/time.Millisecond)
	}
	if s.space.Get().Hunts(e) && s.walks.Get(e).Walking() {
		delay = min(delay, lookEvery)
	}
	return delay, reason
}

// occupy starts an action of an idle creature. One that cannot walk tries again later.
func (s *System) occupy(e ecs.Entity) (time.Duration, sched.Counter) {
	post := s.spawnInfos.Get(e)
	switch leader := s.formations.Get(e).Leader; {
	case !(s.speeds.Get(e)[components.SpeedWalk] > 0) || s.held(e):
		return longestRest, s.why.stuck
	case s.entities.Alive(leader) && s.vitals.Get(leader).Health > 0:
		return longestRest, s.why.follow // the leader sets the pace
	case post.Path >= 0:
		return s.goOn(e, post)
	case post.Wander > 0:
		return s.wander(e, post)
	}
	return s.walkTo(e, post.At.Vec()) + longestRest, s.why.back
}

// wander walks to a random point of the circle around the spawn point, and pauses.
func (s *System) wander(e ecs.Entity, post components.SpawnInfo) (time.Duration, sched.Counter) {
	dice := s.dice("ai.stroll", e)
	far := post.Wander * float32(math.Sqrt(float64(dice.Float32())))
	walked := s.walkTo(e, s.beside(post.At.Vec(), float32(dice.Between(0, 2*math.Pi)), far))
	return walked + time.Duration(dice.Between(float32(shortestRest), float32(longestRest))), s.why.stroll
}

// goOn walks along the path to the next node. Clients are sent no more than that: some take a walk for the straight
// line to its end, and would look for a creature on a longer walk in the wrong place.
//
// Source: WaypointMovementGenerator, AzerothCore (a spline for each node); protocol.md 3.1.2.
func (s *System) goOn(e ecs.Entity, post components.SpawnInfo) (time.Duration, sched.Counter) {
	nodes := s.ways.Get().Find(s.place.Get(), post.Path).Nodes
	state := s.aiStates.Get(e)
	if s.stances.Get(e).Bytes1[components.ByteStand] != components.Standing {
		s.stands.Emit(rules.SetStand{Entity: e, State: components.Standing})
	}
	if at := int(state.Node+uint32(len(nodes))-1) % len(nodes); state.Rested == 0 && nodes[at].PauseMs > 0 && state.Node > 0 {
		state.Rested = 1
		return s.pause(e, time.Duration(nodes[at].PauseMs)*time.Millisecond)
	}
	state.Rested = 0
	here := s.positions.Get(e).Vec()
	var node defs.Node
	var to components.Vec
	for range nodes {
		node = nodes[int(state.Node)%len(nodes)]
		state.Node++
		to = components.Vec{X: node.X, Y: node.Y, Z: node.Z}
		if node.PauseMs > 0 || flat(here, to) > 0 {
			break
		}
	}
	walked := s.walkTo(e, to)
	if walked == 0 && node.PauseMs == 0 {
		return longestRest, s.why.stuck
	}
	return walked, s.why.patrol
}

// pause stays at a node; the creature sits during a long pause.
func (s *System) pause(e ecs.Entity, pause time.Duration) (time.Duration, sched.Counter) {
	if pause >= sitFor {
		s.stands.Emit(rules.SetStand{Entity: e, State: components.Sitting})
	}
	return pause, s.why.rest
}
