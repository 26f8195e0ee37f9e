package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// CallEffects executes the effects of spells that summon creatures, offer resurrection and teach spells.
type CallEffects struct {
	lookup

	hits      ecs.Requests[callHit]
	sessions  ecs.Read[components.Session]
	positions ecs.Read[components.Position]
	vitals    ecs.Read[components.Vitals]
	summons   ecs.Emit[rules.Summon]
	offers    ecs.Emit[rules.Resurrect]
	teaches   ecs.Emit[rules.LearnSpell]
	refused   sched.Counter `name:"spell.refused_effect"`
}

// React implements sched.Reactor.
func (s *CallEffects) React(t sched.Tick) {
	for _, event := range s.hits.Take() {
		if h, ok := s.hit(hitEvent(event)); ok {
			s.execute(t, &h)
		}
	}
}

func (s *CallEffects) execute(t sched.Tick, h *hit) {
	e, to := h.at(), h.target.entity
	switch {
	case e.Kind == defs.EffectSummon:
		s.summon(t, h)
	case !s.sessions.Has(to): // the others are for players
		s.refused.Count()
	case e.Kind == defs.EffectLearn:
		s.teaches.Emit(rules.LearnSpell{Entity: to, Spell: e.Trigger})
	default:
		s.resurrect(t, h)
	}
}

// Source: Spell::EffectSummonType, AzerothCore.
func (s *CallEffects) summon(t sched.Tick, h *hit) {
	c := &h.cast
	at := s.positions.Get(c.by)
	if c.placed {
		at.X, at.Y, at.Z = c.to.X, c.to.Y, c.to.Z
	}
	n := min(max(int(h.value(t)), 1), maxSummons)
	for range n {
		s.summons.Emit(rules.Summon{
			By: c.by, Entry: uint32(h.at().Misc), At: at, ForMs: c.spell.DurationMs,
		})
	}
}

// maxSummons is how many creatures one effect summons at most, our own choice.
const maxSummons = 8

// resurrect offers a dead player resurrection at the caster: with percents of its health and mana, or with amounts.
//
// Source: Spell::EffectResurrect and EffectResurrectNew, AzerothCore.
func (s *CallEffects) resurrect(t sched.Tick, h *hit) {
	to, by := h.target.entity, h.cast.by
	v, amount := s.vitals.Get(to), h.value(t)
	offer := rules.Resurrect{
		Entity: to, By: by, Health: uint32(max(amount, 1)), Mana: uint32(max(h.at().Misc, 0)), At: s.positions.Get(by),
	}
	if h.at().Kind == defs.EffectResurrect {
		offer.Health = uint32(max(float32(amount/100*float32(v.MaxHealth)), 1))
		offer.Mana = uint32(max(float32(amount/100*float32(v.MaxPower[components.PowerMana])), 0))
	}
	s.offers.Emit(offer)
}
