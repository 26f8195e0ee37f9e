// Package gm executes the commands of game masters and operators that concern a world: those in net/protocol/command
// with that scope. System gmcommands finds what a command is about, the system of its group executes it, by requests to other
// systems or by itself, and system gmanswers sends the lines of the answer. A tick without commands costs nothing; one
// with commands allocates.
package gm

import (
	"strings"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
)

// GMCommands reads the commands of game masters and operators, and finds what they are about.
type GMCommands struct {
	creatures

	chats      ecs.Events[change.Sent[msg.ChatMessage]]
	selections ecs.Events[change.Sent[msg.SetSelection]]
	commands   ecs.Events[change.Sent[frame.Command]]
	calls      ecs.Emit[call]
	answers    ecs.Emit[answer]

	defs         ecs.Res[defs.World]
	players      ecs.Query[components.Name] // only players have one
	names        ecs.Read[components.Name]
	targets      ecs.Read[components.Target]
	vitalsStates ecs.Read[components.VitalsState]
	records      ecs.ReadRef[components.Record]
	throttles    ecs.Write[components.ChatThrottle]

	number uint32     // of the last command
	picked []selected `snapshot:"-"` // in this tick, before the command that is read
}

// OnEvents reads the commands in chats and of operators.
func (s *GMCommands) OnEvents(t sched.Tick) {
	selections := s.selections.All()
	s.picked = s.picked[:0]
	for i, chats := 0, s.chats.All(); i < len(chats); i++ {
		if sent := &chats[i]; msg.TakesVerbs(sent.Msg.Type) {
			if line, ok := command.Line(sent.Msg.Text); ok {
				selections = s.choose(selections, sent.N)
				s.asked(t, sent.By, line)
			}
		}
	}
	for i, commands := 0, s.commands.All(); i < len(commands); i++ {
		sent := &commands[i]
		line, self := strings.CutPrefix(sent.Msg.Text, command.OfSelf)
		s.call(call{t: t, by: sent.By, self: self, answer: answer{id: sent.Msg.ID}}, sent.Msg.Level, line)
	}
}

// choose notes the targets that players selected before a place in the inbox, and returns the selections that are
// left. So a command refers to the target selected before it, also if the next selection comes in the same tick.
// System target, which comes later in the tick, sets the last.
func (s *GMCommands) choose(selections []change.Sent[msg.SetSelection], before uint32) []change.Sent[msg.SetSelection] {
	for len(selections) > 0 && selections[0].N < before {
		s.picked = append(s.picked, selected{selections[0].By, selections[0].Msg.GUID})
		selections = selections[1:]
	}
	return selections
}

// A selected is a target that a player has selected.
type selected struct {
	by   ecs.Entity
	guid uint64
}

// target returns the GUID of a player's target.
func (s *GMCommands) target(e ecs.Entity) uint64 {
	for i := len(s.picked) - 1; i >= 0; i-- {
		if s.picked[i].by == e {
			return s.picked[i].guid
		}
	}
	return s.targets.Get(e).GUID
}

// there reports whether a unit exists and is not about to leave the world.
func (s *GMCommands) there(e ecs.Entity) bool {
	return s.entities.Exists(e) && s.vitalsStates.Get(e).Gone == 0
}

// asked reads a command in a player's chat. Players without a security level are subject to the chat throttle.
func (s *GMCommands) asked(t sched.Tick, e ecs.Entity, line string) {
	level := uint8(s.records.Get(e).SecurityLevel)
	if level == command.Player && !s.throttles.Get(e).Allow(t.NowMs) {
		s.answers.Emit(answer{to: e, flood: true})
		return
	}
	s.call(call{t: t, by: e}, level, line)
}

// call has the line of a caller with a level executed, or answers why it is not.
func (s *GMCommands) call(c call, level uint8, line string) {
	s.number = max(s.number+1, 1)
	c.number, c.to = s.number, c.by
	if s.read(&c, level, line) {
		s.calls.Emit(c)
	} else {
		s.answers.Emit(c.answer)
	}
}

// read reports whether a line is a command that a group executes, and notes what it is about. If it is not, the answer
// says why.
func (s *GMCommands) read(c *call, level uint8, line string) bool {
	m := command.Find(line, level)
	if m.Outcome != command.Found {
		c.lines, c.refused = m.Explain(), true
		return false
	}
	c.verb = m.Verb
	about, known := subjects[m.Verb.Path]
	switch {
	case !known:
		c.fail(refusal(m.Verb.Path + " is not for a world."))
		return false
	case (m.Verb.Scope == command.Subject || m.Verb.Scope == command.Anywhere) && c.by == (ecs.Entity{}):
		c.fail(refusal(m.Verb.Path + " is about a character: say whose, as in #Anna " + m.Verb.Path + "."))
		return false
	}
	c.args, c.of = command.Split(m.Args), c.by
	if about != nil {
		of, err := about(s, c)
		if err != nil {
			c.fail(err)
			return false
		}
		c.of = of
	}
	if c.of != (ecs.Entity{}) {
		c.name = s.nameOf(c.of)
	}
	return true
}
