package ai

import (
	"math"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
)

// How long a creature rests between two strolls, our own choice.
const (
	shortestRest = 3 * time.Second
	longestRest  = 12 * time.Second
)

// sitFor is the pause at a node of its path from which on a creature sits down.
const sitFor = 4 * time.Second

// forever is the delay of a creature that takes no further step until something happens to it.
const forever = time.Duration(-1)

// lookEvery is how often a creature that looks for somebody to attack does so while it walks, our own choice:
// in it a walker comes 2.5 yards farther.
const lookEvery = time.Second

// restless reports whether a creature at peace has anything to do by itself.
func (s *System) restless(e ecs.Entity) bool {
	post, mind := s.spawnInfos.Get(e), s.aiStates.Get(e)
	return s.serves(e) || post.Path >= 0 || post.Wander > 0 || mind.Leader != (ecs.Entity{}) || s.astray(e)
}

// repost has a creature begin with what it is to do from now on: at once if it is at peace, otherwise when it is again.
func (s *System) repost(e ecs.Entity) {
	if !s.entities.Alive(e) || s.vitals.Get(e).Health == 0 {
		return
	}
	mind := s.aiStates.Get(e)
	mind.Node, mind.Rested, mind.BusyMs = 0, 0, s.tick.NowMs
	if mind.Mode == components.Idle {
		s.halt(e)
		s.schedule(e, 0)
	}
}

// astray reports whether a creature that stands somewhere does not stand there.
func (s *System) astray(e ecs.Entity) bool {
	post := s.spawnInfos.Get(e)
	return post.Path < 0 && post.Wander == 0 && flat(post.At.Vec(), s.positions.Get(e).Vec()) > 1
}

// idle is a step of a creature at peace. One that hunts looks around while it walks.
func (s *System) idle(e ecs.Entity) (time.Duration, sched.Counter) {
	if s.serves(e) {
		return s.attend(e)
	}
	mind := s.aiStates.Get(e)
	delay, reason := time.Duration(int32(mind.BusyMs-s.tick.NowMs))*time.Millisecond, s.why.watch
	switch {
	case s.look(e):
		return 0, s.why.aggro
	case !s.restless(e):
		return forever, s.why.rest
	case delay <= 0:
		delay, reason = s.occupy(e)
		mind = s.aiStates.Get(e)
		mind.BusyMs = s.tick.NowMs + uint32(delay/time.Millisecond)
	}
	if s.space.Get().Hunts(e) && s.walks.Get(e).Walking() {
		delay = min(delay, lookEvery)
	}
	return delay, reason
}

// occupy gives a creature at peace something to do. One that cannot walk tries again later.
func (s *System) occupy(e ecs.Entity) (time.Duration, sched.Counter) {
	post, mind := s.spawnInfos.Get(e), s.aiStates.Get(e)
	switch leader := mind.Leader; {
	case !(s.speeds.Get(e)[components.SpeedWalk] > 0) || s.held(e):
		return longestRest, s.why.stuck
	case s.entities.Alive(leader) && s.vitals.Get(leader).Health > 0:
		return longestRest, s.why.follow // the leader says when
	case post.Path >= 0:
		return s.goOn(e, post)
	case post.Wander > 0:
		return s.wander(e, post)
	}
	return s.walkTo(e, post.At.Vec()) + longestRest, s.why.back
}

// wander walks to some point of the circle around the post, and rests.
func (s *System) wander(e ecs.Entity, post components.SpawnInfo) (time.Duration, sched.Counter) {
	dice := s.dice("ai.stroll", e)
	far := post.Wander * float32(math.Sqrt(float64(dice.Float32())))
	walked := s.walkTo(e, s.beside(post.At.Vec(), float32(dice.Between(0, 2*math.Pi)), far))
	return walked + time.Duration(dice.Between(float32(shortestRest), float32(longestRest))), s.why.stroll
}

// goOn walks along the path to the next node. It is not told farther: some clients take a walk for the straight line to
// its end, and would look for one who goes around in the middle of nowhere.
//
// Source: WaypointMovementGenerator, AzerothCore (a spline for each node); protocol.md 3.1.2.
func (s *System) goOn(e ecs.Entity, post components.SpawnInfo) (time.Duration, sched.Counter) {
	nodes := s.place.Get().Paths[post.Path].Nodes
	mind := s.aiStates.Get(e)
	if stance := s.stances.Get(e); stance.Bytes1[components.ByteStand] != components.Standing {
		stance.Bytes1[components.ByteStand] = components.Standing
		s.dirty.Mark(e, components.DirtyStance)
	}
	if at := int(mind.Node+uint32(len(nodes))-1) % len(nodes); mind.Rested == 0 && nodes[at].PauseMs > 0 && mind.Node > 0 {
		mind.Rested = 1
		return s.pause(e, time.Duration(nodes[at].PauseMs)*time.Millisecond)
	}
	mind.Rested = 0
	here := s.positions.Get(e).Vec()
	var node defs.Node
	var to components.Vec
	for range nodes {
		node = nodes[int(mind.Node)%len(nodes)]
		mind.Node++
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

// pause stays at a node; a long pause is sat out.
func (s *System) pause(e ecs.Entity, pause time.Duration) (time.Duration, sched.Counter) {
	if pause >= sitFor {
		s.stances.Get(e).Bytes1[components.ByteStand] = components.Sitting
		s.dirty.Mark(e, components.DirtyStance)
	}
	return pause, s.why.rest
}
