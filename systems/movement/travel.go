package movement

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// notAllowed is the reason of TRANSFER_ABORTED for a map that cannot be entered.
//
// Source: TRANSFER_ABORT_MAP_NOT_ALLOWED, Player.h, AzerothCore.
const notAllowed = 0x10

// Transfers sends players to other maps, and to the world that has this map next.
type Transfers struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	out      change.Out

	requests    ecs.EventReader[move.Teleport]
	handOvers   ecs.EventReader[move.HandOver]
	ported      ecs.Emit[move.Teleported]
	leaving     ecs.Emit[change.Leaving]
	positions   ecs.Read[components.Position]
	pendingAcks ecs.Write[components.PendingMoveAcks]
	transfers   ecs.Write[components.MapTransfer]

	noMap sched.Counter `name:"move.no_map"`

	pending msg.TransferPending // these are kept here, since a packet takes its message by reference
	aborted msg.TransferAborted
}

// OnEvents implements sched.Handler.
func (s *Transfers) OnEvents(sched.Tick) {
	for _, o := range s.requests.Next() {
		if to, ok := destination(&o); ok && o.To.Map != s.place.Get().ID && s.stays(o.Entity) {
			s.travel(o.Entity, o.To.Map, to)
		}
	}
	for _, o := range s.handOvers.Next() {
		if s.stays(o.Entity) {
			s.travel(o.Entity, s.place.Get().ID, s.positions.Get(o.Entity))
		}
	}
}

// stays reports whether an entity is a player that is not on its way to another world.
func (s *Transfers) stays(e ecs.Entity) bool {
	return s.entities.Exists(e) && s.transfers.Has(e) && s.pendingAcks.Get(e).Away == 0
}

// travel sends a player to a map: it leaves this world, with the destination in its character.
//
// Source: Player::TeleportTo, AzerothCore.
func (s *Transfers) travel(e ecs.Entity, id uint32, to components.Position) {
	there := s.defs.Get().Map(id)
	if there == nil {
		s.noMap.Count()
		s.aborted = msg.TransferAborted{Map: id, Reason: notAllowed}
		s.out.SendNow(e, msg.OpTransferAborted, &s.aborted)
		return
	}
	*s.transfers.Get(e) = components.MapTransfer{Going: 1, Map: id, Zone: there.Zone(to.X, to.Y), At: to}
	s.pendingAcks.Get(e).Away = 1
	s.ported.Emit(move.Teleported{Entity: e, Away: 1})
	s.pending = msg.TransferPending{Map: id}
	s.out.Send(e, msg.OpTransferPending, &s.pending)
	s.leaving.Emit(change.Leaving{Entity: e})
}
