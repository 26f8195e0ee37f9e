package smartai

import (
	"time"

	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// A nodeStep is a row of what happens at a node, which is due.
type nodeStep struct {
	entity ecs.Entity
	script uint32 // index into defs.World.NodeScripts
	row    uint32
}

// follow has the rows of nodes happen that are due.
func (s *Scripts) follow() {
	due := s.steps.Take(s.tick.N)
	s.waiting -= len(due)
	for _, it := range due {
		if s.entities.Exists(it.entity) {
			s.step(it)
		}
	}
}

// forgetNodes forgets what is to happen at nodes, which have been replaced.
func (s *Scripts) forgetNodes() {
	s.nodes.Next()
	s.steps, s.waiting = sched.Wheel[nodeStep]{}, 0
}

// reach begins what happens at a node, by its chance.
//
// Source: WaypointMovementGenerator<Creature>::OnArrived, AzerothCore.
func (s *Scripts) reach(it rules.NodeReached) {
	if !s.entities.Exists(it.Entity) || int(it.Script) >= len(s.defs.Get().NodeScripts) {
		return
	}
	dice := s.tick.Dice("smartai.node", s.objects.Get(it.Entity).GUID)
	if uint32(dice.Intn(100)) < it.Chance {
		s.await(nodeStep{entity: it.Entity, script: it.Script}, s.defs.Get().NodeScripts[it.Script].Rows[0].When[0])
	}
}

// await has a row happen after a time, and with it those that follow it.
func (s *Scripts) await(it nodeStep, ms uint32) {
	switch {
	case ms == 0:
		s.step(it)
	case s.waiting == maxSteps:
		s.full.Count()
	default:
		s.waiting++
		s.steps.Add(s.tick.After(time.Duration(ms)*time.Millisecond), it)
	}
}

// step has a row happen, and those that are due with it. If scripts have done all that they may in this tick, it waits for the next.
func (s *Scripts) step(it nodeStep) {
	rows := s.defs.Get().NodeScripts[it.script].Rows
	for {
		if s.left <= 0 {
			s.breach()
			s.await(it, 1)
			return
		}
		s.happened.Count()
		s.left--
		s.acts.Emit(act{entity: it.entity, at: rowAt{node: it.script + 1, row: it.row}})
		if it.row++; int(it.row) == len(rows) {
			return
		}
		if ms := rows[it.row].When[0] - rows[it.row-1].When[0]; ms > 0 {
			s.await(it, ms)
			return
		}
	}
}
