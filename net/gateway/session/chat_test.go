package session

import (
	"fmt"
	"strings"
	"testing"

	"muster/net/protocol/command"
	"muster/net/protocol/msg"
)

// Chat is relayed, or ignored and counted: none of it closes a connection.
func TestWhereWordsGo(t *testing.T) {
	const world, asked = "to the world", "asked"
	for _, c := range []struct {
		kind  msg.ChatType
		level uint8
		text  string
		want  string
	}{
		{msg.ChatSay, 0, "hello", world},
		{msg.ChatYell, 0, "hello", world},
		{msg.ChatEmote, 0, "waves", world},
		{msg.ChatAFK, 0, "", world},
		{msg.ChatDND, 0, "busy", world},
		{msg.ChatWhisper, 0, "psst", asked},
		{msg.ChatChannel, 0, "wts", asked},
		{msg.ChatGuild, 0, "hello", UnhandledChat},
		{msg.ChatParty, 0, "hello", UnhandledChat},
		{99, 0, "hello", UnhandledChat},
		{msg.ChatSay, 0, "", "chat.bad_text"},
		{msg.ChatSay, 0, "\xff", "chat.bad_text"},
		{msg.ChatAFK, 0, "\xff", "chat.bad_text"},
		{msg.ChatSay, 0, "|cff", "chat.bad_link"},
		{msg.ChatWhisper, 0, "|cff", "chat.bad_link"},
		{msg.ChatSay, 0, strings.Repeat("a", 255), world},
		{msg.ChatSay, 0, strings.Repeat("a", 256), BadBody},
		{msg.ChatSay, 0, "...", world},
		{msg.ChatSay, 0, ". hm", world},
		{msg.ChatSay, 1, ".gps", world},
		{msg.ChatGuild, 2, ".revive", world},
		{msg.ChatSay, 2, ".announce \xff", "chat.bad_text"},
		{msg.ChatSay, 2, ".gps\x01", "chat.bad_text"},
		{msg.ChatGuild, 2, "!revive", world},
		{msg.ChatSay, 0, ".gps", "There is no such verb."},
		{msg.ChatSay, 3, ".dance", "There is no such verb."},
		{msg.ChatGuild, 0, ".server info", asked},
		{msg.ChatSay, 2, ".server info", asked},
		{msg.ChatWhisper, 3, ".server info", asked}, // a whisper all the same
	} {
		speaker := newClient(t)
		speaker.enter()
		speaker.session.level = c.level
		said := speaker.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(c.kind), Language: 7, To: "Bob", Text: c.text})
		got := outcome(speaker)
		for _, reason := range []string{"chat.bad_text", "chat.bad_link", UnhandledChat, ChatFlood} {
			if speaker.metric.Value(reason) > 0 {
				got = reason
			}
		}
		switch {
		case speaker.session.Asked().Kind != Nothing:
			got = asked
		case len(said) > 0:
			got = textOf(t, said[0])
		}
		if got != c.want {
			t.Errorf("type %d, level %d, %.20q: %s, want %s", c.kind, c.level, c.text, got, c.want)
		}
	}
}

// textOf is the text of a system message.
func textOf(t *testing.T, packet string) string {
	var m msg.Chat
	name, body, _ := strings.Cut(packet, " ")
	var raw []byte
	if _, err := fmt.Sscanf(strings.ReplaceAll(body, " ", ""), "%x", &raw); err != nil || name != "SMSG_MESSAGECHAT" {
		t.Fatalf("heard %s: %v", packet, err)
	}
	if err := msg.Decode(build, raw, &m); err != nil || m.Type != msg.ChatSystem {
		t.Fatalf("heard %s: %v", packet, err)
	}
	return m.Text
}

// Ten messages a second, of any type; the eleventh is ignored. Game masters' commands do not count.
func TestFloodIsOverAllWays(t *testing.T) {
	c := newClient(t)
	c.enter()
	ways := []func(){
		func() { c.say(msg.OpChatMessage, &msg.ChatMessage{Type: 1, Text: "a"}) },
		func() { c.say(msg.OpTextEmote, &msg.TextEmote{Text: 1}) },
		func() { c.say(msg.OpEmote, &msg.Emote{}) },
		func() {
			c.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatWhisper), To: "Bob", Text: "a"})
			c.answer(Answer{})
		},
		func() { c.say(msg.OpJoinChannel, &msg.JoinChannel{Name: "world"}); c.answer(Answer{}) },
		func() { c.say(msg.OpWho, &msg.Who{}); c.answer(Answer{}) },
		func() { c.say(msg.OpChatMessage, &msg.ChatMessage{Type: 1, Text: ".help"}); c.answer(Answer{}) },
	}
	for i := range 10 {
		ways[i%len(ways)]()
	}
	if n := c.metric.Value(ChatFlood); n != 0 {
		t.Fatalf("%d of ten were too many", n)
	}
	for i, way := range ways {
		way()
		if n := c.metric.Value(ChatFlood); n != uint64(i+1) {
			t.Errorf("way %d: %d were too many, want %d", i, n, i+1)
		}
	}
	c.session.level = command.Moderator
	c.items = nil
	c.say(msg.OpChatMessage, &msg.ChatMessage{Type: 1, Text: ".gps"})
	if len(c.items) != 1 {
		t.Error("a verb was taken for words")
	}
}

func TestVerbIsAnswered(t *testing.T) {
	c := newClient(t)
	c.enter()
	c.say(msg.OpChatMessage, &msg.ChatMessage{Type: 1, Language: 7, Text: ".Serv In"})
	if r := c.session.Asked(); r.Kind != Perform || r.Name != "Serv In" {
		t.Fatalf("asked %+v", r)
	}
	said := c.answer(Answer{Lines: []string{"one", "two"}})
	if len(said) != 2 || textOf(t, said[0]) != "one" || textOf(t, said[1]) != "two" {
		t.Errorf("heard %q", said)
	}
	c.say(msg.OpChatMessage, &msg.ChatMessage{Type: 1, Text: ".server info"})
	if said := c.answer(Answer{Outcome: Failed}); len(said) != 1 || textOf(t, said[0]) != "The server is busy." {
		t.Errorf("heard %q", said)
	}
}

// Commands that need a level are reported to the owner, which may log them; chat and other commands are not.
func TestVerbsAreTold(t *testing.T) {
	c := newClient(t)
	c.enter()
	for _, s := range []struct {
		level uint8
		text  string
		want  string
	}{
		{2, ".levelup 5", "[levelup 5]"}, {0, ".levelup 5", "[]"}, {2, ".save", "[]"}, {2, "levelup", "[]"}, {1, "!gps", "[gps]"},
	} {
		c.session.level = s.level
		c.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatSay), Text: s.text})
		if got := fmt.Sprint(c.turn.Verbs); got != s.want {
			t.Errorf("%s at level %d: sent %s, want %s", s.text, s.level, got, s.want)
		}
	}
}

// A session keeps its player's selection too, until it leaves the world.
func TestSelected(t *testing.T) {
	c := newClient(t)
	c.enter()
	c.say(msg.OpSetSelection, &msg.SetSelection{GUID: 77})
	if len(c.items) != 1 || c.session.Selected() != 77 {
		t.Errorf("%d items, selected %d", len(c.items), c.session.Selected())
	}
	c.session.Entered()
	var turn Turn
	c.session.Left(&turn)
	if c.session.Selected() != 0 {
		t.Error("still selected")
	}
}
