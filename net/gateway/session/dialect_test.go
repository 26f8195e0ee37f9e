package session

import (
	"slices"
	"strings"
	"testing"

	"muster/net/protocol/msg"
)

// TestDialects logs in as each of four public clients does, up to its list of characters: what they put
// into CMSG_AUTH_SESSION, and what they send without waiting. protocol.md 3.1 to 3.4.
func TestDialects(t *testing.T) {
	block := addons(1, "Blizzard_AuctionUI")
	withAddons := func(m *msg.AuthSession) { m.AddonSize, m.AddonBlock = uint32(len(block)), deflated(block) }
	for _, d := range []struct {
		name   string
		change func(*msg.AuthSession)
		first  bool     // a ping before the login
		talk   []uint16 // in one write, after AUTH_RESPONSE
		want   []string
	}{
		{"AzerothGhost", func(*msg.AuthSession) {}, false,
			[]uint16{msg.OpReadyForAccountDataTimes, msg.OpRealmSplitQuery, msg.OpCharEnumQuery},
			[]string{"SMSG_ACCOUNT_DATA_TIMES", "SMSG_REALM_SPLIT", "SMSG_CHAR_ENUM"}},
		{"wowchat", func(m *msg.AuthSession) { m.DOSResponse = 3; withAddons(m) }, true,
			[]uint16{msg.OpCharEnumQuery, msg.OpKeepAlive, msg.OpPing},
			[]string{"SMSG_CHAR_ENUM", "SMSG_PONG"}},
		{"tentacli", withAddons, false,
			[]uint16{msg.OpReadyForAccountDataTimes, msg.OpCharEnumQuery, msg.OpRealmSplitQuery, msg.OpCharCreate, msg.OpCharEnumQuery},
			[]string{"SMSG_ACCOUNT_DATA_TIMES", "SMSG_CHAR_ENUM", "SMSG_REALM_SPLIT", "SMSG_CHAR_CREATE", "SMSG_CHAR_ENUM"}},
		{"BotFarm", func(*msg.AuthSession) {}, false,
			[]uint16{msg.OpKeepAlive, msg.OpCharEnumQuery, msg.OpCharCreate, msg.OpCharEnumQuery},
			[]string{"SMSG_CHAR_ENUM", "SMSG_CHAR_CREATE", "SMSG_CHAR_ENUM"}},
	} {
		c := newClient(t)
		c.do(c.session.Greet)
		if d.first {
			c.say(msg.OpPing, &msg.Ping{Sequence: 0, LatencyMs: 100})
		}
		m := hello()
		d.change(m)
		c.say(msg.OpAuthSession, m)
		said := c.answer(Answer{Account: 3, Key: testKey})
		if len(said) == 0 || len(said[0]) != len("SMSG_AUTH_RESPONSE ")+2*11 {
			t.Errorf("%s: the login is answered with %q", d.name, said)
			continue
		}
		var talk []byte
		for _, op := range d.talk {
			talk = append(talk, c.packet(op, msg.Lookup(msg.ToServer, uint32(op)).New())...)
		}
		var got []string
		for said := c.feed(talk); ; said = c.answer(Answer{}) {
			for _, packet := range said {
				name, _, _ := strings.Cut(packet, " ")
				got = append(got, name)
			}
			if c.session.Asked().Kind == Nothing {
				break
			}
		}
		if !slices.Equal(got, d.want) || c.turn.Close != "" {
			t.Errorf("%s: heard %q, want %q; closed for %q", d.name, got, d.want, c.turn.Close)
		}
	}
}
