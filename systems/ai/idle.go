package ai

import (
	"slices"
	"time"

	"muster/components"
	"muster/ecs"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

// The pause between two walks of a creature that wanders, our own choice.
const (
	shortestRest = 3 * time.Second
	longestRest  = 12 * time.Second
)

// lookEvery is the time between two searches of an aggressive creature that walks, our own choice: it walks 2.5 yards
// in it.
const lookEvery = time.Second

// An idleActions is the part of systems that ask what a creature does out of combat.
type idleActions struct {
	spawnInfos ecs.Read[components.SpawnInfo]
	formations ecs.Read[components.Formation]
	positions  ecs.Read[components.Position]
	ways       ecs.Read[components.ScriptWay]
}

// restless reports whether an idle creature that serves no owner has something to do without an event: a path, a
// wander distance, a leader, or a way back to its spawn point; or its script has it go somewhere. Where that has had it go, it stays.
func (p *idleActions) restless(e ecs.Entity) bool {
	switch way := p.ways.Get(e); {
	case way.Going():
		return true
	case way.State == components.WayStays:
		return false
	}
	info := p.spawnInfos.Get(e)
	return info.Path >= 0 || info.Wander > 0 || p.formations.Get(e).Leader != ecs.Entity{} || flat(info.At.Vec(), p.positions.Get(e).Vec()) > 1
}

// Idles decides what a creature does out of combat.
type Idles struct {
	idleActions
	entities ecs.Entities
	space    ecs.Res[space.Space]
	steps    ecs.Events[step]
	changes  ecs.Events[rules.SpawnInfoChanged]
	next     ecs.Emit[step]
	busy     ecs.Emit[busy]
	rests    ecs.Emit[rest]

	errands   ecs.Read[components.Errand]
	aiStates  ecs.Read[components.AIState]
	vitals    ecs.Read[components.Vitals]
	speeds    ecs.Read[components.Speeds]
	walks     ecs.ReadRef[components.Walk]
	unitAuras ecs.Read[components.UnitAuras]

	watch   sched.Counter `name:"ai.watch"`
	resting sched.Counter `name:"ai.rest"`
	stuck   sched.Counter `name:"ai.stuck"`
	follow  sched.Counter `name:"ai.follow"`
}

// OnEvents implements sched.Handler.
func (s *Idles) OnEvents(t sched.Tick) {
	for _, it := range s.steps.All() {
		if it.task == toIdle && s.aiStates.Get(it.entity).Mode == components.Idle && !s.changed(it.entity) {
			s.idle(t, it)
		}
	}
}

// changed reports whether a creature has something else to do as of this tick: system errands has it begin anew.
func (s *Idles) changed(e ecs.Entity) bool {
	return slices.Contains(s.changes.All(), rules.SpawnInfoChanged{Entity: e})
}

// idle is a step of an idle creature.
func (s *Idles) idle(t sched.Tick, it step) {
	e, walks := it.entity, s.walks.Get(it.entity).Walking()
	left := time.Duration(int32(s.errands.Get(e).BusyMs-t.NowMs)) * time.Millisecond
	switch {
	case !s.restless(e):
		s.resting.Count()
	case left > 0 && !it.now:
		if walks && s.space.Get().Hunts(e) {
			left = min(left, lookEvery)
		}
		s.rests.Emit(rest{e, left})
		s.watch.Count()
	default:
		s.occupy(it, walks)
	}
}

// occupy has an idle creature start an action. One that cannot walk tries again later.
func (s *Idles) occupy(it step, walks bool) {
	e, info, way := it.entity, s.spawnInfos.Get(it.entity), s.ways.Get(it.entity)
	switch leader := s.formations.Get(e).Leader; {
	case !(s.speeds.Get(e)[components.SpeedWalk] > 0) || held(s.unitAuras.Get(e).States):
		s.busy.Emit(busy{e, longestRest, walks})
		s.stuck.Count()
		return
	case way.Going():
		it.task = toScript
	case s.entities.Exists(leader) && s.vitals.Get(leader).Health > 0:
		s.busy.Emit(busy{e, longestRest, walks}) // the leader sets the pace
		s.follow.Count()
		return
	case info.Path >= 0:
		it.task = toPatrol
	case info.Wander > 0:
		it.task = toWander
	default:
		it.task = toWalkBack
	}
	s.next.Emit(it)
}
