package movement

import (
	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
)

// Roots roots units, lets players fly and walk on water, and ends that.
type Roots struct {
	splines

	roots   ecs.Requests[move.Root]
	flights ecs.Requests[move.Fly]
	waters  ecs.Requests[move.WaterWalk]

	spline msg.SplineOrder // these are kept here, since a packet takes its message by reference
	order  msg.Rooting
	fly    msg.CanFly // and to walk on water
}

// Run implements sched.Runner.
func (s *Roots) Run(t sched.Tick) {
	for _, o := range s.roots.Take() {
		if s.entities.Alive(o.Entity) {
			s.root(t, o)
		}
	}
	for _, o := range s.flights.Take() {
		if s.player(o.Entity) {
			s.letFly(t, o)
		}
	}
	for _, o := range s.waters.Take() {
		if s.player(o.Entity) {
			s.letWaterWalk(t, o)
		}
	}
}

// root roots a unit, or ends that.
func (s *Roots) root(t sched.Tick, o move.Root) {
	e, guid := o.Entity, s.objects.Get(o.Entity).GUID
	if !s.pendingAcks.Has(e) {
		if o.On && s.walks.Has(e) && s.walks.Get(e).Walking() {
			s.halt(e)
		}
		s.spline.Mover = guid
		s.out.Broadcast(e, pick[uint16](o.On, msg.OpSplineMoveRoot, msg.OpSplineMoveUnroot), &s.spline)
		return
	}
	on := pick[uint32](o.On, 1, 0)
	r := s.pendingAcks.Get(e)
	if r.Rooted == on {
		return
	}
	r.Rooted = on
	s.validations.Get(e).ImmobileSinceMs = 0 // the grace time begins anew
	s.order = msg.Rooting{Mover: guid, Counter: s.ordered(t, e, components.OrderRoot)}
	s.out.SendNow(e, pick[uint16](o.On, msg.OpForceMoveRoot, msg.OpForceMoveUnroot), &s.order)
}

// letFly sends a player that it can fly, or no longer.
func (s *Roots) letFly(t sched.Tick, o move.Fly) {
	on := pick[uint32](o.On, 1, 0)
	r := s.pendingAcks.Get(o.Entity)
	if r.MayFly == on {
		return
	}
	r.MayFly = on
	s.fly = msg.CanFly{Mover: s.objects.Get(o.Entity).GUID, Counter: s.ordered(t, o.Entity, components.OrderFly)}
	s.out.SendNow(o.Entity, pick[uint16](o.On, msg.OpMoveSetCanFly, msg.OpMoveUnsetCanFly), &s.fly)
}

// letWaterWalk sends a player that it can walk on water, or no longer.
func (s *Roots) letWaterWalk(t sched.Tick, o move.WaterWalk) {
	on := pick[uint32](o.On, 1, 0)
	r := s.pendingAcks.Get(o.Entity)
	if r.WaterWalks == on {
		return
	}
	r.WaterWalks = on
	s.fly = msg.CanFly{Mover: s.objects.Get(o.Entity).GUID, Counter: s.ordered(t, o.Entity, components.OrderWaterWalk)}
	s.out.SendNow(o.Entity, pick[uint16](o.On, msg.OpMoveWaterWalk, msg.OpMoveLandWalk), &s.fly)
}
