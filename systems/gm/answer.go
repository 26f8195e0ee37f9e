package gm

import (
	"cmp"
	"slices"

	"muster/ecs"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// An answer is the answer to a command.
type answer struct {
	number uint32     // of the command, and the ticket of what it asks other systems for
	to     ecs.Entity // the character of the game master
	id     uint64     // of the command of an operator; 0 for one in a chat
	lines  []string

	later   bool   // the answer comes with a result, later in the stage,
	subject string // about this character or creature
	object  string // and this spell or item

	refused   bool // the command was not executed; lines are why
	elsewhere bool // another system answers
	flood     bool // the command was one too many: there is no answer, and the gateway is told
}

// maxWaits is the most results of a tick that are waited for, our own choice: for more, the answer is that they were
// requested.
const maxWaits = 64

// GMAnswers sends the answers to commands, in the order of the commands. Where an answer is the result of what another
// system was asked for, it comes later in the stage, and the answer with it.
type GMAnswers struct {
	entities   ecs.Entities
	out        change.Out
	answers    ecs.Events[answer]
	casts      ecs.Requests[rules.CastResult]
	itemsGiven ecs.EventReader[goods.ItemGiven]
	itemsTaken ecs.EventReader[goods.ItemTaken]
	moneyGiven ecs.EventReader[goods.MoneyGiven]

	flood sched.Counter `name:"chat.flood"`
	chat  msg.Chat
	waits []answer // for results
}

// Run sends the answers of this tick, after those of the tick before whose results have not come: there was no caster
// any more.
func (s *GMAnswers) Run(sched.Tick) {
	for i := range s.waits {
		w := &s.waits[i]
		w.lines = w.lines[:0]
		w.refused = true
		w.say("%s casts nothing any more.", w.subject)
		s.send(w)
	}
	s.waits = s.waits[:0]
	answers := s.answers.All()
	slices.SortFunc(answers, func(a, b answer) int { return cmp.Compare(a.number, b.number) })
	for i := range answers {
		if a := &answers[i]; a.later && len(s.waits) < maxWaits {
			s.waits = append(s.waits, *a)
		} else {
			s.send(a)
		}
	}
}

// React implements sched.Reactor: it answers the commands whose results have come.
func (s *GMAnswers) React(sched.Tick) {
	for _, r := range s.casts.Take() {
		s.conclude(r.Ticket, func(w *answer) {
			if r.Begun {
				w.say("%s casts %s.", w.subject, w.object)
			} else {
				w.refused = true
				w.say("%s cannot cast %s: %s.", w.subject, w.object, r.Why.Words())
			}
		})
	}
	for _, r := range s.itemsGiven.Next() {
		s.conclude(r.Ticket, func(w *answer) {
			if r.Why == msg.InventoryOK {
				w.say("%s has got %d of %s.", w.subject, r.Count, w.object)
			} else {
				w.refused = true
				w.say("%s cannot carry %d of %s (reason %d).", w.subject, r.Count, w.object, r.Why)
			}
		})
	}
	for _, r := range s.itemsTaken.Next() {
		s.conclude(r.Ticket, func(w *answer) { w.say("%s has lost %d of %s.", w.subject, r.Taken, w.object) })
	}
	for _, r := range s.moneyGiven.Next() {
		s.conclude(r.Ticket, func(w *answer) {
			if r.OK {
				w.say("%s has %d copper.", w.subject, r.Has)
			} else {
				w.refused = true
				w.say("That is more than a player can have.")
			}
		})
	}
}

// conclude answers the command that waits for a ticket, if there is one.
func (s *GMAnswers) conclude(ticket uint32, say func(*answer)) {
	i := slices.IndexFunc(s.waits, func(w answer) bool { return w.number == ticket })
	if i < 0 {
		return
	}
	w := s.waits[i]
	s.waits = slices.Delete(s.waits, i, i+1)
	w.lines = w.lines[:0]
	say(&w)
	s.send(&w)
}

// send sends an answer to an operator, or to a player that still exists.
func (s *GMAnswers) send(a *answer) {
	switch {
	case a.flood:
		s.out.Refuse(a.to, msg.OpChatMessage, &s.flood)
	case a.id != 0:
		if a.refused {
			s.out.Write(append(s.out.Buffer(), command.NotDone...))
		}
		for i, line := range a.lines {
			if i > 0 {
				s.out.Write(append(s.out.Buffer(), '\n'))
			}
			s.out.Write(append(s.out.Buffer(), line...))
		}
		s.out.Reply(a.id)
	case s.entities.Exists(a.to):
		for _, line := range a.lines {
			s.chat = msg.Chat{Type: msg.ChatSystem, Language: msg.Universal, Text: line}
			s.out.Packet(msg.OpChat, &s.chat)
		}
		s.out.SendSpanNow(a.to, frame.PlaceOf(msg.OpChat), s.out.Cut())
	}
}
