package ecs

import (
	"math/bits"
	"unsafe"

	"github.com/mlange-42/arche/ecs"
)

// A Raw gives access to one component of any entity as memory, for code that handles all components alike.
type Raw struct {
	Type  Type
	world *ecs.World
	id    ecs.ID
}

// Raws returns every component that was ever asked for, in that order.
func (w *World) Raws() []Raw {
	var raws []Raw
	for _, id := range ecs.ComponentIDs(&w.arche) {
		info, _ := ecs.ComponentInfo(&w.arche, id)
		raws = append(raws, Raw{info.Type, &w.arche, id})
	}
	return raws
}

// At returns the address of a living entity's component until the stage ends, nil if it has none.
func (r *Raw) At(e Entity) unsafe.Pointer { return r.world.GetUnchecked(ecs.Entity(e), r.id) }

// Pending visits the values that stay in queues beyond the tick, after EndTick: in Lasting ones until they are taken,
// in those with Readers until they are read.
func (w *World) Pending(visit func(of Type, at unsafe.Pointer)) {
	for i, word := range w.occupied {
		for ; word != 0; word &= word - 1 {
			if n := i*64 + bits.TrailingZeros64(word); n < len(w.queues) {
				w.queues[n].pending(visit)
			}
		}
	}
}

// Outlasting returns the types of the queues whose values may stay beyond the tick.
func (w *World) Outlasting() (types []Type) {
	for _, q := range w.queues {
		if t := q.outlasts(); t != nil {
			types = append(types, t)
		}
	}
	return types
}
