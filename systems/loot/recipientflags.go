package loot

import (
	"muster/components"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
)

// recipientFlags send a player those flags of a creature that it alone sees, as a part of the systems that do so.
type recipientFlags struct {
	out  change.Out
	held ecs.Emit[change.Held]

	objects   ecs.Read[components.Object]
	vitals    ecs.Read[components.Vitals]
	stances   ecs.Read[components.Stance]
	taps      ecs.Read[components.Tapped]
	homeCells ecs.Read[components.HomeCell]
	observers ecs.Read[components.Observer]

	updates update.Writer
	block   []byte
}

// view is what a player sees, or saw before this tick.
func (s *recipientFlags) view(t sched.Tick, e ecs.Entity, before bool) grid.View {
	cell, observer := s.homeCells.Get(e), s.observers.Get(e)
	if before {
		return grid.View{Center: cell.Before(uint32(t.N)), Layers: uint8(observer.Before(uint32(t.N)))}
	}
	return grid.View{Center: cell.Cell, Layers: uint8(observer.Layers)}
}

// dynamicFlags is the index of UNIT_DYNAMIC_FLAGS.
//
// Source: protocol.md appendix A.
const dynamicFlags = 0x4F

// send sends a player that sees a creature the creature's flags, with more for this player alone, and whether it is
// the creature's loot recipient.
//
// Source: Unit::BuildValuesUpdate's dynamic flags and Creature::isTappedBy, AzerothCore; protocol.md 4.6.
func (s *recipientFlags) send(t sched.Tick, player, e ecs.Entity, more uint32) {
	if !s.view(t, player, false).Has(s.homeCells.Get(e).Cell) {
		return
	}
	flags := s.stances.Get(e).DynamicFlags | more
	if s.tapped(e, player) {
		flags |= components.DynamicTappedByPlayer
	}
	s.block = update.AppendWord(s.block[:0], s.objects.Get(e).GUID, dynamicFlags, flags)
	s.updates.Begin(s.out.Buffer())
	s.updates.Block(s.block)
	s.out.Write(s.updates.End())
	s.out.SendSpan(player, frame.PlaceOf(msg.OpUpdateObject), s.out.Cut())
	s.held.Emit(change.Held{Entity: e})
}

// tapped reports whether a player is the loot recipient of a creature.
func (s *recipientFlags) tapped(e, player ecs.Entity) bool {
	return s.taps.Get(e).LootRecipient == uint32(s.objects.Get(player).GUID)
}
