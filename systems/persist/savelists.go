package persist

import (
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/record"
)

// SaveLists packs the lists of players whose turn it is that have changed.
type SaveLists struct {
	out    change.Out
	saver  record.ListSaver
	turns  ecs.Events[turn]
	packed ecs.Emit[packed]

	lists frame.Lists `snapshot:"-"` // rewritten for each player
}

// packed is where the lists of a turn are in the frame. Each turn with lists has one, in their order.
type packed struct{ frame.Span }

// OnEvents implements sched.Handler.
func (s *SaveLists) OnEvents(t sched.Tick) {
	for _, it := range s.turns.All() {
		if it.Lists == 0 {
			continue
		}
		s.lists.Told = it.Lists
		s.saver.TakeLists(t, it.Entity, &s.lists.Life, it.Lists)
		s.out.Write(msg.Append(s.out.Buffer(), wire.V12340, &s.lists))
		s.packed.Emit(packed{s.out.Cut()})
	}
}
