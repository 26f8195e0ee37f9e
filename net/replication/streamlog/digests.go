package streamlog

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Digests add up the hashes of a world by part over a second of ticks, so that those that step the same ticks can be compared:
// within a second every position is hashed, once or twice. The zero Digests have nothing.
type Digests struct {
	from   uint64 // the first tick
	second uint64
	sums   []uint64 // by part
	bytes  []byte
}

// Add adds the hash of a tick, as systems.World.Digest makes it. With the first tick of another second it returns the sums of the
// one before, which are valid until the next call.
func (d *Digests) Add(n, second uint64, digest []byte) (sums []byte, ok bool) {
	if at := n / max(second, 1); at != d.second {
		if d.from != 0 {
			sums, ok = d.append(d.bytes[:0]), true
			d.bytes = sums
		}
		d.from, d.second = n, at
		clear(d.sums)
	}
	if len(digest) < 2 {
		return sums, ok
	}
	count, rest := int(binary.LittleEndian.Uint16(digest)), digest[2:]
	for ; count > 0 && len(rest) >= sumLen; count-- {
		part := int(binary.LittleEndian.Uint16(rest))
		if part >= len(d.sums) {
			d.sums = append(d.sums, make([]uint64, part+1-len(d.sums))...)
		}
		d.sums[part] += binary.LittleEndian.Uint64(rest[2:])
		rest = rest[sumLen:]
	}
	return sums, ok
}

// append appends the first tick as u64, and the sums of parts, each u64.
func (d *Digests) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, d.from)
	for _, sum := range d.sums {
		b = binary.LittleEndian.AppendUint64(b, sum)
	}
	return b
}

// sumLen is a part u16 and its sum u64.
const sumLen = 2 + 8

// ErrDigest is the error for sums that Add has not returned.
var ErrDigest = errors.New("streamlog: malformed digest")

// Differ returns the parts in which the sums of two that step the same ticks differ. It is not ok if they are not of the same
// ticks: one of them has begun in the middle of the second.
func Differ(a, b []byte) (parts []int, ok bool, err error) {
	if len(a)%8 != 0 || len(b)%8 != 0 || len(a) < 8 || len(b) < 8 {
		return nil, false, ErrDigest
	}
	if !slices.Equal(a[:8], b[:8]) {
		return nil, false, nil
	}
	at := func(b []byte, part int) uint64 {
		if i := 8 + 8*part; i < len(b) {
			return binary.LittleEndian.Uint64(b[i:])
		}
		return 0
	}
	for part := range max(len(a), len(b))/8 - 1 {
		if at(a, part) != at(b, part) {
			parts = append(parts, part)
		}
	}
	return parts, true, nil
}
