package social

import (
	"slices"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A Dance is a player that begins to dance.
type Dance struct{ ecs.Entity }

// Dances has players dance until they move or die.
//
// Source: WorldSession::HandleMovementOpcodes, AzerothCore.
type Dances struct {
	entities ecs.Entities
	begun    ecs.Events[Dance]
	moves    ecs.Events[change.Sent[msg.Move]]
	vitals   ecs.Read[components.Vitals]
	emotes   ecs.Emit[rules.SetEmoteState]

	dancers []ecs.Entity
}

// Run implements sched.Runner.
func (s *Dances) Run(sched.Tick) {
	s.dancers = slices.DeleteFunc(s.dancers, func(e ecs.Entity) bool {
		if !s.entities.Exists(e) {
			return true
		}
		moved := slices.ContainsFunc(s.moves.All(), func(m change.Sent[msg.Move]) bool { return m.By == e })
		if !moved && s.vitals.Get(e).Health > 0 {
			return false
		}
		s.emotes.Emit(rules.SetEmoteState{Entity: e, Emote: gestureNone})
		return true
	})
	for _, it := range s.begun.All() {
		if !slices.Contains(s.dancers, it.Entity) {
			s.emotes.Emit(rules.SetEmoteState{Entity: it.Entity, Emote: gestureDance})
			s.dancers = append(s.dancers, it.Entity)
		}
	}
}
