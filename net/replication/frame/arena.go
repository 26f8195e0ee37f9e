package frame

import "math/bits"

// An arena has the memory for the slices of one kind of the frames of a ring. Frames are used again in the order in which
// they were built, and each tells how long a slice it needs before it takes one: so slices lie one behind the other in
// segments, and a segment is used again when no frame has a slice of it any more. A ring takes what its ticks needed
// together, not its frames times the fullest of them, and nothing is allocated once what a ring of ticks needs repeats.
type arena[T any] struct {
	now  *segment[T]
	size int           // elements of a new segment
	free []*segment[T] // of that size, at most spareSegments
}

// A segment is memory for the slices of some ticks.
type segment[T any] struct {
	arena  *arena[T] // that it belongs to
	buf    []T       // up to its length lent
	slices int       // that frames have
}

const (
	// segmentTicks is for how many ticks a segment has room, at least: all of them as full as the fullest so far.
	segmentTicks = 4
	// leastSegment is the fewest elements of a segment.
	leastSegment = 64
	// spareSegments is how many segments that no frame uses are kept: as many as what a ring needs goes up and down.
	spareSegments = 3
)

// lend is a slice of n elements, of undefined contents, with capacity for need, at least n. It replaces the slice that
// was lent as was, and is noted there; nil is none.
func (a *arena[T]) lend(was **segment[T], n, need int) []T {
	if s := *was; s != nil && s.arena == a {
		a.returned(s)
	}
	*was = nil
	if need == 0 {
		return nil
	}
	if a.now == nil || cap(a.now.buf)-len(a.now.buf) < need {
		a.now = a.next(need)
	}
	s := a.now
	from := len(s.buf)
	s.buf = s.buf[:from+need]
	s.slices++
	*was = s
	return s.buf[from : from+n : from+need]
}

// returned notes that a frame has one slice of a segment less.
func (a *arena[T]) returned(s *segment[T]) {
	if s.slices--; s.slices > 0 {
		return
	}
	s.buf = s.buf[:0]
	if s != a.now && cap(s.buf) == a.size && len(a.free) < spareSegments {
		a.free = append(a.free, s)
	}
}

// next is an empty segment with room for need elements.
func (a *arena[T]) next(need int) *segment[T] {
	if a.size < segmentTicks*need {
		a.size, a.free = max(leastSegment, 1<<bits.Len(uint(segmentTicks*need-1))), nil
	}
	if n := len(a.free); n > 0 {
		s := a.free[n-1]
		a.free = a.free[:n-1]
		return s
	}
	return &segment[T]{arena: a, buf: make([]T, 0, a.size)}
}
