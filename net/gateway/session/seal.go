package session

import (
	"encoding/binary"

	"muster/net/protocol/crypt"
	"muster/net/protocol/wire"
)

// Seal encrypts the headers of the packets that make up b, in place and in the order in which they will be sent. It
// must be called once for every byte that is sent to the client, and for nothing else: the cipher continues from
// header to header. Before the session key is known it leaves them as they are. It counts the packets, does not
// allocate, and panics if b is not a sequence of whole packets.
func (s *Session) Seal(b []byte, sent *Tally) {
	if s.tap != nil {
		s.tap.Sent(b)
	}
	s.warmth = s.toPeer.Warm()
	sent.countAll(b)
	if s.keyed {
		Seal(&s.toPeer, b)
	}
}

// Seal encrypts the headers of the packets that make up b, in place and in order, with the stream of one session.
func Seal(stream *crypt.Cipher, b []byte) {
	for len(b) > 0 {
		n := stream.Headers(b)
		if n < len(b) { // a long header
			_, header, long := first(b[n:])
			stream.XOR(b[n : n+header])
			n += long
		}
		b = b[n:] // panics if the last is torn
	}
}

// countAll counts packets to a client that make up b.
func (t *Tally) countAll(b []byte) {
	for at := 0; at < len(b); {
		rest := b[at:]
		if len(rest) < wire.ServerHeaderLen || rest[0]&0x80 != 0 || rest[0] == 0 && rest[1] < 2 { // long, or none
			op, _, n := first(rest)
			t.count(uint32(op))
			at += n
			continue
		}
		if at += 2 + int(binary.BigEndian.Uint16(rest)); at > len(b) {
			panic(torn)
		}
		t.count(uint32(binary.LittleEndian.Uint16(rest[2:])))
	}
}

const torn = "session: sealing a torn packet"

// first is the first of some packets: its opcode, the length of its header, and its own.
func first(b []byte) (op uint16, header, n int) {
	op, payload, header, ok := wire.ServerHeader(b)
	if !ok || payload < 0 || header+payload > len(b) {
		panic(torn)
	}
	return op, header, header + payload
}

// A Tally counts packets by opcode. One goroutine owns it.
type Tally [noOpcode]uint64

// count counts a packet. It does nothing without a tally.
func (t *Tally) count(op uint32) {
	if t != nil && op < noOpcode {
		t[op]++
	}
}
