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

// patience is how long a client's answer to an order is waited for. Without it, the order counts as obeyed: some
// clients answer to few of them. Our own choice.
const patience = 10 * time.Second

// orders are what other systems have asked for since the last tick.
type orders struct {
	speeds    ecs.Requests[move.SetSpeed]
	roots     ecs.Requests[move.Root]
	flights   ecs.Requests[move.Fly]
	throws    ecs.Requests[move.KnockBack]
	teleports ecs.Requests[move.Teleport]
	runs      ecs.Requests[move.Run]
}

// An order is one that a client was given.
type order struct {
	entity  ecs.Entity
	kind    int
	counter uint32
}

// obey does what other systems have asked for.
func (s *System) obey(t sched.Tick) {
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
			s.throw(t, o)
		case !s.sessions.Has(o.Entity):
			s.toss(t, o)
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

// player reports whether an entity is a player who is there, and not on its way to another map.
func (s *System) player(e ecs.Entity) bool {
	return s.entities.Alive(e) && s.sessions.Has(e) && s.transfers.Get(e).Going == 0
}

// free reports whether a unit can be thrown, or made to run: since that was asked for it may have died, or been held
// where it is.
func (s *System) free(e ecs.Entity) bool {
	const held = components.StateRooted | components.StateStunned
	return s.vitals.Get(e).Health > 0 && s.combats.Get(e).States&held == 0
}

// ordered notes that a player is given an order, and returns its counter.
func (s *System) ordered(t sched.Tick, e ecs.Entity, kind int) (counter uint32) {
	counter = s.pendingAcks.Get(e).Add(kind)
	s.overdue.Add(t.After(patience), order{e, kind, counter})
	return counter
}

// expire takes orders that were never answered for obeyed.
func (s *System) expire(t sched.Tick) {
	for _, o := range s.overdue.Take(t.N) {
		if s.player(o.entity) && s.pendingAcks.Get(o.entity).Ack(o.kind, o.counter) {
			s.reasons.unanswered.Count()
			s.obeyed(o.entity, o.kind)
		}
	}
}

// A gait is the opcodes of one kind of speed; 0 for what no message is known for.
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

// speedOf is the kind of speed that an answer is about.
func speedOf(ack uint16) (kind int) {
	return slices.IndexFunc(gaits[:], func(g gait) bool { return g.ack == ack })
}

// setSpeed gives a unit another speed. Whoever sees it for the first time from now on sees it so.
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
	s.dirty.Mark(o.Entity, components.DirtyObject) // the speeds are part of what new viewers are shown
	guid := s.objects.Get(o.Entity).GUID
	switch {
	case !s.sessions.Has(o.Entity):
		if g.spline != 0 {
			s.said.spline = msg.SplineSpeed{Mover: guid, Speed: o.Speed}
			s.out.Broadcast(o.Entity, g.spline, &s.said.spline)
		}
		s.repace(t, o)
		return
	case o.Which < components.SpeedTurn:
		s.validations.Get(o.Entity).NoteSlowdown(before, t.NowMs)
	}
	switch {
	case g.force == 0:
	case o.Which == components.SpeedRun:
		s.said.run = msg.ForceRunSpeed{Mover: guid, Counter: s.ordered(t, o.Entity, int(o.Which)), Speed: o.Speed}
		s.out.SendNow(o.Entity, g.force, &s.said.run)
	default:
		s.said.force = msg.ForceSpeed{Mover: guid, Counter: s.ordered(t, o.Entity, int(o.Which)), Speed: o.Speed}
		s.out.SendNow(o.Entity, g.force, &s.said.force)
	}
}

// root takes a unit's legs, or gives them back.
func (s *System) root(t sched.Tick, o move.Root) {
	e, guid := o.Entity, s.objects.Get(o.Entity).GUID
	if !s.sessions.Has(e) {
		if o.On && s.walks.Has(e) && s.walks.Get(e).Walking() {
			s.halt(e)
		}
		s.said.root.Mover = guid
		s.out.Broadcast(e, pick[uint16](o.On, msg.OpSplineMoveRoot, msg.OpSplineMoveUnroot), &s.said.root)
		return
	}
	on := pick[uint32](o.On, 1, 0)
	r := s.pendingAcks.Get(e)
	if r.Rooted == on {
		return
	}
	r.Rooted = on
	s.validations.Get(e).ImmobileSinceMs = 0 // mercy begins anew
	s.said.order = msg.Rooting{Mover: guid, Counter: s.ordered(t, e, components.OrderRoot)}
	s.out.SendNow(e, pick[uint16](o.On, msg.OpForceMoveRoot, msg.OpForceMoveUnroot), &s.said.order)
}

// letFly tells a player that it can fly, or no longer.
func (s *System) letFly(t sched.Tick, o move.Fly) {
	on := pick[uint32](o.On, 1, 0)
	r := s.pendingAcks.Get(o.Entity)
	if r.MayFly == on {
		return
	}
	r.MayFly = on
	s.said.fly = msg.CanFly{Mover: s.objects.Get(o.Entity).GUID, Counter: s.ordered(t, o.Entity, components.OrderFly)}
	s.out.SendNow(o.Entity, pick[uint16](o.On, msg.OpMoveSetCanFly, msg.OpMoveUnsetCanFly), &s.said.fly)
}

// throw throws a player, who for a while goes as fast as it is thrown.
func (s *System) throw(t sched.Tick, o move.KnockBack) {
	sin, cos, ok := s.flight(&o)
	if !ok {
		return
	}
	r := s.pendingAcks.Get(o.Entity)
	r.KnockBack = components.KnockBack{Sin: float32(sin), Cos: float32(cos), Speed: o.Speed, Up: o.Up}
	s.validations.Get(o.Entity).NoteSlowdown(max(o.Speed, o.Up), t.NowMs)
	s.said.knock = msg.KnockBack{
		Mover: s.objects.Get(o.Entity).GUID, Counter: s.ordered(t, o.Entity, components.OrderKnockBack),
		Cos: r.KnockBack.Cos, Sin: r.KnockBack.Sin, Speed: o.Speed, ZSpeed: -o.Up,
	}
	s.out.SendNow(o.Entity, msg.OpMoveKnockBack, &s.said.knock)
}

// flight is the direction of a throw. It is false for one that makes no sense.
func (s *System) flight(o *move.KnockBack) (sin, cos float64, ok bool) {
	angle, ok := components.Facing(o.Angle)
	if !ok || !(o.Speed >= 0 && o.Speed <= move.MaxSpeed) || !(o.Up >= 0 && o.Up <= move.MaxSpeed) {
		s.reasons.badOrder.Count()
		return 0, 0, false
	}
	sin, cos = math.Sincos(float64(angle))
	return sin, cos, true
}

// gravity is what takes the upward speed of whoever is in the air, yards per second in a second.
//
// Source: Movement::gravity, MovementUtil.cpp, AzerothCore.
const gravity = 19.29110527

// toss throws a creature, which has no client that could fly it: over ground it goes where it would, in the time that
// it would take. It does not leave the ground, since few clients understand that of others.
//
// Source: MotionMaster::MoveKnockbackFrom, AzerothCore; protocol.md 4.4.
func (s *System) toss(t sched.Tick, o move.KnockBack) {
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
