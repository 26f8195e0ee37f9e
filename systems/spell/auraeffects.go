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
	lookup

	passives    ecs.Events[Passive]
	hits        ecs.Requests[auraHit]
	objects     ecs.Read[components.Object]
	units       ecs.Read[components.Unit]
	combatStats ecs.ReadRef[components.CombatStats]
	applies     ecs.Emit[rules.ApplyAura]
}

// OnEvents applies passive auras, and then those of hits.
func (s *AuraEffects) OnEvents(t sched.Tick) {
	for _, p := range s.passives.All() {
		s.applyPassive(t, p.Entity, s.defs.Get().Spell(p.Spell))
	}
	s.React(t)
}

// React implements sched.Reactor.
func (s *AuraEffects) React(t sched.Tick) {
	for _, event := range s.hits.Take() {
		if h, ok := s.hit(event.hitEvent); ok {
			s.apply(t, &h, event.effects)
		}
	}
}

// applyPassive applies the auras of a passive spell to its owner, alive or not.
func (s *AuraEffects) applyPassive(t sched.Tick, e ecs.Entity, sp *defs.Spell) {
	guid, effects := s.objects.Get(e).GUID, uint32(0)
	event := castEvent{by: e, target: e, id: sp.ID, level: s.units.Get(e).Level, triggered: true}
	h := hit{cast{event, sp}, hitEvent{event: event, target: castTarget{entity: e}, byGUID: guid, toGUID: guid}}
	for i := range sp.Effects {
		if sp.Effects[i].Kind == defs.EffectApplyAura {
			effects |= 1 << i
		}
	}
	s.apply(t, &h, effects)
}

func (s *AuraEffects) apply(t sched.Tick, h *hit, effects uint32) {
	c := &h.cast
	apply := rules.ApplyAura{By: c.by, To: h.target.entity, Spell: c.spell.ID, Effects: effects, Level: uint8(min(c.level, 255))}
	for i := range c.spell.Effects {
		if effects&(1<<i) != 0 {
			apply.Amount[i] = s.amount(t, h, i)
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
