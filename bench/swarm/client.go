package swarm

import (
	"fmt"

	"muster/internal/conformance"
	"muster/net/protocol/crypt"
)

// A client is one player: an account, at most one socket at a time, and what it knows.
type client struct {
	id         int32
	generation int32 // of the socket; events of an earlier one are stale
	socket     socket
	stage      stage
	retries    uint8 // proofs refused
	attempt    uint8 // at a character's name
	connecting bool
	encrypted  bool
	watched    bool // for room to write
	framed     bool // not in the sample: what comes is not decoded
	have       uint8
	header     [5]byte // of the packet being read: header[:have] is decrypted
	pings      uint32  // sent
	answered   uint32  // the last one that was
	entered    bool    // SMSG_LOGIN_VERIFY_WORLD has come

	account  string
	name     string // of the character that was asked for last
	due      moment // when the login was due
	patience moment // when it gives up, if it had to wait
	pingDue  moment // of the last one sent
	guid     uint64
	proof    [20]byte // what the login server must answer
	key      [40]byte
	realmID  uint32
	fromThem crypt.Cipher
	toThem   crypt.Cipher
	rest     []byte // read and not consumed
	unsent   []byte // written and not taken by the socket
	walker   walker
	grinder  grinder
	trader   trader
	checker  conformance.Client
}

// A stage is how far a client has come.
type stage uint8

const (
	stageWaiting   stage = iota // for its turn in the ramp
	stageConnect                // to the login server
	stageChallenge              // sent the challenge
	stageProof                  // sent the proof
	stageRealms                 // asked for the realms
	stageWorld                  // connects to the realm, and waits for SMSG_AUTH_CHALLENGE
	stageSession                // sent CMSG_AUTH_SESSION
	stageQueue                  // waits in a queue
	stageEnum                   // asked for the characters
	stageCreate                 // asked for a new one
	stageDelete                 // asked to delete an old one, so that there is room
	stageEntering               // sent CMSG_PLAYER_LOGIN
	stageInWorld
	stageGone // failed, or lost
)

var stageNames = [...]string{
	"waiting", "connecting to the login server", "at the challenge", "at the proof", "at the realm list",
	"connecting to the realm", "at the session", "in the queue", "at the character list", "creating a character",
	"deleting a character", "entering the world", "in the world", "gone",
}

// String is how reasons name the stage.
func (s stage) String() string { return stageNames[s] }

// loggingIn reports whether the client is on its way.
func (s stage) loggingIn() bool { return s < stageInWorld }

func (c *client) init(id int32, config Config) {
	c.id = id
	c.socket = noSocket
	c.account = fmt.Sprintf("%s%d", config.Prefix, id+1)
	c.walker.behaviour = config.Behaviour
	c.walker.random = newRandom(config.Seed, int(id))
	c.grinder.spells.caster = id%2 == 1
	if config.Behaviour == Trade {
		c.trader.items, c.trader.refused = make(map[uint64]stack), make(map[uint32]bool)
	}
	c.grinder.bold = id%boldEvery == 0
}
