package social

import (
	"errors"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/protocol/speech"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// The ranges of chat, in yards.
//
// Source: CONFIG_LISTEN_RANGE_SAY, _TEXTEMOTE and _YELL, World.cpp, AzerothCore.
const (
	sayYards   = 25
	emoteYards = 25
	yellYards  = 300
)

// handleChat handles a player's chat message. A language is never refused: bots that do not know their race use all.
// Commands are handled by system gmcommands.
//
// Source: WorldSession::HandleMessagechatOpcode, Player::Say, Yell and TextEmote, AzerothCore; protocol.md 7.13.
func (s *Chat) handleChat(t sched.Tick, e ecs.Entity, m *msg.ChatMessage) {
	if msg.TakesVerbs(m.Type) {
		if _, ok := command.Line(m.Text); ok {
			return
		}
	}
	switch msg.ChatType(min(m.Type, 0xFF)) {
	case msg.ChatSay:
		s.speak(t, e, m, sayYards)
	case msg.ChatEmote:
		s.speak(t, e, m, emoteYards)
	case msg.ChatYell:
		s.speak(t, e, m, yellYards)
	case msg.ChatAFK:
		s.away(e, components.PlayerAFK, m.Text)
	case msg.ChatDND:
		s.away(e, components.PlayerDND, m.Text)
	default:
		s.out.Refuse(e, msg.OpChatMessage, &s.unhandled)
	}
}

// speak sends a player's message to those within a distance.
func (s *Chat) speak(t sched.Tick, e ecs.Entity, m *msg.ChatMessage, yards float32) {
	if s.dead(e) {
		s.out.Refuse(e, msg.OpChatMessage, &s.unable)
		return
	}
	if err := speech.Check(m.Language, m.Text); err != nil {
		if errors.Is(err, speech.ErrLink) {
			s.out.Refuse(e, msg.OpChatMessage, &s.badLink)
		} else {
			s.out.Refuse(e, msg.OpChatMessage, &s.badText)
		}
		return
	}
	if !s.throttles.Get(e).Allow(t.NowMs) {
		s.out.Refuse(e, msg.OpChatMessage, &s.flood)
		return
	}
	guid := s.objects.Get(e).GUID
	s.chat = msg.Chat{
		Type: msg.ChatType(m.Type), Language: m.Language, Sender: guid, SenderName: s.names.Get(e).UnsafeString(), Target: guid, Text: m.Text,
		Tag: tagOf(s.appearances.Get(e).Flags),
	}
	op, said := s.chat.Said()
	s.out.Packet(op, said)
	s.out.Happen(change.Happening{Kind: change.HappenedChat, Subject: guid, Said: s.around(e, yards)})
}

// tagOf is the tag beside the name of a speaker.
//
// Source: Player::GetChatTag, AzerothCore.
func tagOf(flags uint32) (tag msg.ChatTag) {
	if flags&components.PlayerGM != 0 {
		tag |= msg.TagGM
	}
	switch {
	case flags&components.PlayerDND != 0:
		tag |= msg.TagDND
	case flags&components.PlayerAFK != 0:
		tag |= msg.TagAFK
	}
	return tag
}

// away changes a player's away or do-not-disturb state. The automatic reply to whispers is sent by the gateway.
func (s *Chat) away(e ecs.Entity, which uint32, text string) {
	const states = components.PlayerAFK | components.PlayerDND
	if was := s.appearances.Get(e).Flags; speech.Away(was, which, text) != was {
		now := speech.Away(was, which, text)
		s.playerFlags.Emit(rules.SetPlayerFlags{Entity: e, Set: now & states, Clear: states &^ now})
	}
}
