package spell

import (
	"muster/net/protocol/msg"
)

// sendMiss logs that a spell has missed a unit.
//
// Source: Unit::SendSpellMiss, AzerothCore.
func (s *System) sendMiss(c *cast, m *castTarget) {
	p := &s.said.miss
	p.Spell, p.Caster = c.spell.ID, s.objects.Get(c.by).GUID
	p.Misses = append(p.Misses[:0], msg.LogMiss{Target: s.objects.Get(m.entity).GUID, Reason: m.miss})
	s.out.Broadcast(m.entity, msg.OpSpellLogMiss, p)
}
