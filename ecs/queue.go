package ecs

import (
	"fmt"
	"math/bits"
	"reflect"
	"unsafe"
)

// A queue is a Queue of any type.
type queue interface {
	clear() (empty bool)
	eventType() EventType
	outlasts() Type // of its values, nil if they do not outlast the tick
	pending(visit func(of Type, at unsafe.Pointer))
}

// maxQueues is the most types of events that a world has.
const maxQueues = 1024

// A queueSet is some of the queues of a world, a bit for each.
type queueSet [maxQueues / 64]uint64

// A place is that of a queue in a queueSet.
type place struct {
	word int
	bit  uint64
}

// placeOf panics for a queue beyond maxQueues.
func placeOf(n int) place {
	if n >= maxQueues {
		panic(fmt.Sprintf("ecs: more than %d types of events", maxQueues))
	}
	return place{n / 64, 1 << (n % 64)}
}

func (s *queueSet) add(p place) { s[p.word] |= p.bit }

// EndTick empties every queue whose values do not outlast the tick.
func (w *World) EndTick() {
	for i, word := range w.occupied {
		for ; word != 0; word &= word - 1 {
			if n := bits.TrailingZeros64(word); i*64+n >= len(w.queues) || w.queues[i*64+n].clear() {
				w.occupied[i] &^= 1 << n
			}
		}
	}
}

// Inputs are the types of events that a system reads.
type Inputs struct {
	world *World
	words []inputWord
}

// An inputWord is a word of a queueSet that is not zero.
type inputWord struct {
	at   int
	bits uint64
}

// InputsOf returns the types of events among what a system of the world reads.
func InputsOf(w *World, access []Access) Inputs {
	var all queueSet
	for _, a := range access {
		if p, ok := w.places[a.Type]; ok && a.Mode != ModeAppend {
			all.add(p)
		}
	}
	in := Inputs{world: w}
	for i, word := range all {
		if word != 0 {
			in.words = append(in.words, inputWord{i, word})
		}
	}
	return in
}

// Waiting reports whether there may be events of any of the types. If there are none, there is nothing to read.
func (in *Inputs) Waiting() bool {
	for _, w := range in.words {
		if in.world.occupied[w.at]&w.bits != 0 {
			return true
		}
	}
	return false
}

// A Queue carries values of one type from the systems that append to those that range over it, within one tick.
// Systems communicate only by queues and components.
type Queue[T any] struct {
	items []T
	taken []T
	read  reading
	world *World
	place place

	old  int    // how many of items are of the tick before; with Readers
	past uint64 // how many came before items; with Readers
}

// A reading is how the values of a queue are read, which says how long they stay. A queue has one: what one reading
// keeps, another would see twice.
type reading uint8

const (
	unread   reading = iota
	ofTick           // until the tick ends
	byEach           // one tick more
	byTaking         // until they are taken
)

func (r reading) String() string {
	return [...]string{"nothing", "Events", "an EventReader", "Requests"}[r]
}

// An EventType is a type of events of a world.
type EventType struct {
	Type Type
	Read string // the type of the field by which systems read it: Events, an EventReader, Requests; or nothing
}

// EventTypes lists the types of events that are bound in the world, in the order in which they were first bound.
func (w *World) EventTypes() (all []EventType) {
	for _, q := range w.queues {
		all = append(all, q.eventType())
	}
	return all
}

func (q *Queue[T]) eventType() EventType { return EventType{reflect.TypeFor[T](), q.read.String()} }

// readAs sets how the values of q are read. It panics if they are read otherwise already.
func (q *Queue[T]) readAs(r reading) {
	if q.read != unread && q.read != r {
		panic(fmt.Sprintf("ecs: %v is read by %v and by %v: its readers must be of one kind", reflect.TypeFor[T](), q.read, r))
	}
	q.read = r
}

// QueueOf returns the world's queue of a type.
func QueueOf[T any](w *World) *Queue[T] {
	t := reflect.TypeFor[Queue[T]]()
	if q, ok := w.byType[t].(*Queue[T]); ok {
		return q
	}
	q := &Queue[T]{world: w, place: placeOf(len(w.queues))}
	w.byType[t] = q
	w.places[reflect.TypeFor[T]()] = q.place
	w.values = append(w.values, q)
	w.queues = append(w.queues, q)
	return q
}

// Next appends a zero value and returns its address, valid until the next Next.
func (q *Queue[T]) Next() *T {
	q.world.emitted++
	q.world.occupied.add(q.place)
	n := len(q.items)
	if n < cap(q.items) {
		q.items = q.items[:n+1] // the values beyond len are zero
	} else {
		var zero T
		q.items = append(q.items, zero)
	}
	return &q.items[n]
}

// Drop removes the last value.
func (q *Queue[T]) Drop() {
	last := len(q.items) - 1
	clear(q.items[last:])
	q.items = q.items[:last]
}

// All returns the values appended in this tick, in order. The slice belongs to q.
func (q *Queue[T]) All() []T { return q.items }

// Lasting makes q a queue whose values stay until Take, beyond the tick: for a reader that runs before the systems
// that append. It returns q. It panics for a queue that Events or an EventReader read.
func (q *Queue[T]) Lasting() *Queue[T] {
	q.readAs(byTaking)
	return q
}

// Take returns the values appended since the last Take, in order. The slice belongs to q and is valid until the next
// one.
func (q *Queue[T]) Take() []T {
	clear(q.taken)
	q.items, q.taken = q.taken[:0], q.items
	return q.taken
}

func (q *Queue[T]) clear() (empty bool) {
	switch q.read {
	case byTaking:
	case byEach:
		n := copy(q.items, q.items[q.old:])
		q.past += uint64(q.old)
		clear(q.items[n:])
		q.items, q.old = q.items[:n], n
	default:
		clear(q.items)
		q.items = q.items[:0]
	}
	return len(q.items) == 0
}

func (q *Queue[T]) outlasts() Type {
	if q.read == byTaking || q.read == byEach {
		return reflect.TypeFor[T]()
	}
	return nil
}

func (q *Queue[T]) pending(visit func(of Type, at unsafe.Pointer)) {
	if t := q.outlasts(); t != nil {
		for i := range q.items {
			visit(t, unsafe.Pointer(&q.items[i]))
		}
	}
}

// A Reader sees every value of a queue once, if it reads every tick: those appended after it has run, in the next
// tick. It is for values that several systems read, some of them before the systems that append.
type Reader[T any] struct {
	queue *Queue[T]
	seen  uint64
}

// Reader returns a reader for one system. From then on q keeps its values for one tick more, and All returns those of
// two ticks. It panics for a queue that Events or Requests read.
func (q *Queue[T]) Reader() *Reader[T] {
	q.readAs(byEach)
	return &Reader[T]{queue: q, seen: q.past + uint64(len(q.items))}
}

// Next returns the values appended since the last Next, in order. The slice belongs to the queue and is valid until
// the tick ends.
func (r *Reader[T]) Next() []T {
	q := r.queue
	from := max(r.seen, q.past) - q.past
	r.seen = q.past + uint64(len(q.items))
	return q.items[from:]
}

// Waiting reports whether Next would return any.
func (r *Reader[T]) Waiting() bool { return r.seen < r.queue.past+uint64(len(r.queue.items)) }
