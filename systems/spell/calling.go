package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/sched"
	"muster/systems/rules"
)

// trigger casts the triggered spell at a target. Chains of triggered spells are bounded by maxTriggered.
//
// Source: Spell::EffectTriggerSpell, AzerothCore, which trusts its data.
func (s *System) trigger(_ sched.Tick, c *cast, m *castTarget, i int) {
	if c.depth == maxTriggered {
		s.tooDeep.Count()
		return
	}
	s.triggered.Emit(rules.Cast{
		By: c.by, Target: m.entity, To: c.to, Placed: c.placed, Spell: c.spell.Effects[i].Trigger, Depth: c.depth + 1,
		Triggered: true,
	})
}

// Source: Spell::EffectSummonType, AzerothCore.
func (s *System) summon(t sched.Tick, c *cast, m *castTarget, i int) {
	at := s.positions.Get(c.by)
	if c.placed {
		at.X, at.Y, at.Z = c.to.X, c.to.Y, c.to.Z
	}
	n := min(max(int(s.value(t, c, i, m.entity)), 1), maxSummons)
	for range n {
		s.summons.Emit(rules.Summon{
			By: c.by, Entry: uint32(c.spell.Effects[i].Misc), At: at, ForMs: c.spell.DurationMs,
		})
	}
}

// maxSummons is how many creatures one effect summons at most, our own choice.
const maxSummons = 8

// resurrect offers a dead player resurrection at the caster: with percents of its health and mana, or with amounts.
//
// Source: Spell::EffectResurrect and EffectResurrectNew, AzerothCore.
func (s *System) resurrect(t sched.Tick, c *cast, m *castTarget, i int) {
	if !s.Player(m.entity) {
		s.refusedEffect.Count()
		return
	}
	v, amount := s.vitals.Get(m.entity), s.value(t, c, i, m.entity)
	offer := rules.Resurrect{
		Entity: m.entity, By: c.by, Health: uint32(max(amount, 1)), Mana: uint32(max(c.spell.Effects[i].Misc, 0)),
		At: s.positions.Get(c.by),
	}
	if c.spell.Effects[i].Kind == defs.EffectResurrect {
		offer.Health = uint32(max(float32(amount/100*float32(v.MaxHealth)), 1))
		offer.Mana = uint32(max(float32(amount/100*float32(v.MaxPower[components.PowerMana])), 0))
	}
	s.offers.Emit(offer)
}

func (s *System) teach(_ sched.Tick, c *cast, m *castTarget, i int) {
	if !s.Player(m.entity) {
		s.refusedEffect.Count()
		return
	}
	s.teaches.Emit(rules.LearnSpell{Entity: m.entity, Spell: c.spell.Effects[i].Trigger})
}
