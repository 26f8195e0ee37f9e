package ai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/systems/rules"
)

// cast requests the first of a creature's spells that it can cast now, and reports whether there is one. Whether the
// cast succeeds is decided by system spell; it is not tried again before the cooldown is over.
func (s *System) cast(e, victim ecs.Entity, template *defs.Creature) bool {
	if len(template.Spells) == 0 {
		return false
	}
	silent := s.auraStates.Get(e).States&components.StateSilenced != 0
	state, v := s.aiStates.Get(e), s.vitals.Get(e)
	far := flat(s.positions.Get(e).Vec(), s.positions.Get(victim).Vec())
	dice := s.dice("ai.cast", e)
	for i := range template.Spells[:min(len(template.Spells), components.MaxCreatureSpells)] {
		spell := &template.Spells[i]
		switch {
		case int32(s.tick.NowMs-state.SpellMs[i]) < 0,
			spell.BelowHealth > 0 && uint64(v.Health)*100 >= uint64(v.MaxHealth)*uint64(spell.BelowHealth),
			!spell.OnSelf && far > spell.MaxYards,
			silent && s.spoken(spell.Spell):
			continue
		}
		state.SpellMs[i] = s.tick.NowMs + spell.CooldownMs
		if spell.Chance > 0 && uint32(dice.Intn(100)) >= spell.Chance {
			continue
		}
		target := victim
		if spell.OnSelf {
			target = e
		}
		s.halt(e)
		s.casts.Emit(rules.Cast{By: e, Target: target, Spell: spell.Spell})
		return true
	}
	return false
}

// spoken reports whether silence prevents a spell.
//
// Source: SPELL_PREVENTION_TYPE_SILENCE, Spell::CheckCasterAuras, AzerothCore; as system spell has it.
func (s *System) spoken(id uint32) bool {
	sp := s.defs.Get().Spell(id)
	return sp != nil && sp.School != defs.SchoolPhysical
}
