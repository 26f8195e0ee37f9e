package components

import "muster/ecs"

// A Bout is a unit's part in fights. The zero Bout is at peace.
type Bout struct {
	Victim   ecs.Entity // whom it swings at or is about to; zero nobody
	NextMs   [3]uint32  // world time from which main hand, off hand and ranged weapon may strike
	UntilMs  uint32     // it stays in combat at least until then
	Swinging uint32     // 1 while it attacks Victim by itself whenever it can
	Hated    uint32     // how many threat lists it is on
	Threat   uint32     // block of its own list in the world's slab of Threat; 0 hates nobody
	Auras    uint32     // block of its auras in the world's slab of Auras; 0 has none
	States   uint32     // StateStunned and following: what its auras do to it, recomputed from them
	Evading  uint32     // 1 while it runs home and cannot be hurt
	DiedMs   uint32     // world time of its death, while its health is 0
	HitMs    uint32     // world time of the last blow or spell that hurt it
	Tap      uint64     // GUID of the player who hit it first and may loot it; 0 nobody
}

// The hands of Bout.NextMs and of Prowess.
const (
	MainHand = iota
	OffHand
	RangedHand
)

// The bits of Bout.States. A unit has one while an aura on it says so.
const (
	StateStunned  = 1 << iota // does nothing
	StateRooted               // goes nowhere
	StateSilenced             // casts nothing that is silenced by
	StateFeared               // runs about, does nothing else
	StateConfused
	StatePacified // does not attack
	StateDisarmed
	StateGod // cannot lose health; a game master's word

	// StateHelpless is every state in which a unit neither attacks nor casts.
	StateHelpless = StateStunned | StateFeared | StateConfused
)

// MaxThreats is the longest threat list. Whoever comes to a full one takes the place of the least hated, if it
// is more hated than that.
const MaxThreats = 24

// Threat is whom a creature hates, and how much. The first Count of List are in use, in no order but that in
// which they came.
type Threat struct {
	Count uint32
	_     uint32
	List  [MaxThreats]Hatred
}

// A Hatred is an entry of a threat list.
type Hatred struct {
	Entity ecs.Entity
	Amount float32 // 0 or more
}
