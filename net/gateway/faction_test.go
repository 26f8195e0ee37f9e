package gateway

import (
	"context"
	"fmt"
	"testing"

	"muster/loaders/store"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// The races of the horde, of all that can be played.
//
// Source: ChrRaces.dbc, as protocol.md 6 has the races; Player::TeamIdForRace, AzerothCore.
func TestFactionOf(t *testing.T) {
	ofHorde := map[uint8]bool{2: true, 5: true, 6: true, 8: true, 10: true}
	for _, race := range []uint8{1, 2, 3, 4, 5, 6, 7, 8, 10, 11} {
		if got := factionOf(race); (got == horde) != ofHorde[race] {
			t.Errorf("race %d is of faction %d", race, got)
		}
	}
}

// of has a client enter a world with a character of a race.
func (c *testClient) of(race uint8) *testClient {
	c.t.Helper()
	c.login()
	c.say(msg.OpCharCreate, &msg.CharCreate{Name: c.name, Look: msg.Look{Race: race, Class: 1}})
	if body := c.expect(msg.OpCharCreateResult); body[0] != uint8(msg.CharCreated) {
		c.t.Fatalf("%s: the character was refused with %#x", c.name, body)
	}
	c.say(msg.OpCharEnumQuery, &msg.Empty{})
	c.list()
	c.enter()
	c.ping(1)
	return c
}

// level gives an account a level, before it logs in.
func (r *rig) level(name string, level uint8) {
	r.t.Helper()
	id, _ := r.account(name)
	if _, err := r.store.UpdateAccount(context.Background(), id, func(a *store.Proven) error { a.Level = level; return nil }); err != nil {
		r.t.Fatal(err)
	}
}

// whispered is what a client is answered to a whisper: the opcode that comes before the next pong.
func (c *testClient) whispered(to string) (op uint16) {
	c.t.Helper()
	c.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatWhisper), To: to, Text: "hello"})
	c.say(msg.OpPing, &msg.Ping{})
	for {
		got, _, err := c.read()
		if err != nil {
			c.t.Fatal(err)
		}
		switch got {
		case msg.OpPong:
			return op
		case msg.OpChat, msg.OpChatWrongFaction, msg.OpChatPlayerNotFound:
			op = got
		}
	}
}

// seen is the names that CMSG_WHO shows a client.
func (c *testClient) seen() (names string) {
	c.t.Helper()
	c.say(msg.OpWho, &msg.Who{LevelMax: 100, Races: 0xFFFFFFFF, Classes: 0xFFFFFFFF})
	var m msg.WhoResponse
	if err := msg.Decode(wire.V12340, c.expect(msg.OpWhoResponse), &m); err != nil {
		c.t.Fatal(err)
	}
	for _, p := range m.Players {
		names += p.Name + " "
	}
	return fmt.Sprint(m.Matches, " ", names)
}

// Players of two factions do not whisper, do not see each other in CMSG_WHO and have channels of their own; a game master
// whispers and sees all.
//
// Source: WorldSession::HandleMessagechatOpcode, WorldSession::HandleWhoOpcode and ChannelMgr::forTeam, AzerothCore.
func TestFactions(t *testing.T) {
	r := newRig(t, nil)
	r.level("MASTER", 2)
	human, orc, dwarf, master := r.dial("HUMAN").of(1), r.dial("ORC").of(2), r.dial("DWARF").of(3), r.dial("MASTER").of(5)
	for _, c := range []struct {
		by   *testClient
		to   string
		want uint16
	}{
		{human, "Orc", msg.OpChatWrongFaction}, {orc, "Human", msg.OpChatWrongFaction}, {human, "Dwarf", msg.OpChat},
		{human, "Master", msg.OpChat}, {master, "Human", msg.OpChat}, {human, "Noone", msg.OpChatPlayerNotFound},
	} {
		if op := c.by.whispered(c.to); op != c.want {
			t.Errorf("%s whispers to %s and is answered %#x, want %#x", c.by.name, c.to, op, c.want)
		}
	}
	for c, want := range map[*testClient]string{
		human: "2 Human Dwarf ", orc: "2 Orc Master ", master: "4 Human Orc Dwarf Master ",
	} {
		if got := c.seen(); got != want {
			t.Errorf("%s sees %q, want %q", c.name, got, want)
		}
	}
	for _, c := range []*testClient{human, orc} { // each owns a channel of its own
		c.joins("world", "")
		if m := c.notified(); m.Event != msg.ChannelYouJoined {
			t.Errorf("%s: %+v", c.name, m)
		}
		if m := c.notified(); m.Event != msg.ChannelModeChange || m.GUID != c.guid {
			t.Errorf("%s: %+v", c.name, m)
		}
	}
	dwarf.joins("World", "")
	if m := human.notified(); m.Event != msg.ChannelJoined || m.GUID != dwarf.guid {
		t.Errorf("%+v", m)
	}
	orc.say(msg.OpLeaveChannel, &msg.LeaveChannel{Name: "world"})
	if m := orc.notified(); m.Event != msg.ChannelYouLeft {
		t.Errorf("left: %+v", m)
	}
	r.gate.channels.mu.Lock()
	defer r.gate.channels.mu.Unlock()
	if n := len(r.gate.channels.byName); n != 1 {
		t.Errorf("%d channels are left, want that of the alliance", n)
	}
}

// Each of the three is allowed by a setting of its own.
func TestTwoSides(t *testing.T) {
	for _, sides := range []TwoSides{{Chat: true}, {Channel: true}, {WhoList: true}} {
		r := newRig(t, func(c *Config) { c.TwoSides = sides })
		human, orc := r.dial("HUMAN").of(1), r.dial("ORC").of(2)
		if op := human.whispered("Orc"); (op == msg.OpChat) != sides.Chat {
			t.Errorf("%+v: a whisper is answered %#x", sides, op)
		}
		want := "1 Human "
		if sides.WhoList {
			want = "2 Human Orc "
		}
		if got := human.seen(); got != want {
			t.Errorf("%+v: sees %q, want %q", sides, got, want)
		}
		human.joins("world", "")
		human.notified()
		human.notified()
		orc.joins("world", "")
		orc.notified()
		r.gate.channels.mu.Lock()
		if n := len(r.gate.channels.byName); (n == 1) != sides.Channel {
			t.Errorf("%+v: %d channels", sides, n)
		}
		r.gate.channels.mu.Unlock()
	}
}
