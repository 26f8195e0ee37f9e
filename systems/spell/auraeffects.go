package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// AuraEffects has the auras of spells applied, of passive ones to their owners.
type AuraEffects struct {
	defs        ecs.Res[defs.World]
	passives    ecs.Events[Passive]
	hits        ecs.Events[auraHit]
	objects     ecs.Read[components.Object]
	units       ecs.Read[components.Unit]
	combatStats ecs.View[components.CombatStats]
	applies     ecs.Emit[rules.ApplyAura]
}

// Run implements sched.Runner.
func (s *AuraEffects) Run(t sched.Tick) {
	for _, p := range s.passives.All() {
		s.applyPassive(t, p.Entity, s.defs.Get().Spell(p.Spell))
	}
	for i, hits := 0, s.hits.All(); i < len(hits); i++ {
		s.apply(t, &hits[i])
	}
}

// applyPassive applies the auras of a passive spell to its owner, alive or not.
func (s *AuraEffects) applyPassive(t sched.Tick, e ecs.Entity, sp *defs.Spell) {
	guid := s.objects.Get(e).GUID
	h := auraHit{hit: hit{
		cast:   cast{by: e, target: e, spell: sp, level: s.units.Get(e).Level, triggered: true},
		target: castTarget{entity: e}, byGUID: guid, toGUID: guid,
	}}
	for i := range sp.Effects {
		if sp.Effects[i].Kind == defs.EffectApplyAura {
			h.effects |= 1 << i
		}
	}
	s.apply(t, &h)
}

func (s *AuraEffects) apply(t sched.Tick, h *auraHit) {
	c := &h.cast
	apply := rules.ApplyAura{By: c.by, To: h.target.entity, Spell: c.spell.ID, Effects: h.effects, Level: uint8(min(c.level, 255))}
	for i := range c.spell.Effects {
		if h.effects&(1<<i) != 0 {
			apply.Amount[i] = s.amount(t, &h.hit, i)
		}
	}
	s.applies.Emit(apply)
}

// amount returns the amount of an aura's effect: that of periodic damage and healing includes the caster's
// bonuses and factors on damage done. Factors on damage taken apply at each pulse.
//
// Source: AuraEffect::CalculateAmount, AzerothCore.
func (s *AuraEffects) amount(t sched.Tick, h *hit, i int) int32 {
	c, e := &h.cast, &h.cast.spell.Effects[i]
	v, mine := h.valueOf(t, i), s.combatStats.Get(c.by)
	switch e.Aura {
	case defs.AuraPeriodicDamage, defs.AuraPeriodicLeech:
		v += float32(e.Coefficient * mine.SpellPower[school(c.spell.School)])
		v = float32(v * mine.DamageDone)
	case defs.AuraPeriodicHeal:
		v += float32(e.Coefficient * mine.Healing)
		v = float32(v * mine.HealingDone)
	case defs.AuraAbsorb, defs.AuraDamageShield:
		v += float32(e.Coefficient * mine.SpellPower[school(c.spell.School)])
	}
	return int32(v)
}
