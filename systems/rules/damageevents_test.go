package rules

import "testing"

// Damage that is absorbed is a hit, and so is what is dealt; a miss is none. A hit without a spell is not quiet.
func TestHit(t *testing.T) {
	for _, c := range []struct {
		of          DamageDealt
		hit, attack bool
	}{
		{DamageDealt{}, false, true},
		{DamageDealt{DamageResult: DamageResult{Dealt: 1}}, true, true},
		{DamageDealt{DamageResult: DamageResult{Absorbed: 1}}, true, true},
		{DamageDealt{Damage: Damage{Spell: 5}}, false, false},
		{DamageDealt{Damage: Damage{Quiet: true}}, false, false},
	} {
		if c.of.Hit() != c.hit || c.of.WithoutSpell() != c.attack {
			t.Errorf("%+v: hit %v, without a spell %v, want %v, %v", c.of, c.of.Hit(), c.of.WithoutSpell(), c.hit, c.attack)
		}
	}
}
