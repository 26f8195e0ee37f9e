package components

import "muster/ecs"

// A CombatState is a unit's part in fights. The zero CombatState is at peace. It fills a line of cache.
type CombatState struct {
	Victim            ecs.Entity // whom it attacks; zero nobody
	NextMs            [3]uint32  // world time from which main hand, off hand and ranged weapon may strike
	SwingTick         uint32     // tick of its next look at its weapons, 0 none; systems/rules keeps it
	UntilMs           uint32     // it stays in combat at least until then
	ManaSpentMs       uint32     // world time at which it last paid with mana
	LastHitMs         uint32     // world time of the last blow or spell that hurt it; while its health is 0, of its death
	ThreatenedBy      uint32     // first entry of the list of those who hate it; 0 nobody does
	ThreatenedByCount uint32     // how many they are
	Threat            uint32     `block:"ThreatList"` // block of its own list in the world's slab of Threat; 0 hates nobody
	Auras             uint32     `block:"Auras"`      // block of its auras in the world's slab of Auras; 0 has none
	LootRecipient     uint32     // GUID of the player who hit it first and may loot it, whose upper half is 0; 0 nobody
	Error             uint16     // opcode of the last reason why it could not strike, until it can
	States            uint16     // StateStunned and following: what its auras do to it, recomputed from them
	Swinging          uint8      // SwingMelee or SwingRanged while it attacks Victim by itself whenever it can; 0 does not
	Pending           uint8      // PendingCombatEnd and following: the looks at it that are due some time
	Evading           uint8      // 1 while it runs home and cannot be hurt
	Gone              uint8      // 1 once it is on its way out of the world: nobody can do anything to it
}

// The values of CombatState.Swinging.
const (
	SwingMelee  = 1 // with one hand or both
	SwingRanged = 2 // with the ranged weapon
)

// The bits of CombatState.Pending.
const (
	PendingCombatEnd = 1 << iota // whether it is still in combat
	PendingRegen                 // what it gains and loses by and by
	PendingStats                 // its figures are to be worked out anew
)

// The hands of CombatState.NextMs and of CombatStats.
const (
	MainHand = iota
	OffHand
	RangedHand
)

// The bits of CombatState.States. A unit has one while an aura on it says so.
const (
	StateStunned  = 1 << iota // does nothing
	StateRooted               // goes nowhere
	StateSilenced             // casts nothing that is silenced by
	StateFeared               // runs about, does nothing else
	StateConfused
	StatePacified    // does not attack
	StateGod         // cannot lose the health that it needs to live; this and the next are a game master's word
	StateInstantCast // casts without waiting
	StateNoCooldown  // has no cooldowns
	StateNoCost      // casts without paying
	StateGhost       // is out of its body: it neither lives nor can it be hurt, whatever its health says

	// StateOwn is every state that no aura brings or takes.
	StateOwn = StateGod | StateInstantCast | StateNoCooldown | StateNoCost | StateGhost

	// StateIncapacitated is every state in which a unit neither attacks nor casts.
	StateIncapacitated = StateStunned | StateFeared | StateConfused
)

// MaxThreats is the longest threat list. Whoever comes to a full one takes the place of the least hated, if it
// is more hated than that.
const MaxThreats = 24

// ThreatList is whom a creature hates, and how much. The first Count of List are in use, in no particular order.
type ThreatList struct {
	Owner ecs.Entity
	Count uint32
	Dirty uint32 // 1 while those who fight the creature have yet to be told of a change
	List  [MaxThreats]ThreatEntry
}

// A ThreatEntry is an entry of a threat list, and of the list of all that hate Entity.
type ThreatEntry struct {
	Entity     ecs.Entity
	Amount     float32 // 0 or more
	Prev, Next uint32  // entries of others who hate Entity; 0 none
}
