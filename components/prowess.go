package components

// Prowess is what a unit's blows, spells and defences come to. It is recomputed from what the unit is (its
// class or template and level), wears and has on it whenever one of these changes, and never added to. What a
// client sees of it is in Stats.
type Prowess struct {
	MinDamage, MaxDamage [3]float32 // of a blow, by hand: MainHand, OffHand, RangedHand; 0 no such weapon
	SwingMs              [3]uint32  // between two blows, haste included; 0 no such weapon
	AttackPower          [2]float32 // melee, ranged
	Armor                float32
	Resistance           [7]float32 // by school; the first, physical, is unused

	Miss, Dodge, Parry, Block float32    // percent; Miss is what it takes off its own
	Crit                      [3]float32 // percent: melee, ranged, spells
	BlockValue                float32

	SpellPower  [7]float32 // by school
	Healing     float32
	DamageDone  float32 // factors; 1 is normal
	DamageTaken float32
	HealingDone float32
	Healed      float32
	ThreatDone  float32
	CastSpeed   float32 // factor on cast times; 1 is normal, less is faster
	Speed       float32 // factor on the run speed

	HealthRegen, PowerRegen float32 // per second, out of combat and by the power it lives by
}
