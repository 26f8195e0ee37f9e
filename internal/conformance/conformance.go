// Package conformance checks a server against the rules that all 3.3.5a clients rely on: it is given every packet for one
// client, keeps the objects that the client would keep, and counts violations.
//
// It is pure: no socket, no clock. It depends on the protocol, not on the server.
package conformance

import (
	"cmp"
	"encoding/hex"
	"fmt"

	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

// Config is what clients that share a Decoder have in common.
type Config struct {
	Keep  bool // keep the words of all fields and the goals of paths, as tests want; costs memory per object
	Texts int  // violations kept as text per client, and as many notes; default 4

	// Moved, if set, is called for each relayed movement of a known object other than the client's own, after the
	// object has been moved. The message is valid until it returns. What it returns is for Again.
	Moved func(op uint16, m *msg.Move) (note int64)

	// Again, if set, is called in place of Moved for a movement with the opcode and the bytes of a recent one of that mover,
	// for whichever client of the decoder, with what Moved returned for that. It takes a tenth of the time; each client is
	// still told by Moved of its first movement of each mover. Relays then move no object: where others are is known from
	// their creates alone.
	Again func(note int64)

	// Met, if set, is called for each object other than the client's own that becomes known.
	Met func(guid uint64)

	// Walked, if set, is called for each path of a known object, after it has been applied. The message is valid
	// until it returns.
	Walked func(m *msg.MonsterMove)

	// Hit, if set, is called for each SMSG_ATTACKERSTATEUPDATE with a victim that is known. Killed is the
	// conclusion of a client that subtracts the damage itself: the victim was alive, and has no more health than
	// that. The message is valid until it returns.
	//
	// Source: protocol.md 3.1.2 (AzerothGhost counts its kills so).
	Hit func(m *msg.AttackerState, killed bool)
}

// A Decoder is the memory that the clients of one goroutine share: scratch buffers and messages.
type Decoder struct {
	config   Config
	move     msg.Move
	monster  msg.MonsterMove
	hit      msg.AttackerState
	auras    msg.AuraUpdate
	start    msg.SpellStart
	done     msg.SpellGo
	codec    wire.Codec
	relays   relays
	inflated []byte
	visit    func(*update.Block) error

	// The packet being read, and its client.
	client  *Client
	op      uint16
	payload []byte
}

// NewDecoder makes a decoder.
func NewDecoder(config Config) *Decoder {
	if config.Texts == 0 {
		config.Texts = 4
	}
	d := &Decoder{config: config}
	d.visit = func(b *update.Block) error { d.client.block(b); return nil }
	return d
}

// A Client is the state of one client. It belongs to the goroutine of its decoder. Reset it before
// use.
type Client struct {
	decoder *Decoder
	phase   phase
	self    uint64 // the character the client asked for; 0: none
	speed   float32
	objects table
	movers  numbers            // of the decoder's relays, those that are certain to be in objects and not the client's own
	details map[uint64]*detail // with Config.Keep
	book    book
	casts   casts
	tally   Tally
	texts   []text
}

// A text is a violation or a note in words.
type text struct {
	kind Kind
	text string
}

type phase uint8

const (
	phaseFresh  phase = iota // connected
	phaseSelect              // AUTH_RESPONSE was AuthOK
	phaseWorld               // LOGIN_VERIFY_WORLD was received
)

// New makes a client with a decoder of its own.
func New(config Config) *Client {
	c := new(Client)
	c.Reset(NewDecoder(config))
	return c
}

// Reset begins a new connection: nothing is known, and counts are zero.
func (c *Client) Reset(d *Decoder) {
	*c = Client{decoder: d, objects: c.objects}
	c.objects.clear()
	if d.config.Keep {
		c.details = make(map[uint64]*detail)
	}
}

// Enter records that the client has sent CMSG_PLAYER_LOGIN for a character.
func (c *Client) Enter(guid uint64) {
	c.self = guid
	clear(c.movers)
}

// Packet checks one packet from the server. It does not keep the payload.
func (c *Client) Packet(op uint16, payload []byte) {
	if c.Again(op, payload) {
		return
	}
	d := c.decoder
	d.client, d.op, d.payload = c, op, payload
	c.packet(op, payload)
	d.payload = nil
}

// maxRead is how long an update that is inflated may be. AzerothCore's of a login with 500 players around is 93 KB long.
const maxRead = 4 << 20

func (c *Client) packet(op uint16, payload []byte) {
	if len(payload) > update.MaxInflated {
		c.violation(Oversize, 0)
	}
	kind := classOf(op)
	if c.phase != phaseWorld && !c.expects(op, kind) {
		c.violation(Early, 0)
		return
	}
	switch kind {
	case classBackwards:
		c.violation(Backwards, 0)
	case classMove:
		c.moved(op, payload)
	case classSpeed:
		c.hurried(payload)
	case classUpdate:
		c.update(payload)
	case classCompressed:
		c.compressed(payload)
	case classDestroy:
		c.destroyed(payload)
	case classPath:
		c.path(payload)
	case classAura:
		c.aura(payload)
	case classFight:
		c.fight(op, payload)
	case classBundle:
		c.bundle(payload)
	case classListed:
		c.listed(op, payload)
	}
}

// expects reports whether a packet may precede the client's entry into the world.
func (c *Client) expects(op uint16, kind class) bool {
	switch op {
	case msg.OpAuthChallenge, msg.OpAuthResponse, msg.OpPong:
		return true
	case msg.OpLoginVerifyWorld:
		return c.phase == phaseSelect && c.self != 0
	}
	return c.phase == phaseSelect && kind <= classListed
}

// listed reads a packet that names no object: it must decode, and some of them change what is expected
// next.
func (c *Client) listed(op uint16, payload []byte) {
	m := msg.Lookup(msg.ToClient, uint32(op)).New()
	if err := msg.Decode(wire.V12340, payload, m); err != nil {
		c.violation(Undecodable, 0)
		return
	}
	switch op {
	case msg.OpAuthResponse:
		if m := m.(*msg.AuthResponse); c.phase == phaseFresh && m.Result == msg.AuthOK {
			c.phase = phaseSelect
		}
	case msg.OpLoginVerifyWorld:
		c.phase = phaseWorld
	case msg.OpCharacterLoginFailed:
		c.self = 0
	case msg.OpNewWorld:
		c.forget()
	case msg.OpLevelUpInfo:
		c.book.notice = m.(*msg.LevelUpInfo).Level
	case msg.OpCastFailed:
		failed := m.(*msg.CastFailed)
		c.casts.fail(failed.Spell, failed.Count)
	case msg.OpLogoutComplete:
		c.forget()
		c.self, c.phase = 0, phaseSelect
	}
}

func (c *Client) forget() {
	c.objects.clear()
	clear(c.movers)
	clear(c.details)
	c.casts.spell = 0
}

func (c *Client) violation(kind Kind, guid uint64) {
	c.tally[kind]++
	same := 0 // texts of the same sort
	for _, t := range c.texts {
		if t.kind.Rule().Note == kind.Rule().Note {
			same++
		}
	}
	if same >= c.decoder.config.Texts {
		return
	}
	const most = 64
	name := "unlisted"
	op := uint32(c.decoder.op)
	if row := cmp.Or(msg.Lookup(msg.ToClient, op), msg.Lookup(msg.ToServer, op)); row != nil {
		name = row.Name
	}
	shown, tail := c.decoder.payload, ""
	if len(shown) > most {
		shown, tail = shown[:most], "…"
	}
	words := fmt.Sprintf("%v: %s %#03x", kind, name, c.decoder.op)
	if guid != 0 {
		words += fmt.Sprintf(", guid %#x", guid)
	}
	words = fmt.Sprintf("%s, %d bytes: %s%s", words, len(c.decoder.payload), hex.EncodeToString(shown), tail)
	c.texts = append(c.texts, text{kind, words})
}

// Violations is what was counted since Reset, notes too.
func (c *Client) Violations() Tally { return c.tally }

// Texts is the first violations and notes in words: kind, packet, guid if one is to blame, length and first bytes in hex.
func (c *Client) Texts() []string {
	var all []string
	c.EachText(func(_ Kind, text string) { all = append(all, text) })
	return all
}

// EachText visits them, with their kinds.
func (c *Client) EachText(visit func(Kind, string)) {
	for _, t := range c.texts {
		visit(t.kind, t.text)
	}
}
