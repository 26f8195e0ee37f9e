package rules

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
)

// AuraSums reads the totals of the auras of units, as a part of the systems that ask.
type AuraSums struct {
	slab      ecs.Res[ecs.Slab[components.Auras]]
	unitAuras ecs.Read[components.UnitAuras]
}

// AuraReader is AuraSums, and reads single auras.
type AuraReader struct {
	AuraSums

	defs    ecs.Res[defs.World]
	objects ecs.Read[components.Object]
}

// Of returns the auras on a unit, nil if there are none. They must not be written to. The pointer is valid until the
// next Alloc of the slab.
func (s *AuraSums) Of(e ecs.Entity) *components.Auras {
	if block := s.unitAuras.Get(e).Block; block != 0 {
		return s.slab.Get().At(block)
	}
	return nil
}

// HasFor reports whether a RemoveAuras that dispels would remove any aura.
func (s *AuraReader) HasFor(removal *RemoveAuras) bool {
	auras := s.Of(removal.From)
	if auras == nil {
		return false
	}
	for i := range auras.List[:auras.Count] {
		if sp := s.defs.Get().Spell(auras.List[i].Spell); sp != nil && removal.Takes(sp) {
			return true
		}
	}
	return false
}

// Has reports whether a unit has the aura of a spell from a caster.
func (s *AuraReader) Has(e ecs.Entity, spell uint32, by ecs.Entity) bool {
	auras, caster := s.Of(e), s.objects.Get(by).GUID
	if auras == nil {
		return false
	}
	for i := range auras.List[:auras.Count] {
		if a := &auras.List[i]; a.Spell == spell && a.CasterGUID == caster {
			return true
		}
	}
	return false
}

// Immune reports whether a unit is immune to all of some schools. There is no immunity to none, as a fall has.
func (s *AuraSums) Immune(e ecs.Entity, schools uint32) bool {
	auras := s.Of(e)
	return schools != 0 && auras != nil && auras.Sum.Immune&schools == schools
}

// Immunities is AuraSums, and answers what units are immune to by their auras and, if they are creatures, by their templates.
type Immunities struct {
	AuraSums

	defs    ecs.Res[defs.World]
	objects ecs.Read[components.Object]
}

// Immune reports whether a unit is immune to all of some schools, likewise.
func (s *Immunities) Immune(e ecs.Entity, schools uint32) bool {
	immune := uint32(0)
	if auras := s.Of(e); auras != nil {
		immune = auras.Sum.Immune
	}
	if of := s.template(e); of != nil {
		immune |= of.Schools
	}
	return schools != 0 && immune&schools == schools
}

// ImmuneTo reports whether a unit is immune to a spell: to all of its schools, or to its mechanic, its dispel type or all of its effects.
//
// Source: Unit::IsImmunedToSpell, AzerothCore.
func (s *Immunities) ImmuneTo(e ecs.Entity, sp *defs.Spell) bool {
	of := s.template(e)
	return s.Immune(e, sp.School) || of != nil && of.Spell(sp)
}

// ImmuneToEffect reports whether a unit is immune to an effect of a spell.
//
// Source: Creature::IsImmunedToSpellEffect, AzerothCore.
func (s *Immunities) ImmuneToEffect(e ecs.Entity, effect *defs.Effect) bool {
	of := s.template(e)
	return of != nil && of.Effect(effect)
}

// template is the immunity of a creature's template, nil without one.
func (s *Immunities) template(e ecs.Entity) *defs.Immunity {
	if len(s.defs.Get().Immunities) == 0 {
		return nil
	}
	return s.defs.Get().Immunity(s.objects.Get(e).Entry)
}

// SpellHit returns the percentage points that a unit's auras add to its spell hit chance.
func (s *AuraSums) SpellHit(e ecs.Entity) float32 {
	if auras := s.Of(e); auras != nil {
		return float32(auras.Sum.SpellHit)
	}
	return 0
}

// SumOf returns what auras on a unit add up to besides its stats, and the states that they cause: components.StateStunned and
// following. Each change of auras stores both: the sum in Auras, the states in UnitAuras. What auras add to stats is in
// aurastats.go.
func SumOf(d *defs.World, auras *components.Auras) (sum components.AuraSum, states uint16) {
	for i := range auras.List[:auras.Count] {
		a := &auras.List[i]
		spell := d.Spell(a.Spell)
		if spell == nil {
			continue
		}
		sum.Breaks |= uint32(spell.Breaks)
		if a.Charges > 0 {
			sum.Spent |= uint32(spell.Spent)
		}
		for k := range spell.Effects {
			if a.Effects&(1<<k) == 0 {
				continue
			}
			effect := &spell.Effects[k]
			states |= stateOf(effect.Aura)
			switch effect.Aura {
			case defs.AuraSchoolImmunity:
				sum.Immune |= uint32(effect.Misc)
			case defs.AuraSpellHit:
				sum.SpellHit += a.Amount[k] * int32(max(a.Stacks, 1))
			case defs.AuraAbsorb:
				if effect.Misc&int32(defs.SchoolAll) != 0 {
					sum.Absorb = 1
				}
			case defs.AuraDamageShield:
				sum.Shield = 1
			}
		}
	}
	return sum, states
}

// stateOf returns the state that an aura of a kind causes, 0 for most.
func stateOf(kind defs.AuraKind) uint16 {
	switch kind {
	case defs.AuraStun:
		return components.StateStunned
	case defs.AuraRoot:
		return components.StateRooted
	case defs.AuraSilence:
		return components.StateSilenced
	case defs.AuraFear:
		return components.StateFeared
	case defs.AuraConfuse:
		return components.StateConfused
	case defs.AuraPacify:
		return components.StatePacified
	case defs.AuraPacifySilence:
		return components.StatePacified | components.StateSilenced
	}
	return 0
}
