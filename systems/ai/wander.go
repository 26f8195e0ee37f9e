package ai

import (
	"math"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
)

// Wanders has idle creatures walk around their spawn points, or back to them.
//
// Source: RandomMovementGenerator, AzerothCore.
type Wanders struct {
	walker
	place      ecs.Res[defs.Map]
	steps      ecs.Events[step]
	objects    ecs.Read[components.Object]
	spawnInfos ecs.Read[components.SpawnInfo]

	walking sched.Counter `name:"ai.stroll"`
	back    sched.Counter `name:"ai.back"`
}

// OnEvents implements sched.Handler.
func (s *Wanders) OnEvents(t sched.Tick) {
	for _, it := range s.steps.All() {
		switch it.task {
		case toWander:
			s.wander(t, it)
			s.walking.Count()
		case toWalkBack:
			s.walk(it, s.spawnInfos.Get(it.entity).At.Vec(), longestRest)
			s.back.Count()
		}
	}
}

// wander walks to a random point of the circle around the spawn point, and pauses.
func (s *Wanders) wander(t sched.Tick, it step) {
	info, dice := s.spawnInfos.Get(it.entity), t.Dice("ai.stroll", s.objects.Get(it.entity).GUID)
	far := info.Wander * float32(math.Sqrt(float64(dice.Float32())))
	to := beside(s.place.Get(), info.At.Vec(), float32(dice.Between(0, 2*math.Pi)), far)
	s.walk(it, to, time.Duration(dice.Between(float32(shortestRest), float32(longestRest))))
}

// A walker is the part of systems that have idle creatures walk.
type walker struct {
	orders    ecs.Emit[walkOrder]
	leads     ecs.Emit[lead]
	busy      ecs.Emit[busy]
	positions ecs.Read[components.Position]
	speeds    ecs.Read[components.Speeds]
}

// walk walks to a point, together with the creature's followers, and pauses there.
func (s *walker) walk(it step, to components.Vec, pause time.Duration) {
	took := s.setOut(it, to, false)
	s.busy.Emit(busy{it.entity, took + pause, took > 0})
}

// setOut begins a walk or a run, and returns its duration: zero if the creature is there already.
func (s *walker) setOut(it step, to components.Vec, runs bool) time.Duration {
	speed, flags := s.speeds.Get(it.entity)[components.SpeedWalk], uint32(components.SplineWalk)
	if runs {
		speed, flags = s.speeds.Get(it.entity)[components.SpeedRun], 0
	}
	took := walkTime(s.positions.Get(it.entity).Vec(), to, speed)
	s.orders.Emit(walkOrder{entity: it.entity, to: to, speed: speed, flags: flags, turn: it.turn})
	if took > 0 {
		s.leads.Emit(lead{it.entity, to, took, it.turn})
	}
	return took
}
