package spell

import (
	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// sendDamage logs the damage of a spell.
//
// Source: Unit::SendSpellNonMeleeDamageLog, AzerothCore.
func (s *System) sendDamage(c *cast, m *castTarget, out *rules.DamageResult, d *dealt) {
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

// sendMiss logs that a spell has missed a unit.
//
// Source: Unit::SendSpellMiss, AzerothCore.
func (s *System) sendMiss(c *cast, m *castTarget) {
	p := &s.said.miss
	p.Spell, p.Caster = c.spell.ID, s.objects.Get(c.by).GUID
	p.Misses = append(p.Misses[:0], msg.LogMiss{Target: s.objects.Get(m.entity).GUID, Reason: m.miss})
	s.out.Broadcast(m.entity, msg.OpSpellLogMiss, p)
}
