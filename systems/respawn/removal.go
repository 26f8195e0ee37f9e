package respawn

import (
	"muster/components"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A removal asks for the despawn of a creature, alive or dead. System removals takes it in the same tick.
type removal struct{ entity ecs.Entity }

// Removals despawns creatures: they are gone after the tick, or after the next one if an event of this tick concerns
// them.
type Removals struct {
	space     ecs.ResMut[space.Space]
	cells     change.Cells
	removals  ecs.Events[removal]
	departing ecs.Emit[rules.LeaveCombat]
	leaving   ecs.Emit[change.Leaving]
	homeCells ecs.Read[components.HomeCell]
}

// OnEvents implements sched.Handler.
func (s *Removals) OnEvents(sched.Tick) {
	for _, it := range s.removals.All() {
		s.departing.Emit(rules.LeaveCombat{Entity: it.entity, Gone: true})
		home := s.homeCells.Get(it.entity).Cell
		s.space.Get().Drop(it.entity, home)
		s.space.Get().Hunt(it.entity, false)
		s.cells.Leave(home) // it does not hunt any more: its cell has to be sorted
		s.leaving.Emit(change.Leaving{Entity: it.entity})
	}
}
