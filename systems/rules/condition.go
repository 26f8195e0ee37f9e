package rules

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
)

// A Condition is what the auras on a unit do to it that is no figure: those are Prowess.
type Condition struct {
	States   uint16 // components.StateStunned and following
	Immune   uint32 // schools that do nothing to it
	SpellHit int32  // percent by which its spells hit more often
}

// Condition adds up the auras on a unit.
func (b *Book) Condition(e ecs.Entity) (c Condition) {
	block := b.bouts.Get(e).Auras
	if block == 0 {
		return c
	}
	auras := b.auras.At(block)
	for i := range auras.List[:auras.Count] {
		a := &auras.List[i]
		spell := b.defs.Spell(a.Spell)
		if spell == nil {
			continue
		}
		for k := range spell.Effects {
			if a.Effects&(1<<k) == 0 {
				continue
			}
			effect := &spell.Effects[k]
			c.States |= stateOf(effect.Aura)
			switch effect.Aura {
			case defs.AuraSchoolImmunity:
				c.Immune |= uint32(effect.Misc)
			case defs.AuraSpellHit:
				c.SpellHit += a.Amount[k]
			}
		}
	}
	return c
}

// stateOf is the state in which an aura puts its bearer, 0 for most.
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
	case defs.AuraDisarm:
		return components.StateDisarmed
	}
	return 0
}

// Immune reports whether spells of some schools do nothing to a unit.
func (b *Book) Immune(e ecs.Entity, schools uint32) bool {
	return b.Condition(e).Immune&schools == schools
}

// SpellHit is how many percent more often a unit's spells hit.
func (b *Book) SpellHit(e ecs.Entity) float32 { return float32(b.Condition(e).SpellHit) }
