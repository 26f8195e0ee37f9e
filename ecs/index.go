package ecs

import (
	"reflect"
	"unsafe"

	"github.com/mlange-42/arche/ecs"
)

// A place is where arche keeps an entity: in which archetype, and in which row of it. It is an entityIndex of arche,
// but that the collector of garbage takes it for numbers.
type place struct {
	_ uintptr // the archetype
	_ uint32  // the row
}

// entities is where an arche world has its index, one place for each entity that there ever was at a time.
var entities = index("entities", reflect.TypeFor[place]())

// index is the offset of a slice within an arche world. The module is pinned, and the version that it is pinned to has
// the slice: with another one the program does not start, and whoever raises the version sees to it.
func index(name string, like reflect.Type) uintptr {
	field, ok := reflect.TypeFor[ecs.World]().FieldByName(name)
	if !ok || field.Type.Kind() != reflect.Slice || field.Type.Elem().Size() != like.Size() ||
		field.Type.Elem().Field(0).Type.Kind() != reflect.Pointer || field.Type.Elem().Field(1).Type != like.Field(1).Type {
		panic("ecs: arche has no index of entities as is known of it")
	}
	return field.Offset
}

// hide moves the index to memory that the collector does not look through, if arche has just made it anew. A million
// entities are a million pointers to a handful of archetypes, which the world holds anyway, in pages that never move
// and are never let go: to follow them took ten milliseconds of each collection.
func (w *World) hide() {
	all := (*[]place)(unsafe.Add(unsafe.Pointer(&w.arche), entities))
	if cap(*all) == w.hidden {
		return
	}
	*all = append(make([]place, 0, cap(*all)), *all...)
	w.hidden = cap(*all)
}
