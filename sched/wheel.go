package sched

import (
	"reflect"
	"unsafe"
)

// wheelSlots is the wheel's circumference in ticks, 25.6 s of 50 ms; what is due later waits for more
// rounds.
const wheelSlots = 512

// A Wheel holds items that are due at later ticks. Adding and taking cost O(1) for an item; a tick with nothing due
// costs nothing. It allocates only when it holds more than ever before. The zero Wheel is empty.
type Wheel[T any] struct {
	slots  [wheelSlots]chain
	timers []timer[T] // of all slots
	free   uint32     // chain of those not in use
	last   uint64     // the last tick that was taken
	due    []T
}

// A chain is a list of timers, by their number plus one; 0 ends it.
type chain struct{ first, last uint32 }

type timer[T any] struct {
	at   uint64
	next uint32
	item T
}

// Add adds an item that is due at a tick. One whose tick has passed becomes due with the next Take.
func (w *Wheel[T]) Add(at uint64, item T) {
	at = max(at, w.last+1)
	if w.free == 0 {
		w.timers = append(w.timers, timer[T]{})
		w.free = uint32(len(w.timers))
	}
	i := w.free
	w.free = w.timers[i-1].next
	w.timers[i-1] = timer[T]{at: at, item: item}
	w.append(&w.slots[at%wheelSlots], i)
}

func (w *Wheel[T]) append(c *chain, i uint32) {
	if c.first == 0 {
		c.first = i
	} else {
		w.timers[c.last-1].next = i
	}
	c.last = i
}

// Take removes and returns the items due up to tick n, which ascends; items of one tick come in the order in which
// they were added. The slice belongs to w and is valid until the next Take.
func (w *Wheel[T]) Take(n uint64) []T {
	w.due = w.due[:0]
	for at := max(w.last+1, n-min(n, wheelSlots-1)); at <= n; at++ {
		slot := &w.slots[at%wheelSlots]
		i := slot.first
		*slot = chain{}
		for i != 0 {
			t := &w.timers[i-1]
			next := t.next
			if t.at <= n {
				w.due = append(w.due, t.item)
				*t = timer[T]{next: w.free}
				w.free = i
			} else {
				t.next = 0
				w.append(slot, i)
			}
			i = next
		}
	}
	w.last = n
	return w.due
}

// Timers are a Wheel of any type, for code that handles all wheels of a world.
type Timers interface {
	// Item returns the type of its items.
	Item() reflect.Type
	// Each visits all items, in no particular order.
	Each(visit func(at uint64, item unsafe.Pointer))
}

// Item implements Timers.
func (w *Wheel[T]) Item() reflect.Type { return reflect.TypeFor[T]() }

// Each implements Timers.
func (w *Wheel[T]) Each(visit func(at uint64, item unsafe.Pointer)) {
	for i := range w.timers {
		if t := &w.timers[i]; t.at != 0 { // those not in use are zero
			visit(t.at, unsafe.Pointer(&t.item))
		}
	}
}
