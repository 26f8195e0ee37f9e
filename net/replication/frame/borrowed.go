package frame

import "slices"

// borrowedFrom is from which offset on spans name what is borrowed: a builder's own bytes are never so many.
const borrowedFrom = 1 << 31

// A borrowed is bytes that a builder does not own, and that spans name from an offset on.
type borrowed struct {
	from  uint32
	bytes []byte
}

// borrow has spans name bytes that do not change until Build, which copies what the frame needs of them: the first byte is at from, and the next follow. It
// is not ok if that is beyond what a span can name.
func (d *Builder) borrow(b []byte) (from uint32, ok bool) {
	end := uint64(borrowedFrom)
	if n := len(d.borrowed); n > 0 {
		last := &d.borrowed[n-1]
		end = uint64(last.from) + uint64(len(last.bytes))
	}
	if end+uint64(len(b)) > 1<<32-1 {
		return 0, false
	}
	d.borrowed = append(d.borrowed, borrowed{uint32(end), b})
	return uint32(end), true
}

// inBorrowed is In for what is borrowed.
func (d *Builder) inBorrowed(s Span) []byte {
	after, _ := slices.BinarySearchFunc(d.borrowed, s.Off, func(b borrowed, off uint32) int {
		if b.from <= off {
			return -1
		}
		return 1
	})
	b := &d.borrowed[after-1]
	return b.bytes[s.Off-b.from:][:s.Len]
}
