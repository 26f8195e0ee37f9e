package session

import (
	"muster/net/crypt"
	"muster/net/wire"
)

// Seal encrypts the headers of the packets that make up b, in place and in the order in which they will be
// sent. It must be called once for every byte that goes to the client, and for nothing else: the cipher
// goes on from header to header. Before the session key is known it leaves them as they are. It counts the packets,
// does not allocate, and panics if b is not a row of whole packets.
func (s *Session) Seal(b []byte, sent *Tally) {
	s.warmth = s.toPeer.Warm()
	for rest := b; len(rest) > 0; {
		op, _, n := first(rest)
		sent.count(uint32(op))
		rest = rest[n:]
	}
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

// first is the first of some packets: its opcode, the length of its header, and its own.
func first(b []byte) (op uint16, header, n int) {
	op, payload, header, ok := wire.ServerHeader(b)
	if !ok || payload < 0 || header+payload > len(b) {
		panic("session: sealing a torn packet")
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
