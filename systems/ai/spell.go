package ai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// CreatureSpells has creatures that fight cast the spells of their templates.
type CreatureSpells struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	begun    ecs.EventReader[begun]
	attacks  ecs.Events[attack]
	chases   ecs.Emit[chase]
	casts    ecs.Emit[rules.Cast]
	orders   ecs.Emit[walkOrder]
	rests    ecs.Emit[rest]

	objects   ecs.Read[components.Object]
	positions ecs.Read[components.Position]
	vitals    ecs.Read[components.Vitals]
	unitAuras ecs.Read[components.UnitAuras]
	castings  ecs.ReadRef[components.Casting]
	aiStates  ecs.Write[components.AIState]
	timers    ecs.Write[components.SpellTimers]

	cast    sched.Counter `name:"ai.cast"`
	casting sched.Counter `name:"ai.casting"`
}

// OnEvents implements sched.Handler.
func (s *CreatureSpells) OnEvents(t sched.Tick) {
	for _, it := range s.begun.Next() {
		s.begin(it.entity)
	}
	for _, it := range s.attacks.All() {
		switch {
		case s.castings.Get(it.entity).Cast.Spell != 0:
			s.casting.Count()
		case s.begins(t, it):
			s.cast.Count()
		default:
			s.chases.Emit(chase(it))
			continue
		}
		s.aiStates.Get(it.entity).ReachedMs = t.NowMs
		s.rests.Emit(rest{it.entity, chasePace})
	}
}

// spells are those spells of a creature's template that it casts.
func (s *CreatureSpells) spells(e ecs.Entity) []defs.CreatureSpell {
	all := s.defs.Get().Creature(s.objects.Get(e).Entry).Spells
	return all[:min(len(all), components.MaxCreatureSpells)]
}

// begin notes from when a creature whose fight has begun casts its spells.
func (s *CreatureSpells) begin(e ecs.Entity) {
	if !s.entities.Exists(e) {
		return
	}
	timers, sinceMs := s.timers.Get(e), s.aiStates.Get(e).SinceMs
	for i, spell := range s.spells(e) {
		timers.Ms[i] = sinceMs + spell.FirstMs
	}
}

// begins requests the first of a creature's spells that it can cast now, and reports whether there is one. Whether the
// cast succeeds is decided by system casts; it is not tried again before the cooldown is over.
func (s *CreatureSpells) begins(t sched.Tick, it attack) bool {
	e, victim := it.entity, it.victim
	spells := s.spells(e)
	if len(spells) == 0 {
		return false
	}
	silent := s.unitAuras.Get(e).States&components.StateSilenced != 0
	timers, v := s.timers.Get(e), s.vitals.Get(e)
	far := flat(s.positions.Get(e).Vec(), s.positions.Get(victim).Vec())
	dice := t.Dice("ai.cast", s.objects.Get(e).GUID)
	for i := range spells {
		spell := &spells[i]
		switch {
		case int32(t.NowMs-timers.Ms[i]) < 0,
			spell.BelowHealth > 0 && uint64(v.Health)*100 >= uint64(v.MaxHealth)*uint64(spell.BelowHealth),
			!spell.OnSelf && far > spell.MaxYards,
			silent && s.spoken(spell.Spell):
			continue
		}
		timers.Ms[i] = t.NowMs + spell.CooldownMs
		if spell.Chance > 0 && uint32(dice.Intn(100)) >= spell.Chance {
			continue
		}
		target := victim
		if spell.OnSelf {
			target = e
		}
		s.orders.Emit(walkOrder{entity: e, turn: it.turn, halt: true})
		s.casts.Emit(rules.Cast{By: e, Target: target, Spell: spell.Spell})
		return true
	}
	return false
}

// spoken reports whether silence prevents a spell.
//
// Source: SPELL_PREVENTION_TYPE_SILENCE, Spell::CheckCasterAuras, AzerothCore; as system casts has it.
func (s *CreatureSpells) spoken(id uint32) bool {
	sp := s.defs.Get().Spell(id)
	return sp != nil && sp.School != defs.SchoolPhysical
}
