package space

import "muster/ecs"

// A GUIDIndex finds the entity of a GUID in constant time. It is part of a Space: entities are added when they spawn,
// and removed when they leave the world.
type GUIDIndex struct{ of map[uint64]ecs.Entity }

// Add maps a GUID to an entity. An older entity of that GUID is forgotten.
func (r *GUIDIndex) Add(guid uint64, e ecs.Entity) {
	if r.of == nil {
		r.of = make(map[uint64]ecs.Entity)
	}
	r.of[guid] = e
}

// Remove forgets a GUID.
func (r *GUIDIndex) Remove(guid uint64) { delete(r.of, guid) }

// Find returns the entity of a GUID, zero if there is none. It may have been despawned in this tick: ask the world
// whether it is alive.
func (r *GUIDIndex) Find(guid uint64) ecs.Entity { return r.of[guid] }
