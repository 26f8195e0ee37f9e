package components

// VitalsState is what belongs to a unit's health and power and is not sent to clients. System vitals alone writes it.
type VitalsState struct {
	ManaSpentMs  uint32 // world time at which it last paid with mana
	LastHitMs    uint32 // world time of the last damage to it; while its health is 0, of its death
	Ghost        uint8  // 1 while it is a ghost: neither alive nor attackable, whatever its health is
	Gone         uint8  // 1 once it is leaving the world: nothing can affect it
	Regenerating uint8  // 1 while its regeneration is scheduled
	Unhealing    uint8  // 1 if time gives it no health
	LeastHealth  uint32 // that damage leaves it; 0 none
}
