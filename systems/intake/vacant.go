package intake

import (
	"errors"

	"muster/ecs"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// refuseAll says which messages are about what no world has: game objects, areas that do something to who walks in, fights
// between players, and clocks that jump, since the times of moves follow from the answers to questions for the time. They
// are counted, each for itself.
func (s *System) refuseAll() {
	refuse[msg.GameObjectUse](s, msg.OpGameObjectUse, s.noObject.Counter)
	refuse[msg.AreaTrigger](s, msg.OpAreaTrigger, s.noTrigger.Counter)
	refuse[msg.TogglePvP](s, msg.OpTogglePvP, s.noPvP.Counter)
	refuse[msg.MoveTimeSkipped](s, msg.OpMoveTimeSkipped, s.timeSkipped.Counter)
}

// refuse has the messages with an opcode counted, or their bodies if they are none.
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
