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
	s := &system{
		world:     w,
		space:     ecs.Shared[space.Space](w),
		log:       ecs.Shared[change.Log](w),
		metric:    ecs.Shared[metric.Table](w),
		chats:     ecs.QueueOf[change.Sent[msg.ChatMessage]](w),
		objects:   ecs.NewColumn[components.Object](w),
		positions: ecs.NewColumn[components.Position](w),
		homes:     ecs.NewColumn[components.Home](w),
		sessions:  ecs.NewColumn[components.Session](w),
	}
	return sched.System{
		Name: "social", Stage: sched.Act,
		Reads: append(ecs.Of4[components.Object, components.Position, components.Home, components.Session](),
			ecs.Of2[space.Space, ecs.Queue[change.Sent[msg.ChatMessage]]]()...),
		Writes: ecs.Of[change.Log](),
		Run:    s.run,
	}
}

type system struct {
	world     *ecs.World
	space     *space.Space
	log       *change.Log
	metric    *metric.Table
	chats     *ecs.Queue[change.Sent[msg.ChatMessage]]
	objects   ecs.Column[components.Object]
	positions ecs.Column[components.Position]
	homes     ecs.Column[components.Home]
	sessions  ecs.Column[components.Session]
}

func (s *system) run(sched.Tick) {
	chats := s.chats.All()
	for i := range chats {
		if s.world.Alive(chats[i].By) {
			s.say(chats[i].By, &chats[i].Msg)
		}
	}
}

// say lets everybody within earshot hear a player, itself included. A language is never refused: bots
// that do not know their race speak all.
//
// Source: WorldSession::HandleMessagechatOpcode, Player::Say, AzerothCore; protocol.md 7.13.
func (s *system) say(e ecs.Entity, m *msg.ChatMessage) {
	switch {
	case m.Type != uint32(msg.ChatSay):
		s.metric.Count("chat.unhandled_type")
		return
	case m.Text == "" || !utf8.ValidString(m.Text) || strings.ContainsFunc(m.Text, isControl):
		s.metric.Count("chat.bad_text")
		return
	}
	guid := s.objects.Get(e).GUID
	s.log.Draft.Bytes = msg.Packet(s.log.Draft.Bytes, wire.V12340, msg.OpChat, &msg.Chat{
		Type: msg.ChatSay, Language: m.Language, Sender: guid, Target: guid, Text: m.Text,
	})
	packet := s.log.Draft.Cut()
	p, layer := s.positions.Get(e), s.homes.Get(e).Cell.Layer()
	s.space.Order.Within(p.X, p.Y, sayYards, layer, func(near *grid.Entry[ecs.Entity]) {
		if s.world.Alive(near.Entity) && s.sessions.Has(near.Entity) {
			s.log.Draft.TellNow(s.sessions.Get(near.Entity).ID, frame.Middle, packet)
		}
	})
}

func isControl(r rune) bool { return r < ' ' || r == 0x7F }
