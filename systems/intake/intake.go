// Package intake takes what arrived: players come in and go, and each message goes into the queue of
// its type. It is the only system that reads bytes from clients.
package intake

import (
	"errors"
	"reflect"
	"slices"

	"muster/components/change"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/record"
)

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	counters := ecs.Shared[metric.Table](w)
	s := &system{
		inbox:   ecs.Shared[frame.Inbox](w),
		mint:    ecs.Shared[goods.Mint](w),
		players: newPlayers(w),

		commands: ecs.QueueOf[change.Sent[frame.Command]](w),
		empties:  ecs.QueueOf[change.Sent[msg.Empty]](w),

		unhandled: counters.Counter("intake.unhandled"),
		badBody:   counters.Counter("intake.bad_body"),
		badLease:  counters.Counter("intake.bad_lease"),
		longBody:  counters.Counter("intake.long_body"),
	}
	s.queues = ecs.Of[ecs.Queue[change.Sent[frame.Command]]]()
	s.takeAll(w)
	s.refuseAll(counters)
	return sched.System{
		Name: "intake", Stage: sched.Take,
		Reads:  append(record.Shared(), ecs.Of[frame.Inbox]()...),
		Writes: slices.Concat(s.queues, ecs.Of4[change.Log, space.Space, metric.Table, goods.Mint](), ecs.Of[ecs.Queue[goods.Newcomer]](), parts()),
		Self:   s,
		Run:    s.run,
	}
}

type system struct {
	inbox   *frame.Inbox
	mint    *goods.Mint
	players *players

	commands *ecs.Queue[change.Sent[frame.Command]]
	empties  *ecs.Queue[change.Sent[msg.Empty]]

	queues []ecs.Type
	into   [msg.Opcodes]func(by ecs.Entity, it *frame.Item) // by opcode; nil for what has no queue
	item   frame.Item                                       // what is being read
	n      uint32                                           // the place in the inbox of what is being read

	unhandled *metric.Counter
	badBody   *metric.Counter
	badLease  *metric.Counter
	longBody  *metric.Counter
}

// takeAll says which messages have a queue.
func (s *system) takeAll(w *ecs.World) {
	for i := range msg.Table {
		if op := msg.Table[i].Op; msg.IsMove(op) {
			take[msg.Move](w, s, op)
		}
	}
	take[msg.TimeSyncResp](w, s, msg.OpTimeSyncResp)
	take[msg.TeleportAck](w, s, msg.OpMoveTeleportAck)
	take[msg.SpeedAck](w, s, msg.OpForceWalkSpeedChangeAck, msg.OpForceRunSpeedChangeAck,
		msg.OpForceRunBackSpeedChangeAck, msg.OpForceSwimSpeedChangeAck, msg.OpForceSwimBackSpeedChangeAck,
		msg.OpForceFlightSpeedChangeAck, msg.OpForceTurnRateChangeAck)
	take[msg.MoveAck](w, s, msg.OpForceMoveRootAck, msg.OpForceMoveUnrootAck, msg.OpMoveKnockBackAck)
	take[msg.CanFlyAck](w, s, msg.OpMoveSetCanFlyAck)
	take[msg.ChatMessage](w, s, msg.OpChatMessage)
	take[msg.TextEmote](w, s, msg.OpTextEmote)
	take[msg.Emote](w, s, msg.OpEmote)
	take[msg.PlayedTime](w, s, msg.OpPlayedTime)
	take[msg.SetSelection](w, s, msg.OpSetSelection)
	take[msg.AttackSwing](w, s, msg.OpAttackSwing)
	take[msg.SetSheathed](w, s, msg.OpSetSheathed)
	take[msg.StandStateChange](w, s, msg.OpStandStateChange)
	take[msg.CastSpell](w, s, msg.OpCastSpell)
	take[msg.CancelCast](w, s, msg.OpCancelCast)
	take[msg.CancelChannelling](w, s, msg.OpCancelChannelling)
	take[msg.CancelAura](w, s, msg.OpCancelAura)
	take[msg.SetActionButton](w, s, msg.OpSetActionButton)
	take[msg.Loot](w, s, msg.OpLoot)
	take[msg.AutoStoreLootItem](w, s, msg.OpAutoStoreLootItem)
	take[msg.LootRelease](w, s, msg.OpLootRelease)
	take[msg.AutoEquipItem](w, s, msg.OpAutoEquipItem)
	take[msg.SwapItem](w, s, msg.OpSwapItem)
	take[msg.SwapInvItem](w, s, msg.OpSwapInvItem)
	take[msg.DestroyItem](w, s, msg.OpDestroyItem)
	take[msg.UseItem](w, s, msg.OpUseItem)
	take[msg.ItemQuerySingle](w, s, msg.OpItemQuerySingle)
	take[msg.ItemNameQuery](w, s, msg.OpItemNameQuery)
	take[msg.RepopRequest](w, s, msg.OpRepopRequest)
	take[msg.ReclaimCorpse](w, s, msg.OpReclaimCorpse)
	take[msg.ResurrectResponse](w, s, msg.OpResurrectResponse)
	take[msg.SpiritHealerActivate](w, s, msg.OpSpiritHealerActivate)
	take[msg.Empty](w, s, msg.OpLootMoney, msg.OpCorpseQuery, msg.OpLogoutRequest, msg.OpLogoutCancel, msg.OpPlayerLogout, msg.OpAttackStop, msg.OpCancelAutoRepeat)
}

func (s *system) run(t sched.Tick) {
	it := &s.item
	for i := range s.inbox.Len() {
		s.inbox.Read(i, it)
		s.n = uint32(i)
		switch it.Op {
		case frame.OpEnter, frame.OpArrive:
			s.players.enter(t, it)
		case frame.OpLease:
			s.lease(it.Body)
		case frame.OpCommand:
			s.command(it)
		case frame.OpLeave:
			s.players.leave(it.Session)
		case frame.OpDrop:
			s.drop(it)
		default:
			if e, ok := s.players.find(it.Session); ok {
				s.decode(e, it)
			} else {
				s.players.absent.Count()
			}
		}
	}
}

// drop puts the loss of a player's client among the messages without a body.
func (s *system) drop(it *frame.Item) {
	if e, ok := s.players.find(it.Session); ok {
		*s.empties.Next() = change.Sent[msg.Empty]{By: e, AtMs: it.AtMs, Op: it.Op, N: s.n}
	} else {
		s.players.absent.Count()
	}
}

// lease gives the world GUIDs for new items.
func (s *system) lease(body []byte) {
	var l frame.Lease
	if msg.Decode(wire.V12340, body, &l) != nil || !s.mint.Lease(l.First, l.Count) {
		s.badLease.Count()
	}
}

// decode puts a message into the queue of its type. What has no queue is counted.
func (s *system) decode(by ecs.Entity, it *frame.Item) {
	if int(it.Op) < len(s.into) && s.into[it.Op] != nil {
		s.into[it.Op](by, it)
	} else {
		s.unhandled.Count()
	}
}

// message is a pointer to a message type.
type message[M any] interface {
	*M
	Wire(*wire.Codec)
}

// take has the messages with some opcodes put into the queue of their type.
func take[M any, P message[M]](w *ecs.World, s *system, ops ...uint16) {
	q := ecs.QueueOf[change.Sent[M]](w)
	if t := reflect.TypeFor[ecs.Queue[change.Sent[M]]](); !slices.Contains(s.queues, t) {
		s.queues = append(s.queues, t)
	}
	for _, op := range ops {
		s.into[op] = func(by ecs.Entity, it *frame.Item) { push[M, P](s, q, by, it) }
	}
}

// push decodes a message into its queue. Bytes left over do no harm, and are counted.
func push[M any, P message[M]](s *system, q *ecs.Queue[change.Sent[M]], by ecs.Entity, it *frame.Item) {
	sent := q.Next()
	sent.By, sent.AtMs, sent.Op, sent.N = by, it.AtMs, it.Op, s.n
	switch err := msg.Decode(wire.V12340, it.Body, any(P(&sent.Msg)).(msg.Message)); {
	case err == nil:
	case errors.Is(err, msg.ErrLong):
		s.longBody.Count()
	default:
		q.Drop()
		s.badBody.Count()
	}
}
