package rules

import (
	"testing"

	"muster/components/defs"
)

// Damage of several schools is stopped by an immunity against all of them, and by none against some.
//
// Source: Unit::IsImmunedToDamageOrSchool, AzerothCore ("we need to be immune
// to all types").
func TestImmuneToSeveralSchools(t *testing.T) {
	for _, c := range []struct {
		immune, schools uint32
		want            bool
	}{
		{defs.SchoolFire, defs.SchoolFire, true},
		{defs.SchoolFire, defs.SchoolFrost, false},
		{defs.SchoolFire, defs.SchoolFire | defs.SchoolFrost, false},
		{defs.SchoolFire | defs.SchoolFrost, defs.SchoolFire | defs.SchoolFrost, true},
		{defs.SchoolFire | defs.SchoolFrost, defs.SchoolFire, true},
		{defs.SchoolMagic, defs.SchoolPhysical | defs.SchoolHoly, false},
		{defs.SchoolAll, defs.SchoolPhysical | defs.SchoolHoly, true},
		{defs.SchoolAll, 0, false}, // a fall is of none
		{0, 0, false},
	} {
		d := people()
		d.Spells = []defs.Spell{{ID: 1, Level: 1, Effects: [defs.MaxEffects]defs.Effect{
			{Kind: defs.EffectApplyAura, Aura: defs.AuraSchoolImmunity, Misc: int32(c.immune)}}}}
		s := newStage(d)
		e := s.addBeast(2)
		s.put(e, 1, 0)
		s.book.SumAuras(e)
		before := s.book.vitals.Get(e).Health
		if got := s.book.Immune(e, c.schools); got != c.want {
			t.Errorf("immune to %#x: to %#x it is %v, want %v", c.immune, c.schools, got, c.want)
		}
		done := s.book.DealDamage(s.tick, &Damage{To: e, School: c.schools, Amount: 10, Quiet: true})
		lost := uint32(10)
		if c.want {
			lost = 0
		}
		if done.Immune != c.want || before-s.book.vitals.Get(e).Health != lost {
			t.Errorf("immune to %#x: 10 of %#x cost %d, want %d", c.immune, c.schools, before-s.book.vitals.Get(e).Health, lost)
		}
	}
}
