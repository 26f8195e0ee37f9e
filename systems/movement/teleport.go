package movement

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
)

// Teleports moves units to other places on the map.
type Teleports struct {
	corrections

	place     ecs.Res[defs.Map]
	space     ecs.Res[space.Space]
	cells     change.Cells
	requests  ecs.EventReader[move.Teleport]
	ported    ecs.Emit[move.Teleported]
	positions ecs.Write[components.Position]
	walks     ecs.Write[components.Walk]
	homeCells ecs.Read[components.HomeCell]

	badOrder sched.Counter `name:"move.bad_order"`
}

// OnEvents implements sched.Handler.
func (s *Teleports) OnEvents(t sched.Tick) {
	for _, o := range s.requests.Next() {
		if s.entities.Exists(o.Entity) {
			s.teleport(t, o)
		}
	}
}

// teleport moves a unit to another place on the map.
func (s *Teleports) teleport(t sched.Tick, o move.Teleport) {
	to, ok := destination(&o)
	player := s.pendingAcks.Has(o.Entity)
	switch {
	case !ok || !player && !s.canRelocate(o):
		s.badOrder.Count()
	case !player:
		s.relocate(t, o.Entity, to)
	case o.To.Map == s.place.Get().ID && s.player(o.Entity):
		s.jump(t, o.Entity, to)
	}
}

// destination is where a unit is to be, if that can be.
func destination(o *move.Teleport) (to components.Position, ok bool) {
	to = components.Position{X: o.To.X, Y: o.To.Y, Z: o.To.Z}
	to.O, ok = components.Facing(o.To.O)
	return to, ok && to.OnMap()
}

// canRelocate reports whether a creature can be teleported: to a place on this map, and while it is awake.
func (s *Teleports) canRelocate(o move.Teleport) bool {
	home := s.homeCells.Get(o.Entity).Cell
	return o.To.Map == s.place.Get().ID && home != grid.None && s.space.Get().Awake(home) && s.walks.Has(o.Entity)
}

// relocate moves a creature to another place. Some clients learn a creature's position from MONSTER_MOVE alone.
func (s *Teleports) relocate(t sched.Tick, e ecs.Entity, to components.Position) {
	*s.positions.Get(e) = to
	s.cells.Follow(t, e, &to)
	writeHalt(&s.out, s.objects.Get(e).GUID, s.walks.Get(e), to)
	s.out.BroadcastWritten(e, frame.Moves)
	s.broadcast(t, e, msg.OpMoveTeleport)
}

// jump moves a player to another place on the map. Its client discards what it saw, and its reports are ignored until
// it acknowledges.
//
// Source: Player::TeleportTo and SendTeleportAckPacket, AzerothCore; protocol.md 4.3.
func (s *Teleports) jump(t sched.Tick, e ecs.Entity, to components.Position) {
	*s.positions.Get(e) = to
	s.cells.Follow(t, e, &to)
	s.walks.Get(e).Stop()
	s.ported.Emit(move.Teleported{Entity: e})
	s.correct(t, e, s.beginCorrection(e))
	s.broadcast(t, e, msg.OpMoveTeleport)
}
