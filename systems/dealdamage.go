package systems

import (
	"muster/ecs"
	"muster/systems/rules"
)

// Damage has damage dealt in the next tick: for tools and tests.
func (w *World) Damage(d rules.Damage) { *ecs.QueueOf[rules.Damage](w.ecs).Next() = d }
