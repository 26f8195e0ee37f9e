package spell

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// dispel removes harmful auras of a dispel type from friends, and beneficial ones from enemies.
//
// Source: Spell::EffectDispel, AzerothCore.
func (s *System) dispel(t sched.Tick, c *cast, m *castTarget, i int) {
	removal := s.dispelOf(c, m.entity, i)
	removal.Most = uint8(min(max(s.value(t, c, i, m.entity), 1), 255))
	s.auraRemovals.Emit(removal)
}

// dispelOf returns the request for what a dispel effect removes from a unit.
func (s *System) dispelOf(c *cast, from ecs.Entity, i int) rules.RemoveAuras {
	return rules.RemoveAuras{
		From: from, Dispel: uint8(c.spell.Effects[i].Misc), Bad: c.by == from || !s.Hostile(c.by, from),
	}
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

// Source: Spell::EffectThreat, AzerothCore.
func (s *System) threaten(t sched.Tick, c *cast, m *castTarget, i int) {
	s.threatChanges.Emit(rules.ThreatChange{Entity: m.entity, By: c.by, Amount: s.value(t, c, i, m.entity)})
}

// taunt gives the caster enough threat for a creature to attack it.
//
// Source: Spell::EffectTaunt, AzerothCore, which makes the caster equal to the most hated; here it is put so far
// above that the creature turns to it from wherever it stands.
func (s *System) taunt(t sched.Tick, c *cast, m *castTarget, _ int) {
	var most, mine float32
	for _, h := range s.threats.List(m.entity) {
		if h.Entity == c.by {
			mine = h.Amount
		}
		most = max(most, h.Amount)
	}
	s.threatChanges.Emit(rules.ThreatChange{
		Entity: m.entity, By: c.by, Amount: max(float32(most*tauntFactor)-mine+1, 0), Raw: true,
	})
}

const tauntFactor = 1.3
