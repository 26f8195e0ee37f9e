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

// suffer looks at the blows of the tick, those included that it causes itself: what they break, what they use up,
// and what strikes back.
func (s *System) suffer(t sched.Tick) {
	for n := 0; n < len(s.damageDealt.All()); n++ {
		b := s.damageDealt.All()[n]
		blow := b.Spell == 0 && !b.Periodic && !b.Quiet
		if s.entities.Alive(b.By) && blow {
			s.breakAuras(t, b.By, defs.BreakAttack, 0)
			s.spend(t, b.By, defs.SpentStrike)
		}
		if !s.entities.Alive(b.To) || s.combats.Get(b.To).Auras == 0 {
			continue
		}
		if b.Absorbed > 0 {
			s.unsave(b.To)
			s.removeAll(t, b.To, life.MaxAuras, byForce, usedUp)
		}
		if b.Dealt > 0 {
			s.breakAuras(t, b.To, defs.BreakDamage, b.Spell)
		}
		if blow && s.book.Alive(b.By) && s.book.Alive(b.To) {
			s.strikeBack(t, &b)
		}
		if blow {
			s.spend(t, b.To, defs.SpentStruck|defs.SpentHurt)
		} else {
			s.spend(t, b.To, defs.SpentHurt)
		}
	}
}

// spend takes a charge off each of a unit's auras off which something does.
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
		s.tell(t, e, a)
		s.unsave(e)
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

// strikeBack has whoever struck suffer what damage shields do.
//
// Source: Unit::DealMeleeDamage, AzerothCore.
func (s *System) strikeBack(t sched.Tick, b *rules.DamageDealt) {
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

// logShield tells of what a shield has done.
func (s *System) logShield(to, by ecs.Entity, a *components.Aura, sp *defs.Spell, out *rules.DamageResult) {
	p := &s.said.damage
	*p = msg.SpellDamageLog{
		Target: s.objects.Get(to).GUID, Attacker: s.objects.Get(by).GUID, Spell: a.Spell, Damage: out.Dealt,
		Overkill: out.Overkill, School: uint8(sp.School), Absorbed: out.Absorbed,
	}
	s.out.Broadcast(to, msg.OpSpellDamageLog, p)
}
