package components

// CombatStats is what a unit's blows, spells and defences come to. It is recomputed from what the unit is (its
// class or template and level), wears and has on it whenever one of these changes, and never added to. What a
// client sees of it is in Stats.
//
// What the blows of one and the casts of the other ask of who acts lies in one line of cache, what they ask of whom they
// meet in the next.
type CombatStats struct {
	SwingMs              [3]uint32  // between two blows, haste included; 0 no such weapon
	MinDamage, MaxDamage [3]float32 // of a blow, by hand: MainHand, OffHand, RangedHand; 0 no such weapon
	Crit                 [3]float32 // percent: melee, ranged, spells
	Miss                 float32    // percent that it misses less
	DamageDone           float32    // factors; 1 is normal
	ThreatDone           float32
	CastSpeed            float32 // factor on cast times; 1 is normal, less is faster

	Armor               float32
	Dodge, Parry, Block float32    // percent
	BlockValue          float32    // damage
	DamageTaken, Healed float32    // factors
	Resistance          [7]float32 // by school; the first, physical, is unused
	Healing             float32
	HealingDone         float32 // a factor

	SpellPower              [7]float32 // by school
	AttackPower             [2]float32 // melee, ranged
	HealthRegen, PowerRegen float32    // per second, out of combat and by the power it lives by
	Speed                   float32    // factor on the run speed
	Haste                   [2]float32 // factor on the time between two blows, and two shots; 1 is normal, less is faster
	_                       [2]uint32  // to whole lines
}
