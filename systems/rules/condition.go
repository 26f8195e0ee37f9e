package rules

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
)

// SumAuras computes the totals of a unit's auras that are no stats, stores them, and returns the states that the
// auras cause: components.StateStunned and following. It is called after each change of auras.
func (b *Book) SumAuras(e ecs.Entity) (states uint16) {
	block := b.combats.Get(e).Auras
	if block == 0 {
		return 0
	}
	return Sum(b.defs.Get(), b.auras.Get().At(block))
}

// Sum is SumAuras for auras that are on no unit yet.
func Sum(d *defs.World, auras *components.Auras) (states uint16) {
	var sum components.AuraSum
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
	auras.Sum = sum
	return states
}

// sum returns what Sum computed last.
func (b *Book) sum(e ecs.Entity) components.AuraSum {
	if block := b.combats.Get(e).Auras; block != 0 {
		return b.auras.Get().At(block).Sum
	}
	return components.AuraSum{}
}

// HasAuraFor reports whether a RemoveAuras that dispels would remove any aura.
func (b *Book) HasAuraFor(removal *RemoveAuras) bool {
	block := b.combats.Get(removal.From).Auras
	if block == 0 {
		return false
	}
	auras := b.auras.Get().At(block)
	for i := range auras.List[:auras.Count] {
		if sp := b.defs.Get().Spell(auras.List[i].Spell); sp != nil && removal.Takes(sp) {
			return true
		}
	}
	return false
}

// HasAuraOf reports whether a unit has the aura of a spell from a caster.
func (b *Book) HasAuraOf(e ecs.Entity, spell uint32, by ecs.Entity) bool {
	block := b.combats.Get(e).Auras
	if block == 0 {
		return false
	}
	auras, caster := b.auras.Get().At(block), b.objects.Get(by).GUID
	for i := range auras.List[:auras.Count] {
		if a := &auras.List[i]; a.Spell == spell && a.CasterGUID == caster {
			return true
		}
	}
	return false
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

// Immune reports whether a unit is immune to all of some schools. There is no immunity to none, as a fall has.
func (b *Book) Immune(e ecs.Entity, schools uint32) bool {
	return schools != 0 && b.sum(e).Immune&schools == schools
}

// SpellHit returns the percentage points that a unit's auras add to its spell hit chance.
func (b *Book) SpellHit(e ecs.Entity) float32 { return float32(b.sum(e).SpellHit) }
