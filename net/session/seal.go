package session

import "muster/net/wire"

// Seal encrypts the headers of the packets that make up b, in place and in the order in which they will be
// sent. It must be called once for every byte that goes to the client, and for nothing else: the cipher
// goes on from header to header. Before the session key is known it does nothing. It does not allocate,
// and panics if b is not a row of whole packets.
func (s *Session) Seal(b []byte) {
	if !s.keyed {
		return
	}
	for len(b) > 0 {
		_, payload, header, ok := wire.ServerHeader(b)
		if !ok || payload < 0 || header+payload > len(b) {
			panic("session: sealing a torn packet")
		}
		s.toPeer.XOR(b[:header])
		b = b[header+payload:]
	}
}
