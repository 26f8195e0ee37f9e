// Package movement sets positions: of players as their clients report and the rules allow, of creatures along their
// walks, and of both as other systems order (components/move).
package movement

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
)

// System moves entities.
type System struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	limits   ecs.Res[Limits]
	space    ecs.Res[space.Space]
	out      change.Out
	dirty    change.Dirty
	cells    change.Cells

	joined  ecs.Events[change.Joined]
	moves   ecs.Events[change.Sent[msg.Move]]
	times   ecs.Events[change.Sent[msg.TimeSyncResp]]
	empties ecs.Events[change.Sent[msg.Empty]]
	acks    acks
	orders  orders
	setOut  ecs.Requests[change.SetOut]

	setsOut ecs.Emit[change.SetOut] // units that start a run
	landed  ecs.Emit[move.Landed]
	ported  ecs.Emit[move.Teleported]
	resets  ecs.Emit[change.Reset]
	leaving ecs.Emit[change.Leaving]

	objects     ecs.Read[components.Object]
	sessions    ecs.Read[components.Session]
	records     ecs.View[components.Record]
	positions   ecs.Write[components.Position]
	homeCells   ecs.Read[components.HomeCell]
	motions     ecs.Write[components.Motion]
	walks       ecs.Write[components.Walk]
	clocks      ecs.Write[components.Clock]
	speeds      ecs.Write[components.Speeds]
	pendingAcks ecs.Write[components.PendingMoveAcks]
	validations ecs.Write[components.MoveValidation]
	transfers   ecs.Write[components.MapTransfer]
	auraStates  ecs.Read[components.AuraState]
	vitals      ecs.View[components.Vitals]
	appearances ecs.Read[components.PlayerAppearance]

	rows    rows
	reasons reasons

	way      [1]components.Vec       // of a run
	walkers  []ecs.Entity            // the awake creatures that walk
	walkedMs uint32                  // when they were moved last
	asking   sched.Wheel[ecs.Entity] // when each player is sent the next time request
	overdue  sched.Wheel[order]      // when an order without acknowledgement counts as done
	question msg.TimeSyncReq         // these are kept here, since a packet takes its message by reference
	packets  packets
	nowMs    uint32
}

// walkMs is how often the positions of walking creatures are computed, however short a step is: clients compute them by
// themselves, and other systems see a creature at most 0.4 yards behind at a run of 7 yards a second.
const walkMs = 50

// Run implements sched.Runner.
func (s *System) Run(t sched.Tick) {
	s.nowMs = t.NowMs
	s.syncClocks(t)
	s.handleOrders(t)
	s.expire(t)
	s.readMessages(t)
	for _, it := range s.setOut.Take() {
		s.walkers = append(s.walkers, it.Entity)
	}
	if t.NowMs-s.walkedMs < walkMs {
		return
	}
	s.walkedMs = t.NowMs
	s.walkers = slices.DeleteFunc(s.walkers, func(e ecs.Entity) bool { return !s.walk(t, e) })
}

// readMessages reads what clients have sent, in each client's order: reports before the acknowledgement of an order
// were sent without knowledge of it.
func (s *System) readMessages(t sched.Tick) {
	moves, ack := s.moves.All(), s.acks.all()
	if len(moves) > 0 {
		s.bindRows()
	}
	for i := range moves {
		for len(ack) > 0 && ack[0].n < moves[i].N {
			s.acknowledge(t, ack[0])
			ack = ack[1:]
		}
		s.move(t, &moves[i])
	}
	for _, h := range ack {
		s.acknowledge(t, h)
	}
	for i := range s.empties.All() {
		if sent := &s.empties.All()[i]; sent.Op == frame.OpDrop && s.entities.Alive(sent.By) {
			s.stopLinkDead(t, sent.By)
		}
	}
}

// stopLinkDead stops a player that has lost its client: observers would extrapolate its movement for ever.
func (s *System) stopLinkDead(t sched.Tick, e ecs.Entity) {
	motion := s.motions.Get(e)
	if motion.Flags&components.MoveGoing == 0 {
		return
	}
	if motion.BeatTick == uint32(t.N) { // it would come after the stop
		s.out.Withdraw(int(motion.Beat))
		motion.BeatTick = 0
	}
	motion.Flags &^= components.MoveGoing
	s.packets.move = s.state(e)
	s.out.Broadcast(e, msg.OpMoveStop, &s.packets.move)
}

// move applies a player's report of its movement, and relays it.
func (s *System) move(t sched.Tick, sent *change.Sent[msg.Move]) {
	e, m := sent.By, &sent.Msg
	if !s.entities.Alive(e) {
		return
	}
	i := s.row(e)
	if i < 0 || !s.accept(t, e, i, m) {
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
	filing := s.out.BroadcastWritten(e, part)
	setMotion(motion, &m.Movement)
	if part == frame.Beats {
		motion.Beat, motion.BeatTick = uint32(filing), uint32(t.N)
	}
}

// setMotion writes field by field: a whole struct would be read right after its parts were written, and the processor
// would wait for the stores.
func setMotion(to *components.Motion, m *msg.Movement) {
	to.Flags, to.FallTimeMs, to.Extra, to.Pitch = uint32(m.Flags), m.FallTime, uint16(m.Extra), m.Pitch
	to.JumpZ, to.JumpSin, to.JumpCos, to.JumpXY = m.Jump.ZSpeed, m.Jump.Sin, m.Jump.Cos, m.Jump.XYSpeed
	to.Elevation, to.Beat, to.BeatTick = m.SplineElevation, 0, 0
}

// state is the position and motion of a unit as messages have it.
func (s *System) state(e ecs.Entity) msg.Move {
	p, m := s.positions.Get(e), components.Motion{}
	if s.motions.Has(e) {
		m = *s.motions.Get(e)
	}
	return msg.Move{Mover: s.objects.Get(e).GUID, Movement: msg.Movement{
		Flags: msg.MoveFlags(m.Flags), Extra: msg.MoveExtra(m.Extra), Time: s.nowMs,
		X: p.X, Y: p.Y, Z: p.Z, O: p.O, Pitch: m.Pitch, FallTime: m.FallTimeMs,
		Jump:            msg.Jump{ZSpeed: m.JumpZ, Sin: m.JumpSin, Cos: m.JumpCos, XYSpeed: m.JumpXY},
		SplineElevation: m.Elevation,
	}}
}

// walk moves a creature along its walk, and reports whether that continues. When its cell falls asleep it stops where
// it is; when the cell wakes, it continues.
func (s *System) walk(t sched.Tick, e ecs.Entity) (on bool) {
	if !s.entities.Alive(e) || !s.space.Get().Awake(s.homeCells.Get(e).Cell) {
		return false
	}
	w := s.walks.Get(e)
	if !w.Walking() {
		return false
	}
	at, arrived := w.At(t.NowMs)
	p := s.positions.Get(e)
	*p = at
	s.cells.Follow(t, e, p)
	if arrived {
		w.Stop()
	}
	return !arrived
}
