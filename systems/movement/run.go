package movement

import (
	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/update"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
)

// makeRun makes a unit run to a point, or stop. A player that runs is sent this as its observers are, since its own
// movement is not relayed to it.
//
// Source: MoveSplineInit::Launch, AzerothCore.
func (s *System) makeRun(t sched.Tick, o move.Run) {
	to := components.Position{X: o.To.X, Y: o.To.Y, Z: o.To.Z}
	if o.Stop {
		s.stopRun(o.Entity)
		return
	}
	if !to.OnMap() || !(o.Speed > 0 && o.Speed <= move.MaxSpeed) {
		s.reasons.badOrder.Count()
		return
	}
	walk, p := s.walks.Get(o.Entity), s.positions.Get(o.Entity)
	walking := walk.Walking()
	walk.Flags, s.way[0] = 0, o.To
	if !walk.Begin(p.Vec(), s.way[:], o.Speed, t.NowMs) {
		return
	}
	walk.Driven = 1
	if s.sessions.Has(o.Entity) {
		s.motions.Get(o.Entity).Flags &^= components.MoveGoing
		s.validations.Get(o.Entity).NoteSlowdown(o.Speed, t.NowMs) // its client's reports from the end of the run are accepted
	}
	s.out.Write(update.AppendWalk(s.out.Buffer(), s.objects.Get(o.Entity).GUID, walk, p, t.NowMs))
	s.broadcastRun(o.Entity)
	if !walking {
		s.setsOut.Emit(change.SetOut{Entity: o.Entity})
	}
}

// stopRun ends a run where the unit is.
func (s *System) stopRun(e ecs.Entity) {
	if walk := s.walks.Get(e); walk.Walking() {
		walk.Stop()
		walk.SplineID++
		s.out.Write(update.AppendHalt(s.out.Buffer(), s.objects.Get(e).GUID, walk, s.positions.Get(e)))
		s.broadcastRun(e)
	}
}

// broadcastRun broadcasts the buffered message of a run, and sends it to a player that runs.
func (s *System) broadcastRun(e ecs.Entity) {
	packet := s.out.BroadcastWritten(e, frame.Moves)
	if s.sessions.Has(e) {
		s.out.SendSpanNow(e, frame.Middle, s.out.Span(packet))
	}
}

// rescale continues a creature's walk at another speed, if it is the kind of speed at which the creature walks.
//
// Source: Unit::SetSpeed and MotionMaster::propagateSpeedChange, AzerothCore.
func (s *System) rescale(t sched.Tick, o move.SetSpeed) {
	walk := s.walks.Get(o.Entity)
	which := uint32(components.SpeedRun)
	if walk.Flags&components.SplineWalk != 0 {
		which = components.SpeedWalk
	}
	legs, leftMs := walk.Remaining(t.NowMs)
	if o.Which != which || leftMs == 0 || walk.Driven != 0 || !s.space.Get().Awake(s.homeCells.Get(o.Entity).Cell) {
		return
	}
	p := s.positions.Get(o.Entity)
	*p, _ = walk.At(t.NowMs)
	if o.Speed == 0 {
		s.stopRun(o.Entity)
		return
	}
	var way [components.MaxLegs]components.Vec
	for i := range legs {
		way[i] = legs[i].To
	}
	walk.Begin(p.Vec(), way[:len(legs)], o.Speed, t.NowMs)
	s.out.Write(update.AppendWalk(s.out.Buffer(), s.objects.Get(o.Entity).GUID, walk, p, t.NowMs))
	s.broadcastRun(o.Entity)
}
