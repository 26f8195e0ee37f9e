package combat

import (
	"muster/components/change"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// Truce returns the system that takes out of fights who leaves the world, ends the combat of those who have been
// left in peace, and tells players whom their foes hate.
func Truce(w *ecs.World) sched.System {
	s := &truce{world: w, log: ecs.Shared[change.Log](w), book: rules.New(w)}
	return sched.System{
		Name: "truce", Stage: sched.Settle,
		Reads: rules.Reads(), Writes: rules.Writes(),
		Timers: s.book.Timers(),
		Self:   s,
		Run:    s.run,
	}
}

type truce struct {
	world *ecs.World
	log   *change.Log
	book  *rules.Book
}

func (s *truce) run(t sched.Tick) {
	for _, e := range s.log.Leaving {
		if s.world.Alive(e) {
			s.book.Depart(t, e)
		}
	}
	s.book.Calm(t)
	s.book.TellThreats(t)
}
