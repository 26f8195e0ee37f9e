package ecs

import (
	"reflect"

	"github.com/mlange-42/arche/ecs"
)

// A Row is a copy of all components of an entity, to be read outside the world's goroutine. It allocates when it is
// filled with an entity of another archetype than before. The zero Row is empty.
type Row struct{ components []reflect.Value }

// Copy fills a row with the components of a living entity. It panics for a despawned one.
func (w *World) Copy(e Entity, into *Row) {
	ids := w.arche.Ids(ecs.Entity(e))
	if len(ids) != len(into.components) {
		into.components = make([]reflect.Value, len(ids))
	}
	for i, id := range ids {
		info, _ := ecs.ComponentInfo(&w.arche, id)
		if c := &into.components[i]; !c.IsValid() || c.Type() != info.Type {
			*c = reflect.New(info.Type).Elem()
		}
		into.components[i].Set(reflect.NewAt(info.Type, w.arche.Get(ecs.Entity(e), id)).Elem())
	}
}

// Clear empties the row.
func (r *Row) Clear() { r.components = nil }

// Components returns structs, in an order that is the same for all entities of a world. They belong to the row.
func (r *Row) Components() []reflect.Value { return r.components }
