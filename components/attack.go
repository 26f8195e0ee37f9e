package components

import "muster/ecs"

// Attack is what a unit attacks, and when its weapons are ready. The zero Attack is none. System combat alone writes
// it.
type Attack struct {
	Victim    ecs.Entity // zero none
	NextMs    [3]uint32  // world time from which main hand, off hand and ranged weapon may swing
	SwingTick uint32     // tick of its next swing check, 0 none
	Error     uint16     // opcode of the last reason sent why it could not swing, until it can
	Swinging  uint8      // SwingMelee or SwingRanged while it auto-attacks Victim; 0 does not
	_         uint8
}

// The values of Attack.Swinging.
const (
	SwingMelee  = 1 // with one hand or both
	SwingRanged = 2 // with the ranged weapon
)

// The hands of Attack.NextMs and of CombatStats.
const (
	MainHand = iota
	OffHand
	RangedHand
)
