package session

import "muster/net/wire"

// Seal encrypts the headers of the packets that make up b, in place and in the order in which they will be
// sent. It must be called once for every byte that goes to the client, and for nothing else: the cipher
// goes on from header to header. Before the session key is known it leaves them as they are. It counts the packets,
// does not allocate, and panics if b is not a row of whole packets.
func (s *Session) Seal(b []byte, sent *Tally) {
	s.warmth = s.toPeer.Warm()
	for len(b) > 0 {
		op, payload, header, ok := wire.ServerHeader(b)
		if !ok || payload < 0 || header+payload > len(b) {
			panic("session: sealing a torn packet")
		}
		sent.count(uint32(op))
		if s.keyed {
			s.toPeer.XOR(b[:header])
		}
		b = b[header+payload:]
	}
}

// A Tally counts packets by opcode. One goroutine owns it.
type Tally [noOpcode]uint64

// count counts a packet. It does nothing without a tally.
func (t *Tally) count(op uint32) {
	if t != nil && op < noOpcode {
		t[op]++
	}
}
