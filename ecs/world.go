// Package ecs is the store: entities, their components in archetype tables, and typed queues.
//
// It is a thin face on arche (docs/adr/0005-arche-behind-ecs.md) and its only importer. One goroutine
// owns a World; nothing here locks. Components are plain structs without pointers: rows are moved as
// raw bytes. A value that belongs to the map as a whole and not to an entity is a shared value (Share).
package ecs

import (
	"fmt"
	"reflect"

	"github.com/mlange-42/arche/ecs"
)

// An Entity names a row. It is a value, comparable, and zero for no entity; a reused row gets a new generation, so an
// old Entity is never equal to a new one.
type Entity ecs.Entity

// ID returns the entity's row: small and dense, and reused after this entity is despawned.
func (e Entity) ID() uint32 { return ecs.Entity(e).ID() }

// A World holds the entities, components, queues and shared values of one map.
type World struct {
	arche           ecs.World
	archetypes      []*Archetype
	archetypeTables []Table // the same
	queues          []queue
	byType          map[reflect.Type]any // queues and shared values
	values          []any                // the same, in the order in which they were made
	places          map[Type]place       // of queues, by the type of their values
	occupied        queueSet             // queues that may have values
	emitted         uint64               // values appended to queues so far

	despawns []Entity
	marks    map[Type]*marks // of large components
	shadows  map[*Archetype]*shadow
	checked  map[*Archetype]*shadow // of CheckWrites
	earlier  map[Type]*marks        // before CheckWrites
	binding  *fresh                 // of the system that is being bound
	fresh    []*fresh               // of the systems with a Fill
}

// NewWorld returns an empty world whose tables grow in steps of capacity rows (at least 1).
func NewWorld(capacity int) *World {
	return &World{
		arche: ecs.NewWorld(max(capacity, 1)), byType: make(map[reflect.Type]any), places: make(map[Type]place),
		marks: make(map[Type]*marks), shadows: make(map[*Archetype]*shadow),
		checked: make(map[*Archetype]*shadow), earlier: make(map[Type]*marks),
	}
}

// Emitted is how many events there have been so far, of all types.
func (w *World) Emitted() uint64 { return w.emitted }

// Exists reports whether an entity still exists.
func (w *World) Exists(e Entity) bool { return e != Entity{} && w.arche.Alive(ecs.Entity(e)) }

// Share makes a value of its type known to every system of the world. A second value of one type
// panics: a shared value has one owner.
func Share[T any](w *World, v *T) {
	t := reflect.TypeFor[T]()
	if w.byType[t] != nil {
		panic(fmt.Sprintf("ecs: %v is shared twice", t))
	}
	w.byType[t] = v
	w.values = append(w.values, v)
}

// Values are pointers to all queues and shared values, in the order in which they were made.
func (w *World) Values() []any { return w.values }

// Shared returns the shared value of a type. Systems get it when they are built; it panics if there is none.
func Shared[T any](w *World) *T {
	t := reflect.TypeFor[T]()
	v, ok := w.byType[t].(*T)
	if !ok {
		panic(fmt.Sprintf("ecs: no %v is shared", t))
	}
	return v
}

// A Type names a component, queue or shared value in the access of a system.
type Type = reflect.Type

// Of is the list of one type.
func Of[A any]() []Type { return []Type{reflect.TypeFor[A]()} }

// Of2 is the list of two types.
func Of2[A, B any]() []Type { return append(Of[A](), Of[B]()...) }

// Of3 is the list of three types.
func Of3[A, B, C any]() []Type { return append(Of2[A, B](), Of[C]()...) }

// Of4 is the list of four types.
func Of4[A, B, C, D any]() []Type { return append(Of2[A, B](), Of2[C, D]()...) }
