package ecs

import (
	"unsafe"

	"github.com/mlange-42/arche/ecs"
)

// A Raw reaches one component of any entity as memory, for who looks at all of them and knows none.
type Raw struct {
	Type  Type
	world *ecs.World
	id    ecs.ID
}

// Raws has every component that was ever asked for, in that order.
func (w *World) Raws() []Raw {
	var raws []Raw
	for _, id := range ecs.ComponentIDs(&w.arche) {
		info, _ := ecs.ComponentInfo(&w.arche, id)
		raws = append(raws, Raw{info.Type, &w.arche, id})
	}
	return raws
}

// At is where a living entity's component is until the stage ends, nil if it has none.
func (r *Raw) At(e Entity) unsafe.Pointer { return r.world.GetUnchecked(ecs.Entity(e), r.id) }

// Pending visits what waits in queues beyond the tick, after EndTick: in Lasting ones until somebody takes it, in
// those with Readers until they have looked.
func (w *World) Pending(visit func(of Type, at unsafe.Pointer)) {
	for _, q := range w.queues {
		q.pending(visit)
	}
}

// Outlasting are the types of the queues in which something may wait beyond the tick.
func (w *World) Outlasting() (types []Type) {
	for _, q := range w.queues {
		if t := q.outlasts(); t != nil {
			types = append(types, t)
		}
	}
	return types
}
