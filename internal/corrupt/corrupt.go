// Package corrupt makes bad input of good, for tests of what reads it. What is worth looking for new input for days
// has a fuzz function; this is for the rest.
package corrupt

import (
	"bytes"
	"iter"
	"math/rand/v2"
)

// Bytes yields the seeds, and then n inputs made of them: with bits flipped, numbers at their limits, pieces cut out,
// doubled, or put in from another seed. They are the same in every run, and the reader may keep them.
func Bytes(n int, seeds ...[]byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, s := range seeds {
			if !yield(bytes.Clone(s)) {
				return
			}
		}
		r := rand.New(rand.NewPCG(12340, uint64(len(seeds))))
		for range n {
			b := bytes.Clone(seeds[r.IntN(len(seeds))])
			for range 1 + r.IntN(4) {
				b = once(r, b, seeds[r.IntN(len(seeds))])
			}
			if !yield(b) {
				return
			}
		}
	}
}

// Strings is Bytes for text.
func Strings(n int, seeds ...string) iter.Seq[string] {
	raw := make([][]byte, len(seeds))
	for i, s := range seeds {
		raw[i] = []byte(s)
	}
	return func(yield func(string) bool) {
		for b := range Bytes(n, raw...) {
			if !yield(string(b)) {
				return
			}
		}
	}
}

// limits are bytes with which numbers begin to mean something else.
var limits = [...]byte{0, 1, 0x7F, 0x80, 0xFF}

// once makes one change; other is where pieces come from.
func once(r *rand.Rand, b, other []byte) []byte {
	if len(b) == 0 {
		return append(b, byte(r.Uint32()))
	}
	at := r.IntN(len(b))
	end := at + 1 + r.IntN(min(8, len(b)-at))
	switch r.IntN(7) {
	case 0:
		b[at] ^= 1 << r.IntN(8)
	case 1:
		for i := at; i < end; i++ {
			b[i] = limits[r.IntN(len(limits))]
		}
	case 2:
		b[at] = byte(r.Uint32())
	case 3:
		b = b[:at]
	case 4:
		b = append(b[:at], b[end:]...)
	case 5:
		b = append(b[:end:end], b[at:]...)
	case 6:
		from := r.IntN(len(other) + 1)
		b = append(b[:at:at], append(bytes.Clone(other[from:]), b[end:]...)...)
	}
	return b
}
