package update

import (
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"slices"

	"github.com/klauspost/compress/flate"

	"muster/net/protocol/wire"
)

// A Fragment is some blocks that many packets have in common, compressed once for all of them: a piece of a deflate
// stream that refers to nothing outside itself and ends at a byte. A compressed packet is such pieces one after the
// other, and its checksum follows from theirs.
//
// Source: RFC 1951, 3.2.4 (stored blocks, of which an empty one ends a piece); RFC 1950, 2.2.
type Fragment struct {
	blocks uint32
	plain  []byte
	packed []byte // empty while it is not compressed, or would not be shorter
	adler  uint32
}

// Reset empties the fragment and keeps its memory.
func (f *Fragment) Reset() { f.blocks, f.plain, f.packed = 0, f.plain[:0], f.packed[:0] }

// Empty reports whether no block was added.
func (f *Fragment) Empty() bool { return f.blocks == 0 }

// Add adds a complete block.
func (f *Fragment) Add(block []byte) {
	f.blocks++
	f.plain = append(f.plain, block...)
}

// Write appends to the compressed form; it is for the compressor, and never fails.
func (f *Fragment) Write(p []byte) (int, error) {
	f.packed = append(f.packed, p...)
	return len(p), nil
}

// A Press compresses fragments. The zero Press is ready for use; one goroutine owns it.
type Press struct{ deflate *flate.Writer }

// pressLevel is that of the compressor: a fragment is compressed once and sent often, so more of it is worth its time
// than of a packet.
const pressLevel = 5

// maxFragment is how long a fragment may be before it is compressed: with the number of blocks it fills a packet.
const maxFragment = wire.MaxPayload - 4

// Press compresses a fragment that is complete, and reports whether that made it shorter. One that no packet has room
// for is not compressed: its blocks may go into several.
func (p *Press) Press(f *Fragment) bool {
	f.packed = f.packed[:0]
	if len(f.plain) > maxFragment {
		return false
	}
	if p.deflate == nil {
		p.deflate, _ = flate.NewWriter(f, pressLevel) // fails only on a level that does not exist
	} else {
		p.deflate.Reset(f)
	}
	if _, err := p.deflate.Write(f.plain); err != nil || p.deflate.Flush() != nil || len(f.packed) >= len(f.plain) {
		f.packed = f.packed[:0]
	}
	f.adler = adler32.Checksum(f.plain)
	return len(f.packed) > 0
}

// Fragment adds all blocks of a fragment that is compressed, which must not change while the writer Holds it. They
// follow those of Block in the packet. It panics if the fragment alone is too long for a packet.
func (w *Writer) Fragment(f *Fragment) {
	if len(f.plain) > maxFragment {
		panic(fmt.Sprintf("update: a fragment of %d bytes", len(f.plain)))
	}
	if w.blocks == 0 || !w.fits(len(f.plain)) {
		w.close()
		w.begin()
	}
	w.open = false
	w.blocks += f.blocks
	w.fragments = append(w.fragments, f)
	w.pending += len(f.plain)
}

// Holds reports whether a fragment is in the packet that is not complete yet.
func (w *Writer) Holds(f *Fragment) bool { return slices.Contains(w.fragments, f) }

// Worth reports whether a payload of so many bytes is long enough to be compressed.
func (w *Writer) Worth(payload int) bool {
	threshold := w.Threshold
	if threshold == 0 {
		threshold = defaultThreshold
	}
	return threshold >= 0 && payload > threshold
}

const (
	streamHeader = "\x78\x01"      // deflate, 32 KiB, fastest: RFC 1950, 2.2
	streamEnd    = "\x03\x00"      // a last block, empty: RFC 1951, 3.2.6
	storedHeader = 1 + 2 + 2       // of a stored block: RFC 1951, 3.2.4
	joined       = 4 + 2 + 2 + 4   // what a compressed payload has besides: its plain length, header, end and sum
	maxStored    = wire.MaxPayload // of a stored block; it could be 65,535
)

// join puts the open packet's fragments behind its plain blocks: compressed if the payload is worth it and becomes
// shorter, and reports whether it was.
func (w *Writer) join() (compressed bool) {
	if len(w.fragments) == 0 {
		return false
	}
	payload := w.start + payloadAt
	plain := len(w.dst) - payload
	total, packed := plain+w.pending, joined+storedHeader+plain
	for _, f := range w.fragments {
		packed += len(f.packed)
	}
	if !w.Worth(total) || packed >= total || plain > maxStored {
		for _, f := range w.fragments {
			w.dst = append(w.dst, f.plain...)
		}
		w.fragments, w.pending = w.fragments[:0], 0
		return false
	}
	w.scratch = append(w.scratch[:0], w.dst[payload:]...)
	dst := binary.LittleEndian.AppendUint32(w.dst[:payload], uint32(total))
	dst = append(dst, streamHeader...)
	dst = append(dst, 0, byte(plain), byte(plain>>8), ^byte(plain), ^byte(plain>>8))
	dst = append(dst, w.scratch...)
	sum := adler32.Checksum(w.scratch)
	for _, f := range w.fragments {
		dst = append(dst, f.packed...)
		sum = combine(sum, f.adler, len(f.plain))
	}
	dst = append(dst, streamEnd...)
	w.dst = binary.BigEndian.AppendUint32(dst, sum)
	w.fragments, w.pending = w.fragments[:0], 0
	return true
}

// adlerBase is the greatest prime below 65,536.
//
// Source: RFC 1950, 9.
const adlerBase = 65521

// combine is the Adler-32 sum of two pieces one after the other, of which the second has so many bytes.
//
// Source: adler32_combine, adler32.c, zlib.
func combine(first, second uint32, bytes int) uint32 {
	n := uint32(bytes % adlerBase)
	a := (first&0xFFFF + second&0xFFFF + adlerBase - 1) % adlerBase
	b := (first>>16 + second>>16 + n*(first&0xFFFF)%adlerBase + adlerBase - n) % adlerBase
	return b<<16 | a
}
