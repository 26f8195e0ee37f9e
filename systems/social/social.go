// Package social is what players say to each other.
package social

import (
	"strings"
	"unicode/utf8"

	"muster/components"
	"muster/components/change"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
	"muster/sched"
)

// sayYards is how far a voice carries.
//
// Source: CONFIG_LISTEN_RANGE_SAY, World.cpp, AzerothCore (25 yards).
const sayYards = 25

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	counters := ecs.Shared[metric.Table](w)
	s := &system{
		world:     w,
		space:     ecs.Shared[space.Space](w),
		log:       ecs.Shared[change.Log](w),
		chats:     ecs.QueueOf[change.Sent[msg.ChatMessage]](w),
		objects:   ecs.NewColumn[components.Object](w),
		positions: ecs.NewColumn[components.Position](w),
		homes:     ecs.NewColumn[components.Home](w),
		sessions:  ecs.NewColumn[components.Session](w),
		voices:    ecs.NewColumn[components.Voice](w),

		unhandled: counters.Counter("chat.unhandled_type"),
		badText:   counters.Counter("chat.bad_text"),
		flood:     counters.Counter("chat.flood"),
	}
	return sched.System{
		Name: "social", Stage: sched.Act,
		Reads: append(ecs.Of4[components.Object, components.Position, components.Home, components.Session](),
			ecs.Of2[space.Space, ecs.Queue[change.Sent[msg.ChatMessage]]]()...),
		Writes: ecs.Of3[components.Voice, change.Log, metric.Table](),
		Run:    s.run,
	}
}

type system struct {
	world     *ecs.World
	space     *space.Space
	log       *change.Log
	chats     *ecs.Queue[change.Sent[msg.ChatMessage]]
	objects   ecs.Column[components.Object]
	positions ecs.Column[components.Position]
	homes     ecs.Column[components.Home]
	sessions  ecs.Column[components.Session]
	voices    ecs.Column[components.Voice]

	unhandled *metric.Counter
	badText   *metric.Counter
	flood     *metric.Counter
}

func (s *system) run(t sched.Tick) {
	chats := s.chats.All()
	for i := range chats {
		if s.world.Alive(chats[i].By) {
			s.say(t, chats[i].By, &chats[i].Msg)
		}
	}
}

// say lets everybody within earshot hear a player. The player itself, whose client waits for its own words,
// hears them at once, the others when it is their turn. A language is never refused: bots
// that do not know their race speak all.
//
// Source: WorldSession::HandleMessagechatOpcode, Player::Say, AzerothCore; protocol.md 7.13.
func (s *system) say(t sched.Tick, e ecs.Entity, m *msg.ChatMessage) {
	switch {
	case m.Type != uint32(msg.ChatSay):
		s.unhandled.Count()
		return
	case m.Text == "" || !utf8.ValidString(m.Text) || strings.ContainsFunc(m.Text, isControl):
		s.badText.Count()
		return
	case !s.voices.Get(e).Speak(t.NowMs):
		s.flood.Count()
		return
	}
	guid := s.objects.Get(e).GUID
	s.log.Draft.Bytes = msg.Packet(s.log.Draft.Bytes, wire.V12340, msg.OpChat, &msg.Chat{
		Type: msg.ChatSay, Language: m.Language, Sender: guid, Target: guid, Text: m.Text,
	})
	packet := s.log.Draft.Cut()
	p, layer := s.positions.Get(e), s.homes.Get(e).Cell.Layer()
	s.space.Order.Within(p.X, p.Y, sayYards, layer, func(near *grid.Entry[ecs.Entity]) {
		switch {
		case !s.world.Alive(near.Entity) || !s.sessions.Has(near.Entity):
		case near.Entity == e:
			s.log.Draft.TellNow(s.sessions.Get(e).ID, frame.Middle, packet)
		default:
			s.log.Draft.Tell(s.sessions.Get(near.Entity).ID, frame.Middle, packet)
		}
	})
}

func isControl(r rune) bool { return r < ' ' || r == 0x7F }
