package combat

import (
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// CombatEnd takes units that leave the world out of all combat, ends the combat of those whose combat timer has run
// out, and sends players the threat lists that they are on.
type CombatEnd struct {
	entities ecs.Entities
	leaving  ecs.Events[change.Leaving]
	book     rules.Book
}

// Run implements sched.Runner.
func (s *CombatEnd) Run(t sched.Tick) {
	for _, it := range s.leaving.All() {
		if s.entities.Alive(it.Entity) {
			s.book.LeaveWorld(t, it.Entity)
		}
	}
	s.book.EndCombats(t)
	s.book.SendThreats(t)
}
