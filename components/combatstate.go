package components

import "muster/ecs"

// A CombatState is a unit's state in combat. The zero CombatState is out of combat. It fills a cache line.
type CombatState struct {
	Victim            ecs.Entity // that it attacks; zero none
	NextMs            [3]uint32  // world time from which main hand, off hand and ranged weapon may swing
	SwingTick         uint32     // tick of its next swing check, 0 none; systems/rules sets it
	UntilMs           uint32     // it stays in combat at least until then
	ManaSpentMs       uint32     // world time at which it last paid with mana
	LastHitMs         uint32     // world time of the last damage to it; while its health is 0, of its death
	ThreatenedBy      uint32     // first entry of the list of those that have threat against it; 0 none
	ThreatenedByCount uint32     // number of them
	Threat            uint32     `block:"ThreatList"` // block of its own list in the world's slab of ThreatList; 0 empty
	Auras             uint32     `block:"Auras"`      // block of its auras in the world's slab of Auras; 0 none
	LootRecipient     uint32     // GUID of the player that hit it first and may loot it; its upper half is 0; 0 none
	Error             uint16     // opcode of the last reason sent why it could not swing, until it can
	States            uint16     // StateStunned and following: states by its auras, recomputed from them
	Swinging          uint8      // SwingMelee or SwingRanged while it auto-attacks Victim; 0 does not
	Pending           uint8      // PendingCombatEnd and following: scheduled checks
	Evading           uint8      // 1 while it evades: it cannot be attacked
	Gone              uint8      // 1 once it is leaving the world: nothing can affect it
}

// The values of CombatState.Swinging.
const (
	SwingMelee  = 1 // with one hand or both
	SwingRanged = 2 // with the ranged weapon
)

// The bits of CombatState.Pending.
const (
	PendingCombatEnd = 1 << iota // whether it is still in combat
	PendingRegen                 // its regeneration
)

// The hands of CombatState.NextMs and of CombatStats.
const (
	MainHand = iota
	OffHand
	RangedHand
)

// The bits of CombatState.States. A unit has one while an aura on it sets it.
const (
	StateStunned  = 1 << iota // does nothing
	StateRooted               // does not move
	StateSilenced             // casts no spells that silence prevents
	StateFeared               // runs about, does nothing else
	StateConfused
	StatePacified    // does not attack
	StateGod         // health stays at least 1; this and the next three are set by game masters
	StateInstantCast // casts take no time
	StateNoCooldown  // has no cooldowns
	StateNoCost      // casts cost nothing
	StateGhost       // a ghost: neither alive nor attackable, whatever its health is

	// StateOwn has the states that auras neither set nor clear.
	StateOwn = StateGod | StateInstantCast | StateNoCooldown | StateNoCost | StateGhost

	// StateIncapacitated has the states in which a unit neither attacks nor casts.
	StateIncapacitated = StateStunned | StateFeared | StateConfused
)

// MaxThreats is the longest threat list. In a full list a new entry replaces the one with the least threat, if it has
// more.
const MaxThreats = 24

// ThreatList has the units that a creature has threat against. The first Count of List are in use, in no particular
// order.
type ThreatList struct {
	Owner ecs.Entity
	Count uint32
	Dirty uint32 // 1 while a change of it has not been sent
	List  [MaxThreats]ThreatEntry
}

// A ThreatEntry is an entry of a threat list, and of the list of all that have threat against Entity.
type ThreatEntry struct {
	Entity     ecs.Entity
	Amount     float32 // 0 or more
	Prev, Next uint32  // entries of other creatures for Entity; 0 none
}
