// Package movement sets positions: of players as their clients report and the rules allow (MoveControl, Movement, Violations), of
// creatures along their walks (WalkSteps), and of both as other systems order (components/move; a system for each kind of order,
// and Acks for what clients answer).
package movement

import (
	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
)

// Movement applies and relays what players' clients report of their movement.
type Movement struct {
	states

	cells change.Cells

	moves      ecs.Events[change.Sent[msg.Move]]
	acks       ecs.Events[Ack]
	landed     ecs.Emit[move.Landed]
	violations ecs.Emit[violation]

	positions ecs.Write[components.Position]
	clocks    ecs.Read[components.Clock]
	speeds    ecs.Read[components.Speeds]

	rows    rows
	reasons reasons

	speed   msg.MoveSpeed // these are kept here, since a packet takes its message by reference
	knocked msg.KnockedBack
}

// OnEvents reads what clients have sent, in the order in which each sent it: a report that comes before the acknowledgement of an
// order is judged by what was valid before the order.
func (s *Movement) OnEvents(t sched.Tick) {
	moves, acks := s.moves.All(), s.acks.All()
	if len(moves) > 0 {
		s.bindRows()
	}
	for i := range moves {
		for len(acks) > 0 && (acks[0].Overdue || acks[0].N < moves[i].N) {
			s.acknowledge(t, &acks[0])
			acks = acks[1:]
		}
		s.move(t, &moves[i])
	}
	for i := range acks {
		s.acknowledge(t, &acks[i])
	}
}

// move applies a player's report of its movement, and relays it.
func (s *Movement) move(t sched.Tick, sent *change.Sent[msg.Move]) {
	e, m := sent.By, &sent.Msg
	i := s.row(e)
	if i < 0 || !s.accept(t, e, i, sent.Op, m) {
		return
	}
	o, _ := components.Facing(m.O)
	m.O = o
	m.Flags &= components.MoveKnown &^ (components.MoveOnTransport | components.MoveSpline)
	if s.rows.pendingAcks[i].Rooted != 0 {
		m.Flags = m.Flags&^components.MoveGoing | components.MoveRoot
	}
	m.Extra &= components.MoveExtraKnown
	m.Transport = msg.Passenger{}
	m.Time = s.rows.clocks[i].World(m.Time, sent.AtMs)

	p, motion := &s.rows.positions[i], &s.rows.motions[i]
	s.fall(e, &s.rows.validations[i], sent.Op, m, p.Z)
	p.X, p.Y, p.Z, p.O = m.X, m.Y, m.Z, o // not from m.O, which is about to be written: as in setMotion
	s.cells.Follow(t, e, p)

	if motion.BeatTick == uint32(t.N) { // a move supersedes the heartbeat before it
		s.out.Withdraw(int(motion.Beat))
	}
	op, part := sent.Op, frame.Moves
	if msg.Lookup(msg.ToClient, uint32(op)) == nil { // an opcode that only clients send
		op = msg.OpMoveHeartbeat
	}
	if op == msg.OpMoveHeartbeat {
		part = frame.Beats
	}
	s.out.Write(msg.AppendMove(s.out.Buffer(), wire.V12340, op, m))
	broadcast := s.out.BroadcastWritten(e, part)
	setMotion(motion, &m.Movement)
	if part == frame.Beats {
		motion.Beat, motion.BeatTick = uint32(broadcast), uint32(t.N)
	}
}

// setMotion writes field by field: a whole struct would be read right after its parts were written, and the processor
// would wait for the stores.
func setMotion(to *components.Motion, m *msg.Movement) {
	to.Flags, to.FallTimeMs, to.Extra, to.Pitch = uint32(m.Flags), m.FallTime, uint16(m.Extra), m.Pitch
	to.JumpZ, to.JumpSin, to.JumpCos, to.JumpXY = m.Jump.ZSpeed, m.Jump.Sin, m.Jump.Cos, m.Jump.XYSpeed
	to.Elevation, to.Beat, to.BeatTick = m.SplineElevation, 0, 0
}
