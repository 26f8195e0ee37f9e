package smartai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptGossips executes the effects on what players are shown of creatures that talk.
type ScriptGossips struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	effects  ecs.EventReader[effect]
	shows    ecs.Emit[rules.ShowGossip]
	sessions ecs.Read[components.Session]
}

// React implements sched.Reactor.
func (s *ScriptGossips) React(sched.Tick) {
	effects := s.effects.Next()
	for i := range effects {
		it := &effects[i]
		row := it.at.in(s.defs.Get())
		if row.Action != defs.ScriptCloseGossip && row.Action != defs.ScriptSendGossip {
			continue
		}
		if it.target != (ecs.Entity{}) && s.entities.Exists(it.target) && s.sessions.Has(it.target) {
			s.shows.Emit(rules.ShowGossip{
				Player: it.target, Creature: it.entity, Menu: row.Do[0], Text: row.Do[1], Close: row.Action == defs.ScriptCloseGossip,
			})
		}
	}
}
