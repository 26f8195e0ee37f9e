package movement

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
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

// Transfers sends players to other maps.
type Transfers struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	out      change.Out

	requests    ecs.EventReader[move.Teleport]
	ported      ecs.Emit[move.Teleported]
	leaving     ecs.Emit[change.Leaving]
	pendingAcks ecs.Write[components.PendingMoveAcks]
	transfers   ecs.Write[components.MapTransfer]

	noMap sched.Counter `name:"move.no_map"`

	pending msg.TransferPending // these are kept here, since a packet takes its message by reference
	aborted msg.TransferAborted
}

// OnEvents implements sched.Handler.
func (s *Transfers) OnEvents(sched.Tick) {
	for _, o := range s.requests.Next() {
		if to, ok := destination(&o); ok && o.To.Map != s.place.Get().ID && s.entities.Exists(o.Entity) &&
			s.transfers.Has(o.Entity) && s.pendingAcks.Get(o.Entity).Away == 0 {
			s.travel(o.Entity, o.To, to)
		}
	}
}

// travel sends a player to another map: it leaves this world, with the destination in its character.
//
// Source: Player::TeleportTo, AzerothCore.
func (s *Transfers) travel(e ecs.Entity, place life.Place, to components.Position) {
	there := s.defs.Get().Map(place.Map)
	if there == nil {
		s.noMap.Count()
		s.aborted = msg.TransferAborted{Map: place.Map, Reason: notAllowed}
		s.out.SendNow(e, msg.OpTransferAborted, &s.aborted)
		return
	}
	*s.transfers.Get(e) = components.MapTransfer{Going: 1, Map: place.Map, Zone: there.Zone(to.X, to.Y), At: to}
	s.pendingAcks.Get(e).Away = 1
	s.ported.Emit(move.Teleported{Entity: e, Away: 1})
	s.pending = msg.TransferPending{Map: place.Map}
	s.out.Send(e, msg.OpTransferPending, &s.pending)
	s.leaving.Emit(change.Leaving{Entity: e})
}
