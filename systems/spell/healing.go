package spell

import (
	"muster/components/defs"
	"muster/sched"
	"muster/systems/rules"
)

// Source: Spell::EffectHeal, EffectHealMaxHealth and EffectHealPct, AzerothCore.
func (s *System) heal(t sched.Tick, c *cast, m *castTarget, i int) {
	v := s.value(t, c, i, m.entity)
	switch c.spell.Effects[i].Kind {
	case defs.EffectHealMax:
		v = float32(s.vitals.Get(c.by).MaxHealth)
	case defs.EffectHealPercent:
		v = float32(v / 100 * float32(s.vitals.Get(m.entity).MaxHealth))
	}
	s.heals.Emit(rules.Heal{
		By: c.by, To: m.entity, Caster: s.objects.Get(c.by).GUID, Spell: c.spell.ID, Amount: s.healing(c, i, m, v),
		Critical: m.crit, Quiet: c.spell.Has(defs.SpellNoThreat),
	})
}

// Source: Spell::EffectEnergize and EffectEnergizePct, AzerothCore.
func (s *System) energize(t sched.Tick, c *cast, m *castTarget, i int) {
	e := &c.spell.Effects[i]
	power := int(uint32(e.Misc) % 7)
	v := s.value(t, c, i, m.entity)
	if e.Kind == defs.EffectEnergizePercent {
		v = float32(v / 100 * float32(s.vitals.Get(m.entity).MaxPower[power]))
	}
	s.powers.Emit(rules.PowerChange{
		To: m.entity, Caster: s.objects.Get(c.by).GUID, Spell: c.spell.ID, Power: uint8(power), Delta: int32(v),
	})
}
