package ecs

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
)

// An Accessor gives access to one component of any entity that has it: about 2 ns for an awake one.
//
// It is what generic.Map of arche is, without that one's methods: a compiler instantiates each of them for each component, in
// every package that names a system.
type Accessor[T any] struct {
	world *ecs.World
	id    ecs.ID
}

// NewAccessor returns the accessor of a component.
func NewAccessor[T any](w *World) Accessor[T] {
	return Accessor[T]{&w.arche, ecs.ComponentID[T](&w.arche)}
}

// Get returns the component of a living entity, nil if it has none. The pointer is valid until the stage ends. It
// panics for a despawned entity.
func (c *Accessor[T]) Get(e Entity) *T { return (*T)(c.world.Get(ecs.Entity(e), c.id)) }

// Has reports whether a living entity has the component.
func (c *Accessor[T]) Has(e Entity) bool { return c.world.Has(ecs.Entity(e), c.id) }

// Rows returns the component of all entities of an archetype, as it lies in memory: equal indices in the rows of two
// components belong to the same entity. It is nil if there are none, or if they do not have the component. It costs
// as much as a few Gets, whatever its length, and is valid until something is spawned or the stage ends.
func (c *Accessor[T]) Rows(k *Archetype) []T {
	if !slices.Contains(k.ids, c.id) {
		return nil
	}
	q := k.world.arche.Query(&k.exact)
	n := q.Count()
	if n == 0 || !q.Next() {
		q.Close()
		return nil
	}
	first := (*T)(q.Get(c.id))
	q.Close()
	return unsafe.Slice(first, n)
}

// Row returns the index of a living entity in the Rows of its archetype, -1 if it is not in there. It costs as much
// as Get; the index is good for all components of the archetype.
func (c *Accessor[T]) Row(rows []T, e Entity) int {
	at := c.Get(e)
	i := (uintptr(unsafe.Pointer(at)) - uintptr(unsafe.Pointer(unsafe.SliceData(rows)))) / unsafe.Sizeof(*at)
	if i >= uintptr(len(rows)) {
		return -1
	}
	return int(i)
}

// A Filter1 walks all entities that have a component, and perhaps others.
type Filter1[A any] struct {
	w *World
	f generic.Filter1[A]
}

// NewFilter1 returns a filter; with names further components that an entity must have.
func NewFilter1[A any](w *World, with ...Type) *Filter1[A] {
	f := generic.NewFilter1[A]().With(comps(with)...)
	f.Register(&w.arche)
	return &Filter1[A]{w, *f}
}

// Iter starts a walk. It must be walked to its end or closed; until then the world's structure is
// locked.
func (f *Filter1[A]) Iter() Iter1[A] { return Iter1[A]{f.f.Query(&f.w.arche)} }

// Count returns how many entities a walk would visit. Its cost is that of the archetypes.
func (f *Filter1[A]) Count() int {
	q := f.f.Query(&f.w.arche)
	defer q.Close()
	return q.Count()
}

// A Filter2 walks all entities that have two components.
type Filter2[A, B any] struct {
	w *World
	f generic.Filter2[A, B]
}

// NewFilter2 returns a filter; with names further components that an entity must have.
func NewFilter2[A, B any](w *World, with ...Type) *Filter2[A, B] {
	f := generic.NewFilter2[A, B]().With(comps(with)...)
	f.Register(&w.arche)
	return &Filter2[A, B]{w, *f}
}

// Iter starts a walk, as Filter1.Iter does.
func (f *Filter2[A, B]) Iter() Iter2[A, B] { return Iter2[A, B]{f.f.Query(&f.w.arche)} }

func comps(types []Type) []generic.Comp {
	out := make([]generic.Comp, len(types))
	for i, t := range types {
		out[i] = generic.Comp(t)
	}
	return out
}

// A reacher gives access to a World, and has no state of its own that belongs to the world.
type reacher interface{ reaches() }

func (*World) reaches()         {}
func (*Archetype) reaches()     {}
func (*Accessor[T]) reaches()   {}
func (*Filter1[A]) reaches()    {}
func (*Filter2[A, B]) reaches() {}
func (*Prefetcher) reaches()    {}

// Reaches reports whether values of a type only give access to a World: the world itself, archetypes, accessors,
// filters, prefetchers and Params, of which only an EventReader has a state of its own.
func Reaches(t Type) bool {
	p := reflect.PointerTo(t)
	if p.Implements(reflect.TypeFor[interface{ keeps() }]()) {
		return false
	}
	return p.Implements(reflect.TypeFor[reacher]()) || p.Implements(paramType)
}
