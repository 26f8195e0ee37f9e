package rules

import "testing"

// Damage that is absorbed is a hit, and so is what is dealt; a miss is none. A melee hit has no spell and is not quiet.
func TestHit(t *testing.T) {
	for _, c := range []struct {
		of         DamageDealt
		hit, melee bool
	}{
		{DamageDealt{}, false, true},
		{DamageDealt{DamageResult: DamageResult{Dealt: 1}}, true, true},
		{DamageDealt{DamageResult: DamageResult{Absorbed: 1}}, true, true},
		{DamageDealt{Damage: Damage{Spell: 5}}, false, false},
		{DamageDealt{Damage: Damage{Quiet: true}}, false, false},
	} {
		if c.of.Hit() != c.hit || c.of.IsMelee() != c.melee {
			t.Errorf("%+v: hit %v, melee %v, want %v, %v", c.of, c.of.Hit(), c.of.IsMelee(), c.hit, c.melee)
		}
	}
}
