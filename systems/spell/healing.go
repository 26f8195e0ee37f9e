package spell

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
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
	s.applyHeal(t, c, m.entity, s.healing(c, i, m, v), m.crit)
}

// applyHeal heals and logs it.
func (s *System) applyHeal(t sched.Tick, c *cast, to ecs.Entity, amount uint32, crit bool) {
	healed, over := s.book.Heal(to, amount)
	p := &s.said.heal
	*p = msg.SpellHealLog{
		Target: s.objects.Get(to).GUID, Caster: s.objects.Get(c.by).GUID, Spell: c.spell.ID, Heal: amount, Overheal: over,
		Critical: crit,
	}
	s.out.Broadcast(to, msg.OpSpellHealLog, p)
	if !c.spell.Has(defs.SpellNoThreat) {
		s.book.Healed(t, c.by, to, healed)
	}
}

// Source: Spell::EffectEnergize and EffectEnergizePct, AzerothCore.
func (s *System) energize(t sched.Tick, c *cast, m *castTarget, i int) {
	e := &c.spell.Effects[i]
	power := int(uint32(e.Misc) % 7)
	v := s.value(t, c, i, m.entity)
	if e.Kind == defs.EffectEnergizePercent {
		v = float32(v / 100 * float32(s.vitals.Get(m.entity).MaxPower[power]))
	}
	s.book.Energize(m.entity, power, int32(v))
	p := &s.said.energize
	*p = msg.SpellEnergizeLog{
		Target: s.objects.Get(m.entity).GUID, Caster: s.objects.Get(c.by).GUID, Spell: c.spell.ID,
		Power: uint32(power), Amount: uint32(max(v, 0)),
	}
	s.out.Broadcast(m.entity, msg.OpSpellEnergizeLog, p)
}
