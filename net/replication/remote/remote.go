// Package remote connects a world with gateways in other processes.
//
// Both ends have a frame.Exchange, as if they were in one process: that of the world is read by a World, which publishes
// the frames, and those of the gateways are filled by a Gateway each. Between them is a Bus that may lose, repeat, reorder
// and delay messages. What a world publishes of a tick is the same for all gateways, but for what concerns the sessions of
// one. Input and reports are numbered, acknowledged and sent again; a gateway that misses a tick asks for it, and is sent
// what the world's ring still has.
//
// docs/adr/0025-worlds-in-other-processes.md has the messages and the reasons.
package remote

import (
	"fmt"
	"time"

	"muster/net/replication/frame"
)

// A Bus carries messages to all that subscribe to their subject, and perhaps to who publishes them if that does. It may lose, repeat, reorder and delay them, and does not
// change them. Its methods may be called from any goroutine.
type Bus interface {
	// Publish sends a message, whose bytes are the caller's again when it returns.
	Publish(subject string, message []byte) error
	// Subscribe has take called with each message of a subject, one after another. Nothing changes the bytes afterwards: take may keep them.
	// stop ends that.
	Subscribe(subject string, take func(message []byte)) (stop func(), err error)
}

// An Address names a world.
type Address struct {
	Realm         string // one token of a subject: no dot, space, * or >
	Map, Instance uint32
}

// in is the subject of what gateways send to the world.
func (a Address) in() string { return fmt.Sprintf("muster.%s.in.%d.%d", a.Realm, a.Map, a.Instance) }

// out is the subject of what the world sends to all gateways.
func (a Address) out() string { return fmt.Sprintf("muster.%s.out.%d.%d", a.Realm, a.Map, a.Instance) }

// to is the subject of what the world sends to one gateway.
func (a Address) to(gateway uint32) string { return fmt.Sprintf("%s.%d", a.out(), gateway) }

// region is the subject of what frames have in a region, if they are divided.
func (a Address) region(r frame.Region) string { return fmt.Sprintf("%s.r%d", a.out(), r) }

// Log is the subject of the log of the world.
func (a Address) Log() string { return fmt.Sprintf("muster.%s.log.%d.%d", a.Realm, a.Map, a.Instance) }

// Lead is the subject on which the process that has the world says that it is there.
func (a Address) Lead() string {
	return fmt.Sprintf("muster.%s.lead.%d.%d", a.Realm, a.Map, a.Instance)
}

// Ended is the subject on which it is said which processes of a realm have ended, by what has started them.
func Ended(realm string) string { return fmt.Sprintf("muster.%s.ended", realm) }

// Upgrade is the subject on which processes of a realm are asked to hand their worlds over, and Upgraded that on which they answer.
func Upgrade(realm string) string { return fmt.Sprintf("muster.%s.upgrade", realm) }

// Upgraded has the answers to what is asked on Upgrade.
func Upgraded(realm string) string { return fmt.Sprintf("muster.%s.upgraded", realm) }

// Times, our own choices.
const (
	heartbeat = 250 * time.Millisecond // between two of an end
	lookEvery = 50 * time.Millisecond  // how often an end looks for what it must repeat, while there is something
	idleBeat  = time.Second            // between two heartbeats of a gateway that has no players there, and between two looks at the clock
	repeatAge = 600 * time.Millisecond // of what is not acknowledged, or asked for in vain, when it is repeated
	saveEvery = 200 * time.Millisecond // between two reports of snapshots that need not be soon, as long as a journal takes them together
	// quarantine is how long sessions that a gateway had are no other's: longer than a world's ring has frames of them.
	quarantine = 2 * silence
	// silence is how long the other end may send nothing. It is longer than a restart of the bus takes, and than a ring has frames.
	silence = time.Minute
	// goneTime is how long after a gateway was heard last its players may be in the world: longer than that keeps them.
	goneTime = silence + 105*time.Second
	// keyAge is after what time a key that has not been made is asked for again.
	keyAge = 3 * time.Second
	// A character that has not left its world so long after it was to, and as many ticks of the world, is not there.
	leaveTime  = 3 * time.Second
	leaveTicks = 20
	// A world whose map another one has is heard for so long: until the process that has it hears that it is another's, and has handed its players over.
	replacedTime = 5 * time.Second
	// aliveTime is after what silence such a world counts as ended: longer than between two heartbeats.
	aliveTime = time.Second
)

// Bounds, our own choices.
const (
	maxPart = 256 << 10 // bytes of a frame in one message
	// wholeFrame is up to how many bytes of packets a frame goes to all gateways whole: one message is cheaper than several then.
	wholeFrame = 16 << 10
	maxMail    = 4096 // messages that wait to be read
	// maxUnacked bounds what an end keeps to repeat, in bytes.
	maxUnacked = 64 << 20
	// maxRepeat is how much is repeated at once, in bytes.
	maxRepeat = 4 << 20
	// maxBacklog is how much a world keeps of what concerns the sessions of a gateway that has it not yet, in bytes.
	maxBacklog = 16 << 20
	// maxAhead is how many ticks a gateway keeps that it cannot use yet.
	maxAhead = 256
	// maxParts is of a frame: 256 MiB.
	maxParts = 1024
	// blockSessions is how many session numbers a gateway is given at a time, and maxBlocks how many times in all.
	blockSessions = 256
	maxBlocks     = 256
	// maxGateways of a world. What they are known by is in the upper byte of the numbers of commands.
	maxGateways = 255
)
