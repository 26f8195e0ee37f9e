package frame

import (
	"cmp"
	"encoding/binary"
	"slices"

	"muster/ecs/grid"
	"muster/net/protocol/wire"
)

// A frame leaves its process in two halves. The shared one has what happened in cells, and is the same for all gateways;
// the private one of a gateway has what concerns its sessions. Numbers are unsigned varints and bytes are after their
// length, GUIDs as in packets, unless something else is said. A Decoder makes a frame of both again, from which every session of the gateway is
// sent the same bytes as from the original.

// encoding is the version of both halves, which begin with it. It is raised whenever either changes.
const encoding = 6

// What a cell of the shared half has besides its parts, as bits above theirs.
const (
	hasLeaves = 1 << (int(parts) + iota)
	hasEnters
	hasResidents
)

// An Encoder writes frames for other processes. It keeps only scratch memory; one goroutine owns it.
type Encoder struct {
	b     []byte
	f     *Frame
	own   []own // of the frame, in the order of their positions
	cells []numbered
	last  uint32 // header of the packed packet before, 0 if there is none in the half

	scratch []byte
}

// single reports whether bytes are one packet.
func single(b []byte) bool {
	if len(b) < wire.ServerHeaderLen {
		return false
	}
	_, payload, ok := wire.ServerHeaderWord(binary.LittleEndian.Uint32(b))
	return ok && payload == len(b)-wire.ServerHeaderLen
}

// AppendShared appends the shared half of a frame: the version, the number of cells that have something, and each in
// ascending order: its distance from the one before, a byte that says what it has, and that. Moves and beats begin with a
// number: twice how many pieces are a session's own, and one more if they are packed. Packed are those that are the whole part,
// and one packet each: of each comes twice the number of its session, one more if its packet has the same header as the packed one before
// it in the half, else that header, and the rest of the packet. Otherwise the bytes of the part follow, and of each piece the session,
// where it begins after the one before, and its length.
func (e *Encoder) AppendShared(b []byte, f *Frame) []byte {
	e.begin(f)
	slices.SortFunc(e.cells, func(x, y numbered) int { return cmp.Compare(x.cell, y.cell) })
	b = e.half(b, e.cells)
	e.f = nil
	return b
}

// Divide visits the regions in which a frame has something, in ascending order, each with a shared half that has its cells alone: those of all
// regions are together what AppendShared appends. A half lies in the memory of b, and is valid until visit returns.
func (e *Encoder) Divide(b []byte, f *Frame, visit func(r Region, half []byte)) []byte {
	e.begin(f)
	region := func(i int) Region { return RegionOf(e.cells[i].cell.Tile()) }
	slices.SortFunc(e.cells, func(x, y numbered) int {
		return cmp.Or(cmp.Compare(RegionOf(x.cell.Tile()), RegionOf(y.cell.Tile())), cmp.Compare(x.cell, y.cell))
	})
	for from := 0; from < len(e.cells); {
		to := from + 1
		for to < len(e.cells) && region(to) == region(from) {
			to++
		}
		b = e.half(b[:0], e.cells[from:to])
		visit(region(from), b)
		from = to
	}
	e.f = nil
	return b
}

// begin notes the cells of a frame that have something, and the pieces that are a session's own.
func (e *Encoder) begin(f *Frame) {
	e.f, e.own, e.cells = f, e.own[:0], e.cells[:0]
	for _, o := range f.own {
		if o.span.Len > 0 {
			e.own = append(e.own, o)
		}
	}
	slices.SortFunc(e.own, func(x, y own) int { return cmp.Compare(x.span.Off, y.span.Off) })
	f.dir.Each(func(i int, c grid.Cell) {
		if f.cells[i].has != 0 || f.cells[i].residents.n > 0 {
			e.cells = append(e.cells, numbered{i, c})
		}
	})
}

// half appends a shared half that has some cells, which are in ascending order.
func (e *Encoder) half(b []byte, cells []numbered) []byte {
	e.b, e.last = append(b, encoding), 0
	e.number(len(cells))
	last := grid.None
	for _, at := range cells {
		e.number(int(at.cell - last))
		last = at.cell
		e.cell(at.number)
	}
	b, e.b = e.b, nil
	return b
}

func (e *Encoder) cell(number int) {
	f, c := e.f, &e.f.cells[number]
	has := byte(c.has) & (1<<parts - 1)
	for _, r := range []struct {
		n   uint32
		bit byte
	}{{c.leave.n, hasLeaves}, {c.enter.n, hasEnters}, {c.residents.n, hasResidents}} {
		if r.n > 0 {
			has |= r.bit
		}
	}
	e.b = append(e.b, has)
	for part := range parts {
		if has>>part&1 == 0 {
			continue
		}
		s := f.delta(part, uint32(number), uint32(number)+1)
		if part == Moves || part == Beats {
			e.moves(s)
		} else {
			e.span(s)
		}
	}
	if c.leave.n > 0 {
		e.number(int(c.leave.n))
		for _, l := range f.leaves[c.leave.first:][:c.leave.n] {
			e.guid(l.guid)
			e.number(int(l.to))
		}
	}
	if c.enter.n > 0 {
		e.number(int(c.enter.n))
		for i := range f.enters[c.enter.first:][:c.enter.n] {
			n := &f.enters[int(c.enter.first)+i]
			e.subject(n.guid, n.create.block)
			e.number(int(n.from))
			e.span(n.create.block)
			e.span(n.create.companions)
			for _, s := range n.delta {
				e.span(s)
			}
		}
	}
	if c.residents.n > 0 {
		e.residents(f.residents[c.residents.first:][:c.residents.n])
	}
}

// residents appends those of a cell, after how many bytes they are: a gateway needs those of few cells, and passes over the others. Their number comes first, of
// each its subject and how long the two parts of its create half are, and then all create halves, which are adjacent in a frame.
func (e *Encoder) residents(all []resident) {
	into := e.b
	e.b = e.scratch[:0]
	e.number(len(all))
	for i := range all {
		r := &all[i]
		e.subject(r.guid, r.create.block)
		e.number(int(r.create.block.Len))
		e.number(int(r.create.companions.Len))
	}
	e.b, e.scratch = into, e.b
	first, last := all[0].create.block, all[len(all)-1].create.companions
	halves := Span{first.Off, last.Off + last.Len - first.Off}
	e.number(len(e.scratch) + int(halves.Len))
	e.b = append(append(e.b, e.scratch...), e.f.In(halves)...)
}

// moves appends a part that has pieces that are a session's own.
func (e *Encoder) moves(s Span) {
	from, _ := slices.BinarySearchFunc(e.own, s.Off, func(o own, off uint32) int { return cmp.Compare(o.span.Off, off) })
	to := from
	for to < len(e.own) && e.own[to].span.Off < s.Off+s.Len {
		to++
	}
	pieces := e.own[from:to]
	if e.packs(s, pieces) {
		e.number(len(pieces)<<1 | 1)
		for _, o := range pieces {
			e.packet(o)
		}
		return
	}
	e.number(len(pieces) << 1)
	e.span(s)
	at := s.Off
	for _, o := range pieces {
		e.number(int(o.session))
		e.number(int(o.span.Off - at))
		e.number(int(o.span.Len))
		at = o.span.Off + o.span.Len
	}
}

// packs reports whether pieces are all of a part, and one packet each.
func (e *Encoder) packs(s Span, pieces []own) bool {
	at := s.Off
	for _, o := range pieces {
		if o.span.Off != at || !single(e.f.In(o.span)) {
			return false
		}
		at += o.span.Len
	}
	return at == s.Off+s.Len
}

// packet appends a packed piece.
func (e *Encoder) packet(o own) {
	b := e.f.In(o.span)
	header := binary.LittleEndian.Uint32(b)
	e.number(int(o.session)<<1 | int(bit(header == e.last)))
	if header == e.last {
		b = b[wire.ServerHeaderLen:]
	}
	e.last = header
	e.b = append(e.b, b...)
}

// AppendPrivate appends the private half of a frame for a gateway: the version, and of the sessions that are its own what
// is direct, which must not wait, which have left, the kicks, refusals and marks. Saves, answers and the wish for items
// are not part of it: an Exchange keeps them for Saves, Answers and Wanted. It is empty if there is nothing.
func (e *Encoder) AppendPrivate(b []byte, f *Frame, mine func(session uint32) bool) []byte {
	from := len(b)
	e.b, e.f = append(b, encoding), f
	some := false
	list := func(n int, session func(i int) uint32, write func(i int)) {
		count := 0
		for i := range n {
			if mine(session(i)) {
				count++
			}
		}
		some = some || count > 0
		e.number(count)
		for i := range n {
			if s := session(i); mine(s) {
				e.number(int(s))
				write(i)
			}
		}
	}
	list(len(f.directs), func(i int) uint32 { return f.directs[i].session }, func(i int) { e.direct(&f.directs[i]) })
	list(len(f.Now), func(i int) uint32 { return f.Now[i] }, func(int) {})
	list(len(f.Left), func(i int) uint32 { return f.Left[i].Session }, func(i int) {
		e.b = append(e.b, bit(f.Left[i].Away))
		e.span(f.Left[i].Character)
	})
	list(len(f.Kicks), func(i int) uint32 { return f.Kicks[i].Session }, func(i int) { e.text(f.Kicks[i].Reason) })
	list(len(f.Refusals), func(i int) uint32 { return f.Refusals[i].Session }, func(i int) {
		e.number(int(f.Refusals[i].Op))
		e.text(f.Refusals[i].Reason)
	})
	list(len(f.Marks), func(i int) uint32 { return f.Marks[i].Session }, func(i int) { e.b = append(e.b, bit(f.Marks[i].Master)) })
	b, e.b, e.f = e.b, nil, nil
	if !some {
		return b[:from]
	}
	return b
}

// What a direct has, as bits.
const (
	directLooked = 1 << iota
	directReset
	directLeft
	directResumed
)

func (e *Encoder) direct(d *direct) {
	e.b = append(e.b, bit(d.looked)*directLooked|bit(d.reset)*directReset|bit(d.left)*directLeft|bit(d.resumed != 0)*directResumed)
	if d.looked {
		e.number(int(d.look.Center))
		e.b = append(e.b, d.look.Layers)
	}
	if d.resumed != 0 {
		e.b = binary.AppendUvarint(e.b, d.resumed)
	}
	for _, s := range d.parts {
		e.span(s)
	}
}

func (e *Encoder) number(n int) { e.b = binary.AppendUvarint(e.b, uint64(n)) }

// subject appends the GUID of a subject: 0, which none has, if it is that which its create block has after its type.
func (e *Encoder) subject(guid uint64, block Span) {
	if guid == named(e.f.In(block)) {
		guid = 0
	}
	e.guid(guid)
}

// named is the GUID that a create block has after its type, 0 if there is none.
func named(block []byte) (guid uint64) {
	if len(block) > 1 {
		guid, _ = wire.ReadPackedGUID(block[1:])
	}
	return guid
}

func (e *Encoder) guid(guid uint64) { e.b = wire.AppendPackedGUID(e.b, guid) }

func (e *Encoder) span(s Span) {
	e.number(int(s.Len))
	e.b = append(e.b, e.f.In(s)...)
}

func (e *Encoder) text(s string) {
	e.number(len(s))
	e.b = append(e.b, s...)
}
