package gm

import (
	"muster/ecs"
	"muster/systems/rules"
)

// maxWaits bounds the casts of which somebody waits to hear what becomes of them, our own choice: who asks for more in a
// tick is told that they were asked for.
const maxWaits = 64

// A wait is for what becomes of a cast that was asked for: system spell says it later in the tick, and whoever asked is
// told in the next.
type wait struct {
	ticket      uint32
	by          ecs.Entity // the asker's character
	id          uint64     // of the command; 0 was said in a chat
	name, spell string
}

// hear answers those who wait, if they are still there. A cast of which nothing is heard had nobody left to cast it.
func (s *System) hear() {
	verdicts := s.castResults.Take()
	for _, w := range s.waits {
		s.lines = s.lines[:0]
		s.conclude(w, verdicts)
		switch {
		case w.id != 0:
			s.answer(w.id)
		case s.entities.Alive(w.by):
			s.tell(w.by)
		}
	}
	s.waits = s.waits[:0]
}

// conclude says what has become of a cast.
func (s *System) conclude(w wait, verdicts []rules.CastResult) {
	for i := range verdicts {
		switch o := &verdicts[i]; {
		case o.Ticket != w.ticket:
		case o.Begun:
			s.say("%s casts %s.", w.name, w.spell)
			return
		default:
			s.say("%s cannot cast %s: %s.", w.name, w.spell, o.Why.Words())
			return
		}
	}
	s.say("%s casts nothing any more.", w.name)
}
