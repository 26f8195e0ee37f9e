package spell

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// dispelOf returns the request for what a dispel effect removes from a unit.
func (s *System) dispelOf(c *cast, from ecs.Entity, i int) rules.RemoveAuras {
	return rules.RemoveAuras{
		From: from, Dispel: uint8(c.spell.Effects[i].Misc), Bad: c.by == from || !s.Hostile(c.by, from),
	}
}

// dispel removes harmful auras of a dispel type from friends, and beneficial ones from enemies.
//
// Source: Spell::EffectDispel, AzerothCore.
func (s *System) dispel(t sched.Tick, c *cast, m *castTarget, i int) {
	removal, h := s.dispelOf(c, m.entity, i), s.hit(c, m, i)
	removal.Most = uint8(min(max(h.value(t), 1), 255))
	s.auraRemovals.Emit(removal)
}

// interruptCast ends a unit's cast if it can be interrupted, and locks the school for the spell's duration.
//
// Source: Spell::EffectInterruptCast, AzerothCore.
func (s *System) interruptCast(t sched.Tick, c *cast, m *castTarget, _ int) {
	if casts := s.casting.Get(m.entity).Cast.Spell; casts == 0 || !s.spell(casts).Has(defs.SpellInterruptible) {
		return
	}
	s.halt(t, rules.InterruptCast{Entity: m.entity, Schools: defs.SchoolAll, LockMs: c.spell.DurationMs})
}
