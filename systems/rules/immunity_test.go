package rules

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
)

// A unit is immune to damage of several schools by an immunity against all of them, and not by one against some.
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
		e, bare := s.addBeast(2), s.addBeast(3)
		s.wear(e, wearing(aura(1, 0)))
		if got := s.Immune(e, c.schools); got != c.want {
			t.Errorf("immune to %#x: to %#x it is %v, want %v", c.immune, c.schools, got, c.want)
		}
		if s.Immune(bare, c.schools) {
			t.Errorf("without an aura it is immune to %#x", c.schools)
		}
	}
}

// The totals of auras, and the states that they cause, are those of the effects that have been applied.
func TestSum(t *testing.T) {
	kinds := []struct {
		kind defs.AuraKind
		misc int32
		want components.AuraSum
		does uint16
	}{
		{defs.AuraStun, 0, components.AuraSum{}, components.StateStunned},
		{defs.AuraRoot, 0, components.AuraSum{}, components.StateRooted},
		{defs.AuraSilence, 0, components.AuraSum{}, components.StateSilenced},
		{defs.AuraFear, 0, components.AuraSum{}, components.StateFeared},
		{defs.AuraConfuse, 0, components.AuraSum{}, components.StateConfused},
		{defs.AuraPacify, 0, components.AuraSum{}, components.StatePacified},
		{defs.AuraPacifySilence, 0, components.AuraSum{}, components.StatePacified | components.StateSilenced},
		{defs.AuraSchoolImmunity, 5, components.AuraSum{Immune: 5}, 0},
		{defs.AuraSpellHit, 0, components.AuraSum{SpellHit: 9}, 0}, // 3 for each of 3 stacks
		{defs.AuraAbsorb, 4, components.AuraSum{Absorb: 1}, 0},
		{defs.AuraAbsorb, 0x80, components.AuraSum{}, 0}, // of no school
		{defs.AuraDamageShield, 0, components.AuraSum{Shield: 1}, 0},
	}
	d := people()
	for i, k := range kinds {
		d.Spells = append(d.Spells, defs.Spell{ID: uint32(i) + 1, Effects: [defs.MaxEffects]defs.Effect{
			{}, {Kind: defs.EffectApplyAura, Aura: k.kind, Misc: k.misc}}})
	}
	for i, k := range kinds {
		a := components.Aura{Spell: uint32(i) + 1, Effects: 2, Stacks: 3, Amount: [3]int32{7, 3}}
		auras := wearing(a)
		auras.Sum = components.AuraSum{Immune: 1, Shield: 1, Spent: 8} // from before
		if sum, states := SumOf(d, auras); states != k.does || sum != k.want {
			t.Errorf("an aura of kind %d: states %#x, %+v; want %#x, %+v", k.kind, states, sum, k.does, k.want)
		}
		a.Effects = 1 // the other effect only
		auras = wearing(a)
		if sum, states := SumOf(d, auras); states != 0 || sum != (components.AuraSum{}) {
			t.Errorf("an aura of kind %d that was not applied: states %#x, %+v", k.kind, states, sum)
		}
	}
}

// The totals have the events that end any aura, and those that take a charge of one that has some left.
func TestSumOfEvents(t *testing.T) {
	d := people()
	d.Spells = []defs.Spell{{ID: 1, Breaks: defs.BreakMove, Spent: defs.SpentStrike}, {ID: 2, Breaks: defs.BreakDamage, Spent: defs.SpentHurt}}
	for _, c := range []struct {
		charges [2]uint8
		spent   defs.Spent
	}{{[2]uint8{}, 0}, {[2]uint8{1, 0}, defs.SpentStrike}, {[2]uint8{3, 1}, defs.SpentStrike | defs.SpentHurt}} {
		auras := wearing(components.Aura{Spell: 1, Charges: c.charges[0]}, components.Aura{Spell: 2, Charges: c.charges[1]})
		sum, _ := SumOf(d, auras)
		if want := (components.AuraSum{Breaks: uint32(defs.BreakMove | defs.BreakDamage), Spent: uint32(c.spent)}); sum != want {
			t.Errorf("with %v charges: %+v, want %+v", c.charges, sum, want)
		}
	}
}

// Creatures are immune to the schools and mechanics of their templates, besides those of their auras; others, and players, are not.
//
// Source: Unit::IsImmunedToSpell, AzerothCore.
func TestImmuneByTemplate(t *testing.T) {
	d := people()
	d.Immunities = []defs.Immunity{{Entry: 8, Schools: defs.SchoolFire, Mechanics: 1<<(defs.MechanicStun-1) | 1<<(defs.MechanicRoot-1)}}
	d.Spells = []defs.Spell{{ID: 1, Level: 1, Effects: [defs.MaxEffects]defs.Effect{
		{Kind: defs.EffectApplyAura, Aura: defs.AuraSchoolImmunity, Misc: int32(defs.SchoolFrost)}}}}
	s := newStage(d)
	var of Immunities
	ecs.Bind(s.World, &of)
	e, other, player := s.addBeast(2), s.addBeast(3), s.addPlayer(4)
	s.objects.Get(e).Entry, s.objects.Get(other).Entry = 8, 7
	s.wear(e, wearing(aura(1, 0)))
	for _, c := range []struct {
		school   uint32
		mechanic uint8
		want     bool
	}{
		{defs.SchoolFire, 0, true}, {defs.SchoolFrost, 0, true}, {defs.SchoolFire | defs.SchoolFrost, 0, true}, {defs.SchoolFire | defs.SchoolHoly, 0, false},
		{defs.SchoolHoly, defs.MechanicStun, true}, {defs.SchoolHoly, defs.MechanicRoot, true}, {defs.SchoolHoly, defs.MechanicFear, false}, {defs.SchoolHoly, 0, false},
	} {
		sp := &defs.Spell{School: c.school, Mechanic: c.mechanic}
		if got := of.ImmuneTo(e, sp); got != c.want {
			t.Errorf("of schools %#x and mechanic %d: %v, want %v", c.school, c.mechanic, got, c.want)
		}
		if c.mechanic == 0 && of.Immune(e, c.school) != c.want {
			t.Errorf("damage of schools %#x: not %v", c.school, c.want)
		}
		if of.ImmuneTo(other, sp) || of.ImmuneTo(player, sp) {
			t.Errorf("of schools %#x and mechanic %d: others are immune", c.school, c.mechanic)
		}
	}
}
