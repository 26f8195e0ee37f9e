package ecs

import (
	"fmt"
	"reflect"
	"unsafe"
)

// MaxRead is the largest component that Read copies, in bytes: a cache line.
const MaxRead = 64

// A Read gives access to a component of any entity by value, so nothing can be written through Get. Rows must not be
// written to. Components larger than MaxRead are read by a ReadRef, and smaller ones only by a Read.
type Read[T any] struct{ column[T] }

// BindParam implements Param. It panics for a component that is larger than MaxRead.
func (r *Read[T]) BindParam(w *World, _ reflect.StructTag) []Access {
	if t := reflect.TypeFor[T](); t.Size() > MaxRead {
		panic(fmt.Sprintf("ecs: %v has %d bytes, more than a Read copies: use a ReadRef", t, t.Size()))
	}
	return r.bind(w, ModeRead)
}

// Get returns a copy of the component of a living entity that has it. Unlike Get of ReadRef and Write, which returns nil then,
// it panics for an entity without the component: ask Has where some have none. It panics for a despawned entity.
func (r *Read[T]) Get(e Entity) T { return *r.of.Get(e) }

// A ReadRef gives access in place to a component that is too large to be copied. What Get and Rows point to must not be
// written to; tests of whole worlds check that.
type ReadRef[T any] struct{ column[T] }

// BindParam implements Param. It panics for a component that a Read can copy, unless the field has a tag inplace:"…" with the
// reason why it needs the address.
func (r *ReadRef[T]) BindParam(w *World, tag reflect.StructTag) []Access {
	if t := reflect.TypeFor[T](); t.Size() <= MaxRead && tag.Get("inplace") == "" {
		panic(fmt.Sprintf("ecs: %v has %d bytes, which a Read copies: use one, or say why not in a tag inplace", t, t.Size()))
	}
	return r.bind(w, ModeRead)
}

// A Write gives access to a component of any entity to change it. It marks an entity whose component it gives out, if the component is
// large, for CopyTables: read large components that seldom change by a ReadRef.
type Write[T any] struct {
	column[T]
	marks *marks
}

// BindParam implements Param.
func (r *Write[T]) BindParam(w *World, _ reflect.StructTag) []Access {
	r.marks = w.marksOf(reflect.TypeFor[T]())
	return r.bind(w, ModeWrite)
}

// Get returns a pointer to the component of a living entity, nil if it has none. The pointer is valid until the next spawn or the
// end of the stage. It panics for a despawned entity.
func (r *Write[T]) Get(e Entity) *T {
	at := r.of.Get(e)
	if unsafe.Sizeof(*at) >= largeBytes { // the compiler knows for each T
		r.marks.mark(e)
	}
	return at
}

// Rows returns the component of all entities of an archetype, as it lies in memory, and marks all of them; see Accessor.Rows.
func (r *Write[T]) Rows(t Table) []T {
	r.marks.all = true
	return r.of.Rows(t.archetype)
}

// A column is what Read, ReadRef and Write have in common.
type column[T any] struct{ of Accessor[T] }

func (c *column[T]) bind(w *World, mode Mode) []Access {
	c.of = NewAccessor[T](w)
	return []Access{{reflect.TypeFor[T](), mode}}
}

// Get returns a pointer to the component of a living entity, nil if it has none. The pointer is valid until the next spawn or the
// end of the stage. It panics for a despawned entity. Get of Read copies the component instead, and so panics for an entity
// without it.
func (c *column[T]) Get(e Entity) *T { return c.of.Get(e) }

// Has reports whether a living entity has the component.
func (c *column[T]) Has(e Entity) bool { return c.of.Has(e) }

// Rows returns the component of all entities of an archetype, as it lies in memory; see Accessor.Rows.
func (c *column[T]) Rows(t Table) []T { return c.of.Rows(t.archetype) }

// Row returns the index of an entity in Rows; see Accessor.Row.
func (c *column[T]) Row(rows []T, e Entity) int { return c.of.Row(rows, e) }

// Entities answers which entities exist, and which archetypes there are.
type Entities struct{ world *World }

// BindParam implements Param. Entities are spawned at once and despawned at the end of a stage; to ask which exist is no access.
func (s *Entities) BindParam(w *World, _ reflect.StructTag) []Access {
	s.world = w
	return nil
}

// Exists reports whether an entity still exists.
func (s *Entities) Exists(e Entity) bool { return s.world.Exists(e) }

// Archetypes lists the archetypes of the world, in order of creation: their entities can be reached by Rows, and none
// can be spawned.
func (s *Entities) Archetypes() []Table { return s.world.archetypeTables }

// A Despawn despawns entities at the end of the stage.
type Despawn struct{ world *World }

// BindParam implements Param.
func (s *Despawn) BindParam(w *World, _ reflect.StructTag) []Access {
	s.world = w
	return []Access{{reflect.TypeFor[Despawn](), ModeAppend}}
}

// Despawn despawns an entity when the stage ends. Despawning it again changes nothing.
func (s *Despawn) Despawn(e Entity) { s.world.Despawn(e) }

// A Query finds all entities that have a component, which must not be written to. Iter walks them.
type Query[T any] struct{ *Filter1[T] }

// BindParam implements Param.
func (q *Query[T]) BindParam(w *World, _ reflect.StructTag) []Access {
	q.Filter1 = NewFilter1[T](w)
	return []Access{{reflect.TypeFor[T](), ModeRead}}
}

// A Prefetch loads components of entities into the cache before a system uses them; see Prefetcher.
type Prefetch[B Bundle] struct{ *Prefetcher }

// BindParam implements Param.
func (p *Prefetch[B]) BindParam(w *World, _ reflect.StructTag) []Access {
	var bundle B
	p.Prefetcher = NewPrefetcher(w, bundle.Components()...)
	return accesses(bundle.Components(), ModeRead)
}

func accesses(types []Type, mode Mode) (all []Access) {
	for _, t := range types {
		all = append(all, Access{t, mode})
	}
	return all
}

// A Res is a resource that a system reads: a value of which the world has one.
type Res[T any] struct{ value *T }

// BindParam implements Param. It panics if the world has no such resource.
func (r *Res[T]) BindParam(w *World, _ reflect.StructTag) []Access {
	r.value = Shared[T](w)
	return []Access{{reflect.TypeFor[T](), ModeRead}}
}

// Get returns the resource, which must not be written to.
func (r *Res[T]) Get() *T { return r.value }

// A ResMut is a resource that a system changes.
type ResMut[T any] struct{ value *T }

// BindParam implements Param. It panics if the world has no such resource.
func (r *ResMut[T]) BindParam(w *World, _ reflect.StructTag) []Access {
	r.value = Shared[T](w)
	return []Access{{reflect.TypeFor[T](), ModeWrite}}
}

// Get returns the resource.
func (r *ResMut[T]) Get() *T { return r.value }
