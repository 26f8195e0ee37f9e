package vitals

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
)

// absorb lets the absorbing auras of a unit take damage, the one applied or renewed first before the others, and
// returns how much they absorbed. A used-up aura has Amount 0: system appliedauras removes it when it reacts.
//
// Source: Unit::CalcAbsorbResist, AzerothCore.
func (s *Mitigation) absorb(t sched.Tick, e ecs.Entity, school, amount uint32) (absorbed uint32) {
	block := s.unitAuras.Get(e).Block
	if block == 0 {
		return 0
	}
	auras := s.slab.Get().At(block)
	if auras.Sum.Absorb == 0 {
		return 0
	}
	for absorbed < amount {
		left := s.oldestAbsorb(t, auras, school)
		if left == nil {
			break
		}
		part := min(uint32(*left), amount-absorbed)
		*left -= int32(part)
		absorbed += part
	}
	return absorbed
}

// oldestAbsorb returns the oldest effect with capacity left that absorbs damage of a school, nil if there is none.
func (s *Mitigation) oldestAbsorb(t sched.Tick, auras *components.Auras, school uint32) (left *int32) {
	most := uint32(0)
	for i := range auras.List[:auras.Count] {
		a := &auras.List[i]
		sp, age := s.defs.Get().Spell(a.Spell), a.AgeMs(t.NowMs)
		if sp == nil || left != nil && age <= most {
			continue
		}
		for k := range sp.Effects {
			effect := &sp.Effects[k]
			if a.Effects&(1<<k) != 0 && effect.Aura == defs.AuraAbsorb && uint32(effect.Misc)&school != 0 && a.Amount[k] > 0 {
				left, most = &a.Amount[k], age
				break
			}
		}
	}
	return left
}
