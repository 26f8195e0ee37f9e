package ecs

import (
	"fmt"
	"reflect"
	"slices"
)

// A Bundle names the components of an archetype. Its methods are called on its zero value.
type Bundle interface{ Components() []Type }

// A Spawn spawns entities of the archetype with the components of a Bundle.
type Spawn[B Bundle] struct {
	archetype *Archetype
	fresh     *fresh
}

// BindParam implements Param.
func (s *Spawn[B]) BindParam(w *World, _ reflect.StructTag) []Access {
	var bundle B
	s.archetype, s.fresh = NewArchetype(w, bundle.Components()...), w.binding
	return append(accesses(bundle.Components(), ModeSpawn), Access{reflect.TypeFor[B](), ModeSpawn})
}

// Spawn spawns an entity at once, its components zero. Pointers into columns are invalid after it.
func (s *Spawn[B]) Spawn() Entity {
	e := s.archetype.Spawn()
	s.fresh.add(e)
	return e
}

// SpawnBatch spawns n entities, as Spawn does, and then visits each.
func (s *Spawn[B]) SpawnBatch(n int, visit func(i int, e Entity)) {
	s.archetype.SpawnBatch(n, func(i int, e Entity) {
		s.fresh.add(e)
		visit(i, e)
	})
}

// Count returns how many entities of the archetype there are.
func (s *Spawn[B]) Count() int { return s.archetype.Count() }

// A Fill writes a component of entities that the system itself has spawned, before another system sees them.
type Fill[T any] struct {
	column Accessor[T]
	fresh  *fresh
}

// BindParam implements Param.
func (r *Fill[T]) BindParam(w *World, _ reflect.StructTag) []Access {
	r.column, r.fresh = NewAccessor[T](w), w.binding
	r.fresh.filled = true
	return []Access{{reflect.TypeFor[T](), ModeFill}}
}

// Get returns the component of an entity that was spawned in this run of the system, nil if it has none. It panics
// for another entity.
func (r *Fill[T]) Get(e Entity) *T {
	if !r.fresh.has(e) {
		panic(fmt.Sprintf("ecs: the %v of entity %d is filled by a system that has not spawned it in this run", reflect.TypeFor[T](), e.ID()))
	}
	return r.column.Get(e)
}

// fresh are the entities that a system has spawned in this stage, in which it runs once. They are kept if it has a
// Fill.
type fresh struct {
	filled   bool
	entities []Entity
}

func (f *fresh) add(e Entity) {
	if f.filled {
		f.entities = append(f.entities, e)
	}
}

// has looks at the latest first.
func (f *fresh) has(e Entity) bool {
	for _, it := range slices.Backward(f.entities) {
		if it == e {
			return true
		}
	}
	return false
}
