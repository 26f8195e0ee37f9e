package session

import (
	"fmt"
	"time"

	"muster/components"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/protocol/speech"
)

// Counted reasons for dropping chat, beside those of speech.Reason. None of them closes a connection.
const (
	ChatFlood     = "chat.flood" // more than components.ChatThrottleMessages in components.ChatThrottleMs, and messages while muted for it
	UnhandledChat = "chat.unhandled_type"
)

// muteTime is how long a player that has sent too much chat is muted.
//
// Source: ChatFlood.MuteTime, worldserver.conf.dist, AzerothCore.
const muteTime = 10 * time.Second

// allowChat counts a chat message of any type, and reports whether it is allowed. A player that is muted is notified
// once for how long.
//
// Source: Player::UpdateSpeakTime and Player::CanSpeak, AzerothCore.
func (s *Session) allowChat(t *Turn) bool {
	switch {
	case t.Now.Sub(s.muted) < 0:
	case s.throttle.Allow(uint32(t.Now.Sub(s.begun) / time.Millisecond)):
		return true
	default:
		s.muted = t.Now.Add(muteTime)
		t.send(msg.OpNotification, &msg.Notification{Text: fmt.Sprintf("You must wait %d seconds before you speak again.", muteTime/time.Second)})
	}
	s.ignore(t, ChatFlood, nil)
	return false
}

// chat handles a player's chat message. What players around it receive is up to its world, what others receive to
// the gateway.
//
// Source: WorldSession::HandleMessagechatOpcode, AzerothCore; protocol.md 3.2 and 7.13.
func (s *Session) chat(t *Turn, body []byte) {
	on(func(s *Session, t *Turn, m *msg.ChatMessage) {
		if msg.TakesVerbs(m.Type) {
			if line, ok := command.Line(m.Text); ok && speech.Shown(line) {
				s.runCommand(t, line, body)
				return
			}
		}
		kind := msg.ChatType(min(m.Type, 0xFF))
		if away := kind == msg.ChatAFK || kind == msg.ChatDND; !away || m.Text != "" {
			if err := speech.Check(m.Language, m.Text); err != nil {
				s.ignore(t, speech.Reason(err), err)
				return
			}
		}
		switch kind {
		case msg.ChatSay, msg.ChatYell, msg.ChatEmote:
			if s.allowChat(t) {
				s.toWorld(t, msg.OpChatMessage, body)
			}
		case msg.ChatAFK, msg.ChatDND:
			if s.allowChat(t) {
				s.setAway(kind, m.Text)
				s.toWorld(t, msg.OpChatMessage, body)
			}
		case msg.ChatWhisper, msg.ChatChannel:
			s.relay(t, m)
		default: // of parties, guilds and the like, which there are none of
			s.ignore(t, UnhandledChat, chatType(m.Type))
		}
	})(s, t, body)
}

// runCommand executes a command, or requests it. Commands of accounts without a level count as chat.
func (s *Session) runCommand(t *Turn, line string, body []byte) {
	if s.level == command.Player && !s.allowChat(t) {
		return
	}
	switch m := command.Find(line, s.level); {
	case m.Outcome != command.Found:
		for _, line := range m.Explain() {
			t.sendLine(line)
		}
	case m.Verb.Scope == command.World || m.Verb.Scope == command.Subject:
		if m.Verb.Level > command.Player {
			t.Verbs = append(t.Verbs, line)
		}
		s.toWorld(t, msg.OpChatMessage, body)
	default:
		s.ask(t, Request{Kind: Perform, Name: line})
	}
}

// commandDone sends the result of a command.
func (s *Session) commandDone(t *Turn, a *Answer) {
	for _, line := range a.Lines {
		t.sendLine(line)
	}
	if a.Outcome != Done {
		t.sendLine("The server is busy.")
	}
}

// sendLine sends a system message.
func (t *Turn) sendLine(line string) {
	t.send(msg.OpChat, &msg.Chat{Type: msg.ChatSystem, Language: msg.Universal, Text: line})
}

// relay has the owner do what is about players elsewhere.
func (s *Session) relay(t *Turn, m msg.Message) {
	if s.state == msg.World && s.allowChat(t) {
		s.ask(t, Request{Kind: Relay, Message: m})
	}
}

func (s *Session) relayed(t *Turn, a *Answer) { t.Bytes = append(t.Bytes, a.Packets...) }

func (s *Session) joinChannel(t *Turn, m *msg.JoinChannel)      { s.relay(t, m) }
func (s *Session) leaveChannel(t *Turn, m *msg.LeaveChannel)    { s.relay(t, m) }
func (s *Session) listChannel(t *Turn, m *msg.ChannelListQuery) { s.relay(t, m) }
func (s *Session) who(t *Turn, m *msg.Who)                      { s.relay(t, m) }

// showing passes on a gesture, which counts as words.
func showing(op uint16) handler {
	return func(s *Session, t *Turn, body []byte) {
		if s.allowChat(t) {
			s.toWorld(t, op, body)
		}
	}
}

// setAway keeps the answer to whispers while the player is AFK or DND.
func (s *Session) setAway(kind msg.ChatType, text string) {
	which := speech.AFK
	if kind == msg.ChatDND {
		which = speech.DND
	}
	s.away = speech.Away(s.away, which, text)
	s.awayText = text
}

// Away is whether the player is speech.AFK or speech.DND, and its text for that.
func (s *Session) Away() (which uint32, text string) { return s.away, s.awayText }

// A chatState is the chat state of a player.
type chatState struct {
	throttle components.ChatThrottle
	muted    time.Time // no chat is sent before
	away     uint32    // speech.AFK or speech.DND
	awayText string
}
