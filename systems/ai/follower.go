package ai

import (
	"math"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
)

// Followers has the members of a formation walk beside their leader, and arrive when it does.
type Followers struct {
	place  ecs.Res[defs.Map]
	leads  ecs.Events[lead]
	orders ecs.Emit[walkOrder]

	formations ecs.Read[components.Formation]
	aiStates   ecs.Read[components.AIState]
	spawnInfos ecs.Read[components.SpawnInfo]
	positions  ecs.Read[components.Position]
	speeds     ecs.Read[components.Speeds]
	vitals     ecs.Read[components.Vitals]
	walks      ecs.ReadRef[components.Walk]
	unitAuras  ecs.Read[components.UnitAuras]

	following sched.Counter `name:"ai.follow"`
}

// A lead is a walk that an idle creature begins. System followers takes it.
type lead struct {
	entity ecs.Entity
	to     components.Vec
	took   time.Duration
	turn   uint32
}

// OnEvents implements sched.Handler.
func (s *Followers) OnEvents(t sched.Tick) {
	for _, it := range s.leads.All() {
		for e := s.formations.Get(it.entity).Follower; e != (ecs.Entity{}); e = s.formations.Get(e).Next {
			if s.follows(t, e) {
				s.follow(it, e)
			}
		}
	}
}

// follows reports whether a creature keeps to its formation now.
func (s *Followers) follows(t sched.Tick, e ecs.Entity) bool {
	_, thrown := s.walks.Get(e).Forced(t.NowMs)
	return !thrown && s.aiStates.Get(e).Mode == components.Idle && s.spawnInfos.Get(e).Point != 0 &&
		s.vitals.Get(e).Health != 0 && !held(s.unitAuras.Get(e).States)
}

// follow walks to the place beside a leader that walks.
func (s *Followers) follow(it lead, e ecs.Entity) {
	from := s.positions.Get(it.entity).Vec()
	facing := float32(math.Atan2(float64(it.to.Y-from.Y), float64(it.to.X-from.X)))
	at := &s.place.Get().Spawns[s.spawnInfos.Get(e).Point-1]
	spot := beside(s.place.Get(), it.to, facing+at.BesideAngle, at.BesideYards)
	here := s.positions.Get(e).Vec()
	speed := float32(flat(here, spot) / float32(it.took.Seconds()))
	if run := s.speeds.Get(e)[components.SpeedRun]; speed > run {
		speed = run
	}
	s.orders.Emit(walkOrder{entity: e, to: spot, speed: speed, flags: components.SplineWalk, turn: it.turn})
	if walkTime(here, spot, speed) > 0 {
		s.following.Count()
	}
}
