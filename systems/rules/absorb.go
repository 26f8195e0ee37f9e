package rules

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
)

// absorb lets the auras of a unit take damage upon themselves, those first that were there first, and says how
// much they took. One that is used up has nothing left in Amount: system aura takes it off in this tick.
//
// Source: Unit::CalcAbsorbResist, AzerothCore.
func (b *Book) absorb(_ sched.Tick, e ecs.Entity, school, amount uint32) (absorbed uint32) {
	block := b.bouts.Get(e).Auras
	if block == 0 || amount == 0 {
		return 0
	}
	auras := b.auras.At(block)
	if auras.Sum.Absorb == 0 {
		return 0
	}
	for i := range auras.List[:auras.Count] {
		a := &auras.List[i]
		sp := b.defs.Spell(a.Spell)
		if sp == nil {
			continue
		}
		for k := range sp.Effects {
			effect := &sp.Effects[k]
			if a.Effects&(1<<k) == 0 || effect.Aura != defs.AuraAbsorb || uint32(effect.Misc)&school == 0 {
				continue
			}
			part := min(uint32(max(a.Amount[k], 0)), amount-absorbed)
			a.Amount[k] -= int32(part)
			absorbed += part
		}
		if absorbed == amount {
			break
		}
	}
	return absorbed
}
