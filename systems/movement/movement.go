// Package movement is where everybody is: players where their clients say and the rules allow, creatures along
// their walks, and both where other systems put them (components/move).
package movement

import (
	"slices"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/components/move"
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
	s := &system{
		world: w,
		defs:  ecs.Shared[defs.World](w),
		place: ecs.Shared[defs.Map](w),
		space: ecs.Shared[space.Space](w),
		log:   ecs.Shared[change.Log](w),

		moves:   ecs.QueueOf[change.Sent[msg.Move]](w),
		times:   ecs.QueueOf[change.Sent[msg.TimeSyncResp]](w),
		empties: ecs.QueueOf[change.Sent[msg.Empty]](w),
		answers: newAnswers(w),
		orders:  newOrders(w),
		landed:  ecs.QueueOf[move.Landed](w),
		ported:  ecs.QueueOf[move.Teleported](w),

		objects:   ecs.NewColumn[components.Object](w),
		sessions:  ecs.NewColumn[components.Session](w),
		records:   ecs.NewColumn[components.Record](w),
		positions: ecs.NewColumn[components.Position](w),
		homes:     ecs.NewColumn[components.Home](w),
		motions:   ecs.NewColumn[components.Motion](w),
		walks:     ecs.NewColumn[components.Walk](w),
		clocks:    ecs.NewColumn[components.Clock](w),
		speeds:    ecs.NewColumn[components.Speeds](w),
		reins:     ecs.NewColumn[components.Reins](w),
		paces:     ecs.NewColumn[components.Pace](w),
		passages:  ecs.NewColumn[components.Passage](w),
		vitals:    ecs.NewColumn[components.Vitals](w),
		guises:    ecs.NewColumn[components.Guise](w),
		bouts:     ecs.NewColumn[components.Bout](w),

		strikes: ecs.Shared[Limits](w).strikes(),
		reasons: newReasons(ecs.Shared[metric.Table](w)),
	}
	return sched.System{
		Name: "movement", Stage: sched.Move,
		Reads: slices.Concat(
			ecs.Of4[components.Object, components.Session, components.Record, components.Vitals](),
			ecs.Of4[components.Guise, components.Bout, space.Space, defs.World](),
			ecs.Of4[defs.Map, Limits, ecs.Queue[change.Sent[msg.Move]], ecs.Queue[change.Sent[msg.TimeSyncResp]]](),
			ecs.Of[ecs.Queue[change.Sent[msg.Empty]]](), s.answers.types()),
		Writes: slices.Concat(
			ecs.Of4[components.Position, components.Motion, components.Home, components.Clock](),
			ecs.Of4[components.Walk, components.Speeds, components.Reins, components.Pace](),
			ecs.Of4[components.Passage, components.Touched, ecs.Queue[move.Landed], change.Log](),
			ecs.Of2[metric.Table, ecs.Queue[move.Teleported]](),
			s.orders.types()),
		Timers: []sched.Timers{&s.asking, &s.overdue},
		Self:   s,
		Run:    s.run,
	}
}

type system struct {
	world *ecs.World
	defs  *defs.World
	place *defs.Map
	space *space.Space
	log   *change.Log

	moves   *ecs.Queue[change.Sent[msg.Move]]
	times   *ecs.Queue[change.Sent[msg.TimeSyncResp]]
	empties *ecs.Queue[change.Sent[msg.Empty]]
	answers answers
	orders  orders
	landed  *ecs.Queue[move.Landed]
	ported  *ecs.Queue[move.Teleported]

	objects   ecs.Column[components.Object]
	sessions  ecs.Column[components.Session]
	records   ecs.Column[components.Record]
	positions ecs.Column[components.Position]
	homes     ecs.Column[components.Home]
	motions   ecs.Column[components.Motion]
	walks     ecs.Column[components.Walk]
	clocks    ecs.Column[components.Clock]
	speeds    ecs.Column[components.Speeds]
	reins     ecs.Column[components.Reins]
	paces     ecs.Column[components.Pace]
	passages  ecs.Column[components.Passage]
	vitals    ecs.Column[components.Vitals]
	guises    ecs.Column[components.Guise]
	bouts     ecs.Column[components.Bout]

	rows    rows
	strikes uint32
	reasons reasons

	way      [1]components.Vec       // of a run
	walkers  []ecs.Entity            // the awake creatures that are on their way
	asking   sched.Wheel[ecs.Entity] // when each player is asked for its time again
	overdue  sched.Wheel[order]      // when an order is not waited for any more
	question msg.TimeSyncReq         // these are kept here, since a packet takes its message by reference
	said     said
	nowMs    uint32
}

func (s *system) run(t sched.Tick) {
	s.nowMs = t.NowMs
	s.syncClocks(t)
	s.obey(t)
	s.expire(t)
	s.hear(t)
	s.walkers = append(s.walkers, s.log.SetOut...)
	s.log.SetOut = s.log.SetOut[:0]
	s.walkers = slices.DeleteFunc(s.walkers, func(e ecs.Entity) bool { return !s.walk(t, e) })
}

// hear reads what clients have sent, in the order in which each of them has: what it reported before an answer
// it did not yet know.
func (s *system) hear(t sched.Tick) {
	moves, heard := s.moves.All(), s.answers.all()
	if len(moves) > 0 {
		s.lay()
	}
	for i := range moves {
		for len(heard) > 0 && heard[0].n < moves[i].N {
			s.answered(t, heard[0])
			heard = heard[1:]
		}
		s.move(t, &moves[i])
	}
	for _, h := range heard {
		s.answered(t, h)
	}
	for i := range s.empties.All() {
		if sent := &s.empties.All()[i]; sent.Op == frame.OpDrop && s.world.Alive(sent.By) {
			s.still(t, sent.By)
		}
	}
}

// still has a player stand who has lost its client: it would run on for ever before the eyes of others.
func (s *system) still(t sched.Tick, e ecs.Entity) {
	motion := s.motions.Get(e)
	if motion.Flags&components.MoveGoing == 0 {
		return
	}
	if motion.BeatTick == uint32(t.N) { // it would come after the stop
		s.log.Withdraw(int(motion.Beat))
		motion.BeatTick = 0
	}
	motion.Flags &^= components.MoveGoing
	s.said.move = s.state(e)
	s.relay(e, msg.OpMoveStop, &s.said.move)
}

// move does what a client reports of itself, and relays it.
func (s *system) move(t sched.Tick, sent *change.Sent[msg.Move]) {
	e, m := sent.By, &sent.Msg
	if !s.world.Alive(e) {
		return
	}
	i := s.row(e)
	if i < 0 || !s.believe(t, e, i, m) {
		return
	}
	o, _ := components.Facing(m.O)
	m.O = o
	m.Flags &= components.MoveKnown &^ (components.MoveOnTransport | components.MoveSpline)
	if s.rows.reins[i].Rooted != 0 {
		m.Flags = m.Flags&^components.MoveGoing | components.MoveRoot
	}
	m.Extra &= components.MoveExtraKnown
	m.Transport = msg.Passenger{}
	m.Time = s.rows.clocks[i].World(m.Time, sent.AtMs)

	p, motion := &s.rows.positions[i], &s.rows.motions[i]
	s.fall(e, &s.rows.paces[i], sent.Op, m, p.Z)
	p.X, p.Y, p.Z, p.O = m.X, m.Y, m.Z, o // not from m.O, which is on its way there: as in setMotion
	s.log.Follow(t, e, p)

	if motion.BeatTick == uint32(t.N) { // a move supersedes the heartbeat before it
		s.log.Withdraw(int(motion.Beat))
	}
	op, part := sent.Op, frame.Moves
	if msg.Lookup(msg.ToClient, uint32(op)) == nil { // only clients say it so
		op = msg.OpMoveHeartbeat
	}
	if op == msg.OpMoveHeartbeat {
		part = frame.Beats
	}
	s.log.Draft.Bytes = msg.AppendMove(s.log.Draft.Bytes, wire.V12340, op, m)
	filing := s.log.File(e, part)
	setMotion(motion, &m.Movement)
	if part == frame.Beats {
		motion.Beat, motion.BeatTick = uint32(filing), uint32(t.N)
	}
}

// setMotion writes field by field: a value of its own would be read as a whole right after its parts were written,
// and the processor would wait for them.
func setMotion(to *components.Motion, m *msg.Movement) {
	to.Flags, to.FallTimeMs, to.Extra, to.Pitch = uint32(m.Flags), m.FallTime, uint16(m.Extra), m.Pitch
	to.JumpZ, to.JumpSin, to.JumpCos, to.JumpXY = m.Jump.ZSpeed, m.Jump.Sin, m.Jump.Cos, m.Jump.XYSpeed
	to.Elevation, to.Beat, to.BeatTick = m.SplineElevation, 0, 0
}

// state is where a unit is and how it moves, as others are told of it.
func (s *system) state(e ecs.Entity) msg.Move {
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

// walk moves a creature along its walk, and reports whether it is to go on. When its cell falls asleep it
// stops where it is; when the cell wakes, it sets out again.
func (s *system) walk(t sched.Tick, e ecs.Entity) (on bool) {
	if !s.world.Alive(e) || !s.space.Awake(s.homes.Get(e).Cell) {
		return false
	}
	w := s.walks.Get(e)
	if !w.Walking() {
		return false
	}
	at, arrived := w.At(t.NowMs)
	p := s.positions.Get(e)
	*p = at
	s.log.Follow(t, e, p)
	if arrived {
		w.Stop()
	}
	return !arrived
}
