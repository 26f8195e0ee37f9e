package frame

import (
	"cmp"
	"slices"

	"muster/ecs/grid"
)

// A Builder is the frame of the running tick. Systems append packets to Bytes and assign them to cells
// or sessions; fan-out adds what the cells need and builds the frame. One goroutine owns it, and a
// steady tick allocates nothing.
type Builder struct {
	// Bytes is the buffer of the tick. A system appends one or more packets to it and then calls Cut,
	// which names what was appended since the last Cut.
	Bytes    []byte
	cut      int
	borrowed []borrowed `snapshot:"-"` // what spans name besides

	stays     []cellDelta
	entered   grouped[enter]
	items     []piece // delta pieces of entered, bucket = entry*parts + part
	left      grouped[leave]
	residents grouped[resident]
	sends     []sent
	looks     []direct
	now       []uint32
	wants     uint32
	exits     []Left
	saves     []Save
	kicks     []Kick
	refusals  []Refusal
	marks     []Mark
	answers   []Answer
	refreshed []uint32
	sessions  int // more than the number of any session that there ever was something for

	happenings []Happening
	unlisted   uint32

	pieces []piece `snapshot:"-"`
	copied []Span  `snapshot:"-"` // what is not in pieces, but copied as it is: what is adjacent is one span
	last   *Frame  `snapshot:"-"` // the one before: the next has room for all of its directory
	arenas struct {
		bytes     arena[byte]
		cells     arena[cell]
		tiles     arena[tile]
		starts    arena[uint32]
		leaves    arena[leave]
		enters    arena[enter]
		residents arena[resident]
		directs   arena[direct]
		own       arena[own]
		sessions  arena[ofSession]
		now       arena[uint32]
		left      arena[Left]
	} `snapshot:"-"`
}

// A grouped is records of cells in the order in which they were added. Most of a cell are added one after another.
type grouped[T any] struct {
	all  []T
	runs []cellRun
}

// A cellRun is so many records of a cell that are adjacent.
type cellRun struct {
	cell grid.Cell
	n    uint32
}

// add is a new record of a cell, to be written in place.
func (g *grouped[T]) add(c grid.Cell) *T {
	if last := len(g.runs) - 1; last >= 0 && g.runs[last].cell == c {
		g.runs[last].n++
	} else {
		g.runs = append(g.runs, cellRun{c, 1})
	}
	var none T
	g.all = append(g.all, none)
	return &g.all[len(g.all)-1]
}

func (g *grouped[T]) empty() { g.all, g.runs = g.all[:0], g.runs[:0] }

type cellDelta struct {
	cell    grid.Cell
	part    Part
	session uint32 // the session whose own moves they are
	span    Span
}

type sent struct {
	session uint32
	place   Place
	span    Span
}

// A piece is bytes that belong to a bucket; all pieces of a bucket end up side by side.
type piece struct {
	bucket uint32
	span   Span
}

// Cut names the bytes appended since the last Cut.
func (d *Builder) Cut() Span {
	s := Span{uint32(d.cut), uint32(len(d.Bytes) - d.cut)}
	d.cut = len(d.Bytes)
	return s
}

// In is the bytes that a span names.
func (d *Builder) In(s Span) []byte {
	if s.Off >= borrowedFrom {
		return d.inBorrowed(s)
	}
	return d.Bytes[s.Off : s.Off+s.Len]
}

// AddDelta adds a piece of the delta half of a subject whose home cell is unchanged.
func (d *Builder) AddDelta(home grid.Cell, part Part, s Span) {
	d.AddOwnDelta(NoSession, home, part, s)
}

// AddOwnDelta is AddDelta for moves or heartbeats of a session's own player, which are for all other observers. All that a
// frame has of one session is in the same home cell, and each span of Beats is one packet.
func (d *Builder) AddOwnDelta(session uint32, home grid.Cell, part Part, s Span) {
	d.stays = append(d.stays, cellDelta{})
	to := &d.stays[len(d.stays)-1] // written in place: a copy would wait for what was just written
	to.cell, to.part, to.session, to.span = home, part, session, s
	if session != NoSession {
		d.meet(session)
	}
}

// meet has a frame have room for a session.
func (d *Builder) meet(session uint32) { d.sessions = max(d.sessions, int(session)+1) }

// Resident adds the create half of a subject whose home cell is unchanged.
func (d *Builder) Resident(home grid.Cell, guid uint64, block, companions Span) {
	r := d.residents.add(home)
	r.guid, r.create.block, r.create.companions = guid, block, companions
}

// Leave adds a subject to the cell that was its home cell.
func (d *Builder) Leave(from grid.Cell, guid uint64, to grid.Cell) {
	l := d.left.add(from)
	l.guid, l.to = guid, to
}

// Enter adds a subject to its new home cell. The pieces of its delta half follow with EnterDelta.
func (d *Builder) Enter(home grid.Cell, guid uint64, from grid.Cell, block, companions Span) (entry int) {
	entry = len(d.entered.all)
	e := d.entered.add(home)
	e.guid, e.from, e.entry = guid, from, uint32(entry)
	e.create.block, e.create.companions = block, companions
	return entry
}

// EnterDelta files a piece of the delta half of an entered subject.
func (d *Builder) EnterDelta(entry int, part Part, s Span) {
	d.items = append(d.items, piece{uint32(entry)*uint32(parts) + uint32(part), s})
}

// Send addresses packets to one session. One span may be sent to many sessions.
func (d *Builder) Send(session uint32, place Place, s Span) {
	d.sends = append(d.sends, sent{session, place, s})
	d.meet(session)
}

// SendNow is Send for what must not wait for the session's phase: its own answers, and combat on or by
// it.
func (d *Builder) SendNow(session uint32, place Place, s Span) {
	d.Send(session, place, s)
	d.now = append(d.now, session)
}

// SetView sets a session's view from this tick on. A reset makes its client forget all subjects first.
func (d *Builder) SetView(session uint32, v grid.View, reset bool) {
	d.looks = append(d.looks, direct{session: session, look: v, looked: true, reset: reset})
	d.meet(session)
}

// Resume reports that the player of a session goes on with another connection from this tick on, by a number that is not 0, for which what comes before is not.
func (d *Builder) Resume(session uint32, connection uint64) {
	d.looks = append(d.looks, direct{session: session, resumed: connection})
	d.meet(session)
}

// RequestItems asks for GUIDs for so many items.
func (d *Builder) RequestItems(items uint32) { d.wants = items }

// PlayerLeft reports that a session has left the world, with its final character. From the next tick on it
// receives nothing.
func (d *Builder) PlayerLeft(session uint32, character Span) {
	d.exits = append(d.exits, Left{Session: session, Character: character})
	d.looks = append(d.looks, direct{session: session, left: true})
	d.meet(session)
	d.now = append(d.now, session)
}

// PlayerTransferred is PlayerLeft for a session whose player goes to another map, that of the
// character.
func (d *Builder) PlayerTransferred(session uint32, character Span) {
	d.PlayerLeft(session, character)
	d.exits[len(d.exits)-1].Away = true
}

// SetGameMaster records whether a session's player shows that it is a game master: for its messages to players in other worlds.
func (d *Builder) SetGameMaster(session uint32, master bool) {
	d.marks = append(d.marks, Mark{session, master})
}

// Refresh reports that a session's client is sent all that it sees anew in this tick.
func (d *Builder) Refresh(session uint32) { d.refreshed = append(d.refreshed, session) }

// Kick has a session's connection closed.
func (d *Builder) Kick(session uint32, reason string) {
	d.kicks = append(d.kicks, Kick{session, reason})
	d.now = append(d.now, session)
}

// Refuse reports that a packet of a session was not used, to the log of its gateway.
func (d *Builder) Refuse(session uint32, op uint16, reason string) {
	if len(d.refusals) < MaxRefusals {
		d.refusals = append(d.refusals, Refusal{session, op, reason})
	}
}

// Save adds a snapshot of a player that stays in the world; the caller fills in the returned value, which is
// valid until the next call. A tick has at most one of each player.
func (d *Builder) Save() *Save {
	d.saves = append(d.saves, Save{})
	return &d.saves[len(d.saves)-1]
}

// Build makes the frame of a tick in f, whose old contents are lost, and empties the builder. The frame has a copy of
// what it needs of Bytes, in the order in which it is read.
func (d *Builder) Build(f *Frame, tick uint64) {
	f.reset(tick)
	f.sessions = d.arenas.sessions.lend(&f.lent.sessions, d.sessions, d.sessions)
	d.fileCells(f)
	d.fileDirects(f)
	f.Now = append(d.arenas.now.lend(&f.lent.now, 0, len(d.now)), d.now...)
	slices.Sort(f.Now)
	f.Now = slices.Compact(f.Now)
	f.Left = append(d.arenas.left.lend(&f.lent.left, 0, len(d.exits)), d.exits...)
	f.Kicks = append(f.Kicks, d.kicks...)
	f.Refusals = append(f.Refusals, d.refusals...)
	f.Marks = append(f.Marks, d.marks...)
	f.Answers = append(f.Answers, d.answers...)
	f.Refreshed = append(f.Refreshed, d.refreshed...)
	f.Happenings, f.Unlisted = append(f.Happenings, d.happenings...), d.unlisted
	f.Wants, d.wants = d.wants, 0
	f.Saves, d.saves = d.saves, d.saves[:0]
	d.join(f)
	d.note(f)
	d.empty()
}

// fileCells numbers the cells in use and sorts the records into them.
func (d *Builder) fileCells(f *Frame) {
	if d.last != nil {
		f.dir.Cover(&d.last.dir)
	}
	d.last = f
	last := grid.None
	for i := range d.stays {
		if c := d.stays[i].cell; c != last {
			f.dir.Mark(c)
			last = c
		}
	}
	mark(f, d.left.runs)
	mark(f, d.entered.runs)
	mark(f, d.residents.runs)
	n := f.dir.Number()
	f.cells = d.arenas.cells.lend(&f.lent.cells, n, n)
	clear(f.cells)
	f.leaves = sortCells(f, d.arenas.leaves.lend(&f.lent.leaves, 0, len(d.left.all)), &d.left, func(c *cell) *run { return &c.leave })
	f.enters = sortCells(f, d.arenas.enters.lend(&f.lent.enters, 0, len(d.entered.all)), &d.entered, func(c *cell) *run { return &c.enter })
	f.residents = sortCells(f, d.arenas.residents.lend(&f.lent.residents, 0, len(d.residents.all)), &d.residents, func(c *cell) *run { return &c.residents })
}

func mark(f *Frame, runs []cellRun) {
	for _, r := range runs {
		f.dir.Mark(r.cell)
	}
}

// sortCells puts the records into dst, which has room for them, cell by cell, in the order in which they
// were added, and notes each cell's run.
func sortCells[T any](f *Frame, dst []T, recs *grouped[T], field func(*cell) *run) []T {
	dst = dst[:len(recs.all)]
	for _, from := range recs.runs {
		at, _ := f.dir.Find(from.cell)
		field(&f.cells[at]).n += from.n
	}
	var first uint32
	for i := range f.cells {
		r := field(&f.cells[i])
		r.first, first = first, first+r.n
		r.n = 0
	}
	rest := recs.all
	for _, from := range recs.runs {
		at, _ := f.dir.Find(from.cell)
		r := field(&f.cells[at])
		copy(dst[r.first+r.n:], rest[:from.n])
		r.n += from.n
		rest = rest[from.n:]
	}
	return dst
}

// fileDirects makes one record for each session that receives packets of its own or has a new view, in
// ascending order of sessions.
func (d *Builder) fileDirects(f *Frame) {
	f.directs = append(d.arenas.directs.lend(&f.lent.directs, 0, len(d.looks)+len(d.sends)), d.looks...)
	for _, t := range d.sends {
		f.directs = append(f.directs, direct{session: t.session})
	}
	slices.SortStableFunc(f.directs, func(a, b direct) int { return cmp.Compare(a.session, b.session) })
	merged := f.directs[:0]
	for _, d := range f.directs {
		if last := len(merged) - 1; last >= 0 && merged[last].session == d.session {
			merged[last].add(&d)
		} else {
			merged = append(merged, d)
		}
	}
	f.directs = merged
	for i := range f.directs {
		f.sessions[f.directs[i].session].direct = uint32(i) + 1
	}
}

// fileOwn notes where the own moves of each session are, the first of them being the first that were
// added.
func (d *Builder) fileOwn(f *Frame) {
	f.own = d.arenas.own.lend(&f.lent.own, 0, len(d.stays))
	for i := len(d.stays) - 1; i >= 0; i-- {
		session := d.stays[i].session
		if session == NoSession {
			continue
		}
		of := &f.sessions[session]
		f.own = append(f.own, own{session, of.own, d.pieces[i].span})
		of.own = uint32(len(f.own))
	}
}

// join copies all pieces to the frame bucket by bucket, so that each part of each cell, entry and direct is one span,
// and then everything else that the frame names. The buckets are those of the cells, part by part, then of the entries,
// then of the directs.
func (d *Builder) join(f *Frame) {
	cells := uint32(len(f.cells))
	entries := cells * uint32(parts)
	directs := entries + uint32(len(f.enters))*uint32(parts)
	d.pieces = d.pieces[:0]
	last, at := grid.None, 0
	for i := range d.stays {
		s := &d.stays[i]
		if s.cell != last {
			last = s.cell
			at, _ = f.dir.Find(last)
		}
		if s.span.Len > 0 {
			f.cells[at].has |= 1 << s.part
		}
		d.pieces = append(d.pieces, piece{uint32(s.part)*cells + uint32(at), s.span})
	}
	for _, p := range d.items {
		d.pieces = append(d.pieces, piece{entries + p.bucket, p.span})
	}
	for _, t := range d.sends {
		at := f.sessions[t.session].direct - 1
		d.pieces = append(d.pieces, piece{directs + at*uint32(places) + uint32(t.place), t.span})
	}
	buckets := int(directs) + len(f.directs)*int(places)
	f.starts = d.joinPieces(f, d.arenas.starts.lend(&f.lent.starts, buckets+2, buckets+2))
	d.fileOwn(f)
	for i := range f.enters {
		e := &f.enters[i]
		spans(e.delta[:], f.starts[entries+e.entry*uint32(parts):])
	}
	for i := range f.directs {
		spans(f.directs[i].parts[:], f.starts[int(directs)+i*int(places):])
	}
}

// joinPieces makes the frame's bytes those of d.pieces bucket by bucket, keeping their order within one, with room for
// all that the frame names besides. It fills starts, which has two places more than there are buckets, with where each
// begins, and returns them with the end of the last. It notes in each piece its new position.
func (d *Builder) joinPieces(f *Frame, starts []uint32) []uint32 {
	clear(starts)
	for i := range d.pieces {
		starts[d.pieces[i].bucket+2] += d.pieces[i].span.Len
	}
	for i := 2; i < len(starts); i++ {
		starts[i] += starts[i-1]
	}
	end := starts[len(starts)-1]
	f.Bytes = d.arenas.bytes.lend(&f.lent.bytes, int(end), int(d.layOut(f, end)))
	// Each bucket's start moves to its end while pieces are put there, so each start ends up one bucket earlier.
	for i := range d.pieces {
		p := &d.pieces[i]
		to := &starts[p.bucket+1]
		from := d.In(p.span)
		p.span.Off = *to
		*to += uint32(copy(f.Bytes[*to:], from))
	}
	for _, s := range d.copied {
		f.Bytes = append(f.Bytes, d.In(s)...)
	}
	return starts[:len(starts)-1]
}

// layOut gives the spans that are copied as they are their places in the frame, from a position on, and returns the end of the last.
func (d *Builder) layOut(f *Frame, at uint32) (end uint32) {
	d.copied = d.copied[:0]
	var last Span
	f.whole(func(s *Span) {
		if s.Len > 0 && s.Off != last.Off+last.Len {
			d.copied = append(d.copied, last)
			last = Span{Off: s.Off}
		}
		last.Len += s.Len
		s.Off, at = at, at+s.Len
	})
	d.copied = append(d.copied, last)
	return at
}

// spans makes spans of where each begins and the last ends.
func spans(to []Span, starts []uint32) {
	for i := range to {
		to[i] = Span{starts[i], starts[i+1] - starts[i]}
	}
}

// note records which contents the cells and tiles have.
func (d *Builder) note(f *Frame) {
	f.tiles = d.arenas.tiles.lend(&f.lent.tiles, 0, f.dir.Tiles())
	f.dir.Rows(func(_ int, used uint64, first int) {
		var t tile
		for i := first; used != 0; used &= used - 1 {
			c, bit := &f.cells[i], used&-used
			if c.leave.n > 0 {
				c.has |= someLeave
			}
			if c.enter.n > 0 {
				c.has |= someEnter
			}
			if c.has != 0 {
				t.some |= bit
			}
			if c.has&(someLeave|someEnter) != 0 {
				t.crossed |= bit
			}
			t.has |= c.has
			i++
		}
		f.tiles = append(f.tiles, t)
	})
}

func (d *Builder) empty() {
	d.Bytes, d.cut = d.Bytes[:0], 0
	clear(d.borrowed)
	d.borrowed = d.borrowed[:0]
	d.stays, d.items, d.sends, d.looks = d.stays[:0], d.items[:0], d.sends[:0], d.looks[:0]
	d.entered.empty()
	d.left.empty()
	d.residents.empty()
	d.now, d.exits, d.kicks, d.marks = d.now[:0], d.exits[:0], d.kicks[:0], d.marks[:0]
	d.answers, d.refusals = d.answers[:0], d.refusals[:0]
	d.refreshed = d.refreshed[:0]
	d.happenings, d.unlisted = d.happenings[:0], 0
}
