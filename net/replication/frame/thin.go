package frame

import (
	"cmp"
	"slices"

	"muster/ecs/grid"
)

// A portion is the part of a flush that is being made.
type portion struct {
	start    int // of the flush, in what is appended to
	of, done int // ticks
}

// thin appends the heartbeats of a tick that the budget has room for. The nearest cells come first, up to three
// quarters of the room; the rest of it is for those farther away, in turn, so that each mover is sent sometimes: a
// heartbeat has a mover's position, not the distance covered, and so the next one makes up for all that were left out.
// What is chosen depends on the view and the ticks only, and can be shared.
//
// Stops, starts and turns are other packets, with the position. They are never left out.
func (r *Replayer) thin(dst []byte, f *Frame, c *Cursor) []byte {
	p := &r.flush
	p.done++
	room := max(r.Budget*p.done/p.of-(len(dst)-p.start), r.Budget/4/p.of)
	total := 0
	for _, run := range r.kept {
		total += int(f.delta(Beats, run.first, run.last).Len)
	}
	if total <= room {
		return r.delta(dst, f, c, Beats)
	}
	r.rank(f, c.View.Center)
	end := len(dst) + room
	near := len(dst) + room*3/4
	if room < fewBytes && spread(f.Tick)%4 != 0 { // what cannot be divided goes to each in turn
		near = end
	}
	i := 0
	for ; i < len(r.ranked)-1 && len(dst)+int(r.ranked[i].beats.Len) <= near; i++ {
		dst = r.moves(dst, f, c, r.ranked[i].beats)
	}
	dst = r.some(dst, f, c, r.ranked[i:i+1], near)
	dst = r.some(dst, f, c, r.ranked[i+1:], end)
	return r.knownDelta(dst, f, c, Beats)
}

// fewBytes are too few to divide: four heartbeats or so.
const fewBytes = 256

// spread makes of a tick a number that is unrelated to those of its neighbours, and to the rhythm of movers.
func spread(tick uint64) uint64 { return tick * 0x9E3779B97F4A7C15 >> 32 }

// A beatCell is a cell whose heartbeats are sent.
type beatCell struct {
	id    grid.Cell
	beats Span
}

// rank collects the cells whose heartbeats are sent to an observer with a home cell, the nearest first.
func (r *Replayer) rank(f *Frame, home grid.Cell) {
	r.ranked = r.ranked[:0]
	f.dir.Each(func(i int, id grid.Cell) {
		n := uint32(i)
		kept := slices.ContainsFunc(r.kept, func(run cells) bool { return run.first <= n && n < run.last })
		if beats := f.delta(Beats, n, n+1); kept && beats.Len > 0 {
			r.ranked = append(r.ranked, beatCell{id, beats})
		}
	})
	slices.SortFunc(r.ranked, func(x, y beatCell) int {
		return cmp.Or(cmp.Compare(home.Apart(x.id), home.Apart(y.id)), cmp.Compare(x.id, y.id))
	})
}

// some appends as many heartbeats of cells as there is room for up to an end, a run of them that begins elsewhere in
// each tick.
func (r *Replayer) some(dst []byte, f *Frame, c *Cursor, cells []beatCell, end int) []byte {
	packets, bytes := 0, 0
	for i := range cells {
		for src := f.In(cells[i].beats); len(src) > 0; packets++ {
			length, _ := packetLen(src)
			src = src[length:]
		}
		bytes += int(cells[i].beats.Len)
	}
	if packets == 0 {
		return dst
	}
	taken := min(max(end-len(dst), 0)*packets/bytes, packets)
	first := int(spread(f.Tick) % uint64(packets))
	at := packets - first // of the packet, counted from the first that is taken
	for i := range cells {
		for src := cells[i].beats; src.Len > 0; at++ {
			length, _ := packetLen(f.In(src))
			if at%packets < taken {
				dst = r.moves(dst, f, c, Span{src.Off, uint32(length)})
			}
			src.Off, src.Len = src.Off+uint32(length), src.Len-uint32(length)
		}
	}
	r.Thinned += uint64(packets - taken)
	return dst
}
