package gm

import (
	"slices"

	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// maxWaits is the most results of a tick that are waited for, our own choice: for more, the answer is that they were
// requested.
const maxWaits = 64

// A wait is for the result of what another system was asked for: it comes later in the stage, and the answer with it.
type wait struct {
	ticket uint32
	by     ecs.Entity // the character of the game master
	id     uint64     // of the command; 0 for one in a chat
	name   string     // of the character or creature,
	what   string     // and of the spell or item
}

// results are the answers of other systems to what game masters ask of them.
type results struct {
	casts      ecs.Requests[rules.CastResult]
	itemsGiven ecs.EventReader[goods.ItemGiven]
	itemsTaken ecs.Requests[goods.ItemTaken]
	moneyGiven ecs.EventReader[goods.MoneyGiven]
}

// wait has a command answered when the result with a ticket comes. If too many are waited for, the ticket is 0 and the
// command is answered now.
func (s *System) wait(c *call, name, what string) (ticket uint32) {
	if len(s.waits) == maxWaits {
		return 0
	}
	s.ticket = max(s.ticket+1, 1)
	s.waits = append(s.waits, wait{s.ticket, c.by, c.id, name, what})
	c.later = true
	return s.ticket
}

// React implements sched.Reactor: it answers the commands whose results have come.
func (s *System) React(sched.Tick) {
	for _, r := range s.results.casts.Take() {
		s.conclude(r.Ticket, func(w *wait) {
			if r.Begun {
				s.say("%s casts %s.", w.name, w.what)
			} else {
				s.say("%s cannot cast %s: %s.", w.name, w.what, r.Why.Words())
			}
		})
	}
	for _, r := range s.results.itemsGiven.Next() {
		s.conclude(r.Ticket, func(w *wait) {
			if r.Why == msg.InventoryOK {
				s.say("%s has got %d of %s.", w.name, r.Count, w.what)
			} else {
				s.say("%s cannot carry %d of %s (reason %d).", w.name, r.Count, w.what, r.Why)
			}
		})
	}
	for _, r := range s.results.itemsTaken.Take() {
		s.conclude(r.Ticket, func(w *wait) { s.say("%s has lost %d of %s.", w.name, r.Taken, w.what) })
	}
	for _, r := range s.results.moneyGiven.Next() {
		s.conclude(r.Ticket, func(w *wait) {
			if r.OK {
				s.say("%s has %d copper.", w.name, r.Has)
			} else {
				s.say("That is more than a player can have.")
			}
		})
	}
}

// conclude answers the command that waits for a ticket, if there is one.
func (s *System) conclude(ticket uint32, say func(*wait)) {
	i := slices.IndexFunc(s.waits, func(w wait) bool { return w.ticket == ticket })
	if ticket == 0 || i < 0 {
		return
	}
	w := s.waits[i]
	s.waits = slices.Delete(s.waits, i, i+1)
	s.lines = s.lines[:0]
	say(&w)
	s.reply(&w)
}

// giveUp answers the commands of the tick before whose results have not come: there was no caster any more.
func (s *System) giveUp() {
	for i := range s.waits {
		s.lines = s.lines[:0]
		s.say("%s casts nothing any more.", s.waits[i].name)
		s.reply(&s.waits[i])
	}
	s.waits = s.waits[:0]
}

// reply answers a command late.
func (s *System) reply(w *wait) {
	switch {
	case w.id != 0:
		s.answer(w.id)
	case s.entities.Alive(w.by):
		s.sendLines(w.by)
	}
}
