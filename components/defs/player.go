package defs

// Players is what the bodies of all players are made of. Their race, class and looks are their own.
type Players struct {
	DisplayID [2]uint32 // model, by gender: 0 male, 1 female
	Faction   uint32    // faction template: FactionFriendly, …

	BoundingRadius float32 // yards
	CombatReach    float32 // yards
	AttackTimeMs   uint32  // between two swings, and between two shots

	Health, HealthPerLevel uint32 // at level 0, and more with each; together not 0
	Mana, ManaPerLevel     uint32 // likewise, of those who live by mana
	Stat                   uint32 // strength and each of the others
	MinDamage, MaxDamage   float32

	NextXP   uint32 // what a level takes
	MaxLevel uint32
}
