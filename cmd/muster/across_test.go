package main

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"muster/net/protocol/msg"
	"muster/net/protocol/speech"
	"muster/net/protocol/wire"
)

// across is two players of one faction at two gateways, and one of the other at the second.
type across struct {
	*gatewayPair
	a, b, enemy *visitor
}

// talk has players whisper, ask who there is, and speak on a channel through two gateways as they do through one; and operators of the first
// gateway reach a player at the second.
func (p *gatewayPair) talk() {
	t := p.t
	t.Helper()
	x := &across{gatewayPair: p}
	enter := func(gateway int, account, name string, race uint8) *visitor {
		v := authenticate(t, p.served, account)
		v.greet(p.at(gateway), func(*msg.AuthSession) {})
		v.say(msg.OpCharCreate, &msg.CharCreate{Name: name, Look: msg.Look{Race: race, Class: 1}})
		v.await(msg.OpCharCreateResult, new(msg.CharResult))
		v.enter()
		return v
	}
	x.a, x.b = enter(0, "CARLA", "Carla", 1), enter(1, "DORA", "Dora", 1)
	x.enemy = enter(1, "EGON", "Egon", 2)
	x.whisper()
	x.who()
	x.channel()
	x.operators()
	x.enemy.socket.Close()
}

// chat is the next chat of a type.
func (v *visitor) chat(kind msg.ChatType) (m msg.Chat) {
	v.t.Helper()
	for {
		m = msg.Chat{}
		if v.await(msg.OpChat, &m); m.Type == kind {
			return m
		}
	}
}

func (v *visitor) whispers(to, text string) {
	v.t.Helper()
	v.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatWhisper), Language: 7, To: to, Text: text})
}

// isHeard reads up to the answer to a whisper, and reports whether the player was found.
func (v *visitor) isHeard() bool {
	v.t.Helper()
	for {
		switch op, body := v.next(); op {
		case msg.OpChatPlayerNotFound:
			return false
		case msg.OpChat:
			var m msg.Chat
			if v.check(msg.Decode(wire.V12340, body, &m)); m.Type == msg.ChatWhisperInform {
				return true
			}
		}
	}
}

// same wants what is sent to a client to be as docs/protocol.md has it.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}

// Source: Player::Whisper, WorldSession::SendPlayerNotFoundNotice and WorldSession::SendWrongFactionNotice, AzerothCore.
func (x *across) whisper() {
	t, a, b := x.t, x.a, x.b
	t.Helper()
	a.whispers("doRa", "psst")
	same(t, "heard", b.chat(msg.ChatWhisper), msg.Chat{Type: msg.ChatWhisper, Sender: a.guid, Target: a.guid, Text: "psst"})
	same(t, "informed", a.chat(msg.ChatWhisperInform), msg.Chat{Type: msg.ChatWhisperInform, Sender: b.guid, Target: b.guid, Text: "psst"})
	b.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatDND), Language: 7, Text: "reading"})
	b.whispers("Carla", "later")
	same(t, "answered", a.chat(msg.ChatWhisper), msg.Chat{Type: msg.ChatWhisper, Sender: b.guid, Target: b.guid, Text: "later", Tag: msg.TagDND})
	a.whispers("Dora", "now")
	same(t, "excused", a.chat(msg.ChatDND), msg.Chat{Type: msg.ChatDND, Sender: b.guid, Target: b.guid, Text: "reading"})
	a.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatWhisper), Language: speech.Addon, To: "Dora", Text: "a\tb"})
	same(t, "an addon", b.chat(msg.ChatWhisper), msg.Chat{Type: msg.ChatWhisper, Sender: a.guid, Target: a.guid, Text: "now"})
	same(t, "an addon", b.chat(msg.ChatWhisper), msg.Chat{Type: msg.ChatWhisper, Language: speech.Addon, Sender: a.guid, Target: a.guid, Text: "a\tb"})
	a.whispers("Fritz", "hello")
	var lost msg.ChatPlayerNotFound
	a.await(msg.OpChatPlayerNotFound, &lost)
	same(t, "not found", lost, msg.ChatPlayerNotFound{Name: "Fritz"})
	a.whispers("Egon", "hello")
	a.await(msg.OpChatWrongFaction, &msg.Empty{})
}

// Source: WorldSession::HandleWhoOpcode, AzerothCore.
func (x *across) who() {
	x.t.Helper()
	names := func(v *visitor, q msg.Who) (names []string) {
		q.LevelMax, q.Races, q.Classes = 100, 1<<32-1, 1<<32-1
		v.say(msg.OpWho, &q)
		var m msg.WhoResponse
		v.await(msg.OpWhoResponse, &m)
		for _, p := range m.Players {
			names = append(names, fmt.Sprintf("%s %d %d", p.Name, p.Level, p.Race))
		}
		if int(m.Matches) != len(names) {
			x.t.Errorf("%d match, and %q are there", m.Matches, names)
		}
		return names
	}
	same(x.t, "who is there", names(x.a, msg.Who{Words: []string{"rla", "DORA", "gon"}}), []string{"Carla 1 1", "Dora 1 1"})
	same(x.t, "who is there of a part", names(x.b, msg.Who{Name: "carl"}), []string{"Carla 1 1"})
}

// Source: Channel::JoinChannel, Channel::Say, Channel::List and Channel::LeaveChannel, AzerothCore.
func (x *across) channel() {
	t, a, b := x.t, x.a, x.b
	t.Helper()
	notified := func(v *visitor, want msg.ChannelNotify) {
		t.Helper()
		var got msg.ChannelNotify
		v.await(msg.OpChannelNotify, &got)
		same(t, v.name+" is notified", got, want)
	}
	join := func(v *visitor, name, password string) {
		v.say(msg.OpJoinChannel, &msg.JoinChannel{Name: name, Password: password})
	}
	join(a, "Bazaar", "key")
	notified(a, msg.ChannelNotify{Event: msg.ChannelYouJoined, Name: "Bazaar", Flags: 1})
	notified(a, msg.ChannelNotify{Event: msg.ChannelModeChange, Name: "Bazaar", GUID: a.guid, Flags: 3})
	a.whispers("Dora", "come") // behind it, so that the other gateway has both
	b.chat(msg.ChatWhisper)
	join(b, "bazaar", "")
	notified(b, msg.ChannelNotify{Event: msg.ChannelWrongPassword, Name: "Bazaar"})
	join(b, "bazaar", "key")
	notified(b, msg.ChannelNotify{Event: msg.ChannelYouJoined, Name: "Bazaar", Flags: 1})
	notified(a, msg.ChannelNotify{Event: msg.ChannelJoined, Name: "Bazaar", GUID: b.guid})
	for _, v := range []*visitor{a, b} {
		v.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatChannel), Language: 7, To: "BAZAAR", Text: "wares"})
		for _, listener := range []*visitor{a, b} {
			tag := msg.ChatTag(0)
			if v == b {
				tag = msg.TagDND
			}
			same(t, "said", listener.chat(msg.ChatChannel), msg.Chat{
				Type: msg.ChatChannel, Sender: v.guid, Channel: "Bazaar", Target: v.guid, Text: "wares", Tag: tag,
			})
		}
	}
	b.say(msg.OpChannelListQuery, &msg.ChannelListQuery{Name: "bazaar"})
	var list msg.ChannelList
	b.await(msg.OpChannelList, &list)
	same(t, "listed", list, msg.ChannelList{Show: 1, Name: "Bazaar", Flags: 1, Members: []msg.ChannelMember{{GUID: a.guid, Flags: 3}, {GUID: b.guid}}})
	a.socket.Close() // another message would be one too many of a second
	notified(b, msg.ChannelNotify{Event: msg.ChannelLeft, Name: "Bazaar", GUID: a.guid})
	notified(b, msg.ChannelNotify{Event: msg.ChannelModeChange, Name: "Bazaar", GUID: b.guid, Flags: 3})
	notified(b, msg.ChannelNotify{Event: msg.ChannelOwnerChanged, Name: "Bazaar", GUID: b.guid})
}

// operators of the first gateway command, and kick, a player at the second.
func (x *across) operators() {
	t := x.t
	t.Helper()
	x.must("POST", "/api/console", `{"line":"#Dora go xyz 50 60 40"}`)
	var to msg.Teleport
	x.b.await(msg.OpMoveTeleportAck, &to)
	same(t, "goes to", [3]float32{to.X, to.Y, to.Z}, [3]float32{50, 60, 40})
	if status, answer := x.call("POST", "/api/console", `{"line":"#Fritz go xyz 50 60 40"}`); !strings.Contains(answer, "There is no Fritz in a world.") {
		t.Errorf("a command for a character in no world is answered with %d %s", status, answer)
	}
	if status, answer := x.call("POST", "/api/characters/Fritz/kick", ""); status != 404 {
		t.Errorf("a kick of a character in no world is answered with %d %s", status, answer)
	}
	x.must("POST", "/api/characters/dora/kick", "")
	ends(t, x.b.socket)
}
