package movement

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
)

// LinkDead stops players that have lost their clients: observers would extrapolate their movement for ever. Where another client goes on
// with a player, it does not know what the one before was ordered, and has another clock.
type LinkDead struct {
	out         change.Out
	empties     ecs.Events[change.Sent[msg.Empty]]
	resumed     ecs.Events[change.Resumed]
	objects     ecs.Read[components.Object]
	positions   ecs.Read[components.Position]
	motions     ecs.Write[components.Motion]
	pending     ecs.Write[components.PendingMoveAcks]
	validations ecs.Write[components.MoveValidation]

	move msg.Move // kept here, since a packet takes its message by reference
}

// OnEvents implements sched.Handler.
func (s *LinkDead) OnEvents(t sched.Tick) {
	for _, sent := range s.empties.All() {
		if sent.Op == frame.OpDrop || sent.Op == frame.OpAbandon {
			s.stop(t, sent.By)
		}
	}
	for _, it := range s.resumed.All() {
		s.stop(t, it.Entity)
		s.pending.Get(it.Entity).Pending = [components.Orders]uint32{}
		v := s.validations.Get(it.Entity)
		*v = components.MoveValidation{Control: v.Control}
	}
}

func (s *LinkDead) stop(t sched.Tick, e ecs.Entity) {
	motion, at := s.motions.Get(e), s.positions.Get(e)
	if motion.Flags&components.MoveGoing == 0 {
		return
	}
	if motion.BeatTick == uint32(t.N) { // it would come after the stop
		s.out.Withdraw(int(motion.Beat))
		motion.BeatTick = 0
	}
	motion.Flags &^= components.MoveGoing
	s.move = stateOf(t, s.objects.Get(e).GUID, &at, motion)
	s.out.Broadcast(e, msg.OpMoveStop, &s.move)
}
