package ai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// Arrivals tells of the nodes of paths that idle creatures have reached, if something may happen there.
//
// Source: WaypointMovementGenerator<Creature>::OnArrived, AzerothCore.
type Arrivals struct {
	defs    ecs.Res[defs.World]
	place   ecs.Res[defs.Map]
	ways    ecs.Res[rules.Ways]
	steps   ecs.Events[step]
	reached ecs.Emit[rules.NodeReached]

	positions  ecs.Read[components.Position]
	spawnInfos ecs.Read[components.SpawnInfo]
	routes     ecs.Read[components.Route]
}

// OnEvents implements sched.Handler.
func (s *Arrivals) OnEvents(sched.Tick) {
	if len(s.defs.Get().NodeScripts) == 0 {
		return
	}
	for _, it := range s.steps.All() {
		if it.task == toPatrol {
			s.arrive(it.entity)
		}
	}
}

// arrive tells of the node that a creature has set out for last, before it pauses there or goes on. One that a fight has led away is not there.
func (s *Arrivals) arrive(e ecs.Entity) {
	const near = 1 // yards, our own choice
	route := s.routes.Get(e)
	if route.Node == 0 || route.Rested != 0 {
		return
	}
	nodes := s.ways.Get().Find(s.place.Get(), s.spawnInfos.Get(e).Path).Nodes
	node := &nodes[int(route.Node-1)%len(nodes)]
	if node.Script != 0 && flat(s.positions.Get(e).Vec(), components.Vec{X: node.X, Y: node.Y, Z: node.Z}) < near {
		s.reached.Emit(rules.NodeReached{Entity: e, Script: node.Script - 1, Chance: uint32(node.Chance)})
	}
}
