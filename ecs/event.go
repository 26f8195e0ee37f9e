package ecs

import (
	"fmt"
	"reflect"
)

// An Emit appends events of a type, for the systems that read them.
type Emit[T any] struct{ queue *Queue[T] }

// BindParam implements Param.
func (p *Emit[T]) BindParam(w *World, _ reflect.StructTag) []Access {
	p.queue = QueueOf[T](w)
	return []Access{{reflect.TypeFor[T](), ModeAppend}}
}

// Emit appends an event.
func (p *Emit[T]) Emit(event T) { *p.queue.Next() = event }

// Next appends a zero event and returns its address, valid until the next one: for large events.
func (p *Emit[T]) Next() *T { return p.queue.Next() }

// Drop removes the last event.
func (p *Emit[T]) Drop() { p.queue.Drop() }

// Events are those of a type that were emitted in this tick, before the system runs.
type Events[T any] struct{ queue *Queue[T] }

// BindParam implements Param. It panics if an EventReader or Requests of the type are bound in the world, and so does
// binding one of those after Events.
func (p *Events[T]) BindParam(w *World, _ reflect.StructTag) []Access {
	p.queue = QueueOf[T](w)
	p.queue.readAs(ofTick)
	return []Access{{reflect.TypeFor[T](), ModeRead}}
}

// All lists the events in the order in which they were emitted. The slice belongs to the world.
func (p *Events[T]) All() []T { return p.queue.All() }

// An EventReader sees every event of a type once: those emitted after the system has run, in the next tick.
type EventReader[T any] struct{ *Reader[T] }

// BindParam implements Param.
func (p *EventReader[T]) BindParam(w *World, _ reflect.StructTag) []Access {
	p.Reader = QueueOf[T](w).Reader()
	return []Access{{reflect.TypeFor[T](), ModeRead}}
}

func (*EventReader[T]) keeps() {} // its position

// Requests are events for one system only, which takes each of them once: those emitted after it has run stay until
// the next tick in which it runs.
type Requests[T any] struct{ queue *Queue[T] }

// BindParam implements Param. It panics if another system takes them already.
func (p *Requests[T]) BindParam(w *World, _ reflect.StructTag) []Access {
	p.queue = QueueOf[T](w)
	if p.queue.read == byTaking {
		panic(fmt.Sprintf("ecs: two systems take the requests of %v", reflect.TypeFor[T]()))
	}
	p.queue.Lasting()
	return []Access{{reflect.TypeFor[T](), ModeRead}}
}

// Take returns the requests emitted since the last Take, in order. The slice is valid until the next one.
func (p *Requests[T]) Take() []T { return p.queue.Take() }

// A Pending is the requests of a type that their system has not taken yet, for a system that must not ask for more than
// there is.
type Pending[T any] struct{ queue *Queue[T] }

// BindParam implements Param.
func (p *Pending[T]) BindParam(w *World, _ reflect.StructTag) []Access {
	p.queue = QueueOf[T](w)
	return []Access{{reflect.TypeFor[T](), ModeRead}}
}

// All lists the requests in order. The slice belongs to the world.
func (p *Pending[T]) All() []T { return p.queue.All() }

// Waiting reports whether Take would return any.
func (p *Requests[T]) Waiting() bool { return len(p.queue.items) > 0 }

// An Inbox is a Requests or an EventReader of any type.
type Inbox interface {
	// Waiting reports whether it has events that its system has not seen.
	Waiting() bool
}
