package spell

import (
	"muster/components/defs"
	"muster/sched"
	"muster/systems/rules"
)

// dispel takes harmful auras of a kind off friends, and helpful ones off enemies.
//
// Source: Spell::EffectDispel, AzerothCore.
func (s *system) dispel(t sched.Tick, c *cast, m *met, i int) {
	e := &c.spell.Effects[i]
	*s.strips.Next() = rules.Strip{
		From: m.entity, Dispel: uint8(e.Misc), Most: uint8(min(max(s.value(t, c, i, m.entity), 1), 255)),
		Bad: c.by == m.entity || !s.book.Hostile(c.by, m.entity),
	}
}

// hinder ends what somebody casts, and locks the school for the spell's duration.
func (s *system) hinder(t sched.Tick, c *cast, m *met, _ int) {
	s.halt(t, rules.Halt{Entity: m.entity, Schools: defs.SchoolAll, LockMs: c.spell.DurationMs})
}

// Source: Spell::EffectThreat, AzerothCore.
func (s *system) threaten(t sched.Tick, c *cast, m *met, i int) {
	s.book.Provoke(t, m.entity, c.by, s.value(t, c, i, m.entity))
}

// taunt has a creature hate the caster as much as it takes to be attacked.
//
// Source: Spell::EffectTaunt, AzerothCore, which makes the caster equal to the most hated; here it is put so far
// above that the creature turns to it from wherever it stands.
func (s *system) taunt(t sched.Tick, c *cast, m *met, _ int) {
	var most, mine float32
	for _, h := range s.book.Hates(m.entity) {
		if h.Entity == c.by {
			mine = h.Amount
		}
		most = max(most, h.Amount)
	}
	s.book.Threaten(t, m.entity, c.by, max(float32(most*tauntFactor)-mine+1, 0))
}

const tauntFactor = 1.3
