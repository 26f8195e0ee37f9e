package movement

import (
	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
)

// Turns has creatures face directions.
type Turns struct {
	entities  ecs.Entities
	out       change.Out
	cells     change.Cells
	requests  ecs.Requests[move.Turn]
	objects   ecs.Read[components.Object]
	acks      ecs.ReadRef[components.PendingMoveAcks]
	positions ecs.Write[components.Position]
	walks     ecs.Write[components.Walk]

	badOrder sched.Counter `name:"move.bad_order"`

	to [1]wire.Vec3 // these are kept here, since a packet takes its message by reference
	m  msg.MonsterMove
}

// turnMs is the duration of the walk to where a creature is, by which clients learn that it turns, milliseconds.
//
// Source: Unit::SetFacingTo, AzerothCore, and the least duration of a spline there.
const turnMs = 1

// OnEvents implements sched.Handler.
func (s *Turns) OnEvents(t sched.Tick) {
	for _, o := range s.requests.Take() {
		if s.entities.Exists(o.Entity) && s.walks.Has(o.Entity) && !s.acks.Has(o.Entity) {
			s.turn(t, o)
		}
	}
}

// turn has a creature face a direction. One that walks faces where it goes.
func (s *Turns) turn(t sched.Tick, o move.Turn) {
	facing, ok := components.Facing(o.O)
	if !ok {
		s.badOrder.Count()
		return
	}
	walk, at := s.walks.Get(o.Entity), s.positions.Get(o.Entity)
	if walk.Walking() {
		return
	}
	walk.SplineID++
	at.O = facing
	s.cells.Follow(t, o.Entity, at)
	s.to[0] = wire.Vec3{X: at.X, Y: at.Y, Z: at.Z}
	s.m = msg.MonsterMove{
		Mover: s.objects.Get(o.Entity).GUID, Start: s.to[0], ID: walk.SplineID, Facing: msg.FaceAngle, Angle: facing, DurationMs: turnMs, Path: s.to[:],
	}
	s.out.Broadcast(o.Entity, msg.OpMonsterMove, &s.m)
}
