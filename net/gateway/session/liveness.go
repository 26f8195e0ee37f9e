package session

import (
	"time"

	"muster/net/protocol/msg"
)

// A liveness is when a client last showed that something is behind it, which a ping does not.
type liveness struct {
	heard  time.Time
	inside bool      // it had a character then
	synced time.Time // when it last answered SMSG_TIME_SYNC_REQ, or entered a world
}

// hears notes a packet. A ping counts nowhere, and CMSG_KEEP_ALIVE only for a client that has a character.
//
// Source: WorldSocket::ReadDataHandler and WorldSession::ResetTimeOutTime, AzerothCore.
func (s *Session) hears(now time.Time, op uint16) {
	inside := s.character.GUID != 0
	switch {
	case op == msg.OpPing, op == msg.OpKeepAlive && !inside:
		return
	case op == msg.OpTimeSyncResp:
		s.synced = now
	}
	s.heard, s.inside = now, inside
}

// Heard is when the client was last alive, zero before it is greeted, and whether it had a character then: a client that
// enters a world has as long as on the character screen, until it sends something there.
func (s *Session) Heard() (at time.Time, inside bool) { return s.heard, s.inside }

// Synced is when the client last answered SMSG_TIME_SYNC_REQ, or entered a world; it is not ok outside.
func (s *Session) Synced() (at time.Time, ok bool) { return s.synced, s.state == msg.World }
