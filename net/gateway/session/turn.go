package session

import (
	"time"

	"muster/net/protocol/msg"
)

// A Turn is one visit to a session: its owner sets Now and Drain, and the session fills the rest. One Turn
// may be used again and again.
type Turn struct {
	Now   time.Time
	Drain uint64 // the number of the last drain point; packets are limited from one to the next

	// Lag is how long what is fed now may have waited for the owner, if that read nothing for so long; Begin makes
	// it 0.
	Lag time.Duration

	// Read counts the packets that were read, if it is not nil, over all visits.
	Read *Tally

	// Packets is how many were read.
	Packets int
	// Bytes are packets for the client with plain headers, to be sealed and sent, also before a close.
	Bytes []byte
	// Items are for the world the character is in, in their order. Bodies are valid until the next call.
	Items []Item
	// Verbs are the commands among them that need a level.
	Verbs []string
	// Asked is what the session waits for, if Kind is not Nothing.
	Asked Request
	// Wait is how long the session reads nothing, if it is not 0: Resume is to be called after it.
	Wait time.Duration
	// Refused are what was not used of what was read, or what was asked for in vain, in order.
	Refused []Refusal
	// Close is the reason why the connection must be closed; empty to go on.
	Close string
}

// An Item is one message for a world.
type Item struct {
	Op   uint16
	Body []byte
}

// Begin empties what a session filled, and keeps the memory.
func (t *Turn) Begin(now time.Time, drain uint64) {
	*t = Turn{Now: now, Drain: drain, Read: t.Read, Bytes: t.Bytes[:0], Items: t.Items[:0], Verbs: t.Verbs[:0], Refused: t.Refused[:0]}
}

func (t *Turn) send(op uint16, m msg.Message) { t.Bytes = msg.Packet(t.Bytes, build, op, m) }

// unix is the time as the protocol has it.
func (t *Turn) unix() uint32 { return uint32(t.Now.Unix()) }

// Reasons for closing that a session finds.
const (
	BadHeader       = "bad_header"
	BeforeLogin     = "before_login" // only CMSG_AUTH_SESSION and pings are accepted before it
	SecondLogin     = "second_login"
	UnknownAccount  = "unknown_account" // or one without a session key
	WrongDigest     = "wrong_digest"
	Banned          = "banned"
	RealmLocked     = "realm_locked"
	VersionMismatch = "version_mismatch"
	RealmNotFound   = "realm_not_found"
	Busy            = "busy"           // the store could not be asked for the session key or the characters
	QueueFull       = "queue_full"     // the queue is full
	TooMuchInput    = "too_much_input" // went on talking while a request was open
)

// close ends the session. What it has asked in this turn does not matter any more.
func (s *Session) close(t *Turn, reason string) {
	s.closed = true
	t.Close, t.Asked = reason, Request{}
}
