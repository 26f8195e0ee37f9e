package components

import (
	"math"

	"muster/components/life"
	"muster/ecs"
)

// Auras are what lasts on a unit. The first Count of List are in use, by ascending slot. What they come to lies in a
// line of cache of its own: few who ask of it want to know of each.
type Auras struct {
	Count uint32
	Sum   AuraSum
	_     [9]uint32
	List  [life.MaxAuras]Aura
}

// An AuraSum is what the auras on a unit come to, but for figures (CombatStats). Whoever changes what they are has it
// worked out anew (rules.Book.SumAuras). States are kept in the unit's CombatState.
type AuraSum struct {
	Immune   uint32 // schools that do nothing to it
	SpellHit int32  // percent by which its spells hit more often
	Breaks   uint32 // what ends any of them (defs.Break)
	Absorb   uint32 // 1 if any absorbs damage
	Shield   uint32 // 1 if any strikes back
	Spent    uint32 // what takes charges off any of them (defs.Spent)
}

// An Aura is one spell of one caster on a unit.
type Aura struct {
	CasterGUID uint64
	Caster     ecs.Entity // may be long gone
	Spell      uint32
	Turn       uint32    // number of its next turn; a timer with another number is stale
	MaxMs      uint32    // 0: until it is taken away
	EndMs      uint32    // world time; with MaxMs alone
	NextMs     [3]uint32 // world time of the next pulse of each effect that has pulses
	Amount     [3]int32  // by effect, for one stack; of an absorbing one what is left
	Effects    uint32    // which effects are in it, a bit each
	Slot       uint8     // as clients number it
	Stacks     uint8     // from 1
	Charges    uint8     // left; 0: it has none to lose
	Level      uint8     // of the caster
}

// Ended reports whether its time is up.
func (a *Aura) Ended(nowMs uint32) bool { return a.MaxMs != 0 && int32(nowMs-a.EndMs) >= 0 }

// AgeMs is how long it has been there since it came or was renewed: for ever, if it has no end.
func (a *Aura) AgeMs(nowMs uint32) uint32 {
	if a.MaxMs == 0 {
		return math.MaxUint32
	}
	return a.MaxMs - min(a.LeftMs(nowMs), a.MaxMs)
}

// LeftMs is how long it goes on, 0 if nothing but somebody ends it.
func (a *Aura) LeftMs(nowMs uint32) uint32 {
	if a.MaxMs == 0 {
		return 0
	}
	return uint32(max(int32(a.EndMs-nowMs), 0))
}
