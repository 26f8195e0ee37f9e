package movement

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// ForcedMoves knocks units back and makes them run.
type ForcedMoves struct {
	splines

	place     ecs.Res[defs.Map]
	throws    ecs.Requests[move.KnockBack]
	runs      ecs.Requests[move.Run]
	setsOut   ecs.Emit[change.SetOut]
	motions   ecs.Write[components.Motion]
	unitAuras ecs.Read[components.UnitAuras]
	vitals    ecs.Read[components.Vitals]

	badOrder sched.Counter `name:"move.bad_order"`

	way   [1]components.Vec // of a run
	knock msg.KnockBack     // kept here, since a packet takes its message by reference
}

// OnEvents implements sched.Handler.
func (s *ForcedMoves) OnEvents(t sched.Tick) {
	for _, o := range s.throws.Take() {
		switch {
		case !s.entities.Exists(o.Entity) || !s.walks.Has(o.Entity) || !s.free(o.Entity):
		case s.player(o.Entity):
			s.knockBack(t, o)
		case !s.pendingAcks.Has(o.Entity):
			s.knockCreature(t, o)
		}
	}
	for _, o := range s.runs.Take() {
		switch {
		case !s.entities.Exists(o.Entity) || !s.walks.Has(o.Entity) || !o.Stop && !s.free(o.Entity):
		case !s.pendingAcks.Has(o.Entity) || s.player(o.Entity):
			s.makeRun(t, o)
		}
	}
}

// free reports whether a unit can be knocked back or made to run: it may have died, or been rooted or stunned, since
// that was requested.
func (s *ForcedMoves) free(e ecs.Entity) bool {
	const held = components.StateRooted | components.StateStunned
	return s.vitals.Get(e).Health > 0 && s.unitAuras.Get(e).States&held == 0
}

// makeRun makes a unit run to a point, or stop.
func (s *ForcedMoves) makeRun(t sched.Tick, o move.Run) {
	to := components.Position{X: o.To.X, Y: o.To.Y, Z: o.To.Z}
	if o.Stop {
		if s.walks.Get(o.Entity).Walking() {
			s.halt(o.Entity)
		}
		return
	}
	if !to.OnMap() || !(o.Speed > 0 && o.Speed <= move.MaxSpeed) {
		s.badOrder.Count()
		return
	}
	walk, p := s.walks.Get(o.Entity), s.positions.Get(o.Entity)
	walking := walk.Walking()
	walk.Flags, s.way[0] = 0, o.To
	if !walk.Begin(p.Vec(), s.way[:], o.Speed, t.NowMs) {
		return
	}
	walk.Driven = 1
	if s.pendingAcks.Has(o.Entity) {
		s.motions.Get(o.Entity).Flags &^= components.MoveGoing
		s.validations.Get(o.Entity).NoteSlowdown(o.Speed, t.NowMs) // its client's reports from the end of the run are accepted
	}
	s.begun(t, o.Entity)
	if !walking {
		s.setsOut.Emit(change.SetOut{Entity: o.Entity})
	}
}

// knockBack knocks a player back, which moves at the speed of that for a while.
func (s *ForcedMoves) knockBack(t sched.Tick, o move.KnockBack) {
	sin, cos, ok := s.flight(&o)
	if !ok {
		return
	}
	r := s.pendingAcks.Get(o.Entity)
	r.KnockBack = components.KnockBack{Sin: float32(sin), Cos: float32(cos), Speed: o.Speed, Up: o.Up}
	s.validations.Get(o.Entity).NoteSlowdown(max(o.Speed, o.Up), t.NowMs)
	s.knock = msg.KnockBack{
		Mover: s.objects.Get(o.Entity).GUID, Counter: s.ordered(t, o.Entity, components.OrderKnockBack),
		Cos: r.KnockBack.Cos, Sin: r.KnockBack.Sin, Speed: o.Speed, ZSpeed: -o.Up,
	}
	s.out.SendNow(o.Entity, msg.OpMoveKnockBack, &s.knock)
}

// flight is the direction of a knock-back. It is false for an invalid one.
func (s *ForcedMoves) flight(o *move.KnockBack) (sin, cos float64, ok bool) {
	angle, ok := components.Facing(o.Angle)
	if !ok || !(o.Speed >= 0 && o.Speed <= move.MaxSpeed) || !(o.Up >= 0 && o.Up <= move.MaxSpeed) {
		s.badOrder.Count()
		return 0, 0, false
	}
	sin, cos = math.Sincos(float64(angle))
	return sin, cos, true
}

// gravity is the acceleration downwards of a unit in the air, yards per second squared.
//
// Source: Movement::gravity, MovementUtil.cpp, AzerothCore.
const gravity = 19.29110527

// knockCreature knocks back a creature, which has no client to simulate it: it moves over ground to where it would
// land, in the time that that takes. It does not leave the ground, since few clients understand that of other units.
//
// Source: MotionMaster::MoveKnockbackFrom, AzerothCore; protocol.md 4.4.
func (s *ForcedMoves) knockCreature(t sched.Tick, o move.KnockBack) {
	sin, cos, ok := s.flight(&o)
	if !ok || o.Speed < 0.1 {
		return
	}
	p, half := s.positions.Get(o.Entity), s.place.Get().Half
	yards := float64(2 * float32(o.Up/gravity) * o.Speed)
	to := components.Vec{
		X: min(max(p.X+float32(yards*cos), -half), half), Y: min(max(p.Y+float32(yards*sin), -half), half),
	}
	to.Z = s.place.Get().Height(to.X, to.Y)
	s.makeRun(t, move.Run{Entity: o.Entity, To: to, Speed: o.Speed})
}
