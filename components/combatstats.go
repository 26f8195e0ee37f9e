package components

// CombatStats has the derived stats of a unit's attacks, spells and defences. It is recomputed from the unit's class
// or template, level, items and auras whenever one of these changes, and never added to. The values that a client
// sees are in Stats.
//
// What an attack or a cast reads of its source is in one cache line, what it reads of its target in the next.
type CombatStats struct {
	SwingMs              [3]uint32  // between two swings, haste included; 0 no such weapon
	MinDamage, MaxDamage [3]float32 // of a swing, by hand: MainHand, OffHand, RangedHand; 0 no such weapon
	Crit                 [3]float32 // percent: melee, ranged, spells
	Hit                  float32    // percent by which it misses less
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
	HealthRegen, PowerRegen float32    // per second: out of combat, and of its class's power
	Speed                   float32    // factor on the run speed
	Haste                   [2]float32 // factors on the time between two swings, and two shots; 1 is normal, less is faster
	Batch                   uint32     // number of the last batch of requests in which system stats computed it
	_                       uint32     // pads to whole cache lines
}
