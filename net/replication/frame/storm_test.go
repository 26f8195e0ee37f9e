package frame

import (
	"fmt"
	"testing"

	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// bundled reports whether an update packet is joined of what was compressed before: its zlib stream then begins with a
// stored block.
//
// Source: RFC 1951, 3.2.3 and 3.2.4: the type of a block is in the bits 1 and 2 of its first byte.
func bundled(t *testing.T, packets []byte) (joined, whole int) {
	t.Helper()
	for len(packets) > 0 {
		op, payload, header, _ := wire.ServerHeader(packets)
		body := packets[header : header+payload]
		packets = packets[header+payload:]
		switch {
		case op == msg.OpCompressedUpdateObject && body[4+2]>>1&3 == 0:
			joined++
		case op == msg.OpCompressedUpdateObject:
			whole++
		}
	}
	return joined, whole
}

// Creates are bundled if those that may be needed are worth to be compressed: 42 of about 198 bytes are more than the
// 8,192 of which that is so, and 41 are not. What is in no cell that the observer sees, or was seen before, does not
// count. The first observer shows that others may come; from the second on packets are joined.
//
// Source: docs/performance.md 3.4.
func TestStormsBeginAtTheThreshold(t *testing.T) {
	p := walkEast()
	for _, c := range []struct {
		gained, entered, kept, away int
		want                        bool
	}{
		{42, 0, 0, 0, true}, {41, 0, 0, 0, false}, {0, 42, 0, 0, true}, {0, 41, 0, 0, false}, {20, 22, 0, 0, true}, {20, 21, 0, 0, false},
		{20, 21, 50, 0, false}, {20, 21, 0, 50, false}, {20, 22, 50, 50, true},
	} {
		x, _ := one(func(d *Builder) {
			guid := uint64(1000)
			create := func() Span {
				guid++
				d.Bytes = append(d.Bytes, fmt.Appendf(createOf(guid), "%0200d", guid)...)
				return d.Cut()
			}
			for range c.gained {
				d.Resident(p.gained[0], guid, create(), d.Cut())
			}
			for range c.entered {
				d.Enter(p.gained[0], guid, p.away[0], create(), d.Cut())
			}
			for range c.kept {
				d.Resident(p.kept[0], guid, create(), d.Cut())
			}
			for range c.away {
				d.Enter(p.away[0], guid, p.away[1], create(), d.Cut())
			}
			for session := range uint32(3) {
				d.SetView(session, p.after, false)
			}
		})
		var r Replayer
		var w Window
		w.Open(x)
		for session := range uint32(3) {
			out, ok := r.Replay(nil, &w, &Cursor{Session: session, GUID: 1, View: p.before})
			if joined, _ := bundled(t, out); !ok || joined > 0 != (c.want && session > 0) {
				t.Errorf("%+v: observer %d has %d joined packets, want some: %v", c, session, joined, c.want && session > 0)
			}
		}
		w.Close()
	}
}

// Up to 25 creates that are side by side are a bundle, and fewer than four are not worth it.
//
// Source: docs/performance.md 3.4, fragment join.
func TestBundlesHaveTheirSize(t *testing.T) {
	here := grid.At(15, 15, grid.Living)
	for _, c := range []struct{ n, bundles int }{{3, 0}, {4, 1}, {25, 1}, {28, 1}, {29, 2}, {50, 2}, {54, 3}} {
		x, _ := one(func(d *Builder) {
			for guid := range uint64(c.n) {
				d.Bytes = append(d.Bytes, fmt.Appendf(createOf(guid+1000), "%0200d", guid)...)
				d.Resident(here, guid+1000, d.Cut(), d.Cut())
			}
			for session := range uint32(3) {
				d.SetView(session, grid.ViewFrom(here), true)
			}
		})
		r := Replayer{}
		r.Updates.Threshold = 1
		var w Window
		w.Open(x)
		for session := range uint32(3) {
			r.Replay(nil, &w, &Cursor{Session: session, GUID: 1})
		}
		w.Close()
		n := 0
		if r.bundles != nil {
			for i := range r.bundles {
				if !r.bundles[i].Empty() {
					n++
				}
			}
		}
		if n != c.bundles {
			t.Errorf("%d creates are %d bundles, want %d", c.n, n, c.bundles)
		}
	}
}
