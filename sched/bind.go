package sched

import (
	"path"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"muster/ecs"
)

// A Runner is a system: a struct whose fields are all of its access, with a Run that is called once a tick.
type Runner interface{ Run(Tick) }

// A Reactor is a Runner that also acts on what other systems ask of it within the stage in which they do: after the
// last system of each stage the plan calls React while any of the Requests and EventReaders among its fields has
// something new. React takes all of them.
type Reactor interface {
	Runner
	React(Tick)
}

// Bind makes a Runner a system of a world: its access is that of its fields, its timers are the wheels among them,
// and its name is that of its type, or of its package if the type is called System.
func Bind(w *ecs.World, stage Stage, r Runner) System {
	t := reflect.TypeOf(r).Elem()
	name := strings.ToLower(t.Name())
	if name == "system" {
		name = path.Base(t.PkgPath())
	}
	s := System{Name: name, Stage: stage, Access: ecs.Bind(w, r), Timers: TimersOf(r), Self: r, Run: r.Run}
	if reactor, ok := r.(Reactor); ok {
		var inboxes []ecs.Inbox
		each(reflect.ValueOf(r).Elem(), func(in ecs.Inbox) { inboxes = append(inboxes, in) })
		s.React, s.Waiting = reactor.React, func() bool { return slices.ContainsFunc(inboxes, ecs.Inbox.Waiting) }
	}
	return s
}

// TimersOf lists the wheels among the fields of what v points to, also those of structs within it.
func TimersOf(v any) (all []Timers) {
	each(reflect.ValueOf(v).Elem(), func(t Timers) { all = append(all, t) })
	return all
}

// each visits the fields of a value whose address is a T, also those of structs and arrays within it.
func each[T any](v reflect.Value, visit func(T)) {
	if v.Kind() == reflect.Array {
		for i := range v.Len() {
			each(v.Index(i), visit)
		}
	}
	if v.Kind() != reflect.Struct {
		return
	}
	if t, ok := reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Interface().(T); ok {
		visit(t)
		return
	}
	for i := range v.NumField() {
		each(v.Field(i), visit)
	}
}
