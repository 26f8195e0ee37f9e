package frame

import (
	"slices"

	"muster/ecs/grid"
)

// Observers with the same view in some ticks receive the same bytes, except for their own moves and for direct packets.
// So what the first of them receives is kept for the others, which copy it, and leave out their own moves: a crowd costs
// a copy for each observer, and little more than one gathering in all. Most of what a view holds is empty: what counts is
// which of its cells have contents, and in that neighbours agree.
//
// Frames do not change once they are published, so what is kept is right for as long as it is kept.

const (
	// shareSlots is how many shares a replayer keeps: one for each of the places in which players meet. Those of past ticks
	// are used again, the last first: so a replayer has as many as it needs at once, and their slices have room.
	shareSlots = 256
	// viewSlots is for how many views a replayer keeps which share they have: several for each share.
	viewSlots = 1024
	// maxShare is the longest share that is kept, in bytes. With it a replayer keeps at most 80 MiB: 256 of them with the
	// quarter that slices have in reserve.
	maxShare = 256 << 10
)

// A share is what all observers with the same views throughout some ticks of an exchange receive,
// without direct packets.
type share struct {
	exchange *Exchange
	from, to uint64 // ticks after from, up to to
	seen     []seen
	serial   uint64 // another for each share that was ever made
	bytes    []byte
	thinned  uint64  // heartbeats that are not in bytes
	moves    []moves // in bytes, ascending
}

// A seen is the cells of a tile that have something in a frame, and are in view.
type seen struct {
	frame uint32 // its place in the share, from 0
	tile  grid.Tile
	cells uint64
}

// A viewShare maps a view to its share.
type viewShare struct {
	view   grid.View
	share  *share
	serial uint64 // of the share; it may have become another since
}

// A moves is a span of moves or beats of a frame, and where they are in a share.
type moves struct {
	frame uint32
	at    uint32
	span  Span
}

// anonymous is an observer without direct packets that is no subject.
var anonymous = Cursor{Session: NoSession}

// sharable reports whether nothing in the frames is direct for c: then its view does not change, and it neither enters
// nor leaves a cell.
func sharable(frames []*Frame, c *Cursor) bool {
	for _, f := range frames {
		if f.direct(c.Session) != nil {
			return false
		}
	}
	return true
}

// share appends what c receives for frames that are sharable, and moves it past them.
func (r *Replayer) share(dst []byte, exchange *Exchange, frames []*Frame, c *Cursor) []byte {
	if len(frames) == 0 {
		return dst
	}
	from, to := c.Tick, frames[len(frames)-1].Tick
	c.Tick = to
	if c.View == (grid.View{}) {
		return dst
	}
	if r.shares == nil {
		r.views, r.shares = new([viewSlots]viewShare), new([shareSlots]*share)
	}
	v := &r.views[slotOf(c.View)]
	s := v.share
	if s == nil || v.view != c.View || v.serial != s.serial || s.exchange != exchange || s.from != from || s.to != to {
		s = r.find(exchange, from, to, frames, c.View)
		v.view, v.share, v.serial = c.View, s, s.serial
	}
	dst = s.appendOthers(dst, frames, c)
	r.Thinned += s.thinned
	if len(s.bytes) > maxShare {
		*s = share{}
	}
	return dst
}

// slotOf spreads views over the slots.
func slotOf(v grid.View) uint32 {
	return (uint32(v.Center)*0x9E3779B1 ^ uint32(v.Layers)*0x85EBCA6B) >> 16 % viewSlots
}

// find is the share of a view, made anew if it is not kept.
func (r *Replayer) find(exchange *Exchange, from, to uint64, frames []*Frame, view grid.View) *share {
	r.seen = r.seen[:0]
	hash := uint64(view.Layers)
	var buf [grid.MaxPatches]grid.Patch
	patches := view.Patches(&buf)
	for i, f := range frames {
		for k := range patches {
			n, used, _ := f.dir.Row(patches[k].Tile)
			if used == 0 {
				continue
			}
			if has := f.tiles[n].some & patches[k].Mask; has != 0 {
				r.seen = append(r.seen, seen{})
				s := &r.seen[len(r.seen)-1]
				s.frame, s.tile, s.cells = uint32(i), patches[k].Tile, has
				hash = (hash ^ has ^ uint64(patches[k].Tile)<<32) * 0x9E3779B97F4A7C15
				hash ^= hash >> 32
			}
		}
	}
	if r.Budget > 0 { // which heartbeats are left out depends on where they are seen from
		r.seen = append(r.seen, seen{uint32(len(frames)), grid.Tile(view.Center), uint64(view.Layers)})
		hash = (hash ^ uint64(view.Center)) * 0x9E3779B97F4A7C15
		hash ^= hash >> 32
	}
	r.recycle(exchange, to)
	s := r.slot(hash % shareSlots)
	if s.exchange != exchange || s.from != from || s.to != to || !slices.Equal(s.seen, r.seen) {
		r.fill(s, frames, view)
		s.exchange, s.from, s.to = exchange, from, to
		s.seen, r.seen = r.seen, s.seen
	}
	return s
}

// A past is the last tick of which an exchange has shares.
type past struct {
	exchange *Exchange
	to       uint64
}

// recycle frees the slots of shares of an exchange's past ticks, which are not needed any more.
func (r *Replayer) recycle(exchange *Exchange, to uint64) {
	at := slices.IndexFunc(r.pasts, func(p past) bool { return p.exchange == exchange })
	if at < 0 {
		at = len(r.pasts)
		r.pasts = append(r.pasts, past{exchange: exchange})
	}
	if r.pasts[at].to >= to {
		return
	}
	r.pasts[at].to = to
	for i, s := range r.shares {
		if s != nil && s.exchange == exchange && s.to < to {
			r.shares[i] = nil
			r.spare = append(r.spare, s)
		}
	}
}

// slot is the share in a slot, which is one of those to be used again if there was none.
func (r *Replayer) slot(i uint64) *share {
	if r.shares[i] == nil {
		if n := len(r.spare); n > 0 {
			r.shares[i], r.spare = r.spare[n-1], r.spare[:n-1]
		} else {
			r.shares[i] = new(share)
		}
	}
	return r.shares[i]
}

// fill makes a share anew.
func (r *Replayer) fill(s *share, frames []*Frame, view grid.View) {
	r.serial++
	s.exchange, s.serial, s.bytes, s.moves = nil, r.serial, s.bytes[:0], s.moves[:0]
	all := anonymous
	all.View = view
	r.sharing, r.flush = s, portion{of: len(frames)}
	before := r.Thinned
	for i, f := range frames {
		r.frame = uint32(i)
		s.bytes = r.tick(s.bytes, f, &all, false)
	}
	r.sharing, s.thinned = nil, r.Thinned-before
	r.Thinned = before
}

// note records that moves or heartbeats of a frame of the share come next, at an offset in its bytes.
func (s *share) note(frame uint32, of Span, at int) {
	if of.Len == 0 {
		return
	}
	s.moves = append(s.moves, moves{})
	m := &s.moves[len(s.moves)-1] // written in place, as in Replayer.tile
	m.frame, m.at, m.span = frame, uint32(at), of
}

// appendOthers appends the share without the moves of one of its observers.
func (s *share) appendOthers(dst []byte, frames []*Frame, c *Cursor) []byte {
	at := uint32(0) // where those begin that are not appended yet
	for i := range s.moves {
		m := &s.moves[i]
		frames[m.frame].cut(m.span, c.Session, func(off, n uint32) {
			dst = append(dst, s.bytes[at:m.at+off]...)
			at = m.at + off + n
		})
	}
	return append(dst, s.bytes[at:]...)
}
