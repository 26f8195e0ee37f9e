package frame

import "slices"

// loansFrom is from which offset on spans name loans: a builder's own bytes are never so many.
const loansFrom = 1 << 31

// A loan is bytes that a builder does not own, and that spans name from an offset on.
type loan struct {
	from  uint32
	bytes []byte
}

// lend has spans name bytes that do not change until Build, which copies what the frame needs of them: the first byte is at from, and the next follow. It
// is not ok if that is beyond what a span can name.
func (d *Builder) lend(b []byte) (from uint32, ok bool) {
	end := uint64(loansFrom)
	if n := len(d.loans); n > 0 {
		last := &d.loans[n-1]
		end = uint64(last.from) + uint64(len(last.bytes))
	}
	if end+uint64(len(b)) > 1<<32-1 {
		return 0, false
	}
	d.loans = append(d.loans, loan{uint32(end), b})
	return uint32(end), true
}

// loaned is In for loans.
func (d *Builder) loaned(s Span) []byte {
	after, _ := slices.BinarySearchFunc(d.loans, s.Off, func(l loan, off uint32) int {
		if l.from <= off {
			return -1
		}
		return 1
	})
	l := &d.loans[after-1]
	return l.bytes[s.Off-l.from:][:s.Len]
}
