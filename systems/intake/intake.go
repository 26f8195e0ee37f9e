// Package intake takes what arrived: players come in and go, and each message goes into the queue of
// its type. It is the only system that reads bytes from clients.
package intake

import (
	"errors"
	"slices"

	"muster/components/change"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
	"muster/sched"
)

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	counters := ecs.Shared[metric.Table](w)
	s := &system{
		inbox:   ecs.Shared[frame.Inbox](w),
		players: newPlayers(w),
		moves:   ecs.QueueOf[change.Sent[msg.Move]](w),
		times:   ecs.QueueOf[change.Sent[msg.TimeSyncResp]](w),
		chats:   ecs.QueueOf[change.Sent[msg.ChatMessage]](w),
		targets: ecs.QueueOf[change.Sent[msg.SetSelection]](w),
		wishes:  ecs.QueueOf[change.Sent[msg.Empty]](w),

		unhandled: counters.Counter("intake.unhandled"),
		badBody:   counters.Counter("intake.bad_body"),
		longBody:  counters.Counter("intake.long_body"),
	}
	return sched.System{
		Name: "intake", Stage: sched.Take,
		Reads: ecs.Of3[frame.Inbox, defs.World, defs.Map](),
		Writes: slices.Concat(
			ecs.Of4[ecs.Queue[change.Sent[msg.Move]], ecs.Queue[change.Sent[msg.TimeSyncResp]],
				ecs.Queue[change.Sent[msg.ChatMessage]], ecs.Queue[change.Sent[msg.SetSelection]]](),
			ecs.Of4[ecs.Queue[change.Sent[msg.Empty]], change.Log, space.Space, metric.Table](),
			parts()),
		Run: s.run,
	}
}

type system struct {
	inbox   *frame.Inbox
	players *players

	moves   *ecs.Queue[change.Sent[msg.Move]]
	times   *ecs.Queue[change.Sent[msg.TimeSyncResp]]
	chats   *ecs.Queue[change.Sent[msg.ChatMessage]]
	targets *ecs.Queue[change.Sent[msg.SetSelection]]
	wishes  *ecs.Queue[change.Sent[msg.Empty]]

	unhandled *metric.Counter
	badBody   *metric.Counter
	longBody  *metric.Counter
}

func (s *system) run(t sched.Tick) {
	for i := range s.inbox.Len() {
		it := s.inbox.At(i)
		switch it.Op {
		case frame.OpEnter:
			s.players.enter(t, it)
		case frame.OpLeave:
			s.players.leave(it.Session)
		default:
			if e, ok := s.players.find(it.Session); ok {
				s.decode(e, it)
			} else {
				s.players.absent.Count()
			}
		}
	}
}

// decode puts a message into the queue of its type. What has no queue yet is counted.
func (s *system) decode(by ecs.Entity, it frame.Item) {
	switch {
	case msg.IsMove(it.Op):
		push(s, s.moves, by, it)
	case it.Op == msg.OpTimeSyncResp:
		push(s, s.times, by, it)
	case it.Op == msg.OpChatMessage:
		push(s, s.chats, by, it)
	case it.Op == msg.OpSetSelection:
		push(s, s.targets, by, it)
	case it.Op == msg.OpLogoutRequest, it.Op == msg.OpLogoutCancel, it.Op == msg.OpPlayerLogout:
		push(s, s.wishes, by, it)
	default:
		s.unhandled.Count()
	}
}

// message is a pointer to a message type.
type message[M any] interface {
	*M
	Wire(*wire.Codec)
}

// push decodes a message into its queue. Bytes left over do no harm, and are counted.
func push[M any, P message[M]](s *system, q *ecs.Queue[change.Sent[M]], by ecs.Entity, it frame.Item) {
	sent := q.Next()
	*sent = change.Sent[M]{By: by, AtMs: it.AtMs, Op: it.Op}
	switch err := msg.Decode(wire.V12340, it.Body, any(P(&sent.Msg)).(msg.Message)); {
	case err == nil:
	case errors.Is(err, msg.ErrLong):
		s.longBody.Count()
	default:
		q.Drop()
		s.badBody.Count()
	}
}
