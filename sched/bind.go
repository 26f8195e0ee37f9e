package sched

import (
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"muster/ecs"
)

// A Runner is a system that runs once a tick.
type Runner interface{ Run(Tick) }

// A Handler is a system that does nothing without events: it runs once in each tick in which there are any of a type that
// its fields read.
type Handler interface{ OnEvents(Tick) }

// A Reactor is a system that acts on what other systems ask of it within the stage in which they do: after the last system
// of each stage the plan calls React while any of the Requests and EventReaders among its fields has something new. React
// takes all of them. A Reactor that is neither a Runner nor a Handler reacts in its place in the tick, too.
type Reactor interface{ React(Tick) }

// Bind makes a system of a world of a Runner, Handler or Reactor, a pointer to a struct whose fields are all of its access:
// its timers are the wheels among them, and its name is that of its type. It panics for a system with timers that is not a Runner:
// nothing would take what is due in a tick without events.
func Bind(w *ecs.World, stage Stage, r any) System {
	t := reflect.TypeOf(r).Elem()
	name := strings.ToLower(t.Name())
	s := System{Name: name, Stage: stage, Access: ecs.Bind(w, r), Timers: TimersOf(r), Self: r}
	inputs := ecs.InputsOf(w, s.Access)
	if reactor, ok := r.(Reactor); ok {
		var inboxes []ecs.Inbox
		each(reflect.ValueOf(r).Elem(), func(in ecs.Inbox) { inboxes = append(inboxes, in) })
		s.React = reactor.React
		s.Waiting = func() bool { return inputs.Waiting() && slices.ContainsFunc(inboxes, ecs.Inbox.Waiting) }
	}
	switch r := r.(type) {
	case Runner:
		s.Run = r.Run
		return s
	case Handler:
		s.Run, s.If = r.OnEvents, inputs.Waiting
	case Reactor:
		s.Run, s.If = r.React, inputs.Waiting
	}
	if len(s.Timers) > 0 {
		panic("sched: " + name + " has timers, and does not run in each tick")
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
