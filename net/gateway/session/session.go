// Package session is the world connection as a pure state machine: bytes go in, packets and requests come
// out. It has no socket, no goroutine and no clock but the time it is given.
//
// A Session owns the framing and the ciphers of its connection, its state, and every message that never
// reaches a world. What it does not have (a session key, the characters of an account) it asks for with a
// Request, and it reads no further until that is answered. Messages for a world leave it as raw bodies.
package session

import (
	"cmp"
	"time"

	"muster/components/defs"
	"muster/internal/metric"
	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// build is the client build that this package supports.
const build = wire.V12340

// Config is what all sessions of a gateway share. Nothing in it changes while sessions exist.
type Config struct {
	// Realm is the realm id that a client must name; default 1.
	Realm uint32
	// Templates answers CMSG_CREATURE_QUERY and CMSG_ITEM_QUERY_SINGLE; with nil everything is unknown.
	Templates Templates
	// Metric counts what is dropped, by reason; nil counts nothing.
	Metric *metric.Table
	// Policies say what becomes of packets that are more than Rates; default Keep.
	Policies [Classes]Policy
	// PacketsPerDrain is how many packets a client may send from one drain point to the next. What is
	// beyond is dropped and counted as flood; of what came while its owner read nothing, the next drain points
	// read as much each. Default 150.
	PacketsPerDrain int
}

func (c *Config) realm() uint32 { return cmp.Or(c.Realm, 1) }

func (c *Config) packetsPerDrain() int { return cmp.Or(c.PacketsPerDrain, 150) }

// Templates are those of creatures, game objects and items, and what creatures say. *defs.World has them.
type Templates interface {
	// Creature is the template of an entry, nil if there is none.
	Creature(entry uint32) *defs.Creature
	// GameObject is that of a game object, nil if there is none.
	GameObject(entry uint32) *defs.GameObject
	// Item is that of an item, nil if there is none.
	Item(entry uint32) *defs.Item
	// NPCText is what a creature says, nil if there is none.
	NPCText(id uint32) *defs.NPCText
}

// Counted reasons for dropping a packet, beside those for closing.
const (
	Flood          = "flood"                // more than PacketsPerDrain
	Deferred       = "deferred"             // none: what came while nothing was read is more than one drain point takes
	UnknownOpcode  = "unknown_opcode"       // no row in msg.Table
	WrongState     = "wrong_state"          // a row, but not now
	BadBody        = "bad_body"             // does not have its layout
	LongBody       = "long_body"            // bytes left over; the message was used all the same
	BadAddons      = "bad_addons"           // the addon block; the login goes on without it
	ForeignMover   = "foreign_mover"        // moves another unit
	BadAccountData = "bad_account_data"     // no such cache, or not of the stated content
	CacheRefused   = "account_data_refused" // the store has no room for it
	CacheFailed    = "account_data_failed"  // the store could not be asked
	NotServed      = "not_served"           // a row, but nothing is done about it
	CreateRefused  = "create_refused"       // a character was not made
	DeleteRefused  = "delete_refused"       // nor deleted
	EnterRefused   = "enter_refused"        // nor let into a world
)

// A Session is one connection. One goroutine at a time may call it. The fields that sending uses are at its beginning,
// those that reading uses come next, and the rest is seldom accessed: each is a few cache lines of memory that are in no
// cache when the loop visits this one of thousands.
type Session struct {
	toPeer crypt.Cipher
	state  msg.State
	closed bool
	keyed  bool  // the ciphers are set: headers are encrypted from here on
	warmth uint8 // Cipher.Warm
	tap    Tap   // nil while the session is not followed

	config   *Config
	fromPeer crypt.Cipher
	input
	pace  pace
	drain uint64 // the drain point since which
	spent int    // packets read
	backlog
	asked Request // Nothing, or what has not been answered yet

	character frame.Character // zero on the character screen
	lately    uint64          // GUID of the character played last: on the way out the client saves once more
	selected  uint64          // GUID of the player's selection, 0 none
	begun     time.Time       // when it was greeted
	liveness
	seed    [4]byte
	hello   msg.AuthSession // while its key is being looked for
	account uint32
	name    string   // of the account
	noted   *opcodes // what unhandled has reported; nil for none
	level   uint8    // of the account
	wait    wait     // until it is let in
	chatState
}

// New returns a session that has sent nothing yet. The seed is part of the digest by which a client
// proves that it has the session key: it must be random, so that a digest is valid once.
func New(config *Config, seed [4]byte) *Session {
	return &Session{config: config, state: msg.Fresh, seed: seed}
}

// State is one of the states of msg.
func (s *Session) State() msg.State { return s.state }

// LastOpcode is that of the packet whose header was read last. It is not ok if there was none.
func (s *Session) LastOpcode() (op uint32, ok bool) { return s.op, s.any }

// Account is the account's number, 0 before the session is let in.
func (s *Session) Account() uint32 { return s.account }

// Character is the character that the session plays or is about to; its GUID is 0 on the character
// screen.
func (s *Session) Character() *frame.Character { return &s.character }

// Entered reports that the world has sent itself to the client: Entering becomes World.
func (s *Session) Entered() {
	if s.state == msg.Entering {
		s.state = msg.World
	}
}

// Left reports that the character is out of its world: the session is back on the character screen. A
// client that was still entering is sent a failure.
func (s *Session) Left(t *Turn) {
	if s.state&(msg.Entering|msg.World|msg.Transfer) == 0 {
		return
	}
	if s.state == msg.Entering {
		s.ignore(t, EnterRefused, "the world does not take it")
		t.send(msg.OpCharacterLoginFailed, &msg.CharResult{Result: msg.LoginFailed})
	}
	s.state, s.character = msg.Select, frame.Character{}
	s.away, s.awayText = 0, ""
	s.selected = 0
}

// Name is that of the account, in upper case; before the session is let in, the one that the client claims to have. It
// is empty before CMSG_AUTH_SESSION.
func (s *Session) Name() string { return s.name }
