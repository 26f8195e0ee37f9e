package space

import "muster/ecs"

// A Roll finds the entity of a GUID in constant time. It is part of a Space: who spawns something enrolls it,
// who takes it out of the world strikes it off.
type Roll struct{ of map[uint64]ecs.Entity }

// Enroll gives a GUID to an entity. An older entity of that GUID is forgotten.
func (r *Roll) Enroll(guid uint64, e ecs.Entity) {
	if r.of == nil {
		r.of = make(map[uint64]ecs.Entity)
	}
	r.of[guid] = e
}

// Strike forgets a GUID.
func (r *Roll) Strike(guid uint64) { delete(r.of, guid) }

// Find is the entity of a GUID, zero if there is none. It may have been despawned in this tick: ask the world
// whether it is alive.
func (r *Roll) Find(guid uint64) ecs.Entity { return r.of[guid] }
