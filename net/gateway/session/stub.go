package session

import (
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// This file answers what a real client asks for at login and waits for a while, about services that are
// not there: no mail, no tickets, no events.

// Opcodes of the answers. They have no rows in msg.Table: there is no message yet, only its empty form.
//
// Source: Opcodes.h, AzerothCore.
const (
	opGMTicket             = 0x212
	opGMTicketSystemStatus = 0x21B
	opRaidInstanceInfo     = 0x2CC
	opQuestGiverStatuses   = 0x418
	opCalendarNumPending   = 0x448
	opWorldStateUITimer    = 0x4F7
)

// noTicket is the state of a player without one. Source: GMTICKET_STATUS_DEFAULT, TicketMgr.h, AzerothCore.
const noTicket = 0x0A

// noMail is a day without mail, in seconds. Source: WorldSession::HandleQueryNextMailTime, AzerothCore.
const noMail = -86400

// words is a body of nothing but 32-bit words.
type words []uint32

// Wire walks the body.
func (w words) Wire(c *wire.Codec) {
	for i := range w {
		wire.U32(c, &w[i])
	}
}

// always answers a message without a body with the same words.
func always(op uint16, body ...uint32) handler {
	return on(func(_ *Session, t *Turn, _ *msg.Empty) { t.send(op, words(body)) })
}

func (s *Session) contactList(t *Turn, m *msg.ContactListQuery) {
	t.send(msg.OpContactList, &msg.ContactList{Kinds: m.Kinds})
}

// worldStateTimer is the server's clock for the timers on the client's screen.
func (s *Session) worldStateTimer(t *Turn, _ *msg.Empty) {
	t.send(opWorldStateUITimer, words{t.unix()})
}
