package intake

import (
	"errors"

	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched"
)

// refuseAll lists the messages for what no world has: fights between players, and clocks that
// jump, since the times of moves follow from the responses to time requests. Each is counted by itself.
func (s *Intake) refuseAll() {
	refuse[msg.TogglePvP](s, msg.OpTogglePvP, &s.noPvP)
	refuse[msg.MoveTimeSkipped](s, msg.OpMoveTimeSkipped, &s.timeSkipped)
}

// refuse counts the messages with an opcode, malformed ones separately.
func refuse[M any, P message[M]](s *Intake, op uint16, reason *sched.Counter) {
	m := any(P(new(M))).(msg.Message)
	s.into[op] = func(by ecs.Entity, it *frame.Item) {
		if err := msg.Decode(wire.V12340, it.Body, m); err != nil && !errors.Is(err, msg.ErrLong) {
			s.out.Refuse(by, it.Op, &s.badBody)
			return
		}
		s.out.Refuse(by, it.Op, reason)
	}
}
