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

// answers are what clients have answered to orders in this tick.
type answers struct {
	teleports ecs.Events[change.Sent[msg.TeleportAck]]
	speeds    ecs.Events[change.Sent[msg.SpeedAck]]
	moves     ecs.Events[change.Sent[msg.MoveAck]]
	flights   ecs.Events[change.Sent[msg.CanFlyAck]]
	heard     []heard
}

// heard is one answer, of whatever type.
type heard struct {
	n       uint32 // its place among all that arrived
	by      ecs.Entity
	mover   uint64
	kind    int // of order; -1 for none
	counter uint32
	speed   float32 // that of a speed
}

// said are the messages of movement.
type said struct {
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

// all is the answers in the order of their arrival. The slice is good until the next tick.
func (a *answers) all() []heard {
	a.heard = a.heard[:0]
	for i := range a.teleports.All() {
		it := &a.teleports.All()[i]
		a.heard = append(a.heard, heard{it.N, it.By, it.Msg.Mover, components.OrderTeleport, it.Msg.Counter, 0})
	}
	for i := range a.speeds.All() {
		it := &a.speeds.All()[i]
		a.heard = append(a.heard, heard{it.N, it.By, it.Msg.Mover, speedOf(it.Op), it.Msg.Counter, it.Msg.Speed})
	}
	for i := range a.moves.All() {
		it := &a.moves.All()[i]
		kind := components.OrderRoot
		if it.Op == msg.OpMoveKnockBackAck {
			kind = components.OrderKnockBack
		}
		a.heard = append(a.heard, heard{it.N, it.By, it.Msg.Mover, kind, it.Msg.Counter, 0})
	}
	for i := range a.flights.All() {
		it := &a.flights.All()[i]
		a.heard = append(a.heard, heard{it.N, it.By, it.Msg.Mover, components.OrderFly, it.Msg.Counter, 0})
	}
	slices.SortFunc(a.heard, func(x, y heard) int { return cmp.Compare(x.n, y.n) })
	return a.heard
}

// speedError is how far a speed may be from that which was ordered: clients round.
//
// Source: WorldSession::HandleForceSpeedChangeAck, AzerothCore.
const speedError = 0.01

// answered closes an order. An answer to an order that has been replaced by a newer one tells nothing. Some
// clients have 0 for the counter of every teleport.
func (s *System) answered(t sched.Tick, h heard) {
	if !s.player(h.by) || h.kind < 0 {
		return
	}
	r := s.pendingAcks.Get(h.by)
	if h.kind == components.OrderTeleport && h.counter == 0 {
		h.counter = r.Pending[h.kind]
	}
	switch {
	case h.mover != s.objects.Get(h.by).GUID:
		s.strike(t, h.by, s.reasons.foreignMover.Counter)
		return
	case h.kind < components.OrderRoot && h.counter == r.Pending[h.kind] &&
		!(math.Abs(float64(h.speed-s.speeds.Get(h.by)[h.kind])) <= speedError):
		s.strike(t, h.by, s.reasons.otherSpeed.Counter)
		return
	case !r.Ack(h.kind, h.counter):
		s.reasons.staleAnswer.Count()
		return
	}
	s.obeyed(h.by, h.kind)
}

// obeyed tells others what a player's client has done.
func (s *System) obeyed(e ecs.Entity, kind int) {
	motion, r := s.motions.Get(e), s.pendingAcks.Get(e)
	switch kind {
	case components.OrderTeleport:
	case components.OrderRoot:
		motion.Flags &^= components.MoveRoot
		if r.Rooted != 0 {
			motion.Flags = motion.Flags&^components.MoveGoing | components.MoveRoot
		}
		s.said.move = s.state(e)
		s.out.Broadcast(e, pick[uint16](r.Rooted != 0, msg.OpMoveRoot, msg.OpMoveUnroot), &s.said.move)
	case components.OrderFly:
		motion.Flags &^= components.MoveCanFly | components.MoveFlying
		if r.MayFly != 0 {
			motion.Flags |= components.MoveCanFly
		}
		s.said.move = s.state(e)
		s.out.Broadcast(e, msg.OpMoveHeartbeat, &s.said.move)
	case components.OrderKnockBack:
		m := s.state(e)
		s.said.knocked = msg.KnockedBack{
			Mover: m.Mover, Movement: m.Movement, Sin: r.KnockBack.Sin, Cos: r.KnockBack.Cos, Speed: r.KnockBack.Speed, ZSpeed: -r.KnockBack.Up,
		}
		s.out.Broadcast(e, msg.OpMoveKnockedBack, &s.said.knocked)
	default:
		m := s.state(e)
		s.said.speed = msg.MoveSpeed{Mover: m.Mover, Movement: m.Movement, Speed: s.speeds.Get(e)[kind]}
		s.out.Broadcast(e, gaits[kind].set, &s.said.speed)
	}
}
