package session

import (
	"errors"
	"math"

	"muster/net/protocol/msg"
)

// A handler does what a message asks for.
type handler func(s *Session, t *Turn, body []byte)

// handlers has every message that ends here, by opcode. The state is checked before. Queries are among
// them although a world could answer too: what they ask for does not change.
var handlers = [...]handler{
	msg.OpAuthSession: (*Session).hear,
	msg.OpPing:        on((*Session).ping),
	msg.OpKeepAlive:   on((*Session).keepAlive),

	msg.OpCharEnumQuery: on((*Session).charEnum),
	msg.OpCharCreate:    on((*Session).charCreate),
	msg.OpCharDelete:    on((*Session).charDelete),
	msg.OpPlayerLogin:   on((*Session).playerLogin),

	msg.OpChatMessage:      (*Session).chat,
	msg.OpTextEmote:        showing(msg.OpTextEmote),
	msg.OpEmote:            showing(msg.OpEmote),
	msg.OpJoinChannel:      on((*Session).joinChannel),
	msg.OpLeaveChannel:     on((*Session).leaveChannel),
	msg.OpChannelListQuery: on((*Session).listChannel),
	msg.OpWho:              on((*Session).who),

	msg.OpSetSelection: (*Session).choose,

	msg.OpMoveWorldportAck: on((*Session).worldportAck),

	msg.OpNameQuery:       on((*Session).nameQuery),
	msg.OpCreatureQuery:   on((*Session).creatureQuery),
	msg.OpItemQuerySingle: on((*Session).itemQuery),
	msg.OpItemNameQuery:   on((*Session).itemNameQuery),
	msg.OpGameObjectQuery: on((*Session).gameObjectQuery),
	msg.OpNPCTextQuery:    on((*Session).npcTextQuery),
	msg.OpQueryTime:       on((*Session).queryTime),

	msg.OpRealmSplitQuery:          on((*Session).realmSplit),
	msg.OpReadyForAccountDataTimes: on((*Session).accountDataTimes),
	msg.OpRequestAccountData:       on((*Session).requestAccountData),
	msg.OpUpdateAccountData:        on((*Session).updateAccountData),

	msg.OpContactListQuery:              on((*Session).contactList),
	msg.OpWorldStateUITimerUpdate:       on((*Session).worldStateTimer),
	msg.OpQueryNextMailTime:             always(msg.OpQueryNextMailTime, math.Float32bits(noMail), 0),
	msg.OpGMTicketGet:                   always(opGMTicket, noTicket),
	msg.OpGMTicketSystemStatus:          always(opGMTicketSystemStatus, 0),
	msg.OpRequestRaidInfo:               always(opRaidInstanceInfo, 0),
	msg.OpQuestGiverStatusMultipleQuery: always(opQuestGiverStatuses, 0),
	msg.OpCalendarGetNumPending:         always(opCalendarNumPending, 0),
}

// on is the handler that decodes a message and passes it to do.
func on[T any, M interface {
	*T
	msg.Message
}](do func(*Session, *Turn, *T)) handler {
	return func(s *Session, t *Turn, body []byte) {
		m := new(T)
		switch err := msg.Decode(build, body, M(m)); {
		case err == nil:
		case errors.Is(err, msg.ErrLong):
			s.ignore(t, LongBody, err)
		case s.state == msg.Fresh:
			s.close(t, BadBody)
			return
		default:
			s.ignore(t, BadBody, err)
			return
		}
		do(s, t, m)
	}
}
