package session

import (
	"bytes"
	"crypto/sha1"
	"strings"
	"testing"
	"time"

	"muster/components/defs"
	"muster/internal/metric"
	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// The fixed points of the tests: nothing in them is random.
var (
	testSeed       = [4]byte{0xDE, 0xAD, 0xBE, 0xEF}
	testClientSeed = [4]byte{1, 2, 3, 4}
	testKey        = func() (k [40]byte) {
		for i := range k {
			k[i] = byte(i)
		}
		return k
	}()
	testNow = time.Date(2010, 6, 22, 12, 0, 0, 0, time.UTC)
	alice   = frame.Character{
		GUID: 7, Account: 3, Name: "Alice", Race: 1, Class: 8, Gender: 1, Skin: 2, Face: 3, HairStyle: 4,
		HairColor: 5, Facial: 6, Level: 10, Map: 1, Zone: 12, X: 100, Y: -200, Z: 30, O: 1.5,
	}
)

// A client is the other end: it counts its cipher streams like a real one.
type client struct {
	t        testing.TB
	session  *Session
	metric   *metric.Table
	turn     Turn
	items    []Item // all that went to the world
	read     int    // packets
	waits    bool   // the test sends its place in the queue
	toServer crypt.Cipher
	fromHere crypt.Cipher
	keyed    bool
}

// templates are the creature 5 and the item 6.
type templates struct{}

func (templates) Creature(entry uint32) *defs.Creature {
	if entry != 5 {
		return nil
	}
	return &defs.Creature{Entry: 5, Name: "Boar", SubName: "Wild", Type: 1, Family: 5, DisplayID: 503}
}

func (templates) GameObject(entry uint32) *defs.GameObject {
	if entry != 7 {
		return nil
	}
	return &defs.GameObject{
		Entry: 7, Type: 3, DisplayID: 259, Name: "Box", Icon: "Point", Caption: "Open", Extra: "x", Size: 1.5,
		Data: [24]uint32{0: 43, 1: 2283, 23: 1}, Faction: 94, Flags: 4, LootID: 2283,
	}
}

func (templates) NPCText(id uint32) *defs.NPCText {
	if id != 9 {
		return nil
	}
	return &defs.NPCText{ID: 9, Choices: [8]defs.NPCTextChoice{
		{Probability: 1, Male: "Sir", Female: "Lady", Language: 7, Emotes: [3]defs.NPCTextEmote{{DelayMs: 0, Emote: 2}, {DelayMs: 300, Emote: 1}}}, {Female: "Hm"},
	}}
}

func (templates) Item(entry uint32) *defs.Item {
	if entry != 6 {
		return nil
	}
	return &defs.Item{Entry: 6, Name: "Cap", Class: 4, Subclass: 1, Display: 77, Quality: 2, Wear: 1, Level: 9, RequiredLevel: 4, Stack: 1, Armor: 12}
}

func newClient(t testing.TB) *client {
	c := &client{t: t, metric: new(metric.Table)}
	c.session = New(&Config{Metric: c.metric, Templates: templates{}}, testSeed)
	return c
}

// do visits the session and returns the packets it sent, as "NAME body".
func (c *client) do(visit func(t *Turn)) []string {
	c.turn.Begin(testNow, c.turn.Drain+1)
	visit(&c.turn)
	if c.turn.Asked.Kind == TakePlace && !c.waits {
		return append(c.gather(), c.answer(Answer{})...)
	}
	return c.gather()
}

// gather takes what a visit has left in the turn.
func (c *client) gather() []string {
	c.read += c.turn.Packets
	for _, it := range c.turn.Items {
		c.items = append(c.items, Item{it.Op, bytes.Clone(it.Body)})
	}
	sealed := bytes.Clone(c.turn.Bytes)
	c.session.Seal(sealed, nil)
	return c.open(sealed)
}

func (c *client) config() *Config { return c.session.config }

// open decrypts and splits packets.
func (c *client) open(b []byte) (packets []string) {
	for len(b) > 0 {
		if c.session.keyed && !c.keyed {
			c.keyed = true
			c.fromHere, c.toServer = crypt.ServerToClient(testKey), crypt.ClientToServer(testKey)
		}
		if c.keyed {
			c.fromHere.XOR(b[:4])
		}
		op, payload, header, ok := wire.ServerHeader(b)
		row := msg.Lookup(msg.ToClient, uint32(op))
		if !ok || payload < 0 || header+payload > len(b) {
			c.t.Fatalf("the client cannot read % x", b)
		}
		name := "?"
		if row != nil {
			name = row.Name
		}
		packets = append(packets, strings.TrimSpace(name+" "+hex(b[header:header+payload])))
		b = b[header+payload:]
	}
	return packets
}

// say sends one packet.
func (c *client) say(op uint16, m msg.Message) []string {
	return c.feed(c.packet(op, m))
}

func (c *client) packet(op uint16, m msg.Message) []byte {
	return c.encrypt(msg.ClientPacket(nil, build, op, m))
}

func (c *client) encrypt(b []byte) []byte {
	if c.keyed {
		c.toServer.XOR(b[:wire.ClientHeaderLen])
	}
	return b
}

func (c *client) feed(b []byte) []string {
	return c.do(func(t *Turn) { c.session.Feed(t, b) })
}

func (c *client) answer(a Answer) []string {
	return c.do(func(t *Turn) { c.session.Answer(t, &a) })
}

// hello is what a client sends first. The digest is that of protocol.md 2.3, written out.
func hello() *msg.AuthSession {
	m := &msg.AuthSession{Build: 12340, Account: "ALICE", ClientSeed: testClientSeed, Realm: 1}
	h := sha1.New()
	h.Write([]byte("ALICE\x00\x00\x00\x00"))
	h.Write(testClientSeed[:])
	h.Write(testSeed[:])
	h.Write(testKey[:])
	copy(m.Digest[:], h.Sum(nil))
	return m
}

// login brings the client to the character screen.
func (c *client) login() {
	c.do(c.session.Greet)
	c.say(msg.OpAuthSession, hello())
	c.answer(Answer{Account: 3, Key: testKey})
	c.is(msg.Select)
}

// enter brings the client into the world.
func (c *client) enter() {
	c.login()
	c.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: alice.GUID})
	c.answer(Answer{Character: alice})
	c.session.Entered()
	c.is(msg.World)
}

func (c *client) is(want msg.State) {
	c.t.Helper()
	if got := c.session.State(); got != want {
		c.t.Fatalf("the session is in state %#x, want %#x", got, want)
	}
}

func hex(b []byte) string {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 2*len(b))
	for _, x := range b {
		out = append(out, digits[x>>4], digits[x&15])
	}
	return string(out)
}
