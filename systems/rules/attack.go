package rules

import "muster/ecs"

// An Attack starts a unit's attack on another, which goes on until it is stopped, either of them dies or the unit
// attacks another victim. How is components.SwingMelee or SwingRanged. System attacks takes it.
type Attack struct {
	Entity, Victim ecs.Entity
	How            uint32
}

// A StopAttack ends a unit's attack. System attacks takes it.
type StopAttack struct {
	Entity ecs.Entity
	Victim ecs.Entity // only if it attacks this one; zero any
}

// A SwingReplaced is a melee swing that a spell replaces (components.Casting.NextSwing): the weapon is ready and the
// victim in reach. System casts, which comes after weaponhits in the same tick, casts it.
type SwingReplaced struct{ Entity, Victim ecs.Entity }

// A SwingChanged is a change of when a unit's weapons are ready: by a shot of its ranged weapon by a spell, or because it
// has parried. System swings takes it.
type SwingChanged struct {
	Entity     ecs.Entity
	NextShotMs uint32 // when the ranged weapon is ready again; 0 as before
	Parried    bool
}

// A HasteChanged is a change of the time between two melee swings: of the factor on it, and of the time for each
// weapon. System swings takes it.
type HasteChanged struct {
	Entity        ecs.Entity
	Before, After float32
	SwingMs       [2]uint32 // before, of main hand and off hand
}

// maxSwingMs bounds the time between two swings: a timer further in the future than this has expired long ago.
const maxSwingMs = 60_000

// Due reports whether a weapon whose next swing is at a time may swing now.
func Due(nextMs, nowMs uint32) bool { return nextMs-nowMs-1 >= maxSwingMs }
