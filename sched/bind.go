package sched

import (
	"path"
	"reflect"
	"strings"
	"unsafe"

	"muster/ecs"
)

// A Runner is a system: a struct whose fields are all of its access, with a Run that is called once a tick.
type Runner interface{ Run(Tick) }

// Bind makes a Runner a system of a world: its access is that of its fields, its timers are the wheels among them,
// and its name is that of its type, or of its package if the type is called System.
func Bind(w *ecs.World, stage Stage, r Runner) System {
	t := reflect.TypeOf(r).Elem()
	name := strings.ToLower(t.Name())
	if name == "system" {
		name = path.Base(t.PkgPath())
	}
	return System{Name: name, Stage: stage, Access: ecs.Bind(w, r), Timers: TimersOf(r), Self: r, Run: r.Run}
}

// TimersOf lists the wheels among the fields of what v points to, also those of structs within it.
func TimersOf(v any) (all []Timers) {
	eachTimers(reflect.ValueOf(v).Elem(), func(t Timers) { all = append(all, t) })
	return all
}

func eachTimers(v reflect.Value, visit func(Timers)) {
	if v.Kind() == reflect.Array {
		for i := range v.Len() {
			eachTimers(v.Index(i), visit)
		}
	}
	if v.Kind() != reflect.Struct {
		return
	}
	if t, ok := reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Interface().(Timers); ok {
		visit(t)
		return
	}
	for i := range v.NumField() {
		eachTimers(v.Field(i), visit)
	}
}
