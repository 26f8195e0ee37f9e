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
	permit msg.CanFly // and to walk on water
}

// A permission is what a player may be allowed to do, by an order that its client acknowledges.
type permission struct {
	kind    int    // of the order
	on, off uint16 // opcodes
	given   func(*components.PendingMoveAcks) *uint32
}

// The permissions.
var (
	toFly = permission{components.OrderFly, msg.OpMoveSetCanFly, msg.OpMoveUnsetCanFly,
		func(r *components.PendingMoveAcks) *uint32 { return &r.MayFly }}
	toWalkOnWater = permission{components.OrderWaterWalk, msg.OpMoveWaterWalk, msg.OpMoveLandWalk,
		func(r *components.PendingMoveAcks) *uint32 { return &r.WaterWalks }}
)

// OnEvents implements sched.Handler.
func (s *Roots) OnEvents(t sched.Tick) {
	for _, o := range s.roots.Take() {
		if s.entities.Exists(o.Entity) {
			s.root(t, o)
		}
	}
	for _, o := range s.flights.Take() {
		s.allow(t, o.Entity, &toFly, o.On)
	}
	for _, o := range s.waters.Take() {
		s.allow(t, o.Entity, &toWalkOnWater, o.On)
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

// allow sends a player that it may do something, or no longer. Other units have no permissions.
func (s *Roots) allow(t sched.Tick, e ecs.Entity, p *permission, on bool) {
	if !s.player(e) {
		return
	}
	given, now := p.given(s.pendingAcks.Get(e)), pick[uint32](on, 1, 0)
	if *given == now {
		return
	}
	*given = now
	s.permit = msg.CanFly{Mover: s.objects.Get(e).GUID, Counter: s.ordered(t, e, p.kind)}
	s.out.SendNow(e, pick(on, p.on, p.off), &s.permit)
}
