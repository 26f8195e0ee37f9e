package intake

import (
	"errors"

	"muster/ecs"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// refuseAll lists the messages for what no world has: game objects, area triggers, fights between players, and clocks that
// jump, since the times of moves follow from the responses to time requests. Each is counted by itself.
func (s *System) refuseAll() {
	refuse[msg.GameObjectUse](s, msg.OpGameObjectUse, s.noObject.Counter)
	refuse[msg.AreaTrigger](s, msg.OpAreaTrigger, s.noTrigger.Counter)
	refuse[msg.TogglePvP](s, msg.OpTogglePvP, s.noPvP.Counter)
	refuse[msg.MoveTimeSkipped](s, msg.OpMoveTimeSkipped, s.timeSkipped.Counter)
}

// refuse counts the messages with an opcode, malformed ones separately.
func refuse[M any, P message[M]](s *System, op uint16, reason *metric.Counter) {
	m := any(P(new(M))).(msg.Message)
	s.into[op] = func(_ ecs.Entity, it *frame.Item) {
		if err := msg.Decode(wire.V12340, it.Body, m); err != nil && !errors.Is(err, msg.ErrLong) {
			s.badBody.Count()
			return
		}
		reason.Count()
	}
}
