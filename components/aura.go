package components

import (
	"muster/components/life"
	"muster/ecs"
)

// Auras are what lasts on a unit. The first Count of List are in use, by ascending slot.
type Auras struct {
	Count uint32
	_     uint32
	List  [life.MaxAuras]Aura
}

// An Aura is one spell of one caster on a unit.
type Aura struct {
	CasterGUID uint64
	Caster     ecs.Entity // may be long gone
	Spell      uint32
	MaxMs      uint32    // 0: until it is taken away
	EndMs      uint32    // world time; with MaxMs alone
	NextMs     [3]uint32 // world time of the next pulse of each effect that has pulses
	Amount     [3]int32  // by effect, for one stack
	Slot       uint8     // as clients number it
	Stacks     uint8     // from 1
	Charges    uint8     // left; 0: it has none to lose
	Level      uint8     // of the caster
}

// Casting is the spell that a unit is casting or channelling. The zero Casting is of nothing.
type Casting struct {
	Target     ecs.Entity // of the units; zero none
	TargetGUID uint64
	To         Vec    // the place, of those spells that have one
	Spell      uint32 // 0: nothing
	EndMs      uint32 // world time
	StartMs    uint32
	Count      uint32 // the client's number for it
	Channel    uint32 // 1 while it is channelled
	Pushed     uint32 // how often blows have pushed it back
	Number     uint32 // of this cast among the unit's; a timer with another is stale
	Flags      uint32 // as SPELL_START told
	_          uint32
}
