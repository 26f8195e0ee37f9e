package ecs

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// A Mode is what a system does with a type to which it has access.
type Mode uint8

// The modes. Two systems conflict over a type unless both read it or both append to it. Spawning writes as well, but
// only the components of new entities, so a system that spawns is not one of the writers of a component.
const (
	ModeRead   Mode = iota // reads values
	ModeAppend             // adds to an output or counter that it does not read
	ModeSpawn              // spawns entities with it: a Bundle and its components
	ModeFill               // sets it in entities that it spawns, or spawns entities with it and reads it
	ModeWrite              // changes values
)

func (m Mode) String() string { return [...]string{"read", "append", "spawn", "fill", "write"}[m] }

// and is the mode of a system with two modes for a type: one that reads what it appends to depends on it as a writer.
func (m Mode) and(n Mode) Mode {
	switch {
	case m != n && (m == ModeAppend || n == ModeAppend):
		return ModeWrite
	case m != n && (m == ModeSpawn || n == ModeSpawn):
		return max(m, n, ModeFill)
	}
	return max(m, n)
}

// An Access is one component, event or resource type that a system has access to, and its mode.
type Access struct {
	Type Type
	Mode Mode
}

// A Param is a field through which a system accesses its world: Read, Write, Res, Emit and so on. The fields of a
// system are all of its access; Bind sets them and lists them.
type Param interface {
	// BindParam connects the field to a world. The tag is that of the struct field.
	BindParam(w *World, tag reflect.StructTag) []Access
}

// An Initializer is a struct that prepares something once its fields are bound.
type Initializer interface{ Init() }

var (
	paramType       = reflect.TypeFor[Param]()
	initializerType = reflect.TypeFor[Initializer]()
)

// Bind fills in the Params among the fields of a struct, also those of structs and arrays within it, and then
// calls Init of each struct that has one, inner ones first. It returns what was bound, each type once with all
// that its fields do, in the order of the fields. It panics if system is not a pointer to a struct, or embeds a Param
// whose methods would hide its other fields or its Init.
func Bind(w *World, system any) []Access {
	v := reflect.ValueOf(system)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("ecs: %T is not a pointer to a struct", system))
	}
	outer := w.binding // Init may bind something else
	w.binding = new(fresh)
	var all []Access
	bind(w, v.Elem(), "", func(a Access) {
		for i := range all {
			if all[i].Type == a.Type {
				all[i].Mode = all[i].Mode.and(a.Mode)
				return
			}
		}
		all = append(all, a)
	})
	if w.binding.filled {
		w.fresh = append(w.fresh, w.binding)
	}
	w.binding = outer
	return all
}

// bind binds a value that can be addressed.
func bind(w *World, v reflect.Value, tag reflect.StructTag, note func(Access)) {
	t := v.Type()
	if !bound(t, nil) {
		return
	}
	at := reflect.NewAt(t, unsafe.Pointer(v.UnsafeAddr())) // fields need not be exported
	if p, ok := at.Interface().(Param); ok {
		checkEmbedded(t)
		for _, a := range p.BindParam(w, tag) {
			note(a)
		}
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			bind(w, v.Field(i), t.Field(i).Tag, note)
		}
		if s, ok := at.Interface().(Initializer); ok {
			s.Init()
		}
	case reflect.Array:
		for i := range v.Len() {
			bind(w, v.Index(i), tag, note)
		}
	}
}

// checkEmbedded panics if a Param is a struct that embeds another and has more to bind: it is a Param only by the
// BindParam of what it embeds, which does not know the rest.
func checkEmbedded(t reflect.Type) {
	if t.Kind() != reflect.Struct {
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.Anonymous || !f.Type.Implements(paramType) && !reflect.PointerTo(f.Type).Implements(paramType) {
			continue
		}
		if reflect.PointerTo(t).Implements(initializerType) {
			panic(fmt.Sprintf("ecs: %v embeds %v, so that its Init is not called: give that field a name", t, f.Type))
		}
		for j := range t.NumField() {
			if other := t.Field(j); j != i && bound(other.Type, nil) {
				panic(fmt.Sprintf("ecs: %v embeds %v, so that its %s is not bound: give that field a name", t, f.Type, other.Name))
			}
		}
	}
}

// bound reports whether a type is a Param, has one in it, or has something to prepare.
func bound(t reflect.Type, seen []reflect.Type) bool {
	if reflect.PointerTo(t).Implements(paramType) || reflect.PointerTo(t).Implements(initializerType) {
		return true
	}
	if slices.Contains(seen, t) {
		return false
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if bound(t.Field(i).Type, append(seen, t)) {
				return true
			}
		}
	case reflect.Array:
		return t.Len() > 0 && bound(t.Elem(), seen)
	}
	return false
}

// Conflict reports whether two systems with these accesses to one type depend on their order.
func (a Access) Conflict(b Access) bool {
	return a.Type == b.Type && (a.Mode != b.Mode || a.Mode >= ModeSpawn)
}
