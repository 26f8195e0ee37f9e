package spell

import (
	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// tellDamage logs what a spell has done.
//
// Source: Unit::SendSpellNonMeleeDamageLog, AzerothCore.
func (s *System) tellDamage(c *cast, m *met, out *rules.DamageResult, d *dealt) {
	p := &s.said.damage
	*p = msg.SpellDamageLog{
		Target: s.objects.Get(m.entity).GUID, Attacker: s.objects.Get(c.by).GUID, Spell: c.spell.ID,
		Damage: out.Dealt, Overkill: out.Overkill, School: uint8(c.spell.School), Absorbed: out.Absorbed,
		Resisted: d.resisted, Blocked: d.blocked, Physical: c.spell.School == defs.SchoolPhysical,
	}
	if m.crit {
		p.HitInfo = msg.SpellHitCritical
	}
	s.out.Broadcast(m.entity, msg.OpSpellDamageLog, p)
}

// tellMiss logs that a spell has done nothing to somebody.
//
// Source: Unit::SendSpellMiss, AzerothCore.
func (s *System) tellMiss(c *cast, m *met) {
	p := &s.said.miss
	p.Spell, p.Caster = c.spell.ID, s.objects.Get(c.by).GUID
	p.Misses = append(p.Misses[:0], msg.LogMiss{Target: s.objects.Get(m.entity).GUID, Reason: m.miss})
	s.out.Broadcast(m.entity, msg.OpSpellLogMiss, p)
}
