// Package intake reads the inbox: players enter and leave, and each message goes into the queue of its type. It is
// the only system that reads bytes from clients.
package intake

import (
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/goods"
)

// Intake reads the inbox of a tick.
type Intake struct {
	inbox   ecs.Res[frame.Inbox]
	mint    ecs.ResMut[goods.Mint]
	out     change.Out
	players players

	queues   queues
	commands ecs.Emit[change.Sent[frame.Command]]
	dates    ecs.Emit[frame.Date]
	reloads  ecs.Emit[frame.Reload]

	into [msg.Opcodes]func(by ecs.Entity, it *frame.Item) // by opcode; nil for what has no queue
	item frame.Item                                       // the item that is read; none between two ticks
	n    uint32                                           // the index of that item in the inbox

	unhandled sched.Counter `name:"intake.unhandled"`
	badBody   sched.Counter `name:"intake.bad_body"`
	badLease  sched.Counter `name:"intake.bad_lease"`
	longBody  sched.Counter `name:"intake.long_body"`

	noPvP       sched.Counter `name:"intake.no_pvp"`
	timeSkipped sched.Counter `name:"intake.time_skipped"`
}

// Init implements ecs.Initializer.
func (s *Intake) Init() {
	s.takeAll()
	s.refuseAll()
}

// Run implements sched.Runner.
func (s *Intake) Run(t sched.Tick) {
	it, inbox := &s.item, s.inbox.Get()
	for i := range inbox.Len() {
		inbox.Read(i, it)
		s.n = uint32(i)
		switch it.Op {
		case frame.OpEnter, frame.OpArrive:
			s.players.enter(t, s.n, it)
		case frame.OpResume:
			s.players.goOn(s.n, it)
		case frame.OpLease:
			s.lease(it.Body)
		case frame.OpCommand:
			s.command(it)
		case frame.OpDate:
			s.date(it)
		case frame.OpReload:
			s.reload(it)
		case frame.OpRefresh:
			s.players.refresh(it.Session)
		case frame.OpHandOver:
			s.players.handOver()
		case frame.OpLeave:
			s.players.leave(it.Session)
		case frame.OpDrop, frame.OpAbandon:
			s.drop(it)
		case frame.OpGateway: // for processes that continue the world
		default:
			if e, ok := s.players.find(it.Session); ok {
				s.decode(e, it)
			} else {
				s.players.absent.Count()
			}
		}
	}
	*it = frame.Item{} // its body is of the inbox, whose memory gateways write to after the tick
	s.players.report(t)
}

// drop queues the loss of a player's client among the messages without a body.
func (s *Intake) drop(it *frame.Item) {
	if e, ok := s.players.find(it.Session); ok {
		s.queues.empties.Emit(change.Sent[msg.Empty]{By: e, AtMs: it.AtMs, Op: it.Op, N: s.n})
	} else {
		s.players.absent.Count()
	}
}

// lease adds a range of item GUIDs.
func (s *Intake) lease(body []byte) {
	var l frame.Lease
	if msg.Decode(wire.V12340, body, &l) != nil || !s.mint.Get().Lease(l.First, l.Count) {
		s.badLease.Count()
	}
}

// date puts a date into its queue.
func (s *Intake) date(it *frame.Item) {
	var d frame.Date
	if msg.Decode(wire.V12340, it.Body, &d) != nil {
		s.badBody.Count()
		return
	}
	s.dates.Emit(d)
}

// reload puts a piece of definitions into its queue.
func (s *Intake) reload(it *frame.Item) {
	var r frame.Reload
	if msg.Decode(wire.V12340, it.Body, &r) != nil {
		s.badBody.Count()
		return
	}
	s.reloads.Emit(r)
}

// decode puts a message into the queue of its type. A message without a queue is counted.
func (s *Intake) decode(by ecs.Entity, it *frame.Item) {
	if int(it.Op) < len(s.into) && s.into[it.Op] != nil {
		s.into[it.Op](by, it)
	} else {
		s.out.Refuse(by, it.Op, &s.unhandled)
	}
}
