package frame

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

// An eastward is the views of an observer that goes a cell to the east, and cells that it has lost, still sees, has
// gained, and does not see: the first and the last of each.
type eastward struct {
	before, after            grid.View
	lost, kept, gained, away [2]grid.Cell
}

func walkEast() (p eastward) {
	p.before, p.after = grid.ViewFrom(grid.At(15, 15, grid.Living)), grid.ViewFrom(grid.At(45, 15, grid.Living))
	found := map[[2]bool][]grid.Cell{}
	for x := range 40 {
		for y := range 40 {
			c := grid.At(float32(30*x-600+15), float32(30*y-600+15), grid.Living)
			at := [2]bool{p.before.Has(c), p.after.Has(c)}
			found[at] = append(found[at], c)
		}
	}
	for at, cells := range found {
		slices.Sort(cells)
		two := [2]grid.Cell{cells[0], cells[len(cells)-1]}
		switch at {
		case [2]bool{true, false}:
			p.lost = two
		case [2]bool{true, true}:
			p.kept = two
		case [2]bool{false, true}:
			p.gained = two
		default:
			p.away = two
		}
	}
	return p
}

// A ruled is the subject of a row of the table of docs/frames.md.
type ruled struct {
	guid     uint64
	from, to grid.Cell
}

// A packet of a subject names it and the part.
func packetOf(guid uint64, what string) []byte {
	return append(wire.AppendServerHeader(nil, opEvent, 9+len(what)), append(wire.AppendPackedGUID(nil, guid|0x0101010101010100), what...)...)
}

func valuesOf(guid uint64) []byte {
	return update.AppendWord(nil, guid, 0x18, uint32(guid))
}

func createOf(guid uint64) []byte {
	return append(wire.AppendPackedGUID([]byte{update.Create}, guid), fmt.Sprintf(" create %d", guid)...)
}

var partNames = [parts]string{Events: "event", Moves: "move", Beats: "beat", After: "after"}

// owe writes a tick in which subjects stay, go, come and leave, and session 7 has direct packets.
func (p *eastward) owe(subjects []ruled, reset bool) func(*Builder) {
	return func(d *Builder) {
		cut := func(b []byte) Span {
			d.Bytes = append(d.Bytes, b...)
			return d.Cut()
		}
		for place, text := range [places]string{First: "first", Middle: "middle", Last: "last"} {
			d.Send(7, Place(place), cut(packetOf(7, text)))
		}
		d.SetView(7, p.after, reset)
		for _, s := range subjects {
			part := func(i Part) []byte {
				if i == Values {
					return AppendBlock(nil, valuesOf(s.guid))
				}
				return packetOf(s.guid, partNames[i])
			}
			if s.from == s.to {
				for i := range parts {
					session := uint32(NoSession)
					if s.guid == 1 && (i == Moves || i == Beats) {
						session = 7
					}
					d.AddOwnDelta(session, s.to, i, cut(part(i)))
				}
				d.Resident(s.to, s.guid, cut(createOf(s.guid)), cut(packetOf(s.guid, "companion")))
				continue
			}
			if s.from != grid.None {
				d.Leave(s.from, s.guid, s.to)
			}
			if s.to != grid.None {
				e := d.Enter(s.to, s.guid, s.from, cut(createOf(s.guid)), cut(packetOf(s.guid, "companion")))
				for i := range parts {
					d.EnterDelta(e, i, cut(part(i)))
				}
			}
		}
	}
}

// A client is told for each row of the table what it is owed, in the order within a tick, byte for byte. The observer is one of the
// subjects.
//
// Source: docs/frames.md, "The rule" and "Order within a tick".
func TestTheRule(t *testing.T) {
	p := walkEast()
	none := grid.None
	subjects := []ruled{
		{1, p.kept[0], p.kept[0]},                              // the observer itself
		{11, p.kept[0], p.kept[0]}, {12, p.kept[1], p.kept[1]}, // delta
		{13, p.lost[0], p.lost[0]}, {14, p.gained[0], p.gained[0]}, // gone, created
		{15, p.away[0], p.away[0]},                                                           // nothing
		{16, p.kept[0], p.kept[1]}, {17, p.lost[0], p.kept[0]}, {18, p.kept[1], p.gained[1]}, // delta
		{19, p.kept[0], p.away[0]}, {20, p.lost[1], p.away[0]}, {21, p.kept[1], p.lost[0]}, {22, p.lost[0], p.lost[1]}, // gone
		{23, p.away[0], p.kept[0]}, {24, p.gained[0], p.kept[1]}, {25, none, p.gained[1]}, {26, p.away[1], p.gained[0]}, // created
		{27, p.kept[0], none}, {28, p.lost[1], none}, // destroyed
		{29, p.away[0], p.lost[0]}, {30, none, p.lost[1]}, {31, p.gained[0], none}, {32, p.gained[0], p.away[0]}, // nothing
		{33, p.away[0], p.away[1]}, {34, none, p.away[0]}, {35, p.away[0], none},
	}
	for _, reset := range []bool{false, true} {
		write := p.owe(subjects, reset)
		x, c := one(write)
		c.View = p.before
		had := func(cell grid.Cell) bool { return p.before.Has(cell) }
		has := func(cell grid.Cell) bool { return p.after.Has(cell) }
		stays := func(s ruled) bool { return s.from == s.to }
		// Gones and creates go by cell; residents of a cell before what has entered it.
		byCell := func(cell func(ruled) grid.Cell, owed func(ruled) bool) (all []ruled) {
			for _, entered := range []bool{false, true} {
				for _, s := range subjects {
					if stays(s) != entered && owed(s) {
						all = append(all, s)
					}
				}
			}
			slices.SortStableFunc(all, func(a, b ruled) int { return int(cell(a)) - int(cell(b)) })
			return all
		}
		from := func(s ruled) grid.Cell { return s.from }
		to := func(s ruled) grid.Cell { return s.to }
		// What stays comes first, and then what has entered, by its new cell.
		var deltas []ruled
		for _, entered := range []bool{false, true} {
			deltas = append(deltas, byCell(to, func(s ruled) bool { return stays(s) != entered && had(s.from) && has(s.to) && !reset })...)
		}
		delta := func(out []byte, part Part) []byte {
			for _, s := range deltas {
				if s.guid != 1 || part != Moves && part != Beats {
					out = append(out, packetOf(s.guid, partNames[part])...)
				}
			}
			return out
		}
		want := packetOf(7, "first")
		want = append(delta(want, Events), packetOf(7, "middle")...)
		for _, s := range byCell(from, func(s ruled) bool { return had(s.from) && s.to == none }) {
			want = msg.Packet(want, wire.V12340, msg.OpDestroyObject, &msg.DestroyObject{GUID: s.guid})
		}
		var u update.Writer
		u.Begin(want)
		gone := byCell(from, func(s ruled) bool { return had(s.from) && (!has(s.to) || reset) && s.to != none && s.guid != 1 })
		// In a cell, those that have left it are gone before those that stay.
		slices.SortStableFunc(gone, func(a, b ruled) int {
			if a.from != b.from || stays(a) == stays(b) {
				return int(a.from) - int(b.from)
			} else if stays(b) {
				return -1
			}
			return 1
		})
		for _, s := range gone {
			u.OutOfRange(s.guid)
		}
		for _, s := range deltas {
			u.Block(valuesOf(s.guid))
		}
		created := byCell(to, func(s ruled) bool { return has(s.to) && (!had(s.from) || reset) && s.guid != 1 })
		for _, s := range created {
			u.Block(createOf(s.guid))
		}
		want = u.End()
		for _, s := range created {
			want = append(want, packetOf(s.guid, "companion")...)
		}
		want = delta(delta(delta(want, Moves), Beats), After)
		want = append(want, packetOf(7, "last")...)

		for _, budget := range []int{0, 1 << 20} {
			var w Window
			w.Open(x)
			again := c
			r := Replayer{Budget: budget}
			got, ok := r.Replay([]byte("before"), &w, &again)
			w.Close()
			if !ok || !bytes.Equal(got, append([]byte("before"), want...)) {
				t.Errorf("reset %v, budget %d: wrote\n%q, want\n%q", reset, budget, got, want)
			}
			if again != (Cursor{Session: 7, GUID: 1, Tick: 1, View: p.after}) {
				t.Errorf("reset %v: the cursor is %+v", reset, again)
			}
		}
	}
}

// An observer whose view and cells do not change uses a share, and receives the same as another that sees the same.
func TestTheRuleShared(t *testing.T) {
	p := walkEast()
	p.after = p.before
	subjects := []ruled{
		{1, p.kept[0], p.kept[0]}, {11, p.kept[0], p.kept[0]}, {12, p.kept[1], p.kept[1]}, {15, p.away[0], p.away[0]},
		{16, p.kept[0], p.kept[1]}, {19, p.kept[0], p.away[0]}, {23, p.away[0], p.kept[0]}, {27, p.kept[0], grid.None},
	}
	x, c := one(p.owe(subjects, false))
	c.View = p.before
	var r Replayer
	var w Window
	w.Open(x)
	defer w.Close()
	var said [3]string
	for i := range said {
		one := c
		one.Session, one.GUID = uint32(100+i), uint64(100+i)
		out, ok := r.Replay(nil, &w, &one)
		if said[i] = string(out); !ok || one.Tick != 1 {
			t.Errorf("the cursor is %+v, %v", one, ok)
		}
	}
	for _, what := range []string{"event", "move", "beat", "after"} {
		if n := strings.Count(said[0], what); n != 4 { // of 1, 11, 12 and 16
			t.Errorf("%d are told of %q, want 4", n, what)
		}
	}
	if strings.Count(said[0], "companion") != 1 || strings.Count(said[0], " create 23") != 1 || said[1] != said[0] || said[2] != said[0] {
		t.Errorf("observers are told\n%q,\n%q and\n%q", said[0], said[1], said[2])
	}
}
