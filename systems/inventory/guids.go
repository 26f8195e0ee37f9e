package inventory

import (
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
)

// ItemGUIDs requests GUIDs for new items when they run low.
type ItemGUIDs struct {
	mint ecs.ResMut[goods.Mint]
	out  change.Out
}

// Run implements sched.Runner.
func (s *ItemGUIDs) Run(t sched.Tick) {
	if t.N == 0 { // there is no gateway to answer
		return
	}
	if n := s.mint.Get().Wants(); n > 0 {
		s.out.WantGUIDs(n)
	}
}
