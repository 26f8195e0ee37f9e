package remote

import (
	"encoding/binary"
	"errors"
	"fmt"

	"muster/net/replication/frame"
)

// Version is that of all messages, which begin with it and a kind: a gateway and a world of different ones do not hear each other. It is raised
// whenever one changes.
const Version = 10

// The kinds of messages. Those of a gateway continue with its number and its life, those of a world with the world's life.
// A life is another number for each process, so that what was sent to an earlier one is not taken.
const (
	kindHello   = iota + 1 // gateway: it is there; reports acknowledged, sessions that it wants, the world's life as it knows it, or the least that it takes, what its world is made of, the last tick that it has
	kindInput              // gateway: number, world's life, inbox
	kindMissing            // gateway: world's life, the last tick that it has
	kindTime               // gateway: its time, ns; world: that, and its own
	kindBye                // gateway: it will send no more; world: it has ended in order, with so many reports

	kindWelcome // world: gateway's life, input acknowledged, newest tick, whether it has ended, whether it wants a hello at once, its log, blocks of sessions
	kindReport  // world: gateway's life, number, report
	kindShared  // world: tick, the tick before it, part, of how many, gateways with a private half, regions that the shared half is divided into, the part's bytes
	kindRegion  // world: tick, region, part, of how many, the part's bytes
	kindPrivate // world: tick, regions that new views touch, private half
	kindAgain   // world: as kindShared without gateways and regions; its parts are both halves, the shared one after its length
	kindLost    // world: gateway's life, the tick after which it has not all any more, nor what a keyframe is made of
	kindKey     // world: tick, the last tick that the gateway has, part, of how many; its parts are: how many private halves, each after its length, and both halves of the tick, the shared one after its length
)

// ErrMessage is wrapped by the errors for bytes that are not a message.
var ErrMessage = errors.New("remote: malformed message")

// A writer appends the fields of a message.
type writer struct{ b []byte }

func (w *writer) begin(kind byte, life uint64) {
	w.b = append(w.b[:0], Version, kind)
	w.b = binary.LittleEndian.AppendUint64(w.b, life)
}

func (w *writer) number(n uint64) { w.b = binary.AppendUvarint(w.b, n) }
func (w *writer) u64(n uint64)    { w.b = binary.LittleEndian.AppendUint64(w.b, n) }
func (w *writer) bytes(b []byte)  { w.b = append(w.b, b...) }

// regions appends how many there are, and of each, in ascending order, its distance from the one before.
func (w *writer) regions(all []frame.Region) {
	w.number(uint64(len(all)))
	last := frame.Region(0)
	for _, r := range all {
		w.number(uint64(r - last))
		last = r
	}
}

func (w *writer) text(b []byte) {
	w.number(uint64(len(b)))
	w.bytes(b)
}

func (w *writer) flag(v bool) {
	if v {
		w.b = append(w.b, 1)
	} else {
		w.b = append(w.b, 0)
	}
}

// A reader reads the fields of a message. After an error all fields are zero.
type reader struct {
	b   []byte
	err error
}

// read begins a message.
func read(b []byte) (r *reader, kind byte, life uint64) {
	r = &reader{b: b}
	if v := r.byte(); r.err == nil && v != Version {
		r.fail("version %d, not %d", v, Version)
	}
	kind = r.byte()
	return r, kind, r.u64()
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrMessage, fmt.Sprintf(format, args...))
	}
	r.b = nil
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.fail("it ends too soon")
		return 0
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail("it ends in a number")
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) u64() uint64 {
	if len(r.b) < 8 {
		r.fail("it ends in a number")
		return 0
	}
	v := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return v
}

// count is a number of things, each of which takes a byte or more.
func (r *reader) count() int {
	n := r.number()
	if n > uint64(len(r.b)) {
		r.fail("%d things in %d bytes", n, len(r.b))
		return 0
	}
	return int(n)
}

// regions reads what writer.regions wrote.
func (r *reader) regions() (all []frame.Region) {
	last := uint64(0)
	for range r.count() {
		if last += r.number(); last >= frame.Regions {
			r.fail("region %d", last)
			return nil
		}
		all = append(all, frame.Region(last))
	}
	return all
}

// partOf reads which part it is, of how many.
func (r *reader) partOf() (part, parts uint64) {
	if part, parts = r.number(), r.number(); r.err == nil && (parts > maxParts || part >= parts) {
		r.fail("part %d of %d", part, parts)
	}
	return part, parts
}

func (r *reader) text() []byte {
	n := r.count()
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

// rest is all that follows.
func (r *reader) rest() []byte {
	b := r.b
	r.b = nil
	return b
}

func (r *reader) flag() bool { return r.byte() != 0 }
