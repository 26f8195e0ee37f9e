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

	Levels []ClassLevels // what is known level by level, and hides what Classes says; by ascending Race, then Class

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

// ClassLevels are what characters of a race and class are like, by level.
type ClassLevels struct {
	Race, Class uint8        // Race 0 is each that has none of its own
	Levels      []LevelStats // of level 1 and following
}

// LevelStats are what a character of a level is like before it wears anything. Those without Health are not known.
type LevelStats struct {
	Health, Mana float32
	Stats        [5]float32 // strength, agility, stamina, intellect, spirit
}

// Base is what characters of a race, class and level are like. The class must exist, and the level be 1 or more.
func (p *Players) Base(race, class uint8, level uint32) (base LevelStats) {
	for i := range p.Levels { // those of the race come after those of all
		l := &p.Levels[i]
		if l.Class == class && (l.Race == 0 || l.Race == race) && level <= uint32(len(l.Levels)) && l.Levels[level-1].Health > 0 {
			base = l.Levels[level-1]
		}
	}
	if base.Health > 0 {
		return base
	}
	c := &p.Classes[class]
	base.Health, base.Mana = c.Health.At(level), c.Mana.At(level)
	for i := range base.Stats {
		base.Stats[i] = c.Stats[i].At(level)
	}
	return base
}

// Next is what it takes to leave a level, 0 at the highest.
func (p *Players) Next(level uint32) uint32 {
	if level >= p.MaxLevel || level >= uint32(len(p.NextXP)) {
		return 0
	}
	return p.NextXP[level]
}
