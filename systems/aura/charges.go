package aura

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// spend removes a charge from each of a unit's auras that loses one by an event.
//
// Source: Aura::DropCharge, AzerothCore.
func (s *AppliedAuras) spend(t sched.Tick, e ecs.Entity, why defs.Spent) {
	auras := s.auras(e)
	if auras == nil || defs.Spent(auras.Sum.Spent)&why == 0 {
		return
	}
	for at := int(auras.Count) - 1; at >= 0; at-- {
		a := &auras.List[at]
		if a.Charges == 0 || s.template(a).Spent&why == 0 {
			continue
		}
		if a.Charges--; a.Charges == 0 {
			s.remove(t, e, at)
			continue
		}
		s.broadcast(t, e, a)
		s.changes.Emit(Changed{Entity: e})
	}
}

// usedUp reports whether an absorbing aura has nothing left to absorb with.
func usedUp(a *components.Aura, sp *defs.Spell) bool {
	absorbs := false
	for i := range sp.Effects {
		if a.Effects&(1<<i) != 0 && sp.Effects[i].Aura == defs.AuraAbsorb {
			if absorbs = true; a.Amount[i] > 0 {
				return false
			}
		}
	}
	return absorbs
}

// shieldDamage emits the damage of a unit's damage shields to its attacker.
//
// Source: Unit::DealMeleeDamage, AzerothCore.
func (s *AppliedAuras) shieldDamage(e, attacker ecs.Entity) {
	auras := s.auras(e)
	if auras == nil || auras.Sum.Shield == 0 {
		return
	}
	for at := int(auras.Count) - 1; at >= 0; at-- {
		a := &auras.List[at]
		sp := s.template(a)
		for i := range sp.Effects {
			if a.Effects&(1<<i) != 0 && sp.Effects[i].Aura == defs.AuraDamageShield {
				s.damages.Emit(rules.Damage{
					By: e, To: attacker, Caster: s.objects.Get(e).GUID, Spell: a.Spell, School: sp.School,
					Amount: uint32(max(a.Amount[i], 0)), Kind: rules.ShieldDamage,
				})
				break
			}
		}
	}
}
