package frame

import (
	"muster/ecs/grid"
	"muster/net/wire"
)

// Observers with the same view over the same ticks are owed the same bytes, but for their own moves and for what is
// direct. So what the first of them is owed is kept for the others, who copy it, and leave out their own moves: a crowd
// costs a copy for each observer and one gathering for each cell that observers stand in.
//
// Frames do not change once they are published, so what is kept is right for as long as it is kept.

const (
	// shareSlots is how many shares a replayer keeps: several times the cells that the players of one place stand in.
	shareSlots = 128
	// maxShare is the longest share that is kept, in bytes. With it a replayer keeps at most 60 MiB: 128 of them with
	// the quarter that slices have in reserve, and their movers, of 16 bytes for a move of 36 or more.
	maxShare = 256 << 10
)

// A share is what all are owed who had one view throughout some ticks of a port, and nothing direct.
type share struct {
	port     *Port
	from, to uint64 // ticks after from, up to to
	view     grid.View
	bytes    []byte
	thinned  uint64  // heartbeats that are not in bytes
	movers   []mover // in bytes, ascending: the moves of those whose home is the view's
}

// A mover is who made a packet of a share, and where that is.
type mover struct {
	guid     uint64
	off, end uint32
}

// nobody is an observer for whom nothing is direct and who is no subject.
var nobody = Cursor{Session: Nobody}

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

// share appends what c is owed for frames that are sharable, and moves it past them.
func (r *Replayer) share(dst []byte, port *Port, frames []*Frame, c *Cursor) []byte {
	if len(frames) == 0 {
		return dst
	}
	from, to := c.Tick, frames[len(frames)-1].Tick
	c.Tick = to
	if c.View == (grid.View{}) {
		return dst
	}
	if r.shares == nil {
		r.shares = new([shareSlots]share)
	}
	s := &r.shares[slotOf(c.View)]
	if s.port != port || s.from != from || s.to != to || s.view != c.View {
		r.fill(s, frames, c.View)
		s.port, s.from, s.to = port, from, to
	}
	dst = s.appendOthers(dst, c.GUID)
	r.Thinned += s.thinned
	if len(s.bytes) > maxShare {
		*s = share{}
	}
	return dst
}

// slotOf spreads views over the slots.
func slotOf(v grid.View) uint32 {
	return (uint32(v.Home)*0x9E3779B1 ^ uint32(v.Layers)*0x85EBCA6B) >> 16 % shareSlots
}

// fill makes a share anew.
func (r *Replayer) fill(s *share, frames []*Frame, view grid.View) {
	s.view, s.bytes, s.movers = view, s.bytes[:0], s.movers[:0]
	all := nobody
	all.View = view
	r.sharing, r.flush = s, portion{of: len(frames)}
	before := r.Thinned
	for _, f := range frames {
		s.bytes = r.tick(s.bytes, f, &all, false)
	}
	r.sharing, s.thinned = nil, r.Thinned-before
	r.Thinned = before
}

// appendMovers appends packets of those who may be observers with this share, and notes where each is.
func (s *share) appendMovers(dst, src []byte) []byte {
	base := len(dst)
	for at := 0; at < len(src); {
		n, header := packetLen(src[at:])
		guid, _ := wire.ReadPackedGUID(src[at+header : at+n])
		s.movers = append(s.movers, mover{guid, uint32(base + at), uint32(base + at + n)})
		at += n
	}
	return append(dst, src...)
}

// appendOthers appends the share without the moves of one of its observers.
func (s *share) appendOthers(dst []byte, guid uint64) []byte {
	at := uint32(0)
	for i := range s.movers {
		if m := &s.movers[i]; m.guid == guid {
			dst = append(dst, s.bytes[at:m.off]...)
			at = m.end
		}
	}
	return append(dst, s.bytes[at:]...)
}
