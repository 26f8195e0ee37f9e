package components

import "muster/ecs"

// Attack is what a unit attacks. The zero Attack is none. System attacks alone writes it.
type Attack struct {
	Victim   ecs.Entity // zero none
	Swinging uint32     // SwingMelee or SwingRanged while it auto-attacks Victim; 0 does not
}

// The values of Attack.Swinging.
const (
	SwingMelee  = 1 // with one hand or both
	SwingRanged = 2 // with the ranged weapon
)

// SwingTimers is when a unit's weapons are ready. System swings alone writes it.
type SwingTimers struct {
	NextMs [3]uint32 // world time from which main hand, off hand and ranged weapon may swing
	Tick   uint32    // tick of its next swing check, 0 none
	Error  uint32    // opcode of the last reason sent why it could not swing, until it can
}

// The hands of SwingTimers.NextMs and of CombatStats.
const (
	MainHand = iota
	OffHand
	RangedHand
)
