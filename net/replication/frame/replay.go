package frame

import (
	"encoding/binary"
	"math/bits"

	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

// A Cursor is where one observer is in the stream of frames. Nothing is remembered per pair of observer
// and subject: a client knows a subject if and only if the subject's home cell was in the view.
type Cursor struct {
	Session uint32
	GUID    uint64 // the observer itself
	Tick    uint64 // the last tick it was given
	View    grid.View
	Waits   uint64 // for the tick in which the observer's player goes on with the connection of that number: all before is another one's; 0: for none
}

// LagFrames is how many frames a cursor may be behind before superseded heartbeats are left out, where RingFrames are kept:
// a quarter of that time, one second of 50 ms. An exchange with another Keep has another number of frames in it.
const LagFrames = 20

// A Replayer turns frames into the bytes for one observer. It keeps only scratch memory; one goroutine
// owns it.
type Replayer struct {
	Updates update.Writer
	// Superseded is how many heartbeats were left out for observers that lag, since it was last set to 0.
	Superseded uint64

	// Budget is how many bytes one flush of one observer should not exceed; 0 sets no limit. Heartbeats are left out to
	// keep to it, those of the nearest movers last, and nothing else ever is. See thin.
	Budget int
	// Thinned counts the heartbeats that were left out.
	Thinned uint64

	kept    []cells    // that have something, seen before and after the tick
	near    []nearCell // what is more than a delta half
	has     records    // what any of them may have
	changed bool       // some of near are lost or gained
	known   []*enter   // whose delta half is sent
	created []half     // what is created, for its companions
	latest  map[uint64]uint64
	destroy msg.DestroyObject // here, so that a pointer to it costs nothing
	views   *[viewSlots]viewShare
	shares  *[shareSlots]*share // nil where there is none
	spare   []*share            // to be used again
	pasts   []past              // of each exchange
	sharing *share              // what is being made; nil if it is for one observer
	frame   uint32              // of sharing, its place in the share, from 0
	serial  uint64              // of the last that was made
	seen    []seen
	flush   portion
	ranked  []beatCell // that have heartbeats, the nearest first
	bundles *[bundleSlots]bundle
	press   update.Press
}

// cells are those from one up to another, by their numbers in a frame.
type cells struct{ first, last uint32 }

// A nearCell is a cell that the observer saw before the tick, or sees after it, and that it has lost or gained, or that
// some subject has left or entered.
type nearCell struct {
	*cell
	lost, gained  bool
	before, after bool
}

// Replay appends to dst everything for c after c.Tick up to the window's newest tick, and moves c there.
// The packets have plain headers. It is not ok, and dst and c are of no more use, if a frame that is
// needed has been overwritten.
func (r *Replayer) Replay(dst []byte, w *Window, c *Cursor) (_ []byte, ok bool) {
	frames, ok := w.After(c.Tick)
	if !ok {
		return dst, false
	}
	for c.Waits != 0 && len(frames) > 0 {
		if own := frames[0].direct(c.Session); own != nil && own.resumed == c.Waits && !own.left {
			c.Waits = 0
			break
		}
		c.Tick, frames = frames[0].Tick, frames[1:]
	}
	if c.Waits != 0 {
		return dst, true
	}
	r.sharing = nil // the last Replay may have ended in a panic
	lagging := len(frames) > 0 && frames[len(frames)-1].slot.age-frames[0].slot.age >= w.exchange.keeps()*LagFrames/RingFrames
	if lagging {
		r.findLatest(frames, c)
	} else if sharable(frames, c) {
		return r.share(dst, w.exchange, frames, c), true
	}
	r.flush = portion{start: len(dst), of: len(frames)}
	for _, f := range frames {
		dst = r.tick(dst, f, c, lagging)
		c.Tick = f.Tick
	}
	return dst, true
}

// tick appends what c receives for one tick: the table of docs/frames.md, in its order.
func (r *Replayer) tick(dst []byte, f *Frame, c *Cursor, lagging bool) []byte {
	own := f.direct(c.Session)
	before, after, reset := c.View, c.View, false
	if own != nil && own.looked {
		after, reset = own.look, own.reset
	}
	c.View = after
	r.nearby(f, before, after, reset)

	if own != nil {
		dst = append(dst, f.In(own.parts[First])...)
	}
	dst = r.delta(dst, f, c, Events)
	if own != nil {
		dst = append(dst, f.In(own.parts[Middle])...)
	}
	dst = r.objects(dst, f, c, before, after, reset)
	for _, h := range r.created {
		dst = append(dst, f.In(h.companions)...)
	}
	dst = r.delta(dst, f, c, Moves)
	switch {
	case lagging:
		dst = r.beats(dst, f, c)
	case r.Budget > 0:
		dst = r.thin(dst, f, c)
	default:
		dst = r.delta(dst, f, c, Beats)
	}
	dst = r.delta(dst, f, c, After)
	if own != nil {
		dst = append(dst, f.In(own.parts[Last])...)
		if own.left {
			c.View = grid.View{}
		}
	}
	return dst
}

// nearby collects the cells of both views that have something for the observer, in ascending order, and the subjects
// that came from a cell that was seen into one that is.
func (r *Replayer) nearby(f *Frame, before, after grid.View, reset bool) {
	r.kept, r.near, r.known = r.kept[:0], r.near[:0], r.known[:0]
	r.has, r.changed = 0, false
	var vb, wb [grid.MaxPatches]grid.Patch
	w := after.Patches(&wb)
	if before == after && !reset {
		for i := range w {
			r.tile(f, w[i].Tile, w[i].Mask, w[i].Mask, w[i].Mask)
		}
	} else {
		v := before.Patches(&vb)
		for len(v) > 0 || len(w) > 0 {
			var tile grid.Tile
			var was, is, kept uint64
			switch {
			case len(w) == 0 || len(v) > 0 && v[0].Tile < w[0].Tile:
				tile, was, v = v[0].Tile, v[0].Mask, v[1:]
			case len(v) == 0 || w[0].Tile < v[0].Tile:
				tile, is, w = w[0].Tile, w[0].Mask, w[1:]
			default:
				tile, was, is, v, w = v[0].Tile, v[0].Mask, w[0].Mask, v[1:], w[1:]
			}
			if !reset {
				kept = was & is
			}
			r.tile(f, tile, was, is, kept)
		}
	}
	if reset || r.has&someEnter == 0 {
		return
	}
	for i := range r.near {
		if !r.near[i].after {
			continue
		}
		in := f.enters[r.near[i].enter.first:][:r.near[i].enter.n]
		for k := range in {
			if before.Has(in[k].from) {
				r.known = append(r.known, &in[k])
			}
		}
	}
}

// tile is nearby for a tile of which some cells were seen, some are, and some are kept.
func (r *Replayer) tile(f *Frame, tile grid.Tile, was, is, kept uint64) {
	at, used, from := f.dir.Row(tile)
	if used&(was|is) == 0 {
		return
	}
	t, first := &f.tiles[at], uint32(from)
	r.has |= t.has
	// Kept cells are adjacent up to the next cell that is not kept.
	others := t.some &^ kept
	for m := t.some & kept; m != 0; {
		below := m&-m - 1
		end := others &^ below
		end = end&-end - 1 // all below the next of the others; all there are if there is none
		run := m & end
		m &^= run
		next := first + uint32(bits.OnesCount64(used&below))
		last := first + uint32(bits.OnesCount64(used&(1<<bits.Len64(run)-1)))
		if n := len(r.kept); n > 0 && r.kept[n-1].last == next {
			r.kept[n-1].last = last
		} else {
			r.kept = append(r.kept, cells{})
			r.kept[n].first, r.kept[n].last = next, last
		}
	}
	for m := used & (was | is) & (t.crossed | ^kept); m != 0; m &= m - 1 {
		bit := m & -m
		had, has, keeps := was&bit != 0, is&bit != 0, kept&bit != 0
		r.changed = r.changed || !keeps
		r.near = append(r.near, nearCell{})
		n := &r.near[len(r.near)-1] // written in place: a copy would wait for what was just written
		n.cell = &f.cells[first+uint32(bits.OnesCount64(used&(bit-1)))]
		n.before, n.after, n.lost, n.gained = had, has, had && !keeps, has && !keeps
	}
}

// delta appends one part of every delta half that is sent, without the observer's own moves.
func (r *Replayer) delta(dst []byte, f *Frame, c *Cursor, part Part) []byte {
	if r.has>>part&1 == 0 {
		return r.knownDelta(dst, f, c, part)
	}
	for _, run := range r.kept {
		if part == Moves || part == Beats {
			dst = r.moves(dst, f, c, f.delta(part, run.first, run.last))
		} else {
			dst = append(dst, f.In(f.delta(part, run.first, run.last))...)
		}
	}
	return r.knownDelta(dst, f, c, part)
}

// moves appends moves or heartbeats without the observer's own. For a share it appends all of them, and notes where
// they are.
func (r *Replayer) moves(dst []byte, f *Frame, c *Cursor, s Span) []byte {
	if r.sharing != nil {
		r.sharing.note(r.frame, s, len(dst))
		return append(dst, f.In(s)...)
	}
	at := uint32(0) // where those begin that are not appended yet
	f.cut(s, c.Session, func(off, n uint32) {
		dst = append(dst, f.Bytes[s.Off+at:s.Off+off]...)
		at = off + n
	})
	return append(dst, f.Bytes[s.Off+at:s.Off+s.Len]...)
}

// knownDelta is delta for subjects that came from a cell that was seen.
func (r *Replayer) knownDelta(dst []byte, f *Frame, c *Cursor, part Part) []byte {
	moves := part == Moves || part == Beats
	for _, e := range r.known {
		if !moves || e.guid != c.GUID {
			dst = append(dst, f.In(e.delta[part])...)
		}
	}
	return dst
}

// packetLen is the length of the first packet of src, header included.
func packetLen(src []byte) (n, header int) {
	_, payload, header, _ := wire.ServerHeader(src)
	return header + payload, header
}

// objects appends the destroys and the update objects of a tick, and notes what was created.
func (r *Replayer) objects(dst []byte, f *Frame, c *Cursor, before, after grid.View, reset bool) []byte {
	r.created = r.created[:0]
	if r.has&(someLeave|someEnter|1<<Values) == 0 && !r.changed {
		return dst
	}
	for i := range r.near {
		if !r.near[i].before {
			continue
		}
		for _, l := range f.leaves[r.near[i].leave.first:][:r.near[i].leave.n] {
			if l.to == grid.None && l.guid != c.GUID {
				r.destroy.GUID = l.guid
				dst = msg.Packet(dst, wire.V12340, msg.OpDestroyObject, &r.destroy)
			}
		}
	}
	u := &r.Updates
	u.Begin(dst)
	for i := range r.near {
		n := &r.near[i]
		if n.before {
			for _, l := range f.leaves[n.leave.first:][:n.leave.n] {
				if l.to != grid.None && (reset || !after.Has(l.to)) && l.guid != c.GUID {
					u.OutOfRange(l.guid)
				}
			}
		}
		if n.lost {
			for _, s := range f.residents[n.residents.first:][:n.residents.n] {
				if s.guid != c.GUID {
					u.OutOfRange(s.guid)
				}
			}
		}
	}
	if r.has>>Values&1 != 0 {
		for _, run := range r.kept {
			addBlocks(u, f.In(f.delta(Values, run.first, run.last)))
		}
	}
	for _, e := range r.known {
		addBlocks(u, f.In(e.delta[Values]))
	}
	storm := r.storm()
	for i := range r.near {
		n := &r.near[i]
		if n.gained {
			r.create(u, f, n.residents, false, storm, func(i uint32) *half {
				if s := &f.residents[i]; s.guid != c.GUID {
					return &s.create
				}
				return nil
			})
		}
		if n.after {
			r.create(u, f, n.enter, true, storm, func(i uint32) *half {
				if e := &f.enters[i]; (reset || !before.Has(e.from)) && e.guid != c.GUID {
					return &e.create
				}
				return nil
			})
		}
	}
	return u.End()
}

// addBlocks adds consecutive update blocks, each after its length.
func addBlocks(u *update.Writer, src []byte) {
	for len(src) > 0 {
		n := 2 + int(binary.LittleEndian.Uint16(src))
		u.Block(src[2:n])
		src = src[n:]
	}
}

// AppendBlock appends an update block as Values holds it.
func AppendBlock(dst, block []byte) []byte {
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(block)))
	return append(dst, block...)
}

// Block is the update block that AppendBlock wrote.
func Block(b []byte) []byte { return b[2:] }

// findLatest notes the last tick in which each mover near c moved.
func (r *Replayer) findLatest(frames []*Frame, c *Cursor) {
	if r.latest == nil {
		r.latest = make(map[uint64]uint64)
	}
	clear(r.latest)
	view := c.View
	for _, f := range frames {
		before := view
		own := f.direct(c.Session)
		if own != nil && own.looked {
			view = own.look
		}
		r.nearby(f, before, view, false)
		for _, run := range r.kept {
			r.noteMoves(f.In(f.delta(Moves, run.first, run.last)), f.Tick)
			r.noteMoves(f.In(f.delta(Beats, run.first, run.last)), f.Tick)
		}
		for _, e := range r.known {
			r.noteMoves(f.In(e.delta[Moves]), f.Tick)
			r.noteMoves(f.In(e.delta[Beats]), f.Tick)
		}
		if own != nil && own.left {
			break
		}
	}
}

func (r *Replayer) noteMoves(src []byte, tick uint64) {
	for len(src) > 0 {
		n, header := packetLen(src)
		guid, _ := wire.ReadPackedGUID(src[header:n])
		r.latest[guid] = tick
		src = src[n:]
	}
}

// beats appends the heartbeats that are sent and that no later move of the same mover supersedes.
func (r *Replayer) beats(dst []byte, f *Frame, c *Cursor) []byte {
	from := len(dst)
	dst = r.delta(dst, f, c, Beats)
	kept := from
	for at := from; at < len(dst); {
		n, header := packetLen(dst[at:])
		if guid, _ := wire.ReadPackedGUID(dst[at+header:]); r.latest[guid] <= f.Tick {
			kept += copy(dst[kept:], dst[at:at+n])
		} else {
			r.Superseded++
		}
		at += n
	}
	return dst[:kept]
}
