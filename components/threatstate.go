package components

import "muster/ecs"

// CombatState is whether a unit is in combat. System combatstates alone writes it.
type CombatState struct {
	UntilMs  uint32 // it stays in combat at least until then
	InCombat uint16 // 1 while it is in combat, which UnitInCombat shows
	Ending   uint16 // 1 while it is scheduled to be checked whether it is still in combat
}

// Tapped is the player that hit a creature first and may loot it. The zero Tapped is none. System lootrecipients alone writes it.
type Tapped struct {
	Player        ecs.Entity
	LootRecipient uint32 // its GUID; the upper half is 0
}

// ThreatState is which threat lists a unit has and is on. The zero ThreatState is none. System threatlists alone writes it.
type ThreatState struct {
	ThreatenedBy      uint32 // first entry of the list of those that have threat against it; 0 none
	ThreatenedByCount uint32 // number of them
	List              uint32 `block:"ThreatList"` // block of its own list in the world's slab of ThreatList; 0 empty
	Evading           uint16 // 1 while it evades: it cannot be attacked
	Left              uint16 // 1 once it has left all combat because it leaves the world
}

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
