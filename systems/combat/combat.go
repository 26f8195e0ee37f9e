// Package combat is whom units have in their sights.
package combat

import (
	"muster/components"
	"muster/components/change"
	"muster/ecs"
	"muster/net/msg"
	"muster/sched"
)

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	s := &system{
		world:      w,
		log:        ecs.Shared[change.Log](w),
		selections: ecs.QueueOf[change.Sent[msg.SetSelection]](w),
		targets:    ecs.NewColumn[components.Target](w),
	}
	return sched.System{
		Name: "combat", Stage: sched.Act,
		Reads:  ecs.Of[ecs.Queue[change.Sent[msg.SetSelection]]](),
		Writes: ecs.Of3[components.Target, components.Touched, change.Log](),
		Run:    s.run,
	}
}

type system struct {
	world      *ecs.World
	log        *change.Log
	selections *ecs.Queue[change.Sent[msg.SetSelection]]
	targets    ecs.Column[components.Target]
}

// run gives players the targets they have chosen, for everybody to see. A target need not exist: a
// client may choose what has just gone, and is corrected by nothing but its own eyes.
//
// Source: WorldSession::HandleSetSelectionOpcode, AzerothCore.
func (s *system) run(sched.Tick) {
	selections := s.selections.All()
	for i := range selections {
		by, guid := selections[i].By, selections[i].Msg.GUID
		if !s.world.Alive(by) {
			continue
		}
		if target := s.targets.Get(by); target.GUID != guid {
			target.GUID = guid
			s.log.Touch(by, components.TouchedTarget)
		}
	}
}
