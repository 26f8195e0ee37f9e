// Package movement is where everybody is: players where their clients say, creatures along their walks.
package movement

import (
	"math"
	"slices"

	"muster/components"
	"muster/components/change"
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
		world:     w,
		space:     ecs.Shared[space.Space](w),
		log:       ecs.Shared[change.Log](w),
		moves:     ecs.QueueOf[change.Sent[msg.Move]](w),
		answers:   ecs.QueueOf[change.Sent[msg.TimeSyncResp]](w),
		objects:   ecs.NewColumn[components.Object](w),
		positions: ecs.NewColumn[components.Position](w),
		homes:     ecs.NewColumn[components.Home](w),
		motions:   ecs.NewColumn[components.Motion](w),
		walks:     ecs.NewColumn[components.Walk](w),
		clocks:    ecs.NewColumn[components.Clock](w),

		foreignMover: counters.Counter("move.foreign_mover"),
		notFinite:    counters.Counter("move.not_finite"),
		offMap:       counters.Counter("move.off_map"),
		badFacing:    counters.Counter("move.bad_facing"),
	}
	return sched.System{
		Name: "movement", Stage: sched.Move,
		Reads: append(ecs.Of3[components.Object, components.Session, space.Space](),
			ecs.Of2[ecs.Queue[change.Sent[msg.Move]], ecs.Queue[change.Sent[msg.TimeSyncResp]]]()...),
		Writes: append(ecs.Of4[components.Position, components.Motion, components.Home, components.Clock](),
			ecs.Of3[components.Walk, change.Log, metric.Table]()...),
		Run: s.run,
	}
}

type system struct {
	world     *ecs.World
	space     *space.Space
	log       *change.Log
	moves     *ecs.Queue[change.Sent[msg.Move]]
	answers   *ecs.Queue[change.Sent[msg.TimeSyncResp]]
	objects   ecs.Column[components.Object]
	positions ecs.Column[components.Position]
	homes     ecs.Column[components.Home]
	motions   ecs.Column[components.Motion]
	walks     ecs.Column[components.Walk]
	clocks    ecs.Column[components.Clock]

	foreignMover, notFinite, offMap, badFacing *metric.Counter // reports that were refused

	walkers  []ecs.Entity            // the awake creatures that are on their way
	asking   sched.Wheel[ecs.Entity] // when each player is asked for its time again
	question msg.TimeSyncReq         // kept here, since a packet takes its message by reference
}

func (s *system) run(t sched.Tick) {
	s.syncClocks(t)
	moves := s.moves.All()
	for i := range moves {
		s.move(t, &moves[i])
	}
	s.walkers = append(s.walkers, s.log.SetOut...)
	s.log.SetOut = s.log.SetOut[:0]
	s.walkers = slices.DeleteFunc(s.walkers, func(e ecs.Entity) bool { return !s.walk(t, e) })
}

// move does what a client reports of itself, and relays it.
func (s *system) move(t sched.Tick, sent *change.Sent[msg.Move]) {
	if !s.world.Alive(sent.By) {
		return
	}
	m := &sent.Msg
	if reason := s.refuse(sent.By, m); reason != nil {
		reason.Count()
		return
	}
	m.O, _ = components.Facing(m.O)
	m.Flags &= components.MoveKnown &^ (components.MoveOnTransport | components.MoveSpline)
	m.Extra &= components.MoveExtraKnown
	m.Transport = msg.Passenger{}
	m.Time = s.clocks.Get(sent.By).World(m.Time, sent.AtMs)

	p, motion := s.positions.Get(sent.By), s.motions.Get(sent.By)
	*p = components.Position{X: m.X, Y: m.Y, Z: m.Z, O: m.O}
	s.log.Follow(t, sent.By, p)

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
	s.log.Draft.Bytes = msg.Packet(s.log.Draft.Bytes, wire.V12340, op, m)
	filing := s.log.File(sent.By, part)
	*motion = motionOf(&m.Movement)
	if part == frame.Beats {
		motion.Beat, motion.BeatTick = uint32(filing), uint32(t.N)
	}
}

// refuse says why a report is not believed, nil if it is.
func (s *system) refuse(e ecs.Entity, m *msg.Move) (reason *metric.Counter) {
	at := components.Position{X: m.X, Y: m.Y, Z: m.Z}
	_, facing := components.Facing(m.O)
	switch {
	case m.Mover != s.objects.Get(e).GUID:
		return s.foreignMover
	case !finite(m.X, m.Y, m.Z, m.O, m.Pitch, m.Jump.ZSpeed, m.Jump.Sin, m.Jump.Cos, m.Jump.XYSpeed, m.SplineElevation):
		return s.notFinite
	case !at.OnMap():
		return s.offMap
	case !facing:
		return s.badFacing
	}
	return nil
}

func finite(values ...float32) bool {
	for _, v := range values {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return false
		}
	}
	return true
}

func motionOf(m *msg.Movement) components.Motion {
	return components.Motion{
		Flags: uint32(m.Flags), FallTimeMs: m.FallTime, Extra: uint16(m.Extra), Pitch: m.Pitch,
		JumpZ: m.Jump.ZSpeed, JumpSin: m.Jump.Sin, JumpCos: m.Jump.Cos, JumpXY: m.Jump.XYSpeed, Elevation: m.SplineElevation,
	}
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
