package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// DamageEffects executes the effects of spells that deal damage.
type DamageEffects struct {
	lookup

	hits        ecs.Requests[damageHit]
	combatStats ecs.ReadRef[components.CombatStats]
	damages     ecs.Emit[rules.Damage]
}

// React implements sched.Reactor.
func (s *DamageEffects) React(t sched.Tick) {
	for _, event := range s.hits.Take() {
		if h, ok := s.hit(hitEvent(event)); ok {
			s.execute(t, &h)
		}
	}
}

// Source: Spell::EffectSchoolDMG and EffectHealthLeech, AzerothCore.
func (s *DamageEffects) execute(t sched.Tick, h *hit) {
	switch kind := h.at().Kind; kind {
	case defs.EffectSchoolDamage, defs.EffectHealthLeech:
		s.deal(h, s.damage(t, h, h.value(t)), kind == defs.EffectHealthLeech)
	default:
		s.weaponDamage(t, h)
	}
}

// deal emits the damage of an effect to a target.
func (s *DamageEffects) deal(h *hit, d dealt, leech bool) {
	sp := h.cast.spell
	s.damages.Emit(rules.Damage{
		By: h.cast.by, To: h.target.entity, Spell: sp.ID, School: sp.School, Amount: d.amount, Resisted: d.resisted,
		Blocked: d.blocked, Critical: h.target.crit, Quiet: sp.Has(defs.SpellNoThreat), Leech: leech,
	})
}

// weaponDamage deals weapon damage, once for all weapon effects of the spell: what they add, and then their percents.
//
// Source: Spell::EffectWeaponDmg, AzerothCore.
func (s *DamageEffects) weaponDamage(t sched.Tick, h *hit) {
	v, percent := s.weapon(t, h), float32(1)
	for k := range h.cast.spell.Effects {
		switch h.cast.spell.Effects[k].Kind {
		case defs.EffectWeaponDamage, defs.EffectNormalizedWeapon:
			v += h.valueOf(t, k)
		case defs.EffectWeaponPercent:
			percent *= h.valueOf(t, k) / 100
		default:
			continue
		}
		if k < h.effect {
			return
		}
	}
	s.deal(h, s.damage(t, h, float32(v*percent)), false)
}
