package loot

import (
	"muster/components"
	"muster/components/change"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/frame"
	"muster/net/update"
	"muster/sched"
)

// eyes tell a player what it alone sees of a creature.
type eyes struct {
	log *change.Log

	objects ecs.Column[components.Object]
	vitals  ecs.Column[components.Vitals]
	stances ecs.Column[components.Stance]
	bouts   ecs.Column[components.Bout]
	homes   ecs.Column[components.Home]
	sights  ecs.Column[components.Sight]

	updates update.Writer
	block   []byte
}

func newEyes(w *ecs.World) eyes {
	return eyes{
		log:     ecs.Shared[change.Log](w),
		objects: ecs.NewColumn[components.Object](w),
		vitals:  ecs.NewColumn[components.Vitals](w),
		stances: ecs.NewColumn[components.Stance](w),
		bouts:   ecs.NewColumn[components.Bout](w),
		homes:   ecs.NewColumn[components.Home](w),
		sights:  ecs.NewColumn[components.Sight](w),
	}
}

// view is what a player sees, or saw before this tick.
func (s *eyes) view(t sched.Tick, e ecs.Entity, before bool) grid.View {
	home, sight := s.homes.Get(e), s.sights.Get(e)
	if before {
		return grid.View{Home: home.Before(uint32(t.N)), Layers: uint8(sight.Before(uint32(t.N)))}
	}
	return grid.View{Home: home.Cell, Layers: uint8(sight.Layers)}
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
	if !s.view(t, player, false).Has(s.homes.Get(e).Cell) {
		return
	}
	flags, d := s.stances.Get(e).DynamicFlags|more, &s.log.Draft
	if s.tapped(e, player) {
		flags |= components.DynamicTappedByPlayer
	}
	s.block = update.AppendWord(s.block[:0], s.objects.Get(e).GUID, dynamicFlags, flags)
	s.updates.Begin(d.Bytes)
	s.updates.Block(s.block)
	d.Bytes = s.updates.End()
	s.log.Tell(player, frame.Last)
	s.log.Held = append(s.log.Held, e)
}

// tapped reports whether a creature is a player's.
func (s *eyes) tapped(e, player ecs.Entity) bool {
	return s.bouts.Get(e).Tap == uint32(s.objects.Get(player).GUID)
}
