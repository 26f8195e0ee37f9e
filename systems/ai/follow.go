package ai

import (
	"math"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
)

// servePace is the time between two steps of a servant without a task, our own choice.
const servePace = 500 * time.Millisecond

// The place of a servant beside its owner: the gap between their bodies, the angle from the owner's facing, and for
// each next servant a quarter of a turn more. It starts walking when it is farther from that place than the slack.
//
// Source: PET_FOLLOW_DIST and PET_FOLLOW_ANGLE, PetDefines.h, AzerothCore; the last, and that they share the circle, are
// our own choices.
const (
	heelYards = 1
	heelAngle = math.Pi / 2
	heelSlack = 2
)

// Follows has servants stay beside their owners.
type Follows struct {
	place  ecs.Res[defs.Map]
	steps  ecs.Events[step]
	orders ecs.Emit[walkOrder]
	rests  ecs.Emit[rest]

	objects    ecs.Read[components.Object]
	positions  ecs.Read[components.Position]
	units      ecs.Read[components.Unit]
	spawnInfos ecs.Read[components.SpawnInfo]
	speeds     ecs.Read[components.Speeds]
	unitAuras  ecs.Read[components.UnitAuras]
	walks      ecs.ReadRef[components.Walk]
	aiStates   ecs.Write[components.AIState]

	stuck     sched.Counter `name:"ai.stuck"`
	following sched.Counter `name:"ai.follow"`
	resting   sched.Counter `name:"ai.rest"`
}

// OnEvents implements sched.Handler.
func (s *Follows) OnEvents(t sched.Tick) {
	for _, it := range s.steps.All() {
		if it.task == toFollow {
			s.follow(t, it).Count()
			s.rests.Emit(rest{it.entity, servePace})
		}
	}
}

// follow runs to the place beside the owner, and returns the reason of the step.
func (s *Follows) follow(t sched.Tick, it step) *sched.Counter {
	e, speed := it.entity, s.speeds.Get(it.entity)[components.SpeedRun]
	if held(s.unitAuras.Get(e).States) || !(speed > 0) {
		return &s.stuck
	}
	owner := s.spawnInfos.Get(e).Owner
	at, unit := s.positions.Get(owner), s.units.Get(owner)
	turn := float32(s.objects.Get(e).GUID&3) * heelAngle
	yards := heelYards + unit.BoundingRadius + s.units.Get(e).BoundingRadius
	spot := beside(s.place.Get(), at.Vec(), at.O+heelAngle+turn, yards)
	state := s.aiStates.Get(e)
	_, leftMs := s.walks.Get(e).Remaining(t.NowMs)
	switch {
	case leftMs > 0 && state.VictimPos == spot:
		return &s.following
	case flat(s.positions.Get(e).Vec(), spot) <= heelSlack:
		return &s.resting
	}
	state.VictimPos = spot
	s.orders.Emit(walkOrder{entity: e, to: spot, speed: speed, turn: it.turn})
	return &s.following
}
