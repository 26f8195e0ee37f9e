package spell

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// applyPassive applies the auras of a passive spell to its owner, alive or not.
func (s *System) applyPassive(t sched.Tick, e ecs.Entity, sp *defs.Spell) {
	c := cast{by: e, target: e, spell: sp, level: s.units.Get(e).Level, triggered: true}
	m := castTarget{entity: e}
	apply := rules.ApplyAura{By: e, To: e, Spell: sp.ID, Level: uint8(min(c.level, 255))}
	for i := range sp.Effects {
		if sp.Effects[i].Kind == defs.EffectApplyAura {
			apply.Effects |= 1 << i
			apply.Amount[i] = s.auraAmount(t, &c, i, &m)
		}
	}
	s.auraApplies.Emit(apply)
}
