package frame

import (
	"math/rand/v2"
	"testing"
)

// A lease is one of the slices of a ring, and what was written into it.
type lease struct {
	from *segment[byte]
	is   []byte
	mark byte
}

// Slices that are lent at the same time have nothing in common, have the length and room that was asked for, and are
// not written by others.
func TestArenaLendsEachOnce(t *testing.T) {
	var a arena[byte]
	r := rand.New(rand.NewPCG(1, 2))
	ring := make([]lease, 80)
	for tick := range 20_000 {
		l := &ring[tick%len(ring)]
		for i, b := range l.is {
			if b != l.mark {
				t.Fatalf("tick %d: byte %d is %d, written was %d", tick, i, b, l.mark)
			}
		}
		need := r.IntN(100)
		if tick%1000 == 0 {
			need = 5000
		}
		n := need / 2
		l.is, l.mark = a.lend(&l.from, n, need), byte(tick)
		if len(l.is) != n || cap(l.is) != need {
			t.Fatalf("%d of %d, want %d of %d", len(l.is), cap(l.is), n, need)
		}
		for l.is = l.is[:need]; n < need; n++ {
			l.is[n] = l.mark
		}
		for i := range l.is {
			l.is[i] = l.mark
		}
		if tick%97 == 0 { // a reader holds it: the ring has another frame from now on
			*l = lease{}
		}
	}
}

// A tick a hundred times as full as the others costs the memory of a few ticks like it, and not that of a ring of them; and
// ticks that repeat allocate nothing.
func TestArenaAfterAFullTick(t *testing.T) {
	const ticks, usual, full = 800, 1000, 100_000
	var a arena[byte]
	ring := make([]lease, ticks)
	n := 0
	tick := func(need int) {
		l := &ring[n%ticks]
		l.is = a.lend(&l.from, 0, need)
		n++
	}
	taken := func() (bytes int) {
		seen := map[*segment[byte]]bool{}
		for i := range ring {
			seen[ring[i].from] = true
		}
		for _, s := range a.free {
			seen[s] = true
		}
		for s := range seen {
			bytes += cap(s.buf)
		}
		return bytes
	}
	for range 2 * ticks {
		tick(usual)
	}
	if got := taken(); got > ticks*usual*5/4 {
		t.Errorf("%d bytes for %d ticks of %d", got, ticks, usual)
	}
	tick(full)
	for range 3 * ticks {
		tick(usual)
	}
	if got, most := taken(), ticks*usual+(2+spareSegments)*2*segmentTicks*full; got > most {
		t.Errorf("%d bytes after a tick of %d, want at most %d", got, full, most)
	}
	if allocs := testing.AllocsPerRun(ticks, func() { tick(usual) }); allocs != 0 {
		t.Errorf("%v allocations in a tick", allocs)
	}
}
