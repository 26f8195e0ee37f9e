package components

import (
	"math"

	"muster/components/life"
	"muster/ecs"
)

// Auras are the auras on a unit. The first Count of List are in use, by ascending slot. Their sum is in a cache line
// of its own, since most readers need no more.
type Auras struct {
	Count uint32
	Sum   AuraSum
	_     [9]uint32
	List  [life.MaxAuras]Aura
}

// An AuraSum is the sum of the auras on a unit, without stats (CombatStats). System appliedauras recomputes it
// (rules.SumOf). States are kept in the unit's UnitAuras.
type AuraSum struct {
	Immune   uint32 // schools that it is immune to
	SpellHit int32  // percent added to the hit chance of its spells
	Breaks   uint32 // events that end any of them (defs.Break)
	Absorb   uint32 // 1 if any absorbs damage
	Shield   uint32 // 1 if any is a damage shield
	Spent    uint32 // events that use charges of any of them (defs.Spent)
}

// An Aura is one spell of one caster on a unit.
type Aura struct {
	CasterGUID uint64
	Caster     ecs.Entity // may have despawned
	Spell      uint32
	Timer      uint32    // number of its timer; a timer with another number is stale
	MaxMs      uint32    // 0: until it is removed
	EndMs      uint32    // world time; valid if MaxMs is not 0
	NextMs     [3]uint32 // world time of the next pulse of each effect that has pulses
	Amount     [3]int32  // by effect, for one stack; of an absorb what is left
	Effects    uint32    // bit set of the effects that are in it
	Slot       uint8     // as clients number it
	Stacks     uint8     // from 1
	Charges    uint8     // left; 0: it has none to use
	Level      uint8     // of the caster
}

// Ended reports whether its duration is over.
func (a *Aura) Ended(nowMs uint32) bool { return a.MaxMs != 0 && int32(nowMs-a.EndMs) >= 0 }

// AgeMs is the time since it was applied or refreshed: very long, if it has no end.
func (a *Aura) AgeMs(nowMs uint32) uint32 {
	if a.MaxMs == 0 {
		return math.MaxUint32
	}
	return a.MaxMs - min(a.LeftMs(nowMs), a.MaxMs)
}

// LeftMs is the time until it ends, 0 if it has no duration.
func (a *Aura) LeftMs(nowMs uint32) uint32 {
	if a.MaxMs == 0 {
		return 0
	}
	return uint32(max(int32(a.EndMs-nowMs), 0))
}
