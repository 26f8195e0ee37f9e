package rules

import (
	"muster/components"
	"muster/components/defs"
)

// addAuras adds what the auras on a unit give to its stats. SumOf has what else they give: states, immunity, absorption, damage
// shields, and the chance of spells to hit, which spells roll with and which is no term of a stat. Pulses and charges are in package
// aura.
//
// Source: AuraEffect::HandleEffect and Unit::HandleStatModifier, AzerothCore.
func (f *statTerms) addAuras(d *defs.World, auras *components.Auras) {
	if auras == nil {
		return
	}
	for i := range auras.List[:auras.Count] {
		a := &auras.List[i]
		spell := d.Spell(a.Spell)
		if spell == nil {
			continue
		}
		for j := range spell.Effects {
			if effect := &spell.Effects[j]; a.Effects&(1<<j) != 0 {
				f.addEffect(effect, a.Amount[j]*int32(max(a.Stacks, 1)))
			}
		}
	}
}

// addEffect adds one effect of an aura.
func (f *statTerms) addEffect(effect *defs.Effect, amount int32) {
	factor := float64(max(100+amount, 0)) / 100 // damage is never negative
	switch effect.Aura {
	case defs.AuraStat:
		each(effect.Misc, len(f.stat), func(i int) { f.stat[i] += amount })
	case defs.AuraStatPercent:
		each(effect.Misc, len(f.stat), func(i int) { f.statBase[i] *= factor })
	case defs.AuraTotalStatPercent:
		each(effect.Misc, len(f.stat), func(i int) { f.statAll[i] *= factor })
	case defs.AuraResistance:
		schools(effect.Misc, func(i int) { f.resistance[i] += amount })
	case defs.AuraResistancePercent:
		schools(effect.Misc, func(i int) { f.resists[i] *= factor })
	case defs.AuraHealth:
		f.moreHealth += amount
	case defs.AuraHealthPercent:
		f.healthFactor *= factor
	case defs.AuraPower:
		if effect.Misc == components.PowerMana {
			f.moreMana += amount
		}
	case defs.AuraDamageDone:
		schools(effect.Misc, func(i int) { f.spellPower[i] += amount })
	case defs.AuraDamagePercent:
		if EverySchool(effect.Misc) {
			f.damageDone *= factor
		}
	case defs.AuraDamageTakenPercent:
		if EverySchool(effect.Misc) {
			f.damageTaken *= factor
		}
	case defs.AuraHealingDone:
		f.healing += amount
	case defs.AuraHealingPercent:
		f.healingDone *= factor
	case defs.AuraHealed:
		f.healed *= factor
	case defs.AuraThreat:
		f.threat *= factor
	case defs.AuraAttackPower:
		f.power[0] += amount
	case defs.AuraRangedAttackPower:
		f.power[1] += amount
	case defs.AuraMeleeHaste, defs.AuraAttackSpeed:
		f.haste[0] /= clampSpeed(factor)
	case defs.AuraRangedHaste:
		f.haste[1] /= clampSpeed(factor)
	case defs.AuraCastSpeed:
		f.cast /= clampSpeed(factor)
	case defs.AuraSpeedUp:
		f.fast = max(f.fast, amount)
	case defs.AuraSlow:
		f.slow = max(f.slow, -amount)
	case defs.AuraParry:
		f.parry += amount
	case defs.AuraDodge:
		f.dodge += amount
	case defs.AuraBlock:
		f.block += amount
	case defs.AuraHit:
		f.hit += amount
	case defs.AuraCrit:
		f.crit[0] += float32(amount)
		f.crit[1] += float32(amount)
	case defs.AuraSpellCrit:
		f.crit[2] += float32(amount)
	case defs.AuraRegen:
		f.regen += amount
	case defs.AuraPowerRegen:
		if effect.Misc == components.PowerMana {
			f.powerRegen += amount
		}
	}
}

// clampSpeed returns a factor on a speed, within the bounds that clients accept.
func clampSpeed(factor float64) float64 { return min(max(factor, 0.1), 10) }

// each visits the index that a number names, all of n for -1.
func each(misc int32, n int, visit func(int)) {
	for i := range n {
		if misc == -1 || int(misc) == i {
			visit(i)
		}
	}
}

// EverySchool reports whether a mask is all schools, for which there is one factor on damage.
func EverySchool(set int32) bool {
	return set == 0 || set&int32(defs.SchoolAll) == int32(defs.SchoolAll)
}

// schools visits the schools of a mask.
func schools(set int32, visit func(int)) {
	for i := range 7 {
		if set&(1<<i) != 0 {
			visit(i)
		}
	}
}
