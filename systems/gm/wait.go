package gm

import (
	"muster/ecs"
	"muster/systems/rules"
)

// maxWaits is the most casts of a tick whose result is waited for, our own choice: for more, the answer is that they
// were requested.
const maxWaits = 64

// A wait is for the result of a requested cast: system spell has it later in the tick, and the answer is sent in the
// next.
type wait struct {
	ticket      uint32
	by          ecs.Entity // the character of the game master
	id          uint64     // of the command; 0 for one in a chat
	name, spell string
}

// answerCasts answers the casts of the tick before. A cast without a result had no caster any more.
func (s *System) answerCasts() {
	verdicts := s.castResults.Take()
	for _, w := range s.waits {
		s.lines = s.lines[:0]
		s.conclude(w, verdicts)
		switch {
		case w.id != 0:
			s.answer(w.id)
		case s.entities.Alive(w.by):
			s.sendLines(w.by)
		}
	}
	s.waits = s.waits[:0]
}

// conclude says the result of a cast.
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
