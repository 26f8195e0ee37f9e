package frame

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

const (
	stormers  = 60  // arrive at a place
	standing  = 90  // are there
	blockSize = 230 // bytes of a create block
)

// storm publishes a tick in which all players come from afar to one place.
func storm(p *Exchange, tick uint64) (cursors []Cursor) {
	var d Builder
	from, here := grid.At(-3000, 0, grid.Living), grid.At(0, 0, grid.Living)
	create := func(guid uint64) Span {
		b := wire.AppendPackedGUID([]byte{update.Create}, guid)
		b = append(b, fmt.Appendf(nil, "%d at tick %d", guid, tick)...)
		d.Bytes = append(d.Bytes, append(b, make([]byte, blockSize-len(b))...)...)
		return d.Cut()
	}
	for i := range uint64(standing) {
		d.Resident(here, 1000+i, create(1000+i), d.Cut())
	}
	for i := range uint64(stormers) {
		d.Leave(from, 1+i, here)
		d.Enter(here, 1+i, from, create(1+i), d.Cut())
		d.SetView(uint32(i), grid.ViewFrom(here), true)
		cursors = append(cursors, Cursor{Session: uint32(i), GUID: 1 + i, Tick: tick - 1})
	}
	f := p.Write()
	d.Build(f, tick)
	p.Publish(f)
	return cursors
}

// A player that arrives in a crowd receives the same objects as if nothing were compressed, never itself, and
// in a fraction of the bytes.
func TestStormsAreCompressedOnce(t *testing.T) {
	p := NewExchange()
	var packed, plain Replayer
	plain.Updates.Threshold = -1
	for tick := uint64(1); tick <= 3; tick++ {
		cursors := storm(p, tick)
		var w Window
		w.Open(p)
		for i := range cursors {
			one, other := cursors[i], cursors[i]
			got, ok := packed.Replay(nil, &w, &one)
			want, ok2 := plain.Replay(nil, &w, &other)
			if !ok || !ok2 {
				t.Fatal("the stream is lost")
			}
			if blocks := creates(t, got, blockSize); !slices.EqualFunc(blocks, creates(t, want, blockSize), bytes.Equal) ||
				len(blocks) != standing+stormers-1 {
				t.Fatalf("tick %d: %d is sent %d objects", tick, one.GUID, len(blocks))
			}
			if i > 1 && len(got)*3 > len(want)*2 {
				t.Errorf("tick %d: %d is sent %d bytes instead of %d", tick, one.GUID, len(got), len(want))
			}
		}
		w.Close()
	}
	if n := packed.bundles; n == nil {
		t.Error("nothing was bundled")
	}
}

// creates are the create blocks of all update packets, each of so many bytes, in the order of their bytes.
func creates(t *testing.T, packets []byte, each int) (blocks [][]byte) {
	t.Helper()
	for len(packets) > 0 {
		op, payload, header, _ := wire.ServerHeader(packets)
		body := packets[header : header+payload]
		packets = packets[header+payload:]
		switch op {
		case msg.OpCompressedUpdateObject:
			var err error
			if body, err = update.Inflate(nil, body); err != nil {
				t.Fatal(err)
			}
		case msg.OpUpdateObject:
		default:
			continue
		}
		n := int(binary.LittleEndian.Uint32(body))
		for body = body[4:]; n > 0; n-- {
			if body[0] != update.Create {
				t.Fatalf("a block of type %d", body[0])
			}
			blocks = append(blocks, body[:each])
			body = body[each:]
		}
		if len(body) > 0 {
			t.Fatalf("%d bytes are left over", len(body))
		}
	}
	slices.SortFunc(blocks, bytes.Compare)
	return blocks
}

// Two bundles that would have the same slot may be needed for one packet: the first stays what it was until that
// is complete.
func TestBundlesOfOneSlotInOnePacket(t *testing.T) {
	middle := grid.At(15, 15, grid.Living)
	view := grid.ViewFrom(middle)
	var cells []grid.Cell // of the view, ascending
	for x := -10; x <= 10; x++ {
		for y := -10; y <= 10; y++ {
			if c := grid.At(15+float32(30*x), 15+float32(30*y), grid.Living); view.Has(c) && !slices.Contains(cells, c) {
				cells = append(cells, c)
			}
		}
	}
	slices.Sort(cells)
	first, last := cells[0], cells[len(cells)-1]
	side := grid.ViewFrom(first)
	if side.Has(cells[len(cells)-2]) || side.Has(last) {
		t.Fatal("the cells are all in one view")
	}
	const (
		many      = 2 * bundleMost
		apart     = bundleSlots / 2 * bundleLeast // subjects, from one bundle to the next of its slot
		bytesEach = 40
	)
	p := NewExchange()
	var d Builder
	guid := uint64(0)
	reside := func(c grid.Cell, n int) {
		for range n {
			guid++
			b := wire.AppendPackedGUID([]byte{update.Create}, 1000+guid)
			d.Bytes = append(d.Bytes, append(b, make([]byte, bytesEach-len(b))...)...)
			d.Resident(c, 1000+guid, d.Cut(), d.Cut())
		}
	}
	reside(first, many)
	between := cells[slices.IndexFunc(cells, func(c grid.Cell) bool { return !side.Has(c) })]
	reside(between, apart-many)
	reside(last, bundleMost)
	d.SetView(0, side, true)
	d.SetView(1, side, true)
	d.SetView(2, view, true)
	f := p.Write()
	d.Build(f, 1)
	p.Publish(f)

	var packed, plain Replayer
	plain.Updates.Threshold = -1
	var w Window
	w.Open(p)
	defer w.Close()
	for session := range uint32(3) {
		one := Cursor{Session: session, GUID: 1}
		other := one
		got, _ := packed.Replay(nil, &w, &one)
		want, _ := plain.Replay(nil, &w, &other)
		a, b := creates(t, got, bytesEach), creates(t, want, bytesEach)
		if !slices.EqualFunc(a, b, bytes.Equal) {
			t.Errorf("%d is sent %d objects, want %d", session, len(a), len(b))
		}
	}
}

// Once warm, a storm allocates nothing.
func TestStormsDoNotAllocate(t *testing.T) {
	p := NewExchange()
	cursors := storm(p, 1)
	var r Replayer
	var w Window
	var dst []byte
	w.Open(p)
	defer w.Close()
	replay := func() {
		for _, c := range cursors {
			dst, _ = r.Replay(dst[:0], &w, &c)
		}
	}
	replay()
	if n := testing.AllocsPerRun(5, replay); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Create blocks so long that those of a bundle are more than a packet are sent one by one, to every
// observer.
func TestLongBlocksAreNotBundled(t *testing.T) {
	const long = wire.MaxPayload/bundleMost + 100
	p := NewExchange()
	var d Builder
	here := grid.At(0, 0, grid.Living)
	for i := range uint64(2 * bundleMost) {
		b := wire.AppendPackedGUID([]byte{update.Create}, 1000+i)
		d.Bytes = append(append(d.Bytes, b...), make([]byte, long-len(b))...)
		d.Resident(here, 1000+i, d.Cut(), d.Cut())
	}
	var cursors []Cursor
	for i := range uint32(4) {
		d.SetView(i, grid.ViewFrom(here), true)
		cursors = append(cursors, Cursor{Session: i, GUID: 1 + uint64(i)})
	}
	f := p.Write()
	d.Build(f, 1)
	p.Publish(f)
	var r Replayer
	var w Window
	w.Open(p)
	for i := range cursors {
		got, ok := r.Replay(nil, &w, &cursors[i])
		if blocks := creates(t, got, long); !ok || len(blocks) != 2*bundleMost {
			t.Errorf("%d is sent %d objects", cursors[i].GUID, len(blocks))
		}
	}
}
