package defs

// Players is what the bodies of all players are made of. Their race, class and looks are their own.
type Players struct {
	DisplayID [2]uint32 // model, by gender: 0 male, 1 female
	Faction   uint32    // faction template: FactionFriendly, …

	BoundingRadius float32 // yards
	CombatReach    float32 // yards

	Classes [MaxClass + 1]Class // by number; those without health do not exist
	NextXP  []uint32            // what it takes to leave a level, by level from 1 on; NextXP[0] is unused

	MaxLevel uint32

	// Sickness are the spells that a resurrection by a spirit healer applies, by ascending level: the last whose
	// level is not above the player's; none for those below the first.
	Sickness []uint32
}

// A Class is what a character of a class is like before it wears anything.
type Class struct {
	Power  uint8 // it lives by: components.PowerMana, …
	Health Growth
	Mana   Growth    // of classes with mana
	Stats  [5]Growth // strength, agility, stamina, intellect, spirit

	Damage  Growth // of an unarmed swing, on average
	Spread  float32
	SwingMs uint32 // between two such swings, and between two shots
	Shoots  bool   // it needs no ranged weapon to shoot

	Melee, Ranged AttackPower
	Crit          float32 // percent, without agility
	Dodge         float32 // percent, without agility
	Parry         float32 // percent
	PerCrit       Growth  // agility, for one percent of a critical hit or of a dodge
	PerSpellCrit  Growth  // intellect, for one percent of a critical spell
}

// A Growth is a number that grows with level.
type Growth struct{ First, PerLevel, PerSquare float32 }

// At is the number at a level from 1 on: First at level 1, PerLevel more for each level, and PerSquare more for
// the square of the levels gained.
func (g Growth) At(level uint32) float32 {
	up := float32(max(level, 1) - 1)
	return g.First + float32(g.PerLevel*up) + float32(float32(g.PerSquare*up)*up)
}

// An AttackPower is where attack power comes from.
type AttackPower struct{ PerLevel, PerStrength, PerAgility, Flat float32 }

// Class is the class of a number, nil if there is none.
func (p *Players) Class(number uint8) *Class {
	if int(number) >= len(p.Classes) || p.Classes[number].Health == (Growth{}) {
		return nil
	}
	return &p.Classes[number]
}

// Next is what it takes to leave a level, 0 at the highest.
func (p *Players) Next(level uint32) uint32 {
	if level >= p.MaxLevel || level >= uint32(len(p.NextXP)) {
		return 0
	}
	return p.NextXP[level]
}
