package intake

import (
	"errors"

	"muster/ecs"
	"muster/internal/metric"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
)

// refuseAll says which messages are about what no world has: game objects, areas that do something to who walks in, fights
// between players, and clocks that jump, since the times of moves follow from the answers to questions for the time. They
// are counted, each for itself.
func (s *system) refuseAll(counters *metric.Table) {
	refuse[msg.GameObjectUse](s, msg.OpGameObjectUse, counters.Counter("intake.no_object"))
	refuse[msg.AreaTrigger](s, msg.OpAreaTrigger, counters.Counter("intake.no_trigger"))
	refuse[msg.TogglePvP](s, msg.OpTogglePvP, counters.Counter("intake.no_pvp"))
	refuse[msg.MoveTimeSkipped](s, msg.OpMoveTimeSkipped, counters.Counter("intake.time_skipped"))
}

// refuse has the messages with an opcode counted, or their bodies if they are none.
func refuse[M any, P message[M]](s *system, op uint16, reason *metric.Counter) {
	m := any(P(new(M))).(msg.Message)
	s.into[op] = func(_ ecs.Entity, it *frame.Item) {
		if err := msg.Decode(wire.V12340, it.Body, m); err != nil && !errors.Is(err, msg.ErrLong) {
			s.badBody.Count()
			return
		}
		reason.Count()
	}
}
