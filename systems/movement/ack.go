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

// An Ack is an acknowledgement of an order, of whatever kind, or the end of the wait for it.
type Ack struct {
	N       uint32 // its place among all that arrived for the tick
	By      ecs.Entity
	Op      uint16
	Mover   uint64
	Kind    int
	Counter uint32
	Speed   float32 // of a speed change
	Overdue bool    // it has not come in time: what follows N is of the order
}

// Acks sorts the acknowledgements of orders by their arrival, after those that are overdue.
type Acks struct {
	orders    ecs.Requests[Order]
	teleports ecs.Events[change.Sent[msg.TeleportAck]]
	speeds    ecs.Events[change.Sent[msg.SpeedAck]]
	moves     ecs.Events[change.Sent[msg.MoveAck]]
	flights   ecs.Events[change.Sent[msg.CanFlyAck]]
	acks      ecs.Emit[Ack]

	overdue sched.Wheel[Order]
	arrived []Ack `snapshot:"-"` // in this tick
}

// Run implements sched.Runner.
func (s *Acks) Run(t sched.Tick) {
	for _, o := range s.orders.Take() {
		s.overdue.Add(o.Due, o)
	}
	for _, o := range s.overdue.Take(t.N) {
		s.acks.Emit(Ack{By: o.Entity, Kind: o.Kind, Counter: o.Counter, Overdue: true})
	}
	s.arrived = s.arrived[:0]
	for i := range s.teleports.All() {
		it := &s.teleports.All()[i]
		s.add(Ack{N: it.N, By: it.By, Op: it.Op, Mover: it.Msg.Mover, Kind: components.OrderTeleport, Counter: it.Msg.Counter})
	}
	for i := range s.speeds.All() {
		it := &s.speeds.All()[i]
		s.add(Ack{N: it.N, By: it.By, Op: it.Op, Mover: it.Msg.Mover, Kind: speedOf(it.Op), Counter: it.Msg.Counter, Speed: it.Msg.Speed})
	}
	for i := range s.moves.All() {
		it := &s.moves.All()[i]
		kind := pick(it.Op == msg.OpMoveKnockBackAck, components.OrderKnockBack, components.OrderRoot)
		s.add(Ack{N: it.N, By: it.By, Op: it.Op, Mover: it.Msg.Mover, Kind: kind, Counter: it.Msg.Counter})
	}
	for i := range s.flights.All() {
		it := &s.flights.All()[i]
		kind := pick(it.Op == msg.OpMoveWaterWalkAck, components.OrderWaterWalk, components.OrderFly)
		s.add(Ack{N: it.N, By: it.By, Op: it.Op, Mover: it.Msg.Mover, Kind: kind, Counter: it.Msg.Counter})
	}
	slices.SortFunc(s.arrived, func(x, y Ack) int { return cmp.Compare(x.N, y.N) })
	for _, a := range s.arrived {
		s.acks.Emit(a)
	}
}

// add adds an acknowledgement of an order that there is.
func (s *Acks) add(a Ack) {
	if a.Kind >= 0 {
		s.arrived = append(s.arrived, a)
	}
}

// speedError is the largest difference between an acknowledged speed and the ordered one: clients round.
//
// Source: WorldSession::HandleForceSpeedChangeAck, AzerothCore.
const speedError = 0.01

// acknowledge closes an order, also one whose acknowledgement is overdue. An acknowledgement of an order that a newer one has replaced is ignored. Some clients
// send 0 as the counter of every teleport.
func (s *Movement) acknowledge(t sched.Tick, a *Ack) {
	if !s.player(a.By) {
		return
	}
	r := s.pendingAcks.Get(a.By)
	counter := a.Counter
	if a.Kind == components.OrderTeleport && counter == 0 {
		counter = r.Pending[a.Kind]
	}
	switch {
	case a.Overdue:
		if !r.Ack(a.Kind, counter) {
			return
		}
		s.out.Refuse(a.By, 0, &s.reasons.unanswered)
	case a.Mover != s.objects.Get(a.By).GUID:
		s.violation(t, a.By, a.Op, &s.reasons.foreignMover)
		return
	case a.Kind < components.OrderRoot && counter == r.Pending[a.Kind] &&
		!(math.Abs(float64(a.Speed-s.speeds.Get(a.By)[a.Kind])) <= speedError):
		s.violation(t, a.By, a.Op, &s.reasons.otherSpeed)
		return
	case !r.Ack(a.Kind, counter):
		s.out.Refuse(a.By, a.Op, &s.reasons.staleAnswer)
		return
	}
	s.applyAck(t, a.By, a.Kind)
}

// applyAck broadcasts the effect of an acknowledged order.
func (s *Movement) applyAck(t sched.Tick, e ecs.Entity, kind int) {
	motion, r := s.motions.Get(e), s.pendingAcks.Get(e)
	switch kind {
	case components.OrderTeleport:
	case components.OrderRoot:
		motion.Flags &^= components.MoveRoot
		if r.Rooted != 0 {
			motion.Flags = motion.Flags&^components.MoveGoing | components.MoveRoot
		}
		s.broadcast(t, e, pick[uint16](r.Rooted != 0, msg.OpMoveRoot, msg.OpMoveUnroot))
	case components.OrderFly:
		motion.Flags &^= components.MoveCanFly | components.MoveFlying
		if r.MayFly != 0 {
			motion.Flags |= components.MoveCanFly
		}
		s.broadcast(t, e, msg.OpMoveHeartbeat)
	case components.OrderWaterWalk:
		motion.Flags &^= components.MoveWaterWalking
		if r.WaterWalks != 0 {
			motion.Flags |= components.MoveWaterWalking
		}
		s.broadcast(t, e, msg.OpMoveHeartbeat)
	case components.OrderKnockBack:
		m := s.state(t, e)
		s.knocked = msg.KnockedBack{
			Mover: m.Mover, Movement: m.Movement, Sin: r.KnockBack.Sin, Cos: r.KnockBack.Cos, Speed: r.KnockBack.Speed, ZSpeed: -r.KnockBack.Up,
		}
		s.out.Broadcast(e, msg.OpMoveKnockedBack, &s.knocked)
	default:
		m := s.state(t, e)
		s.speed = msg.MoveSpeed{Mover: m.Mover, Movement: m.Movement, Speed: s.speeds.Get(e)[kind]}
		s.out.Broadcast(e, gaits[kind].set, &s.speed)
	}
}
