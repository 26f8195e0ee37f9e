package movement

import (
	"muster/components"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
)

// notAllowed is the reason of TRANSFER_ABORTED for a map that cannot be entered.
//
// Source: TRANSFER_ABORT_MAP_NOT_ALLOWED, Player.h, AzerothCore.
const notAllowed = 0x10

// teleport moves a unit to another place.
func (s *System) teleport(t sched.Tick, o move.Teleport) {
	to := components.Position{X: o.To.X, Y: o.To.Y, Z: o.To.Z}
	facing, ok := components.Facing(o.To.O)
	to.O = facing
	player := s.sessions.Has(o.Entity)
	switch {
	case !ok || !to.OnMap() || !player && !s.canRelocate(o):
		s.reasons.badOrder.Count()
	case !player:
		s.relocate(t, o.Entity, to)
	case s.transfers.Get(o.Entity).Going != 0:
	case o.To.Map != s.place.Get().ID:
		s.travel(o.Entity, o.To, to)
	default:
		s.jump(t, o.Entity, to)
	}
}

// canRelocate reports whether a creature can be teleported: to a place on this map, and while it is awake.
func (s *System) canRelocate(o move.Teleport) bool {
	home := s.homeCells.Get(o.Entity).Cell
	return o.To.Map == s.place.Get().ID && home != grid.None && s.space.Get().Awake(home) && s.walks.Has(o.Entity)
}

// relocate moves a creature to another place. Some clients learn a creature's position from MONSTER_MOVE alone.
func (s *System) relocate(t sched.Tick, e ecs.Entity, to components.Position) {
	*s.positions.Get(e) = to
	s.cells.Follow(t, e, &to)
	s.halt(e)
	s.packets.move = s.state(e)
	s.out.Broadcast(e, msg.OpMoveTeleport, &s.packets.move)
}

// halt ends a creature's walk where it is.
func (s *System) halt(e ecs.Entity) {
	walk, p := s.walks.Get(e), s.positions.Get(e)
	walk.Stop()
	walk.SplineID++
	s.packets.halt = msg.MonsterMove{
		Mover: s.objects.Get(e).GUID, Start: wire.Vec3(p.Vec()), ID: walk.SplineID, Facing: msg.FaceStop,
	}
	s.out.Broadcast(e, msg.OpMonsterMove, &s.packets.halt)
}

// jump moves a player to another place on the map. Its client discards what it saw, and its reports are ignored until
// it acknowledges.
//
// Source: Player::TeleportTo and SendTeleportAckPacket, AzerothCore; protocol.md 4.3.
func (s *System) jump(t sched.Tick, e ecs.Entity, to components.Position) {
	*s.positions.Get(e) = to
	s.cells.Follow(t, e, &to)
	s.resets.Emit(change.Reset{Entity: e})
	s.walks.Get(e).Stop()
	s.ported.Emit(move.Teleported{Entity: e})
	s.correct(t, e)
	s.packets.move = s.state(e)
	s.out.Broadcast(e, msg.OpMoveTeleport, &s.packets.move)
}

// correct sends a player's client its position, standing.
func (s *System) correct(t sched.Tick, e ecs.Entity) {
	motion := s.motions.Get(e)
	motion.Flags &= components.MoveRoot | components.MoveCanFly | components.MoveFlying | components.MoveSwimming
	motion.FallTimeMs, motion.JumpZ, motion.JumpSin, motion.JumpCos, motion.JumpXY = 0, 0, 0, 0, 0
	validation := s.validations.Get(e)
	validation.Credit, validation.Falling = slackYards, 0
	m := s.state(e)
	s.packets.teleport = msg.Teleport{
		Mover: m.Mover, Counter: s.ordered(t, e, components.OrderTeleport), Movement: m.Movement,
	}
	s.out.SendNow(e, msg.OpMoveTeleportAck, &s.packets.teleport)
}

// travel sends a player to another map: it leaves this world, with the destination in its character.
//
// Source: Player::TeleportTo, AzerothCore.
func (s *System) travel(e ecs.Entity, place life.Place, to components.Position) {
	there := s.defs.Get().Map(place.Map)
	if there == nil {
		s.reasons.noMap.Count()
		s.packets.aborted = msg.TransferAborted{Map: place.Map, Reason: notAllowed}
		s.out.SendNow(e, msg.OpTransferAborted, &s.packets.aborted)
		return
	}
	*s.transfers.Get(e) = components.MapTransfer{Going: 1, Map: place.Map, Zone: there.Zone(to.X, to.Y), At: to}
	s.ported.Emit(move.Teleported{Entity: e, Away: 1})
	s.packets.pending = msg.TransferPending{Map: place.Map}
	s.out.Send(e, msg.OpTransferPending, &s.packets.pending)
	s.leaving.Emit(change.Leaving{Entity: e})
}
