package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// HealEffects executes the effects of spells that give health and power.
type HealEffects struct {
	lookup

	hits        ecs.Requests[healHit]
	vitals      ecs.Read[components.Vitals]
	combatStats ecs.ReadRef[components.CombatStats]
	heals       ecs.Emit[rules.Heal]
	powers      ecs.Emit[rules.PowerChange]
}

// React implements sched.Reactor.
func (s *HealEffects) React(t sched.Tick) {
	for _, event := range s.hits.Take() {
		if h, ok := s.hit(hitEvent(event)); ok {
			s.execute(t, &h)
		}
	}
}

func (s *HealEffects) execute(t sched.Tick, h *hit) {
	switch h.at().Kind {
	case defs.EffectEnergize, defs.EffectEnergizePercent:
		s.energize(t, h)
	default:
		s.heal(t, h)
	}
}

// Source: Spell::EffectHeal, EffectHealMaxHealth and EffectHealPct, AzerothCore.
func (s *HealEffects) heal(t sched.Tick, h *hit) {
	c, to := &h.cast, h.target.entity
	v := h.value(t)
	switch h.at().Kind {
	case defs.EffectHealMax:
		v = float32(s.vitals.Get(c.by).MaxHealth)
	case defs.EffectHealPercent:
		v = float32(v / 100 * float32(s.vitals.Get(to).MaxHealth))
	}
	s.heals.Emit(rules.Heal{
		By: c.by, To: to, Caster: h.byGUID, Spell: c.spell.ID, Amount: s.healing(h, v),
		Critical: h.target.crit, Quiet: c.spell.Has(defs.SpellNoThreat),
	})
}

// Source: Spell::EffectEnergize and EffectEnergizePct, AzerothCore.
func (s *HealEffects) energize(t sched.Tick, h *hit) {
	e, to := h.at(), h.target.entity
	power := int(uint32(e.Misc) % 7)
	v := h.value(t)
	if e.Kind == defs.EffectEnergizePercent {
		v = float32(v / 100 * float32(s.vitals.Get(to).MaxPower[power]))
	}
	s.powers.Emit(rules.PowerChange{
		To: to, Caster: h.byGUID, Spell: h.cast.spell.ID, Power: uint8(power), Delta: int32(v),
	})
}
