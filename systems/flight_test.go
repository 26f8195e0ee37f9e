package systems

import (
	"testing"

	"muster/components/defs"
	"muster/systems/rules"
)

// A missile does nothing to a target that has become immune to its school while it flew, and what it does to one that
// is immune to others.
//
// Source: Spell::DoSpellHitOnUnit, AzerothCore (the immunity of the target is looked at
// again when a spell that takes time arrives).
func TestImmunityGainedInFlight(t *testing.T) {
	for _, c := range []struct {
		immune uint32
		slowed bool
	}{{0, true}, {defs.SchoolFire, true}, {defs.SchoolFrost, false}, {defs.SchoolAll, false}} {
		chill := lasting(defs.SpellHarmful, effectOf(defs.AuraSlow, defs.TargetEnemy, -40))
		chill.School, chill.MissileSpeed = defs.SchoolFrost, 20 // a quarter of a second to the creature
		bubble := lasting(0, effectOf(defs.AuraSchoolImmunity, defs.TargetAny, 0))
		bubble.ID, bubble.Effects[0].Misc = tried+1, int32(c.immune)
		s := newStage(t, chill, bubble)
		s.cast(s.actor, s.foe, tried)
		s.tick()
		if s.worn(s.foe) != nil {
			t.Fatal("it has not flown at all")
		}
		ask(s.world, rules.ApplyAura{By: s.foe, To: s.foe, Spell: bubble.ID, Effects: 1, Level: 1})
		s.ticks(8)
		if is := s.worn(s.foe) != nil; is != c.slowed {
			t.Errorf("immune to %#x in flight, it is slowed: %v", c.immune, is)
		}
	}
}
