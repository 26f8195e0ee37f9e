package update

import (
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/zlib"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// Config is the configuration of a Writer.
type Config struct {
	// Threshold is the longest payload in bytes that is sent as it is; a longer one is compressed if that
	// makes it shorter. Default 8192; a negative one compresses nothing.
	//
	// Source: a write costs as much with 4 KiB as with 200 bytes, and to compress 4 KiB costs five writes:
	// performance.md 3.4 and 4.2.
	Threshold int
}

const defaultThreshold = 8192

// A Writer assembles blocks to packets with plain headers. The order is Begin, OutOfRange for all objects that
// disappear, Block and Fragment for the rest, End; then Begin again. No payload is longer than wire.MaxPayload,
// also not after it is inflated: what does not fit begins another packet. The zero Writer is ready for use. It
// keeps its compressor, and in the steady state allocates nothing but what dst grows by. One goroutine owns it.
type Writer struct {
	Config

	dst    []byte
	start  int    // of the open packet in dst; meaningful if blocks > 0
	blocks uint32 // in the open packet
	gone   uint32 // guids of the open packet's OUT_OF_RANGE block, which is its first
	open   bool   // that block is the last one so far, so that guids can be added

	zip    *zlib.Writer
	zipped sink

	fragments []*Fragment // of the open packet, behind what is in dst
	pending   int         // their plain bytes
	scratch   []byte
}

// Where things are in a packet.
const (
	payloadAt = wire.ServerHeaderLen
	goneAt    = payloadAt + 4 + 1 // number of guids: after the number of blocks and the block type
	guidsAt   = goneAt + 4
)

// Begin starts appending to dst. What was not ended before is lost.
func (w *Writer) Begin(dst []byte) {
	w.dst, w.blocks, w.open = dst, 0, false
	w.fragments, w.pending = w.fragments[:0], 0
}

// OutOfRange makes the client forget an object. All guids in a row are one block; a block has to be
// the first of its packet, so a guid after a Block begins another packet.
//
// Source: UpdateData::BuildPacket, AzerothCore.
func (w *Writer) OutOfRange(guid uint64) {
	var packed [9]byte
	b := wire.AppendPackedGUID(packed[:0], guid)
	if !w.open || !w.fits(len(b)) {
		w.close()
		w.begin()
		w.dst = append(w.dst, OutOfRange, 0, 0, 0, 0)
		w.blocks, w.gone, w.open = 1, 0, true
	}
	w.gone++
	w.dst = append(w.dst, b...)
}

// Block adds one complete block: VALUES or a create. It panics if the block alone is too long for a
// packet, which no object of this game approaches.
func (w *Writer) Block(b []byte) {
	if w.blocks == 0 || !w.fits(len(b)) {
		w.close()
		w.begin()
		if !w.fits(len(b)) {
			panic(fmt.Sprintf("update: a block of %d bytes", len(b)))
		}
	}
	w.open = false
	w.blocks++
	w.dst = append(w.dst, b...)
}

// End returns dst with the packets appended, none if there was nothing to write.
func (w *Writer) End() []byte {
	w.close()
	dst := w.dst
	w.dst = nil
	return dst
}

// fits reports whether the open packet has room for n bytes.
func (w *Writer) fits(n int) bool {
	return len(w.dst)-w.start-payloadAt+w.pending+n <= wire.MaxPayload
}

// begin leaves room for the header and the number of blocks.
func (w *Writer) begin() {
	w.start, w.blocks, w.gone, w.open = len(w.dst), 0, 0, false
	w.dst = append(w.dst, 0, 0, 0, 0, 0, 0, 0, 0)
}

// close completes the open packet, if there is one.
func (w *Writer) close() {
	if w.blocks == 0 {
		return
	}
	packet := w.dst[w.start:]
	binary.LittleEndian.PutUint32(packet[payloadAt:], w.blocks)
	if w.gone > 0 {
		binary.LittleEndian.PutUint32(packet[goneAt:], w.gone)
	}
	op, packed := uint16(msg.OpUpdateObject), w.join()
	packet = w.dst[w.start:]
	if !packed {
		var n int
		if n, packed = w.compress(packet[payloadAt:]); packed {
			packet = packet[:payloadAt+n]
			w.dst = w.dst[:w.start+len(packet)]
		}
	}
	if packed {
		op = msg.OpCompressedUpdateObject
	}
	if !wire.PutServerHeader(packet, op) {
		panic(fmt.Sprintf("update: a packet of %d bytes", len(packet)))
	}
	w.blocks, w.open = 0, false
}

// compress replaces a payload by its compressed form, if it is long enough for that and becomes
// shorter, and gives the new length: the plain length and a zlib stream.
//
// Source: protocol.md 4.2. Level 1 has the best ratio per CPU for creates: performance.md 3.4.
func (w *Writer) compress(payload []byte) (n int, ok bool) {
	if !w.Worth(len(payload)) {
		return 0, false
	}
	if w.zip == nil {
		w.zip, _ = zlib.NewWriterLevel(nil, zlib.BestSpeed) // fails only on a level that does not exist
	}
	w.zipped.reset(len(payload))
	w.zip.Reset(&w.zipped)
	if _, err := w.zip.Write(payload); err != nil || w.zip.Close() != nil || w.zipped.full {
		return 0, false
	}
	binary.LittleEndian.PutUint32(payload, uint32(len(payload)))
	return 4 + copy(payload[4:], w.zipped.buf), true
}

// A sink collects what the compressor writes, up to a limit.
type sink struct {
	buf   []byte
	limit int
	full  bool // there was more
}

// reset empties the sink. Whatever it then collects is, with the plain length before it, shorter than
// the payload.
func (s *sink) reset(payload int) {
	if s.buf == nil {
		s.buf = make([]byte, 0, wire.MaxPayload)
	}
	s.buf, s.limit, s.full = s.buf[:0], payload-5, false
}

// Write never fails: what is over the limit is dropped.
func (s *sink) Write(p []byte) (int, error) {
	if s.full = s.full || len(s.buf)+len(p) > s.limit; !s.full {
		s.buf = append(s.buf, p...)
	}
	return len(p), nil
}
