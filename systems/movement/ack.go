package movement

import (
	"cmp"
	"math"
	"slices"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// acks are the messages of this tick with which clients acknowledge orders.
type acks struct {
	teleports ecs.Events[change.Sent[msg.TeleportAck]]
	speeds    ecs.Events[change.Sent[msg.SpeedAck]]
	moves     ecs.Events[change.Sent[msg.MoveAck]]
	flights   ecs.Events[change.Sent[msg.CanFlyAck]]
	ack       []ack
}

// An ack is one acknowledgement, of whatever type.
type ack struct {
	n       uint32 // its index among all that arrived
	by      ecs.Entity
	mover   uint64
	kind    int // kind of order; -1 for none
	counter uint32
	speed   float32 // of a speed change
}

// packets are the messages of movement.
type packets struct {
	run      msg.ForceRunSpeed
	force    msg.ForceSpeed
	speed    msg.MoveSpeed
	spline   msg.SplineSpeed
	root     msg.SplineOrder
	order    msg.Rooting
	fly      msg.CanFly
	knock    msg.KnockBack
	knocked  msg.KnockedBack
	teleport msg.Teleport
	move     msg.Move
	halt     msg.MonsterMove
	pending  msg.TransferPending
	aborted  msg.TransferAborted
}

// all returns the acknowledgements in the order of their arrival. The slice is valid until the next tick.
func (a *acks) all() []ack {
	a.ack = a.ack[:0]
	for i := range a.teleports.All() {
		it := &a.teleports.All()[i]
		a.ack = append(a.ack, ack{it.N, it.By, it.Msg.Mover, components.OrderTeleport, it.Msg.Counter, 0})
	}
	for i := range a.speeds.All() {
		it := &a.speeds.All()[i]
		a.ack = append(a.ack, ack{it.N, it.By, it.Msg.Mover, speedOf(it.Op), it.Msg.Counter, it.Msg.Speed})
	}
	for i := range a.moves.All() {
		it := &a.moves.All()[i]
		kind := components.OrderRoot
		if it.Op == msg.OpMoveKnockBackAck {
			kind = components.OrderKnockBack
		}
		a.ack = append(a.ack, ack{it.N, it.By, it.Msg.Mover, kind, it.Msg.Counter, 0})
	}
	for i := range a.flights.All() {
		it := &a.flights.All()[i]
		a.ack = append(a.ack, ack{it.N, it.By, it.Msg.Mover, components.OrderFly, it.Msg.Counter, 0})
	}
	slices.SortFunc(a.ack, func(x, y ack) int { return cmp.Compare(x.n, y.n) })
	return a.ack
}

// speedError is the largest difference between an acknowledged speed and the ordered one: clients round.
//
// Source: WorldSession::HandleForceSpeedChangeAck, AzerothCore.
const speedError = 0.01

// acknowledge closes an order. An acknowledgement of an order that a newer one has replaced is ignored. Some clients
// send 0 as the counter of every teleport.
func (s *System) acknowledge(t sched.Tick, h ack) {
	if !s.player(h.by) || h.kind < 0 {
		return
	}
	r := s.pendingAcks.Get(h.by)
	if h.kind == components.OrderTeleport && h.counter == 0 {
		h.counter = r.Pending[h.kind]
	}
	switch {
	case h.mover != s.objects.Get(h.by).GUID:
		s.violation(t, h.by, s.reasons.foreignMover.Counter)
		return
	case h.kind < components.OrderRoot && h.counter == r.Pending[h.kind] &&
		!(math.Abs(float64(h.speed-s.speeds.Get(h.by)[h.kind])) <= speedError):
		s.violation(t, h.by, s.reasons.otherSpeed.Counter)
		return
	case !r.Ack(h.kind, h.counter):
		s.reasons.staleAnswer.Count()
		return
	}
	s.applyAck(h.by, h.kind)
}

// applyAck broadcasts the effect of an acknowledged order.
func (s *System) applyAck(e ecs.Entity, kind int) {
	motion, r := s.motions.Get(e), s.pendingAcks.Get(e)
	switch kind {
	case components.OrderTeleport:
	case components.OrderRoot:
		motion.Flags &^= components.MoveRoot
		if r.Rooted != 0 {
			motion.Flags = motion.Flags&^components.MoveGoing | components.MoveRoot
		}
		s.packets.move = s.state(e)
		s.out.Broadcast(e, pick[uint16](r.Rooted != 0, msg.OpMoveRoot, msg.OpMoveUnroot), &s.packets.move)
	case components.OrderFly:
		motion.Flags &^= components.MoveCanFly | components.MoveFlying
		if r.MayFly != 0 {
			motion.Flags |= components.MoveCanFly
		}
		s.packets.move = s.state(e)
		s.out.Broadcast(e, msg.OpMoveHeartbeat, &s.packets.move)
	case components.OrderKnockBack:
		m := s.state(e)
		s.packets.knocked = msg.KnockedBack{
			Mover: m.Mover, Movement: m.Movement, Sin: r.KnockBack.Sin, Cos: r.KnockBack.Cos, Speed: r.KnockBack.Speed, ZSpeed: -r.KnockBack.Up,
		}
		s.out.Broadcast(e, msg.OpMoveKnockedBack, &s.packets.knocked)
	default:
		m := s.state(e)
		s.packets.speed = msg.MoveSpeed{Mover: m.Mover, Movement: m.Movement, Speed: s.speeds.Get(e)[kind]}
		s.out.Broadcast(e, gaits[kind].set, &s.packets.speed)
	}
}
