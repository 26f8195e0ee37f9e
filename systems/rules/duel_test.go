package rules

import (
	"testing"

	"muster/components/defs"
	"muster/loaders/synth"
)

// worth returns the average damage of a swing, as a share of its damage before armour.
func worth(c *AttackChances) float64 {
	n := odds(*c)
	glancing := 1 - float64(min(c.VictimLevel-c.Level, 3))/10
	// A block prevents so little at these levels that it counts as a hit.
	sum := float64(n[Hit]+n[Block]) + float64(glancing*float64(n[Glancing])) + 2*float64(n[Crit]) + 1.5*float64(n[Crushing])
	return sum / Rolls
}

// A character of level 1 of any class, with its bare hands, kills a creature of levels 1 to 3 that lives near a hub
// in 8 to 15 s on average: n swings take n-1 swing times.
func TestFirstKillsByNumbers(t *testing.T) {
	d, err := synth.New(synth.Config{Seed: 1, Creatures: 1})
	if err != nil {
		t.Fatal(err)
	}
	for class := range uint8(len(d.Players.Classes)) {
		k := d.Players.Class(class)
		if k == nil {
			continue
		}
		m := k.Melee
		power := max(m.PerLevel+m.PerStrength*k.Stats[0].At(1)+m.PerAgility*k.Stats[1].At(1)+m.Flat, 0)
		mean := k.Damage.At(1) + power/14*float32(k.SwingMs)/1000
		crit := k.Crit + k.Stats[1].At(1)/k.PerCrit.At(1)
		for _, c := range d.Creatures {
			if c.Faction != defs.FactionHostile || c.Type == defs.TypeCritter {
				continue
			}
			for level := c.MinLevel; level <= min(c.MaxLevel, 3); level++ {
				up := float32(level - c.MinLevel)
				health := float32(c.MinHealth) + float32(c.MaxHealth-c.MinHealth)*up/float32(max(c.MaxLevel-c.MinLevel, 1))
				clash := AttackChances{Level: 1, VictimLevel: int(level), Player: true, Crit: crit, Dodge: 5, Block: 5}
				hit := worth(&clash) * float64(ReduceByArmor(mean, c.Armor+c.ArmorPerLevel*up, 1))
				swings := float64(health)/hit + 0.5 // the last one does more than is needed
				if s := (swings - 1) * float64(k.SwingMs) / 1000; s < 8 || s > 15 {
					t.Errorf("class %d kills %s of level %d (%.0f health) in %.1f s with swings of %.1f", class, c.Name, level, health, s, hit)
				}
			}
		}
	}
}
