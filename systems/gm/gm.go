// Package gm does what game masters, and operators, ask of a world: the verbs of net/protocol/command whose scope is one. Each
// comes to what any system would do, a request in a queue or a call of the rules, and is answered with lines. A tick
// in which nobody asks costs nothing; one in which somebody does allocates for the words.
package gm

import (
	"errors"
	"fmt"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// System does what game masters and operators ask for.
type System struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	space    ecs.Res[space.Space]
	out      change.Out
	dirty    change.Dirty
	unsaved  change.Unsaved
	cells    change.Cells
	book     rules.Book
	goods    goods.Ledger

	chats       ecs.Events[change.Sent[msg.ChatMessage]]
	selections  ecs.Events[change.Sent[msg.SetSelection]]
	commands    ecs.Events[change.Sent[frame.Command]]
	castResults ecs.Requests[rules.CastResult]

	speeds       ecs.Emit[move.SetSpeed]
	flights      ecs.Emit[move.Fly]
	teleports    ecs.Emit[move.Teleport]
	casts        ecs.Emit[rules.Cast]
	auraApplies  ecs.Emit[rules.ApplyAura]
	auraRemovals ecs.Emit[rules.RemoveAuras]
	learns       ecs.Emit[rules.LearnSpell]
	summons      ecs.Emit[rules.Summon]

	despawnRequests  ecs.Emit[rules.DespawnCreature]
	respawnRequests  ecs.Emit[rules.RespawnAll]
	spawnInfoChanges ecs.Emit[rules.SpawnInfoChanged]
	setLevels        ecs.Emit[rules.SetLevel]
	revives          ecs.Emit[rules.Revive]

	players     ecs.Query[components.Name] // only players have one
	objects     ecs.Write[components.Object]
	vitals      ecs.Write[components.Vitals]
	units       ecs.Write[components.Unit]
	targets     ecs.Read[components.Target]
	combats     ecs.Write[components.CombatState]
	appearances ecs.Write[components.PlayerAppearance]
	progress    ecs.Read[components.Progress]
	positions   ecs.Read[components.Position]
	homeCells   ecs.Read[components.HomeCell]
	observers   ecs.Write[components.Observer]
	sessions    ecs.Read[components.Session]
	names       ecs.View[components.Name]
	records     ecs.View[components.Record]
	pendingAcks ecs.View[components.PendingMoveAcks]
	spawnInfos  ecs.Write[components.SpawnInfo]
	throttles   ecs.Write[components.ChatThrottle]
	books       ecs.Write[components.Spellbook]

	flood  sched.Counter `name:"chat.flood"`
	deeds  []deed        // by index into command.Table; nil for those that the gateway serves
	lines  []string
	chat   msg.Chat
	camps  []location // places that were given a name
	waits  []wait     // for what becomes of casts
	ticket uint32     // the last that was given
}

// A call is a verb that somebody asks for.
type call struct {
	t     sched.Tick
	by    ecs.Entity // the asker's character; zero if there is none, which no verb about a character sees
	level uint8
	args  command.Args
	id    uint64 // of the command; 0 is said in a chat
	later bool   // the answer comes later
}

// A deed does a verb. Its error is what the asker is told; command.ErrSyntax is told as the verb's syntax.
type deed func(*System, *call) error

// Run answers the casts of the tick before, and then does what is asked for in chats and by commands.
func (s *System) Run(t sched.Tick) {
	s.hear()
	selections := s.selections.All()
	for i, chats := 0, s.chats.All(); i < len(chats); i++ {
		if sent := &chats[i]; msg.TakesVerbs(sent.Msg.Type) && s.entities.Alive(sent.By) {
			if line, ok := command.Line(sent.Msg.Text); ok {
				selections = s.choose(selections, sent.N)
				s.asked(t, sent.By, line)
			}
		}
	}
	for i, commands := 0, s.commands.All(); i < len(commands); i++ {
		s.command(t, &commands[i])
	}
}

// choose gives players the targets that they chose before a place in the inbox, and returns the selections that are left.
// Whoever chooses, says a verb, and chooses again means the first, also if all of it comes in one tick. System combat goes
// through all selections once more: the last is what stays.
func (s *System) choose(selections []change.Sent[msg.SetSelection], before uint32) []change.Sent[msg.SetSelection] {
	for len(selections) > 0 && selections[0].N < before {
		if by := selections[0].By; s.entities.Alive(by) {
			s.book.SetTarget(by, selections[0].Msg.GUID)
		}
		selections = selections[1:]
	}
	return selections
}

// asked does what a player asks for in its chat. Those without a level are held to what they could say.
func (s *System) asked(t sched.Tick, e ecs.Entity, line string) {
	level := uint8(s.records.Get(e).SecurityLevel)
	if level == command.Player && !s.throttles.Get(e).Allow(t.NowMs) {
		s.flood.Count()
		return
	}
	c := &call{t: t, by: e, level: level}
	if s.do(c, line); !c.later {
		s.tell(e)
	}
}

// tell answers a player with the lines.
func (s *System) tell(e ecs.Entity) {
	for _, line := range s.lines {
		s.chat = msg.Chat{Type: msg.ChatSystem, Language: msg.Universal, Text: line}
		s.out.Packet(msg.OpChat, &s.chat)
	}
	s.out.SendSpanNow(e, frame.PlaceOf(msg.OpChat), s.out.Cut())
}

// command does what an operator asks for.
func (s *System) command(t sched.Tick, sent *change.Sent[frame.Command]) {
	c := &call{t: t, by: sent.By, level: sent.Msg.Level, id: sent.Msg.ID}
	if s.do(c, sent.Msg.Text); !c.later {
		s.answer(sent.Msg.ID)
	}
}

// answer answers a command with the lines.
func (s *System) answer(id uint64) {
	for i, line := range s.lines {
		if i > 0 {
			s.out.Write(append(s.out.Buffer(), '\n'))
		}
		s.out.Write(append(s.out.Buffer(), line...))
	}
	s.out.Reply(id)
}

// do does what a line asks for, and leaves what is to be said of it in lines.
func (s *System) do(c *call, line string) {
	s.lines = s.lines[:0]
	m := command.Find(line, c.level)
	if m.Outcome != command.Found {
		s.lines = append(s.lines, m.Explain()...)
		return
	}
	do := s.deeds[command.Index(m.Verb)]
	switch {
	case do == nil:
		s.say("%s is not for a world.", m.Verb.Path)
		return
	case (m.Verb.Scope == command.Subject || m.Verb.Scope == command.Anywhere) && c.by == (ecs.Entity{}):
		s.say("%s is about a character: say whose, as in #Anna %s.", m.Verb.Path, m.Verb.Path)
		return
	}
	c.args = command.Split(m.Args)
	if err := do(s, c); errors.Is(err, command.ErrSyntax) {
		s.lines = append(s.lines[:0], m.Verb.Usage())
	} else if err != nil {
		s.say("%s", err.Error())
	}
}

// maxLines bounds an answer.
const maxLines = 50

// say adds a line to the answer.
func (s *System) say(format string, args ...any) {
	if len(s.lines) < maxLines {
		s.lines = append(s.lines, fmt.Sprintf(format, args...))
	}
}
