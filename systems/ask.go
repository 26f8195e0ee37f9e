package systems

import "muster/ecs"

// Ask puts a request into its queue, as a system would: for tools and tests, between two ticks.
func Ask[T any](w *World, request T) { *ecs.QueueOf[T](w.ecs).Next() = request }

// Find is the entity of a GUID, zero if it is not there.
func (w *World) Find(guid uint64) ecs.Entity { return w.space.Find(guid) }
