package frame

import (
	"cmp"
	"slices"

	"muster/ecs/grid"
)

// A Draft is the frame of the running tick. Systems append packets to Bytes and file them; fanout adds
// what the cells need and builds the frame. One goroutine owns it, and a steady tick allocates nothing.
type Draft struct {
	// Bytes is the arena of the tick. A system appends one or more packets to it and then calls Cut,
	// which names what was appended since the last Cut.
	Bytes []byte
	cut   int

	stays     []stayed
	entered   []filed[enter]
	items     []piece // delta pieces of entered, bucket = entry*parts + part
	left      []filed[leave]
	residents []filed[resident]
	tells     []told
	looks     []direct
	now       []uint32
	wants     uint32
	goodbyes  []Left
	saves     []Save
	kicks     []Kick
	answers   []Answer

	pieces []piece
	rooms  struct{ cells, leaves, enters, residents, directs, sessions, now, left, bytes room }
	last   *Frame // the one before: the next has room for all that it had
	starts []uint32
	order  []uint32
	spans  []Span
}

type filed[T any] struct {
	cell grid.Cell
	rec  T
}

type stayed struct {
	cell grid.Cell
	part Part
	span Span
}

type told struct {
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
func (d *Draft) Cut() Span {
	s := Span{uint32(d.cut), uint32(len(d.Bytes) - d.cut)}
	d.cut = len(d.Bytes)
	return s
}

// In is the part of the arena that a span names.
func (d *Draft) In(s Span) []byte { return d.Bytes[s.Off : s.Off+s.Len] }

// Stay files a piece of the delta half of a subject whose home was and is a cell.
func (d *Draft) Stay(home grid.Cell, part Part, s Span) {
	d.stays = append(d.stays, stayed{home, part, s})
}

// Resident files the create half of a subject whose home was and is a cell.
func (d *Draft) Resident(home grid.Cell, guid uint64, block, companions Span) {
	d.residents = append(d.residents, filed[resident]{home, resident{guid, half{block, companions}}})
}

// Leave files a subject under the cell that was its home.
func (d *Draft) Leave(from grid.Cell, guid uint64, to grid.Cell) {
	d.left = append(d.left, filed[leave]{from, leave{guid, to}})
}

// Enter files a subject under its new home. The pieces of its delta half follow with EnterDelta.
func (d *Draft) Enter(home grid.Cell, guid uint64, from grid.Cell, block, companions Span) (entry int) {
	entry = len(d.entered)
	d.entered = append(d.entered, filed[enter]{cell: home})
	e := &d.entered[entry].rec
	e.guid, e.from, e.entry = guid, from, uint32(entry)
	e.create.block, e.create.companions = block, companions
	return entry
}

// EnterDelta files a piece of the delta half of an entered subject.
func (d *Draft) EnterDelta(entry int, part Part, s Span) {
	d.items = append(d.items, piece{uint32(entry)*uint32(parts) + uint32(part), s})
}

// Tell files packets for one session alone. One span may be told to many.
func (d *Draft) Tell(session uint32, place Place, s Span) {
	d.tells = append(d.tells, told{session, place, s})
}

// TellNow is Tell for what must not wait for the session's phase: own answers, and combat on or by it.
func (d *Draft) TellNow(session uint32, place Place, s Span) {
	d.Tell(session, place, s)
	d.now = append(d.now, session)
}

// Look says that a session's view is another from this tick on. A reset makes its client forget
// everything first.
func (d *Draft) Look(session uint32, v grid.View, reset bool) {
	d.looks = append(d.looks, direct{session: session, look: v, looked: true, reset: reset})
}

// Want asks for GUIDs for so many items.
func (d *Draft) Want(items uint32) { d.wants = items }

// Goodbye says that a session is out of the world and how its character ended up. From the next tick on
// it is owed nothing.
func (d *Draft) Goodbye(session uint32, character Span) {
	d.goodbyes = append(d.goodbyes, Left{Session: session, Character: character})
	d.looks = append(d.looks, direct{session: session, left: true})
	d.now = append(d.now, session)
}

// Farewell is Goodbye to a session whose player goes to another map, that of the character.
func (d *Draft) Farewell(session uint32, character Span) {
	d.Goodbye(session, character)
	d.goodbyes[len(d.goodbyes)-1].Away = true
}

// Kick has a session's connection closed.
func (d *Draft) Kick(session uint32, reason string) {
	d.kicks = append(d.kicks, Kick{session, reason})
	d.now = append(d.now, session)
}

// Save says how a player is that stays in the world; the caller fills in what it returns, which is good until the
// next call. A tick says so once of each at most.
func (d *Draft) Save() *Save {
	d.saves = append(d.saves, Save{})
	return &d.saves[len(d.saves)-1]
}

// Build makes the frame of a tick in f, whose old contents are lost, and empties the draft. The frame
// takes over the draft's arena; the draft takes over the frame's.
func (d *Draft) Build(f *Frame, tick uint64) {
	f.reset(tick)
	d.fileCells(f)
	d.fileDirects(f)
	d.join(f)
	f.Now = append(fit(f.Now, 0, len(d.now), &d.rooms.now), d.now...)
	slices.Sort(f.Now)
	f.Now = slices.Compact(f.Now)
	f.Left = append(fit(f.Left, 0, len(d.goodbyes), &d.rooms.left), d.goodbyes...)
	f.Kicks = append(f.Kicks, d.kicks...)
	f.Answers = append(f.Answers, d.answers...)
	f.Wants, d.wants = d.wants, 0
	f.Saves, d.saves = d.saves, d.saves[:0]
	f.Bytes, d.Bytes = d.Bytes, fit(f.Bytes, 0, len(d.Bytes), &d.rooms.bytes)
	d.empty()
}

// fileCells numbers the cells in use and sorts the records into them.
func (d *Draft) fileCells(f *Frame) {
	if d.last != nil {
		f.dir.Cover(&d.last.dir)
	}
	d.last = f
	for i := range d.stays {
		f.dir.Mark(d.stays[i].cell)
	}
	mark(f, d.left)
	mark(f, d.entered)
	mark(f, d.residents)
	n := f.dir.Number()
	f.cells = fit(f.cells, n, n, &d.rooms.cells)
	clear(f.cells)
	f.leaves = sortCells(f, fit(f.leaves, 0, len(d.left), &d.rooms.leaves), d.left, func(c *cell) *run { return &c.leave })
	f.enters = sortCells(f, fit(f.enters, 0, len(d.entered), &d.rooms.enters), d.entered, func(c *cell) *run { return &c.enter })
	f.residents = sortCells(f, fit(f.residents, 0, len(d.residents), &d.rooms.residents), d.residents, func(c *cell) *run { return &c.residents })
}

func mark[T any](f *Frame, recs []filed[T]) {
	for i := range recs {
		f.dir.Mark(recs[i].cell)
	}
}

// sortCells puts the records into dst, which has room for them, cell by cell, in the order in which they
// were filed, and notes each cell's run.
func sortCells[T any](f *Frame, dst []T, recs []filed[T], field func(*cell) *run) []T {
	dst = dst[:len(recs)]
	for i := range recs {
		at, _ := f.dir.Find(recs[i].cell)
		field(&f.cells[at]).n++
	}
	var first uint32
	for i := range f.cells {
		r := field(&f.cells[i])
		r.first, first = first, first+r.n
		r.n = 0
	}
	for i := range recs {
		at, _ := f.dir.Find(recs[i].cell)
		r := field(&f.cells[at])
		dst[r.first+r.n] = recs[i].rec
		r.n++
	}
	return dst
}

// fileDirects makes one record for each session that is told something or looks elsewhere, in ascending
// order of sessions.
func (d *Draft) fileDirects(f *Frame) {
	f.directs = append(fit(f.directs, 0, len(d.looks)+len(d.tells), &d.rooms.directs), d.looks...)
	for _, t := range d.tells {
		f.directs = append(f.directs, direct{session: t.session})
	}
	slices.SortStableFunc(f.directs, func(a, b direct) int { return cmp.Compare(a.session, b.session) })
	f.directs = slices.CompactFunc(f.directs, func(a, b direct) bool { return a.session == b.session })
	if n := len(f.directs); n > 0 && len(f.bySession) <= int(f.directs[n-1].session) {
		sessions := int(f.directs[n-1].session) + 1
		f.bySession = fit(f.bySession, sessions, sessions, &d.rooms.sessions)
	}
	for i := range f.directs {
		f.bySession[f.directs[i].session] = uint32(i) + 1
	}
}

// join appends all pieces to the arena bucket by bucket, so that each part of each cell, entry and
// direct is one span. The buckets are those of the cells, then of the entries, then of the directs.
func (d *Draft) join(f *Frame) {
	entries := uint32(len(f.cells)) * uint32(parts)
	directs := entries + uint32(len(f.enters))*uint32(parts)
	d.pieces = d.pieces[:0]
	for _, s := range d.stays {
		at, _ := f.dir.Find(s.cell)
		d.pieces = append(d.pieces, piece{uint32(at)*uint32(parts) + uint32(s.part), s.span})
	}
	for _, p := range d.items {
		d.pieces = append(d.pieces, piece{entries + p.bucket, p.span})
	}
	for _, t := range d.tells {
		at := f.bySession[t.session] - 1
		d.pieces = append(d.pieces, piece{directs + at*uint32(places) + uint32(t.place), t.span})
	}
	spans := d.joinPieces(int(directs) + len(f.directs)*int(places))
	for i := range f.cells {
		c := &f.cells[i]
		copy(c.delta[:], spans[i*int(parts):])
		for part := range parts {
			if c.delta[part].Len > 0 {
				c.has |= 1 << part
			}
		}
		if c.leave.n > 0 {
			c.has |= someLeave
		}
		if c.enter.n > 0 {
			c.has |= someEnter
		}
	}
	for i := range f.enters {
		e := &f.enters[i]
		copy(e.delta[:], spans[entries+e.entry*uint32(parts):])
	}
	for i := range f.directs {
		copy(f.directs[i].parts[:], spans[int(directs)+i*int(places):])
	}
}

// joinPieces sorts d.pieces by bucket, keeping their order within one, appends their bytes and returns
// the span of each bucket.
func (d *Draft) joinPieces(buckets int) []Span {
	d.starts = resize(d.starts, buckets+1)
	clear(d.starts)
	for _, p := range d.pieces {
		d.starts[p.bucket+1]++
	}
	for i := range buckets {
		d.starts[i+1] += d.starts[i]
	}
	d.order = resize(d.order, len(d.pieces))
	for i, p := range d.pieces {
		d.order[d.starts[p.bucket]] = uint32(i)
		d.starts[p.bucket]++
	}
	d.spans = resize(d.spans, buckets)
	clear(d.spans)
	for _, i := range d.order {
		p := d.pieces[i]
		s := &d.spans[p.bucket]
		if s.Len == 0 {
			s.Off = uint32(len(d.Bytes))
		}
		d.Bytes = append(d.Bytes, d.In(p.span)...)
		s.Len += p.span.Len
	}
	return d.spans
}

func (d *Draft) empty() {
	d.cut = 0
	d.stays, d.entered, d.items, d.left = d.stays[:0], d.entered[:0], d.items[:0], d.left[:0]
	d.residents, d.tells, d.looks = d.residents[:0], d.tells[:0], d.looks[:0]
	d.now, d.goodbyes, d.kicks = d.now[:0], d.goodbyes[:0], d.kicks[:0]
	d.answers = d.answers[:0]
}

// A room is how much a slice of a frame holds at least. It doubles when a tick needs more; every other
// frame of the ring then takes as much when its turn comes, so that a ring has stopped growing one round
// after its fullest tick.
type room int

// fit is a slice with n elements, whose contents matter to nobody, and room for need.
func fit[T any](s []T, n, need int, r *room) []T {
	for int(*r) < need {
		*r = max(64, 2**r)
	}
	if cap(s) < int(*r) {
		return make([]T, n, *r)
	}
	return s[:n]
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
