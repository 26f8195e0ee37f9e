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

// teleport puts a unit somewhere else.
func (s *System) teleport(t sched.Tick, o move.Teleport) {
	to := components.Position{X: o.To.X, Y: o.To.Y, Z: o.To.Z}
	facing, ok := components.Facing(o.To.O)
	to.O = facing
	player := s.sessions.Has(o.Entity)
	switch {
	case !ok || !to.OnMap() || !player && !s.carries(o):
		s.reasons.badOrder.Count()
	case !player:
		s.carry(t, o.Entity, to)
	case s.transfers.Get(o.Entity).Going != 0:
	case o.To.Map != s.place.Get().ID:
		s.travel(o.Entity, o.To, to)
	default:
		s.jump(t, o.Entity, to)
	}
}

// carries reports whether a creature can be teleported: to a place of this map, and not while it sleeps, for a
// sleeper lies where it lies.
func (s *System) carries(o move.Teleport) bool {
	home := s.homeCells.Get(o.Entity).Cell
	return o.To.Map == s.place.Get().ID && home != grid.None && s.space.Get().Awake(home) && s.walks.Has(o.Entity)
}

// carry puts a creature somewhere else. Some clients know of creatures what MONSTER_MOVE says, and no more.
func (s *System) carry(t sched.Tick, e ecs.Entity, to components.Position) {
	*s.positions.Get(e) = to
	s.cells.Follow(t, e, &to)
	s.halt(e)
	s.said.move = s.state(e)
	s.out.Broadcast(e, msg.OpMoveTeleport, &s.said.move)
}

// halt ends a creature's walk where it is.
func (s *System) halt(e ecs.Entity) {
	walk, p := s.walks.Get(e), s.positions.Get(e)
	walk.Stop()
	walk.SplineID++
	s.said.halt = msg.MonsterMove{
		Mover: s.objects.Get(e).GUID, Start: wire.Vec3(p.Vec()), ID: walk.SplineID, Facing: msg.FaceStop,
	}
	s.out.Broadcast(e, msg.OpMonsterMove, &s.said.halt)
}

// jump puts a player somewhere else on the map. Its client forgets what it saw, and what it reports is of no
// use until it answers.
//
// Source: Player::TeleportTo and SendTeleportAckPacket, AzerothCore; protocol.md 4.3.
func (s *System) jump(t sched.Tick, e ecs.Entity, to components.Position) {
	*s.positions.Get(e) = to
	s.cells.Follow(t, e, &to)
	s.resets.Emit(change.Reset{Entity: e})
	s.walks.Get(e).Stop()
	s.ported.Emit(move.Teleported{Entity: e})
	s.stand(t, e)
	s.said.move = s.state(e)
	s.out.Broadcast(e, msg.OpMoveTeleport, &s.said.move)
}

// stand tells a player's client where it is, and that it has come to a stop there.
func (s *System) stand(t sched.Tick, e ecs.Entity) {
	motion := s.motions.Get(e)
	motion.Flags &= components.MoveRoot | components.MoveCanFly | components.MoveFlying | components.MoveSwimming
	motion.FallTimeMs, motion.JumpZ, motion.JumpSin, motion.JumpCos, motion.JumpXY = 0, 0, 0, 0, 0
	pace := s.validations.Get(e)
	pace.Credit, pace.Falling = slackYards, 0
	m := s.state(e)
	s.said.teleport = msg.Teleport{
		Mover: m.Mover, Counter: s.ordered(t, e, components.OrderTeleport), Movement: m.Movement,
	}
	s.out.SendNow(e, msg.OpMoveTeleportAck, &s.said.teleport)
}

// travel sends a player to another map: out of this world, with the place where it goes in its character.
//
// Source: Player::TeleportTo, AzerothCore.
func (s *System) travel(e ecs.Entity, place life.Place, to components.Position) {
	there := s.defs.Get().Map(place.Map)
	if there == nil {
		s.reasons.noMap.Count()
		s.said.aborted = msg.TransferAborted{Map: place.Map, Reason: notAllowed}
		s.out.SendNow(e, msg.OpTransferAborted, &s.said.aborted)
		return
	}
	*s.transfers.Get(e) = components.MapTransfer{Going: 1, Map: place.Map, Zone: there.Zone(to.X, to.Y), At: to}
	s.ported.Emit(move.Teleported{Entity: e, Away: 1})
	s.said.pending = msg.TransferPending{Map: place.Map}
	s.out.Send(e, msg.OpTransferPending, &s.said.pending)
	s.leaving.Emit(change.Leaving{Entity: e})
}
