package sched

// wheelSlots is the wheel's circumference in ticks, 25.6 s of 50 ms; what is due later waits for more
// rounds.
const wheelSlots = 512

// A Wheel holds what is due at some later tick. Adding and taking cost O(1) for an item; a tick with
// nothing due costs nothing. The zero Wheel is empty.
type Wheel[T any] struct {
	slots [wheelSlots][]timer[T]
	last  uint64 // the last tick that was taken
	due   []T
}

type timer[T any] struct {
	at   uint64
	item T
}

// Add puts in an item that is due at a tick. One that is past becomes due with the next Take.
func (w *Wheel[T]) Add(at uint64, item T) {
	at = max(at, w.last+1)
	s := &w.slots[at%wheelSlots]
	*s = append(*s, timer[T]{at, item})
}

// Take removes and returns what has become due up to tick n, which ascends. The slice belongs to w and
// is good until the next Take.
func (w *Wheel[T]) Take(n uint64) []T {
	w.due = w.due[:0]
	for at := max(w.last+1, n-min(n, wheelSlots-1)); at <= n; at++ {
		s := &w.slots[at%wheelSlots]
		later := (*s)[:0]
		for _, t := range *s {
			if t.at <= n {
				w.due = append(w.due, t.item)
			} else {
				later = append(later, t)
			}
		}
		*s = later
	}
	w.last = n
	return w.due
}
