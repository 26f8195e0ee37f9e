package span

import (
	"math/bits"
	"strings"

	"github.com/zeebo/xxh3"

	"muster/net/protocol/msg"
)

// maxOp is above all opcodes. Source: net/replication/frame, OpEnter.
const maxOp = 0x520

// moves are the opcodes of movements that clients send and others are sent.
var moves = func() (set [maxOp]bool) {
	for op := range set {
		set[op] = strings.HasPrefix(msg.Name(uint32(op)), "MSG_MOVE_")
	}
	return set
}()

func isMove(op uint16) bool { return int(op) < len(moves) && moves[op] }

// What is before the position of a movement, and the position.
//
// Source: net/protocol/msg, Movement.Wire.
const (
	beforePlace = 4 + 2 + 4 // flags, more flags, time
	placeBytes  = 4 * 4     // x, y, z and orientation
)

// moveKey is what a movement has in common as a client sends it and as others are sent it: all but its flags and its time, which the
// world may change. It is not ok for what is no movement.
func moveKey(op uint16, body []byte) (key uint64, ok bool) {
	if !isMove(op) || len(body) == 0 {
		return 0, false
	}
	guid := 1 + bits.OnesCount8(body[0])
	at := guid + beforePlace
	if len(body) < at+placeBytes {
		return 0, false
	}
	return xxh3.HashSeed(body[at:at+placeBytes], xxh3.HashSeed(body[:guid], uint64(op))), true
}
