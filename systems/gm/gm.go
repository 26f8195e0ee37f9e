// Package gm executes the commands of game masters and operators that concern a world: those in net/protocol/command
// with that scope. Each results in what any system would do, a request in a queue or a call of the rules, and is
// answered with lines. A tick without commands costs nothing; one with commands allocates.
package gm

import (
	"errors"
	"fmt"
	"slices"

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

// System executes the commands of game masters and operators.
type System struct {
	rules.Living

	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	space    ecs.Res[space.Space]
	out      change.Out
	dirty    change.Dirty
	unsaved  change.Unsaved
	cells    change.Cells

	chats      ecs.Events[change.Sent[msg.ChatMessage]]
	selections ecs.Events[change.Sent[msg.SetSelection]]
	commands   ecs.Events[change.Sent[frame.Command]]
	results    results

	speeds       ecs.Emit[move.SetSpeed]
	flights      ecs.Emit[move.Fly]
	teleports    ecs.Emit[move.Teleport]
	damages      ecs.Emit[rules.Damage]
	kills        ecs.Emit[rules.Kill]
	healths      ecs.Emit[rules.SetHealth]
	powers       ecs.Emit[rules.PowerChange]
	departures   ecs.Emit[rules.LeaveCombat]
	clears       ecs.Emit[rules.ClearCooldowns]
	unitFlags    ecs.Emit[rules.SetUnitFlags]
	playerFlags  ecs.Emit[rules.SetPlayerFlags]
	casts        ecs.Emit[rules.Cast]
	auraApplies  ecs.Emit[rules.ApplyAura]
	auraRemovals ecs.Emit[rules.RemoveAuras]
	learns       ecs.Emit[rules.LearnSpell]
	summons      ecs.Emit[rules.Summon]
	itemGives    ecs.Emit[goods.GiveItem]
	itemTakes    ecs.Emit[goods.TakeItem]
	moneyGives   ecs.Emit[goods.GiveMoney]

	despawnRequests  ecs.Emit[rules.DespawnCreature]
	respawnRequests  ecs.Emit[rules.RespawnAll]
	spawnInfoChanges ecs.Emit[rules.SpawnInfoChanged]
	setLevels        ecs.Emit[rules.SetLevel]
	revives          ecs.Emit[rules.Revive]

	players      ecs.Query[components.Name] // only players have one
	objects      ecs.Write[components.Object]
	cheats       ecs.Write[components.Cheats]
	vitals       ecs.View[components.Vitals]
	units        ecs.Read[components.Unit]
	targets      ecs.Read[components.Target]
	vitalsStates ecs.Read[components.VitalsState]
	appearances  ecs.Read[components.PlayerAppearance]
	progress     ecs.Read[components.Progress]
	positions    ecs.Read[components.Position]
	homeCells    ecs.Read[components.HomeCell]
	observers    ecs.Write[components.Observer]
	sessions     ecs.Read[components.Session]
	names        ecs.View[components.Name]
	records      ecs.View[components.Record]
	pendingAcks  ecs.View[components.PendingMoveAcks]
	spawnInfos   ecs.Write[components.SpawnInfo]
	throttles    ecs.Write[components.ChatThrottle]
	cooldowns    ecs.View[components.Cooldowns]

	flood    sched.Counter `name:"chat.flood"`
	handlers []handler     // by index into command.Table; nil for those that the gateway executes
	lines    []string
	chat     msg.Chat
	camps    []location // named places
	waits    []wait     // for results
	ticket   uint32     // the last that was assigned
	picked   []selected // in this tick, before the command that is executed

	deleted []ecs.Entity // in this tick
}

// A call is a command to execute.
type call struct {
	t     sched.Tick
	by    ecs.Entity // the character of the game master; zero for an operator, for whom commands about a character are refused earlier
	level uint8
	args  command.Args
	id    uint64 // of the command; 0 for one in a chat
	later bool   // the answer comes with a result, later in the stage
}

// A handler executes a command. Its error is the answer; command.ErrSyntax is answered with the command's syntax.
type handler func(*System, *call) error

// Run executes the commands in chats and of operators.
func (s *System) Run(t sched.Tick) {
	s.giveUp()
	selections := s.selections.All()
	s.picked, s.deleted = s.picked[:0], s.deleted[:0]
	for i, chats := 0, s.chats.All(); i < len(chats); i++ {
		if sent := &chats[i]; msg.TakesVerbs(sent.Msg.Type) {
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

// choose notes the targets that players selected before a place in the inbox, and returns the selections that are
// left. So a command refers to the target selected before it, also if the next selection comes in the same tick.
// System target, which comes later in the tick, sets the last.
func (s *System) choose(selections []change.Sent[msg.SetSelection], before uint32) []change.Sent[msg.SetSelection] {
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
func (s *System) target(e ecs.Entity) uint64 {
	for i := len(s.picked) - 1; i >= 0; i-- {
		if s.picked[i].by == e {
			return s.picked[i].guid
		}
	}
	return s.targets.Get(e).GUID
}

// there reports whether a unit exists and is not about to leave the world.
func (s *System) there(e ecs.Entity) bool {
	return s.entities.Alive(e) && s.vitalsStates.Get(e).Gone == 0 && !slices.Contains(s.deleted, e)
}

// asked executes a command in a player's chat. Players without a security level are subject to the chat throttle.
func (s *System) asked(t sched.Tick, e ecs.Entity, line string) {
	level := uint8(s.records.Get(e).SecurityLevel)
	if level == command.Player && !s.throttles.Get(e).Allow(t.NowMs) {
		s.flood.Count()
		return
	}
	c := &call{t: t, by: e, level: level}
	if s.do(c, line); !c.later {
		s.sendLines(e)
	}
}

// sendLines answers a player with the lines.
func (s *System) sendLines(e ecs.Entity) {
	for _, line := range s.lines {
		s.chat = msg.Chat{Type: msg.ChatSystem, Language: msg.Universal, Text: line}
		s.out.Packet(msg.OpChat, &s.chat)
	}
	s.out.SendSpanNow(e, frame.PlaceOf(msg.OpChat), s.out.Cut())
}

// command executes a command of an operator.
func (s *System) command(t sched.Tick, sent *change.Sent[frame.Command]) {
	c := &call{t: t, by: sent.By, level: sent.Msg.Level, id: sent.Msg.ID}
	if s.do(c, sent.Msg.Text); !c.later {
		s.answer(sent.Msg.ID)
	}
}

// answer answers an operator's command with the lines.
func (s *System) answer(id uint64) {
	for i, line := range s.lines {
		if i > 0 {
			s.out.Write(append(s.out.Buffer(), '\n'))
		}
		s.out.Write(append(s.out.Buffer(), line...))
	}
	s.out.Reply(id)
}

// do executes a line, and leaves its answer in lines.
func (s *System) do(c *call, line string) {
	s.lines = s.lines[:0]
	m := command.Find(line, c.level)
	if m.Outcome != command.Found {
		s.lines = append(s.lines, m.Explain()...)
		return
	}
	do := s.handlers[command.Index(m.Verb)]
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

// maxLines is the most lines of an answer.
const maxLines = 50

// say adds a line to the answer.
func (s *System) say(format string, args ...any) {
	if len(s.lines) < maxLines {
		s.lines = append(s.lines, fmt.Sprintf(format, args...))
	}
}
