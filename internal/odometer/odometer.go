// Package odometer is the system that docs/tour.md adds. It measures how far entities walk.
package odometer

import (
	"math"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// An Odometer is a component: how far an entity has walked, in yards, and where it was last, once that is Known.
type Odometer struct {
	Yards, X, Y float32
	Known       bool
}

// A Milestone is an event: an entity has walked another hundred yards.
type Milestone struct{ ecs.Entity }

// Odometers has four fields, which are all that it can reach.
type Odometers struct {
	walkers   ecs.Query[Odometer]
	odometers ecs.Write[Odometer]
	positions ecs.Read[components.Position]
	passed    ecs.Emit[Milestone]
}

// Run implements sched.Runner.
func (s *Odometers) Run(sched.Tick) {
	for q := s.walkers.Iter(); q.Next(); {
		at, o := s.positions.Get(q.Entity()), s.odometers.Get(q.Entity())
		before := o.Yards
		if o.Known {
			o.Yards += float32(math.Hypot(float64(at.X-o.X), float64(at.Y-o.Y)))
		}
		if o.X, o.Y, o.Known = at.X, at.Y, true; int(before/100) < int(o.Yards/100) {
			s.passed.Emit(Milestone{q.Entity()})
		}
	}
}
