package movement

import (
	"math"
	"slices"
	"time"

	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
)

// ackTimeout is the time after which an order counts as done without an acknowledgement: some clients acknowledge few
// of them. Our own choice.
const ackTimeout = 10 * time.Second

// orders are the requests of other systems since the last tick.
type orders struct {
	speeds    ecs.Requests[move.SetSpeed]
	roots     ecs.Requests[move.Root]
	flights   ecs.Requests[move.Fly]
	throws    ecs.Requests[move.KnockBack]
	teleports ecs.Requests[move.Teleport]
	runs      ecs.Requests[move.Run]
}

// An order is one that was sent to a client.
type order struct {
	entity  ecs.Entity
	kind    int
	counter uint32
}

// handleOrders executes the requests of other systems.
func (s *System) handleOrders(t sched.Tick) {
	for _, o := range s.orders.speeds.Take() {
		if s.entities.Alive(o.Entity) {
			s.setSpeed(t, o)
		}
	}
	for _, o := range s.orders.roots.Take() {
		if s.entities.Alive(o.Entity) {
			s.root(t, o)
		}
	}
	for _, o := range s.orders.flights.Take() {
		if s.player(o.Entity) {
			s.letFly(t, o)
		}
	}
	for _, o := range s.orders.throws.Take() {
		switch {
		case !s.entities.Alive(o.Entity) || !s.walks.Has(o.Entity) || !s.free(o.Entity):
		case s.player(o.Entity):
			s.knockBack(t, o)
		case !s.sessions.Has(o.Entity):
			s.knockCreature(t, o)
		}
	}
	for _, o := range s.orders.runs.Take() {
		switch {
		case !s.entities.Alive(o.Entity) || !s.walks.Has(o.Entity) || !o.Stop && !s.free(o.Entity):
		case !s.sessions.Has(o.Entity) || s.player(o.Entity):
			s.makeRun(t, o)
		}
	}
	for _, o := range s.orders.teleports.Take() {
		if s.entities.Alive(o.Entity) {
			s.teleport(t, o)
		}
	}
}

// player reports whether an entity is a player in this world, and not on its way to another map.
func (s *System) player(e ecs.Entity) bool {
	return s.entities.Alive(e) && s.sessions.Has(e) && s.transfers.Get(e).Going == 0
}

// free reports whether a unit can be knocked back or made to run: it may have died, or been rooted or stunned, since
// that was requested.
func (s *System) free(e ecs.Entity) bool {
	const held = components.StateRooted | components.StateStunned
	return s.vitals.Get(e).Health > 0 && s.auraStates.Get(e).States&held == 0
}

// ordered registers an order to a player, and returns its counter.
func (s *System) ordered(t sched.Tick, e ecs.Entity, kind int) (counter uint32) {
	counter = s.pendingAcks.Get(e).Add(kind)
	s.overdue.Add(t.After(ackTimeout), order{e, kind, counter})
	return counter
}

// expire treats orders without an acknowledgement as done.
func (s *System) expire(t sched.Tick) {
	for _, o := range s.overdue.Take(t.N) {
		if s.player(o.entity) && s.pendingAcks.Get(o.entity).Ack(o.kind, o.counter) {
			s.reasons.unanswered.Count()
			s.applyAck(o.entity, o.kind)
		}
	}
}

// A gait has the opcodes of one kind of speed; 0 where no message is known.
type gait struct{ force, ack, set, spline uint16 }

// gaits are in the order of components.Speeds.
var gaits = [len(components.Speeds{})]gait{
	components.SpeedWalk: {msg.OpForceWalkSpeedChange, msg.OpForceWalkSpeedChangeAck, msg.OpMoveSetWalkSpeed, msg.OpSplineSetWalkSpeed},
	components.SpeedRun:  {msg.OpForceRunSpeedChange, msg.OpForceRunSpeedChangeAck, msg.OpMoveSetRunSpeed, msg.OpSplineSetRunSpeed},
	components.SpeedRunBack: {
		force: msg.OpForceRunBackSpeedChange, ack: msg.OpForceRunBackSpeedChangeAck, set: msg.OpMoveSetRunBackSpeed,
	},
	components.SpeedSwim: {
		force: msg.OpForceSwimSpeedChange, ack: msg.OpForceSwimSpeedChangeAck, set: msg.OpMoveSetSwimSpeed,
	},
	components.SpeedSwimBack: {
		force: msg.OpForceSwimBackSpeedChange, ack: msg.OpForceSwimBackSpeedChangeAck, set: msg.OpMoveSetSwimBackSpeed,
	},
	components.SpeedFlight: {
		force: msg.OpForceFlightSpeedChange, ack: msg.OpForceFlightSpeedChangeAck, set: msg.OpMoveSetFlightSpeed,
	},
	components.SpeedTurn: {
		force: msg.OpForceTurnRateChange, ack: msg.OpForceTurnRateChangeAck, set: msg.OpMoveSetTurnRate,
	},
}

// speedOf is the kind of speed that an acknowledgement is for.
func speedOf(ack uint16) (kind int) {
	return slices.IndexFunc(gaits[:], func(g gait) bool { return g.ack == ack })
}

// setSpeed changes a speed of a unit. Later create blocks have it, too.
func (s *System) setSpeed(t sched.Tick, o move.SetSpeed) {
	if int(o.Which) >= len(gaits) || !(o.Speed >= 0 && o.Speed <= move.MaxSpeed) || !s.speeds.Has(o.Entity) {
		s.reasons.badOrder.Count()
		return
	}
	speeds, g := s.speeds.Get(o.Entity), &gaits[o.Which]
	before := speeds[o.Which]
	if before == o.Speed {
		return
	}
	speeds[o.Which] = o.Speed
	s.dirty.Mark(o.Entity, components.DirtyObject) // the speeds are part of create blocks
	guid := s.objects.Get(o.Entity).GUID
	switch {
	case !s.sessions.Has(o.Entity):
		if g.spline != 0 {
			s.packets.spline = msg.SplineSpeed{Mover: guid, Speed: o.Speed}
			s.out.Broadcast(o.Entity, g.spline, &s.packets.spline)
		}
		s.rescale(t, o)
		return
	case o.Which < components.SpeedTurn:
		s.validations.Get(o.Entity).NoteSlowdown(before, t.NowMs)
	}
	switch {
	case g.force == 0:
	case o.Which == components.SpeedRun:
		s.packets.run = msg.ForceRunSpeed{Mover: guid, Counter: s.ordered(t, o.Entity, int(o.Which)), Speed: o.Speed}
		s.out.SendNow(o.Entity, g.force, &s.packets.run)
	default:
		s.packets.force = msg.ForceSpeed{Mover: guid, Counter: s.ordered(t, o.Entity, int(o.Which)), Speed: o.Speed}
		s.out.SendNow(o.Entity, g.force, &s.packets.force)
	}
}

// root roots a unit, or ends that.
func (s *System) root(t sched.Tick, o move.Root) {
	e, guid := o.Entity, s.objects.Get(o.Entity).GUID
	if !s.sessions.Has(e) {
		if o.On && s.walks.Has(e) && s.walks.Get(e).Walking() {
			s.halt(e)
		}
		s.packets.root.Mover = guid
		s.out.Broadcast(e, pick[uint16](o.On, msg.OpSplineMoveRoot, msg.OpSplineMoveUnroot), &s.packets.root)
		return
	}
	on := pick[uint32](o.On, 1, 0)
	r := s.pendingAcks.Get(e)
	if r.Rooted == on {
		return
	}
	r.Rooted = on
	s.validations.Get(e).ImmobileSinceMs = 0 // the grace time begins anew
	s.packets.order = msg.Rooting{Mover: guid, Counter: s.ordered(t, e, components.OrderRoot)}
	s.out.SendNow(e, pick[uint16](o.On, msg.OpForceMoveRoot, msg.OpForceMoveUnroot), &s.packets.order)
}

// letFly sends a player that it can fly, or no longer.
func (s *System) letFly(t sched.Tick, o move.Fly) {
	on := pick[uint32](o.On, 1, 0)
	r := s.pendingAcks.Get(o.Entity)
	if r.MayFly == on {
		return
	}
	r.MayFly = on
	s.packets.fly = msg.CanFly{Mover: s.objects.Get(o.Entity).GUID, Counter: s.ordered(t, o.Entity, components.OrderFly)}
	s.out.SendNow(o.Entity, pick[uint16](o.On, msg.OpMoveSetCanFly, msg.OpMoveUnsetCanFly), &s.packets.fly)
}

// knockBack knocks a player back, which moves at the speed of that for a while.
func (s *System) knockBack(t sched.Tick, o move.KnockBack) {
	sin, cos, ok := s.flight(&o)
	if !ok {
		return
	}
	r := s.pendingAcks.Get(o.Entity)
	r.KnockBack = components.KnockBack{Sin: float32(sin), Cos: float32(cos), Speed: o.Speed, Up: o.Up}
	s.validations.Get(o.Entity).NoteSlowdown(max(o.Speed, o.Up), t.NowMs)
	s.packets.knock = msg.KnockBack{
		Mover: s.objects.Get(o.Entity).GUID, Counter: s.ordered(t, o.Entity, components.OrderKnockBack),
		Cos: r.KnockBack.Cos, Sin: r.KnockBack.Sin, Speed: o.Speed, ZSpeed: -o.Up,
	}
	s.out.SendNow(o.Entity, msg.OpMoveKnockBack, &s.packets.knock)
}

// flight is the direction of a knock-back. It is false for an invalid one.
func (s *System) flight(o *move.KnockBack) (sin, cos float64, ok bool) {
	angle, ok := components.Facing(o.Angle)
	if !ok || !(o.Speed >= 0 && o.Speed <= move.MaxSpeed) || !(o.Up >= 0 && o.Up <= move.MaxSpeed) {
		s.reasons.badOrder.Count()
		return 0, 0, false
	}
	sin, cos = math.Sincos(float64(angle))
	return sin, cos, true
}

// gravity is the acceleration downwards of a unit in the air, yards per second squared.
//
// Source: Movement::gravity, MovementUtil.cpp, AzerothCore.
const gravity = 19.29110527

// knockCreature knocks back a creature, which has no client to simulate it: it moves over ground to where it would
// land, in the time that that takes. It does not leave the ground, since few clients understand that of other units.
//
// Source: MotionMaster::MoveKnockbackFrom, AzerothCore; protocol.md 4.4.
func (s *System) knockCreature(t sched.Tick, o move.KnockBack) {
	sin, cos, ok := s.flight(&o)
	if !ok || o.Speed < 0.1 {
		return
	}
	p, half := s.positions.Get(o.Entity), s.place.Get().Half
	yards := float64(2 * float32(o.Up/gravity) * o.Speed)
	to := components.Vec{
		X: min(max(p.X+float32(yards*cos), -half), half), Y: min(max(p.Y+float32(yards*sin), -half), half),
	}
	to.Z = s.place.Get().Height(to.X, to.Y)
	s.makeRun(t, move.Run{Entity: o.Entity, To: to, Speed: o.Speed})
}

func pick[T any](on bool, yes, no T) T {
	if on {
		return yes
	}
	return no
}
