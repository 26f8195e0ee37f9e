package spell

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// DispelEffects executes the effects of spells that dispel auras and interrupt casts.
type DispelEffects struct {
	rules.Units
	lookup

	hits     ecs.Requests[dispelHit]
	removals ecs.Emit[rules.RemoveAuras]
	ends     ecs.Emit[castEnd]
}

// React implements sched.Reactor.
func (s *DispelEffects) React(t sched.Tick) {
	for _, event := range s.hits.Take() {
		if h, ok := s.hit(hitEvent(event)); ok {
			s.execute(t, &h)
		}
	}
}

// Source: Spell::EffectDispel and Spell::EffectInterruptCast, AzerothCore.
func (s *DispelEffects) execute(t sched.Tick, h *hit) {
	if h.at().Kind == defs.EffectInterrupt {
		s.ends.Emit(castEnd{entity: h.target.entity, how: endInterruptible, schools: defs.SchoolAll, lockMs: h.cast.spell.DurationMs})
		return
	}
	removal := dispelOf(&s.Units, &h.cast, h.target.entity, h.effect)
	removal.Most = uint8(min(max(h.value(t), 1), 255))
	s.removals.Emit(removal)
}

// dispelOf returns the request for what a dispel effect removes from a unit: harmful auras of a dispel type from
// friends, and beneficial ones from enemies.
func dispelOf(units *rules.Units, c *cast, from ecs.Entity, i int) rules.RemoveAuras {
	return rules.RemoveAuras{
		From: from, Dispel: uint8(c.spell.Effects[i].Misc), Bad: c.by == from || !units.Hostile(c.by, from),
	}
}
