package ecs

import "reflect"

// A Queue carries values of one type from the systems that append to those that range over it, within
// one tick. It is the only way in which systems speak to each other besides components.
type Queue[T any] struct {
	items []T
}

// QueueOf is the world's queue of a type.
func QueueOf[T any](w *World) *Queue[T] {
	t := reflect.TypeFor[Queue[T]]()
	w.note(t)
	if q, ok := w.byType[t].(*Queue[T]); ok {
		return q
	}
	q := new(Queue[T])
	w.byType[t] = q
	w.queues = append(w.queues, q)
	return q
}

// Next appends a zero value and returns its place, good until the next Next.
func (q *Queue[T]) Next() *T {
	var zero T
	q.items = append(q.items, zero)
	return &q.items[len(q.items)-1]
}

// Drop takes back the last value.
func (q *Queue[T]) Drop() { q.items = q.items[:len(q.items)-1] }

// All is what was appended in this tick, in order. The slice belongs to q.
func (q *Queue[T]) All() []T { return q.items }

func (q *Queue[T]) clear() {
	clear(q.items)
	q.items = q.items[:0]
}
