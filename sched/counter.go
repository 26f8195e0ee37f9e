package sched

import (
	"reflect"

	"muster/ecs"
	"muster/internal/metric"
)

// A Counter is a field of a system that counts a reason: that of the tag name:"…".
type Counter struct {
	*metric.Counter
	Name string
}

// BindParam implements ecs.Param. It panics for a field without a name.
func (c *Counter) BindParam(w *ecs.World, tag reflect.StructTag) []ecs.Access {
	name := tag.Get("name")
	if name == "" {
		panic("sched: a Counter has no name")
	}
	c.Name = name
	c.Counter = ecs.Shared[metric.Table](w).Counter(name)
	return []ecs.Access{{Type: reflect.TypeFor[Counter](), Mode: ecs.ModeAppend}}
}
