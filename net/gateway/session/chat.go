package session

import (
	"fmt"
	"time"

	"muster/components"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/protocol/speech"
)

// Counted reasons for not passing words on, beside those of speech.Reason. Nothing of it closes a connection.
const (
	ChatFlood     = "chat.flood" // more than components.ChatThrottleMessages in components.ChatThrottleMs, and what is said while mute for it
	UnhandledChat = "chat.unhandled_type"
)

// muteTime is how long whoever said too much says nothing.
//
// Source: ChatFlood.MuteTime, worldserver.conf.dist, AzerothCore.
const muteTime = 10 * time.Second

// speaks counts words, however they are said, and reports whether there is breath for them. Who is out of breath is
// told once how long.
//
// Source: Player::UpdateSpeakTime and Player::CanSpeak, AzerothCore.
func (s *Session) speaks(t *Turn) bool {
	switch {
	case t.Now.Sub(s.muted) < 0:
	case s.voice.Allow(uint32(t.Now.Sub(s.begun) / time.Millisecond)):
		return true
	default:
		s.muted = t.Now.Add(muteTime)
		t.send(msg.OpNotification, &msg.Notification{Text: fmt.Sprintf("You must wait %d seconds before you speak again.", muteTime/time.Second)})
	}
	s.count(ChatFlood)
	return false
}

// chat takes the words of a player. What those around it hear is its world's business, what others hear its owner's.
//
// Source: WorldSession::HandleMessagechatOpcode, AzerothCore; protocol.md 3.2 and 7.13.
func (s *Session) chat(t *Turn, body []byte) {
	on(func(s *Session, t *Turn, m *msg.ChatMessage) {
		if msg.TakesVerbs(m.Type) {
			if line, ok := command.Line(m.Text); ok && speech.Shown(line) {
				s.ordered(t, line, body)
				return
			}
		}
		kind := msg.ChatType(min(m.Type, 0xFF))
		if away := kind == msg.ChatAFK || kind == msg.ChatDND; !away || m.Text != "" {
			if err := speech.Check(m.Language, m.Text); err != nil {
				s.count(speech.Reason(err))
				return
			}
		}
		switch kind {
		case msg.ChatSay, msg.ChatYell, msg.ChatEmote:
			if s.speaks(t) {
				s.toWorld(t, msg.OpChatMessage, body)
			}
		case msg.ChatAFK, msg.ChatDND:
			if s.speaks(t) {
				s.goAway(kind, m.Text)
				s.toWorld(t, msg.OpChatMessage, body)
			}
		case msg.ChatWhisper, msg.ChatChannel:
			s.relay(t, m)
		default: // of parties, guilds and the like, which there are none of
			s.count(UnhandledChat)
		}
	})(s, t, body)
}

// ordered does a verb, or has it done. Those without a level are held to what they could say.
func (s *Session) ordered(t *Turn, line string, body []byte) {
	if s.level == command.Player && !s.speaks(t) {
		return
	}
	switch m := command.Find(line, s.level); {
	case m.Outcome != command.Found:
		for _, line := range m.Explain() {
			t.tell(line)
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

// performed tells what became of a verb.
func (s *Session) performed(t *Turn, a *Answer) {
	for _, line := range a.Lines {
		t.tell(line)
	}
	if a.Outcome != Done {
		t.tell("The server is busy.")
	}
}

// tell sends a line of the system's.
func (t *Turn) tell(line string) {
	t.send(msg.OpChat, &msg.Chat{Type: msg.ChatSystem, Language: msg.Universal, Text: line})
}

// relay has the owner do what is about players elsewhere.
func (s *Session) relay(t *Turn, m msg.Message) {
	if s.state == msg.World && s.speaks(t) {
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
		if s.speaks(t) {
			s.toWorld(t, op, body)
		}
	}
}

// goAway remembers what those hear who whisper to the player while it is away.
func (s *Session) goAway(kind msg.ChatType, text string) {
	which := speech.AFK
	if kind == msg.ChatDND {
		which = speech.DND
	}
	s.away = speech.Away(s.away, which, text)
	s.awayText = text
}

// Away is whether the player is speech.AFK or speech.DND, and what it says of that.
func (s *Session) Away() (which uint32, text string) { return s.away, s.awayText }

// A manner is what a session remembers of how its player speaks.
type manner struct {
	voice    components.ChatThrottle
	muted    time.Time // nothing is said before
	away     uint32    // speech.AFK or speech.DND
	awayText string
}
