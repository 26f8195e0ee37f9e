package aura

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// onDamage handles the damage of the tick, that which it causes itself included: auras that break, charges that are
// used, and damage shields.
func (s *System) onDamage(t sched.Tick) {
	for n := 0; n < len(s.damageDealt.All()); n++ {
		b := s.damageDealt.All()[n]
		melee := b.Spell == 0 && !b.Periodic && !b.Quiet
		if s.entities.Alive(b.By) && melee {
			s.breakAuras(t, b.By, defs.BreakAttack, 0)
			s.spend(t, b.By, defs.SpentStrike)
		}
		if !s.entities.Alive(b.To) || s.combats.Get(b.To).Auras == 0 {
			continue
		}
		if b.Absorbed > 0 {
			s.markUnsaved(b.To)
			s.removeAll(t, b.To, life.MaxAuras, byForce, usedUp)
		}
		if b.Dealt > 0 {
			s.breakAuras(t, b.To, defs.BreakDamage, b.Spell)
		}
		if melee && s.book.Alive(b.By) && s.book.Alive(b.To) {
			s.shieldDamage(t, &b)
		}
		if melee {
			s.spend(t, b.To, defs.SpentStruck|defs.SpentHurt)
		} else {
			s.spend(t, b.To, defs.SpentHurt)
		}
	}
}

// spend removes a charge from each of a unit's auras that loses one by an event.
//
// Source: Aura::DropCharge, AzerothCore.
func (s *System) spend(t sched.Tick, e ecs.Entity, why defs.Spent) {
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
			s.remove(t, e, at, byForce)
			continue
		}
		s.broadcast(t, e, a)
		s.markUnsaved(e)
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

// shieldDamage deals the damage of damage shields to the attacker.
//
// Source: Unit::DealMeleeDamage, AzerothCore.
func (s *System) shieldDamage(t sched.Tick, b *rules.DamageDealt) {
	auras := s.auras(b.To)
	if auras == nil || auras.Sum.Shield == 0 {
		return
	}
	for at := int(auras.Count) - 1; at >= 0 && s.book.Alive(b.By); at-- {
		a := auras.List[at]
		sp := s.template(&a)
		for i := range sp.Effects {
			if a.Effects&(1<<i) == 0 || sp.Effects[i].Aura != defs.AuraDamageShield {
				continue
			}
			h := rules.Damage{By: b.To, To: b.By, Spell: a.Spell, School: sp.School, Amount: uint32(max(a.Amount[i], 0))}
			out := s.book.ResolveDamage(t, &h)
			if out.Immune {
				s.logImmune(b.By, s.objects.Get(b.To).GUID, a.Spell, false)
				break
			}
			s.logShield(b.By, b.To, &a, sp, &out)
			s.book.ApplyDamage(t, &h, &out)
			break
		}
	}
}

// logShield broadcasts the damage of a shield.
func (s *System) logShield(to, by ecs.Entity, a *components.Aura, sp *defs.Spell, out *rules.DamageResult) {
	p := &s.packets.damage
	*p = msg.SpellDamageLog{
		Target: s.objects.Get(to).GUID, Attacker: s.objects.Get(by).GUID, Spell: a.Spell, Damage: out.Dealt,
		Overkill: out.Overkill, School: uint8(sp.School), Absorbed: out.Absorbed,
	}
	s.out.Broadcast(to, msg.OpSpellDamageLog, p)
}
