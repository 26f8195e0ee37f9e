package ai

import (
	"math"
	"time"

	"muster/components"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/frame"
	"muster/net/update"
	"muster/sched"
)

// How long a creature rests between two strolls, our own choice.
const (
	shortestRest = 3 * time.Second
	longestRest  = 12 * time.Second
)

// sitFor is the pause at a node of its path from which on a creature sits down.
const sitFor = 4 * time.Second

// maxWalk bounds a walk, yards: the points of a linear spline are packed as offsets from its middle,
// which reach ±256 yards.
//
// Source: protocol.md 4.4.
const maxWalk = 200

// step starts what a creature with somewhere to go does next, and says how long it takes and why. One that
// cannot walk tries again later.
func (s *system) step(t sched.Tick, e ecs.Entity) (delay time.Duration, reason *metric.Counter) {
	post := s.posts.Get(e)
	switch {
	case !(s.speeds.Get(e)[components.SpeedWalk] > 0):
		return longestRest, s.stuck
	case post.Path >= 0:
		return s.goOn(t, e, post)
	}
	return s.wander(t, e, post)
}

// wander walks to some point of the circle around the post, and rests.
func (s *system) wander(t sched.Tick, e ecs.Entity, post *components.Post) (time.Duration, *metric.Counter) {
	dice := t.Dice("ai.stroll", s.objects.Get(e).GUID)
	far := post.Wander * float32(math.Sqrt(float64(dice.Float32())))
	angle := float64(dice.Between(0, 2*math.Pi))
	to := components.Vec{
		X: post.At.X + float32(far*float32(math.Cos(angle))),
		Y: post.At.Y + float32(far*float32(math.Sin(angle))),
	}
	to.Z = s.place.Height(to.X, to.Y)
	s.path[0] = to
	walked := s.walkTo(t, e, 1)
	return walked + time.Duration(dice.Between(float32(shortestRest), float32(longestRest))), s.stroll
}

// goOn walks along the path to the next node with a pause, or as far as one walk goes.
func (s *system) goOn(t sched.Tick, e ecs.Entity, post *components.Post) (time.Duration, *metric.Counter) {
	nodes := s.place.Paths[post.Path].Nodes
	mind := s.minds.Get(e)
	if stance := s.stances.Get(e); stance.Bytes1[components.ByteStand] != components.Standing {
		stance.Bytes1[components.ByteStand] = components.Standing
		s.log.Touch(e, components.TouchedStance)
	}
	if at := int(mind.Node+uint32(len(nodes))-1) % len(nodes); mind.Rested == 0 && nodes[at].PauseMs > 0 && mind.Node > 0 {
		mind.Rested = 1
		return s.pause(e, time.Duration(nodes[at].PauseMs)*time.Millisecond)
	}
	mind.Rested = 0
	from := s.positions.Get(e).Vec()
	var far float32
	n := 0
	for n < len(s.path) && n < len(nodes) {
		node := nodes[int(mind.Node)%len(nodes)]
		to := components.Vec{X: node.X, Y: node.Y, Z: node.Z}
		step := float32(math.Hypot(float64(to.X-from.X), float64(to.Y-from.Y)))
		if n > 0 && far+step > maxWalk {
			break
		}
		s.path[n] = to
		n++
		far += step
		from = to
		mind.Node++
		if node.PauseMs > 0 {
			break
		}
	}
	walked := s.walkTo(t, e, n)
	if last := nodes[int(mind.Node-1)%len(nodes)]; walked == 0 && last.PauseMs == 0 {
		return longestRest, s.stuck
	}
	return walked, s.patrol
}

// pause stays at a node; a long pause is sat out.
func (s *system) pause(e ecs.Entity, pause time.Duration) (time.Duration, *metric.Counter) {
	if pause >= sitFor {
		s.stances.Get(e).Bytes1[components.ByteStand] = components.Sitting
		s.log.Touch(e, components.TouchedStance)
	}
	return pause, s.rest
}

// walkTo starts a walk through the first n points of s.path and says how long it takes: no time, if the
// creature is there already.
func (s *system) walkTo(t sched.Tick, e ecs.Entity, n int) time.Duration {
	walk := s.walks.Get(e)
	p := s.positions.Get(e)
	if !walk.Begin(p.Vec(), s.path[:n], s.speeds.Get(e)[components.SpeedWalk], t.NowMs) {
		return 0
	}
	s.log.Draft.Bytes = update.AppendWalk(s.log.Draft.Bytes, s.objects.Get(e).GUID, walk, p, t.NowMs)
	s.log.File(e, frame.Moves)
	s.log.SetOut = append(s.log.SetOut, e)
	return time.Duration(walk.DurationMs()) * time.Millisecond
}
