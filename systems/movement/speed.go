package movement

import (
	"slices"

	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// Speeds changes the speeds of units.
type Speeds struct {
	splines

	space     ecs.Res[space.Space]
	dirty     change.Dirty
	requests  ecs.Requests[move.SetSpeed]
	speeds    ecs.Write[components.Speeds]
	homeCells ecs.Read[components.HomeCell]
	positions ecs.Write[components.Position]

	badOrder sched.Counter `name:"move.bad_order"`

	run    msg.ForceRunSpeed // these are kept here, since a packet takes its message by reference
	force  msg.ForceSpeed
	spline msg.SplineSpeed
}

// OnEvents implements sched.Handler.
func (s *Speeds) OnEvents(t sched.Tick) {
	for _, o := range s.requests.Take() {
		if s.entities.Exists(o.Entity) {
			s.setSpeed(t, o)
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
func (s *Speeds) setSpeed(t sched.Tick, o move.SetSpeed) {
	if int(o.Which) >= len(gaits) || !(o.Speed >= 0 && o.Speed <= move.MaxSpeed) || !s.speeds.Has(o.Entity) {
		s.badOrder.Count()
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
	case !s.pendingAcks.Has(o.Entity):
		if g.spline != 0 {
			s.spline = msg.SplineSpeed{Mover: guid, Speed: o.Speed}
			s.out.Broadcast(o.Entity, g.spline, &s.spline)
		}
		s.rescale(t, o)
		return
	case o.Which < components.SpeedTurn:
		s.validations.Get(o.Entity).NoteSlowdown(before, t.NowMs)
	}
	switch {
	case g.force == 0:
	case o.Which == components.SpeedRun:
		s.run = msg.ForceRunSpeed{Mover: guid, Counter: s.ordered(t, o.Entity, int(o.Which)), Speed: o.Speed}
		s.out.SendNow(o.Entity, g.force, &s.run)
	default:
		s.force = msg.ForceSpeed{Mover: guid, Counter: s.ordered(t, o.Entity, int(o.Which)), Speed: o.Speed}
		s.out.SendNow(o.Entity, g.force, &s.force)
	}
}

// rescale continues a creature's walk at another speed, if it is the kind of speed at which the creature walks.
//
// Source: Unit::SetSpeed and MotionMaster::propagateSpeedChange, AzerothCore.
func (s *Speeds) rescale(t sched.Tick, o move.SetSpeed) {
	walk := s.walks.Get(o.Entity)
	which := uint32(components.SpeedRun)
	if walk.Flags&components.SplineWalk != 0 {
		which = components.SpeedWalk
	}
	legs, leftMs := walk.Remaining(t.NowMs)
	if o.Which != which || leftMs == 0 || walk.Driven != 0 || !s.space.Get().Awake(s.homeCells.Get(o.Entity).Cell) {
		return
	}
	p := s.positions.Get(o.Entity)
	*p, _ = walk.At(t.NowMs)
	if o.Speed == 0 {
		s.halt(o.Entity)
		return
	}
	var way [components.MaxLegs]components.Vec
	for i := range legs {
		way[i] = legs[i].To
	}
	walk.Begin(p.Vec(), way[:len(legs)], o.Speed, t.NowMs)
	s.begun(t, o.Entity)
}
