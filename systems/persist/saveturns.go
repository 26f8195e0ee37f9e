package persist

import (
	"slices"

	"muster/components"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/record"
)

// SaveTurns gives turns to players that were marked as urgent, and then to those of the saveSchedule; in a period all have one.
type SaveTurns struct {
	entities ecs.Entities
	rate     ecs.Res[Rate]
	joined   ecs.Events[change.Joined]
	urgent   change.Urgent
	unsaved  ecs.Write[components.Unsaved]
	turns    ecs.Emit[turn]

	schedule saveSchedule
}

// A turn is that of a player, which is saved if it has changed, with what was marked of it: the second turn of a player in
// a tick has no marks.
type turn struct {
	ecs.Entity
	components.Unsaved
}

// Run implements sched.Runner.
func (s *SaveTurns) Run(t sched.Tick) {
	rate := s.rate.Get()
	if !rate.Seldom {
		for _, e := range s.urgent.All() {
			if s.entities.Exists(e) {
				s.give(e)
			}
		}
	}
	s.schedule.add(s.joined.All(), int(rate.period()/t.Quantum))
	for turn := range s.schedule.due(t.N) {
		*turn = slices.DeleteFunc(*turn, func(e ecs.Entity) (gone bool) {
			if gone = !s.entities.Exists(e); !gone {
				s.give(e)
			}
			return gone
		})
	}
}

func (s *SaveTurns) give(e ecs.Entity) {
	u := s.unsaved.Get(e)
	it := s.turns.Next()
	it.Entity, it.Lists, it.Soon = e, u.Lists&record.Lists, u.Soon
	*u = components.Unsaved{}
}
