package session

import (
	"muster/net/protocol/msg"
)

// A Tap is shown all packets of a session in plain text, from the one on at which it was set. It keeps nothing of what it is
// given.
type Tap interface {
	// Read is shown a packet from the client, whatever becomes of it.
	Read(op uint32, body []byte)
	// Sent is shown packets to the client, with plain headers.
	Sent(packets []byte)
}

// Follow has a tap shown the session; nil ends that.
func (s *Session) Follow(t Tap) { s.tap = t }

// ShowLogin shows a tap CMSG_AUTH_SESSION if that is being answered.
func (s *Session) ShowLogin(t Tap) {
	if s.asked.Kind == FindKey {
		t.Read(msg.OpAuthSession, msg.Append(nil, build, &s.hello))
	}
}
