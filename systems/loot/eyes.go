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

// eyes tell a player what it alone sees of a creature, as a part of the systems that do so.
type eyes struct {
	out  change.Out
	held ecs.Emit[change.Held]

	objects   ecs.Read[components.Object]
	vitals    ecs.View[components.Vitals]
	stances   ecs.Read[components.Stance]
	combats   ecs.View[components.CombatState]
	homeCells ecs.Read[components.HomeCell]
	observers ecs.Read[components.Observer]

	updates update.Writer
	block   []byte
}

// view is what a player sees, or saw before this tick.
func (s *eyes) view(t sched.Tick, e ecs.Entity, before bool) grid.View {
	home, sight := s.homeCells.Get(e), s.observers.Get(e)
	if before {
		return grid.View{Center: home.Before(uint32(t.N)), Layers: uint8(sight.Before(uint32(t.N)))}
	}
	return grid.View{Center: home.Cell, Layers: uint8(sight.Layers)}
}

// dynamicFlags is the number of UNIT_DYNAMIC_FLAGS.
//
// Source: protocol.md appendix A.
const dynamicFlags = 0x4F

// tell tells a player, if it sees a creature, the flags of that as others see them, with more of its own, and whether
// it is the player's.
//
// Source: Unit::BuildValuesUpdate's dynamic flags and Creature::isTappedBy, AzerothCore; protocol.md 4.6.
func (s *eyes) tell(t sched.Tick, player, e ecs.Entity, more uint32) {
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

// tapped reports whether a creature is a player's.
func (s *eyes) tapped(e, player ecs.Entity) bool {
	return s.combats.Get(e).LootRecipient == uint32(s.objects.Get(player).GUID)
}
