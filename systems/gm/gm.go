// Package gm does what game masters, and operators, ask of a world: the verbs of net/verb whose scope is one. Each
// comes to what any system would do, a request in a queue or a call of the rules, and is answered with lines. A tick
// in which nobody asks costs nothing; one in which somebody does allocates for the words.
package gm

import (
	"errors"
	"fmt"
	"slices"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/verb"
	"muster/net/wire"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	s := newSystem(w)
	return sched.System{
		Name: "gm", Stage: sched.Act,
		Reads: slices.Concat(rules.Reads(), goods.Reads(), ecs.Of4[components.Name, components.Reins, components.Casting, components.Session](),
			ecs.Of2[defs.Map, space.Space](),
			ecs.Of3[ecs.Queue[change.Sent[msg.ChatMessage]], ecs.Queue[change.Sent[msg.SetSelection]], ecs.Queue[change.Sent[frame.Command]]]()),
		Writes: slices.Concat(rules.Writes(), goods.Writes(), asked(),
			ecs.Of4[components.Guise, components.Spellbook, components.Sight, components.Home](),
			ecs.Of4[components.Record, components.Object, components.Voice, components.Unsaved](),
			ecs.Of[components.Post]()),
		Self: s,
		Run:  s.run,
	}
}

// asked are the queues in which other systems are asked for something.
func asked() []ecs.Type {
	return slices.Concat(
		ecs.Of4[ecs.Queue[move.SetSpeed], ecs.Queue[move.Fly], ecs.Queue[move.Teleport], ecs.Queue[rules.Cast]](),
		ecs.Of3[ecs.Queue[rules.Apply], ecs.Queue[rules.Strip], ecs.Queue[rules.Learn]](),
		ecs.Of3[ecs.Queue[rules.Summon], ecs.Queue[rules.Dismiss], ecs.Queue[rules.Refill]](),
		ecs.Of4[ecs.Queue[rules.Rise], ecs.Queue[rules.Rescue], ecs.Queue[rules.Repost], ecs.Queue[rules.Verdict]]())
}

type system struct {
	world *ecs.World
	defs  *defs.World
	place *defs.Map
	space *space.Space
	log   *change.Log
	book  *rules.Book
	goods *goods.Ledger

	chats      *ecs.Queue[change.Sent[msg.ChatMessage]]
	selections *ecs.Queue[change.Sent[msg.SetSelection]]
	commands   *ecs.Queue[change.Sent[frame.Command]]
	players    *ecs.Filter2[components.Session, components.Name]

	speeds    *ecs.Queue[move.SetSpeed]
	flights   *ecs.Queue[move.Fly]
	teleports *ecs.Queue[move.Teleport]
	casts     *ecs.Queue[rules.Cast]
	applies   *ecs.Queue[rules.Apply]
	strips    *ecs.Queue[rules.Strip]
	learns    *ecs.Queue[rules.Learn]
	summons   *ecs.Queue[rules.Summon]

	dismissals *ecs.Queue[rules.Dismiss]
	refills    *ecs.Queue[rules.Refill]
	reposts    *ecs.Queue[rules.Repost]
	rises      *ecs.Queue[rules.Rise]
	rescues    *ecs.Queue[rules.Rescue]
	verdicts   *ecs.Queue[rules.Verdict]

	objects   ecs.Column[components.Object]
	vitals    ecs.Column[components.Vitals]
	units     ecs.Column[components.Unit]
	targets   ecs.Column[components.Target]
	bouts     ecs.Column[components.Bout]
	guises    ecs.Column[components.Guise]
	progress  ecs.Column[components.Progress]
	positions ecs.Column[components.Position]
	homes     ecs.Column[components.Home]
	sights    ecs.Column[components.Sight]
	sessions  ecs.Column[components.Session]
	names     ecs.Column[components.Name]
	records   ecs.Column[components.Record]
	reins     ecs.Column[components.Reins]
	posts     ecs.Column[components.Post]
	voices    ecs.Column[components.Voice]
	books     ecs.Column[components.Spellbook]

	flood  *metric.Counter
	deeds  []deed // by index into verb.Table; nil for those that the gateway serves
	lines  []string
	chat   msg.Chat
	camps  []location // places that were given a name
	waits  []wait     // for what becomes of casts
	ticket uint32     // the last that was given
}

func newSystem(w *ecs.World) *system {
	s := &system{
		world: w,
		defs:  ecs.Shared[defs.World](w),
		place: ecs.Shared[defs.Map](w),
		space: ecs.Shared[space.Space](w),
		log:   ecs.Shared[change.Log](w),
		book:  rules.New(w),
		goods: goods.New(w),

		chats:      ecs.QueueOf[change.Sent[msg.ChatMessage]](w),
		selections: ecs.QueueOf[change.Sent[msg.SetSelection]](w),
		commands:   ecs.QueueOf[change.Sent[frame.Command]](w),
		players:    ecs.NewFilter2[components.Session, components.Name](w),

		speeds:    ecs.QueueOf[move.SetSpeed](w),
		flights:   ecs.QueueOf[move.Fly](w),
		teleports: ecs.QueueOf[move.Teleport](w),
		casts:     ecs.QueueOf[rules.Cast](w),
		applies:   ecs.QueueOf[rules.Apply](w),
		strips:    ecs.QueueOf[rules.Strip](w),
		learns:    ecs.QueueOf[rules.Learn](w),
		summons:   ecs.QueueOf[rules.Summon](w),

		dismissals: ecs.QueueOf[rules.Dismiss](w),
		refills:    ecs.QueueOf[rules.Refill](w),
		reposts:    ecs.QueueOf[rules.Repost](w),
		rises:      ecs.QueueOf[rules.Rise](w),
		rescues:    ecs.QueueOf[rules.Rescue](w),
		verdicts:   ecs.QueueOf[rules.Verdict](w).Lasting(),

		objects:   ecs.NewColumn[components.Object](w),
		vitals:    ecs.NewColumn[components.Vitals](w),
		units:     ecs.NewColumn[components.Unit](w),
		targets:   ecs.NewColumn[components.Target](w),
		bouts:     ecs.NewColumn[components.Bout](w),
		guises:    ecs.NewColumn[components.Guise](w),
		progress:  ecs.NewColumn[components.Progress](w),
		positions: ecs.NewColumn[components.Position](w),
		homes:     ecs.NewColumn[components.Home](w),
		sights:    ecs.NewColumn[components.Sight](w),
		sessions:  ecs.NewColumn[components.Session](w),
		names:     ecs.NewColumn[components.Name](w),
		records:   ecs.NewColumn[components.Record](w),
		reins:     ecs.NewColumn[components.Reins](w),
		posts:     ecs.NewColumn[components.Post](w),
		voices:    ecs.NewColumn[components.Voice](w),
		books:     ecs.NewColumn[components.Spellbook](w),

		flood: ecs.Shared[metric.Table](w).Counter("chat.flood"),
	}
	s.bindAll()
	return s
}

// A call is a verb that somebody asks for.
type call struct {
	t     sched.Tick
	by    ecs.Entity // the asker's character; zero if there is none, which no verb about a character sees
	level uint8
	args  verb.Args
	id    uint64 // of the command; 0 is said in a chat
	later bool   // the answer comes later
}

// A deed does a verb. Its error is what the asker is told; verb.ErrSyntax is told as the verb's syntax.
type deed func(*system, *call) error

func (s *system) run(t sched.Tick) {
	s.hear()
	selections := s.selections.All()
	for i, chats := 0, s.chats.All(); i < len(chats); i++ {
		if sent := &chats[i]; msg.TakesVerbs(sent.Msg.Type) && s.world.Alive(sent.By) {
			if line, ok := verb.Line(sent.Msg.Text); ok {
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
func (s *system) choose(selections []change.Sent[msg.SetSelection], before uint32) []change.Sent[msg.SetSelection] {
	for len(selections) > 0 && selections[0].N < before {
		if by := selections[0].By; s.world.Alive(by) {
			s.book.Aim(by, selections[0].Msg.GUID)
		}
		selections = selections[1:]
	}
	return selections
}

// asked does what a player asks for in its chat. Those without a level are held to what they could say.
func (s *system) asked(t sched.Tick, e ecs.Entity, line string) {
	level := uint8(s.records.Get(e).SecurityLevel)
	if level == verb.Player && !s.voices.Get(e).Speak(t.NowMs) {
		s.flood.Count()
		return
	}
	c := &call{t: t, by: e, level: level}
	if s.do(c, line); !c.later {
		s.tell(e)
	}
}

// tell answers a player with the lines.
func (s *system) tell(e ecs.Entity) {
	for _, line := range s.lines {
		s.chat = msg.Chat{Type: msg.ChatSystem, Language: msg.Universal, Text: line}
		s.log.Draft.Bytes = msg.Packet(s.log.Draft.Bytes, wire.V12340, msg.OpChat, &s.chat)
	}
	s.log.Answer(e)
}

// command does what an operator asks for.
func (s *system) command(t sched.Tick, sent *change.Sent[frame.Command]) {
	c := &call{t: t, by: sent.By, level: sent.Msg.Level, id: sent.Msg.ID}
	if s.do(c, sent.Msg.Text); !c.later {
		s.answer(sent.Msg.ID)
	}
}

// answer answers a command with the lines.
func (s *system) answer(id uint64) {
	for i, line := range s.lines {
		if i > 0 {
			s.log.Draft.Bytes = append(s.log.Draft.Bytes, '\n')
		}
		s.log.Draft.Bytes = append(s.log.Draft.Bytes, line...)
	}
	s.log.Draft.Answer(id, s.log.Draft.Cut())
}

// do does what a line asks for, and leaves what is to be said of it in lines.
func (s *system) do(c *call, line string) {
	s.lines = s.lines[:0]
	m := verb.Find(line, c.level)
	if m.Outcome != verb.Found {
		s.lines = append(s.lines, m.Explain()...)
		return
	}
	do := s.deeds[verb.Index(m.Verb)]
	switch {
	case do == nil:
		s.say("%s is not for a world.", m.Verb.Path)
		return
	case (m.Verb.Scope == verb.Subject || m.Verb.Scope == verb.Anywhere) && c.by == (ecs.Entity{}):
		s.say("%s is about a character: say whose, as in #Anna %s.", m.Verb.Path, m.Verb.Path)
		return
	}
	c.args = verb.Split(m.Args)
	if err := do(s, c); errors.Is(err, verb.ErrSyntax) {
		s.lines = append(s.lines[:0], m.Verb.Usage())
	} else if err != nil {
		s.say("%s", err.Error())
	}
}

// maxLines bounds an answer.
const maxLines = 50

// say adds a line to the answer.
func (s *system) say(format string, args ...any) {
	if len(s.lines) < maxLines {
		s.lines = append(s.lines, fmt.Sprintf(format, args...))
	}
}
