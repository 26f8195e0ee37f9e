package spell

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// Lessons teaches players spells that they have paid for, within the stage in which that was. Passive spells are applied in the
// next tick.
type Lessons struct {
	book

	entities ecs.Entities
	lessons  ecs.Requests[rules.TeachSpell]
	passives ecs.Emit[Passive]

	later []Passive
}

// Run implements sched.Runner.
func (s *Lessons) Run(t sched.Tick) {
	for _, p := range s.later {
		if s.entities.Exists(p.Entity) {
			s.passives.Emit(p)
		}
	}
	s.later = s.later[:0]
	s.React(t)
}

// React implements sched.Reactor.
func (s *Lessons) React(sched.Tick) {
	for _, l := range s.lessons.Take() {
		if !s.entities.Exists(l.Entity) || !s.spells.Has(l.Entity) {
			continue
		}
		if sp := s.learn(l.Entity, l.Spell); sp != nil && sp.Has(defs.SpellPassive) {
			s.later = append(s.later, Passive{l.Entity, sp.ID})
		}
	}
}
