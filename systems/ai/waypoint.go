package ai

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// sitFor is the shortest pause at a node of a path during which a creature sits.
const sitFor = 4 * time.Second

// Waypoints has idle creatures walk along their paths.
//
// Source: WaypointMovementGenerator, AzerothCore (a spline for each node); protocol.md 3.1.2.
type Waypoints struct {
	walker
	entities ecs.Entities
	place    ecs.Res[defs.Map]
	ways     ecs.Res[rules.Ways]
	begun    ecs.EventReader[begun]
	changes  ecs.Events[rules.SpawnInfoChanged]
	steps    ecs.Events[step]
	stands   ecs.Emit[rules.SetStand]

	spawnInfos ecs.Read[components.SpawnInfo]
	stances    ecs.Read[components.Stance]
	walks      ecs.ReadRef[components.Walk]
	routes     ecs.Write[components.Route]

	resting sched.Counter `name:"ai.rest"`
	stuck   sched.Counter `name:"ai.stuck"`
	patrol  sched.Counter `name:"ai.patrol"`
}

// OnEvents implements sched.Handler.
func (s *Waypoints) OnEvents(t sched.Tick) {
	for _, it := range s.begun.Next() {
		s.interrupt(t, it.entity)
	}
	for _, it := range s.changes.All() {
		if s.entities.Exists(it.Entity) && s.routes.Has(it.Entity) {
			*s.routes.Get(it.Entity) = components.Route{}
		}
	}
	for _, it := range s.steps.All() {
		if it.task == toPatrol {
			s.goOn(it)
		}
	}
}

// interrupt notes that a creature does not reach its node: it walks there after its fight.
func (s *Waypoints) interrupt(t sched.Tick, e ecs.Entity) {
	if s.entities.Exists(e) && s.spawnInfos.Get(e).Path >= 0 {
		legs, _ := s.walks.Get(e).Remaining(t.NowMs)
		s.routes.Get(e).Node -= uint32(len(legs))
	}
}

// goOn walks along the path to the next node. Clients are sent no more than that: some take a walk for the straight
// line to its end, and would look for a creature on a longer walk in the wrong place.
func (s *Waypoints) goOn(it step) {
	e, route := it.entity, s.routes.Get(it.entity)
	nodes := s.ways.Get().Find(s.place.Get(), s.spawnInfos.Get(e).Path).Nodes
	if s.stances.Get(e).Bytes1[components.ByteStand] != components.Standing {
		s.stands.Emit(rules.SetStand{Entity: e, State: components.Standing})
	}
	if at := int(route.Node+uint32(len(nodes))-1) % len(nodes); route.Rested == 0 && nodes[at].PauseMs > 0 && route.Node > 0 {
		route.Rested = 1
		s.pause(e, time.Duration(nodes[at].PauseMs)*time.Millisecond)
		return
	}
	route.Rested = 0
	here := s.positions.Get(e).Vec()
	var node defs.Node
	var to components.Vec
	for range nodes {
		node = nodes[int(route.Node)%len(nodes)]
		route.Node++
		to = components.Vec{X: node.X, Y: node.Y, Z: node.Z}
		if node.PauseMs > 0 || flat(here, to) > 0 {
			break
		}
	}
	took := s.setOut(it, to, node.Runs)
	if took == 0 && node.PauseMs == 0 {
		s.busy.Emit(busy{e, longestRest, false})
		s.stuck.Count()
		return
	}
	s.busy.Emit(busy{e, took, took > 0})
	s.patrol.Count()
}

// pause stays at a node; the creature sits during a long pause.
func (s *Waypoints) pause(e ecs.Entity, pause time.Duration) {
	if pause >= sitFor {
		s.stands.Emit(rules.SetStand{Entity: e, State: components.Sitting})
	}
	s.busy.Emit(busy{e, pause, false})
	s.resting.Count()
}
