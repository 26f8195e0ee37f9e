// Package frame is all that passes between a gateway and a world: the inbox of a tick goes in, its
// frame comes out.
//
// A frame holds each change once, in wire form, under the cell where it happened. It has no list of
// observers. A Replayer works out, for one observer at a time, what that observer must receive; the
// rules are those of docs/frames.md, and their table is the code of Replayer.tick.
package frame

import (
	"cmp"

	"muster/components/life"
	"muster/ecs/grid"
)

// A Part is the position of a piece of a delta half in a tick's order.
type Part uint8

// The parts of a delta half, in the order in which a client gets them. All hold whole packets with
// plain headers except Values, which holds update blocks, each after its length as a little-endian u16.
// Every packet in Moves and Beats begins with the packed guid of its mover.
const (
	Events Part = iota // what explains a change of values, before it
	Values
	Moves // starts, stops, jumps, splines: never dropped
	Beats // heartbeats: of use only until the next
	After // auras
	parts
)

// A Place is the position of a packet among those for one observer alone.
type Place uint8

// The places of direct packets.
const (
	First  Place = iota // before everything: the login sequence, the own create, a teleport
	Middle              // with the events
	Last                // after everything: private values, overrides
	places
)

// A Span is a range of a frame's Bytes.
type Span struct{ Off, Len uint32 }

type run struct{ first, n uint32 }

// A Frame is what one tick of a world wrote. It is not changed after it has been published.
type Frame struct {
	Tick  uint64
	Bytes []byte

	dir       grid.Directory
	cells     []cell
	tiles     []tile   // what their cells have, by the number of each in dir
	starts    []uint32 // where the delta parts of cells begin, as delta has it
	leaves    []leave
	enters    []enter
	residents []resident
	directs   []direct
	own       []own
	sessions  []ofSession // what there is of each, by its number; of those beyond its end there is nothing

	// Now lists the sessions with something that must not wait for their phase, in ascending order.
	Now []uint32
	// Wants is how many GUIDs for items the world asks for; 0 none. It asks again only after an OpLease.
	Wants uint32
	// Saves lists the players of which the tick took a snapshot, once each. They belong to the builder, and are
	// valid until the world's next tick, but for those of an exchange with KeepsSaves.
	Saves []Save
	// Left lists the sessions that are no longer in the world after this tick.
	Left []Left
	// Kicks lists the connections that the world wants closed.
	Kicks []Kick
	// Refusals lists what the world has not used of what clients sent, at most MaxRefusals. They are for the log: Write leaves
	// them out.
	Refusals []Refusal
	// Marks lists the players that have begun to show that they are game masters, or ceased to.
	Marks []Mark
	// Answers lists the results of Commands, in the order in which they were executed.
	Answers []Answer
	// Refreshed lists the sessions whose clients are sent all that they see anew, as OpRefresh asks. AppendBinary and encoders leave them out.
	Refreshed []uint32
	// Happenings lists what has happened, at most MaxHappenings; Unlisted is how many more there were. AppendBinary leaves them out.
	Happenings []Happening
	Unlisted   uint32

	kept []Save // memory for Saves, of an exchange with KeepsSaves
	slot slot   // its place in an exchange

	lent struct { // where its slices are, in the arenas of its builder
		bytes     *segment[byte]
		cells     *segment[cell]
		tiles     *segment[tile]
		starts    *segment[uint32]
		leaves    *segment[leave]
		enters    *segment[enter]
		residents *segment[resident]
		directs   *segment[direct]
		own       *segment[own]
		sessions  *segment[ofSession]
		now       *segment[uint32]
		left      *segment[Left]
	}
}

// A cell is what a frame has under one cell: runs of records, and stay, its delta half, as Frame.delta has
// it.
type cell struct {
	leave, enter, residents run
	has                     records // but for residents
}

// A tile is what the cells of a tile have, but for residents.
type tile struct {
	some    uint64 // cells that have something
	crossed uint64 // and those with a leave or an enter
	has     records
}

// records are kinds of what a cell may have: a bit for each Part, and these.
type records uint8

const (
	someLeave records = 1 << (iota + parts)
	someEnter
)

// A leave is a subject whose home cell was the cell and no longer is.
type leave struct {
	guid uint64
	to   grid.Cell // None if it is gone from the world
}

// An enter is a subject whose home cell is the cell and was not.
type enter struct {
	guid   uint64
	from   grid.Cell // None if it is new in the world
	entry  uint32    // its number in the builder
	create half
	delta  [parts]Span
}

// A resident is a subject whose home cell was and is the cell.
type resident struct {
	guid   uint64
	create half
}

// A half is a create half: one update block, and the packets that go with it.
type half struct{ block, companions Span }

// A direct is what a tick has for one observer alone.
type direct struct {
	session uint32
	look    grid.View // its new view, if it changed
	looked  bool
	reset   bool   // a teleport: forget everything, then see anew
	left    bool   // this tick is its last
	resumed uint64 // with which connection its player goes on from this tick on; 0 if with the one that it has
	parts   [places]Span
}

// add adds what the same tick has later for the same observer, which may enter and leave in one tick.
func (d *direct) add(later *direct) {
	if later.looked {
		d.look, d.looked = later.look, true
		d.reset = d.reset || later.reset
	}
	d.left = d.left || later.left
	d.resumed = cmp.Or(later.resumed, d.resumed)
}

// An own is a piece of a session's own moves or heartbeats, those of a cell. next is the index of its next one plus one,
// 0 for none: those of one part are in the order of their positions.
type own struct {
	session, next uint32
	span          Span
}

// An ofSession is what a frame has of a session: the places of its direct and of its first own moves plus one, 0 for none.
type ofSession struct{ direct, own uint32 }

// Left is a session's last entry: the player is out of the world and may be saved.
type Left struct {
	Session   uint32
	Away      bool // it goes to another map: the character's
	Character Span // as Character.Wire wrote it; empty if the player is in the world still, in another session
}

// A Mark records whether a player shows that it is a game master. No player does when it enters.
type Mark struct {
	Session uint32
	Master  bool
}

// A Kick closes a connection.
type Kick struct {
	Session uint32
	Reason  string // one word, for counting
}

// A Refusal is a packet of a client that a world has not used.
type Refusal struct {
	Session uint32
	Op      uint16 // 0 if it is about a packet that did not come
	Reason  string // by which it is counted
}

// MaxRefusals bounds those of a tick, our own choice: a log has fewer lines of a reason. More are counted only.
const MaxRefusals = 64

// A Save is a snapshot of a player that stays in the world.
type Save struct {
	GUID    uint64
	Version uint64
	State   life.State
	Told    life.Set // lists that are present; the others are as in the snapshot before
	Lists   Span     // as Lists.Wire wrote them; empty if none is present
	Soon    bool     // it is to be safe as soon as possible
}

// In is the part of the frame's bytes that a span names.
func (f *Frame) In(s Span) []byte { return f.Bytes[s.Off : s.Off+s.Len : s.Off+s.Len] }

// delta is one part of the delta halves of the cells from first up to last, by their numbers. They are adjacent: those of
// one part in the order of the cells, and the parts one after another.
func (f *Frame) delta(part Part, first, last uint32) Span {
	of := f.starts[uint32(part)*uint32(len(f.cells)):]
	return Span{of[first], of[last] - of[first]}
}

// direct is what the frame has for a session alone, nil for nothing.
func (f *Frame) direct(session uint32) *direct {
	if of := f.of(session); of.direct != 0 {
		return &f.directs[of.direct-1]
	}
	return nil
}

func (f *Frame) of(session uint32) (of ofSession) {
	if session < uint32(len(f.sessions)) {
		of = f.sessions[session]
	}
	return of
}

// cut visits what a session's own moves take up of a span of moves or beats, from first to last, each as an offset in the
// span and a length.
func (f *Frame) cut(s Span, session uint32, visit func(off, n uint32)) {
	for i := f.of(session).own; i != 0; {
		o := &f.own[i-1]
		if off := o.span.Off - s.Off; off < s.Len {
			visit(off, o.span.Len)
		}
		i = o.next
	}
}

// whole visits the spans that are not of pieces of cells, entries and directs: each is a span of its own.
func (f *Frame) whole(visit func(*Span)) {
	for i := range f.enters {
		visit(&f.enters[i].create.block)
		visit(&f.enters[i].create.companions)
	}
	for i := range f.residents {
		visit(&f.residents[i].create.block)
		visit(&f.residents[i].create.companions)
	}
	for i := range f.Left {
		visit(&f.Left[i].Character)
	}
	for i := range f.Saves {
		visit(&f.Saves[i].Lists)
	}
	for i := range f.Answers {
		visit(&f.Answers[i].Text)
	}
	for i := range f.Happenings {
		visit(&f.Happenings[i].Said)
	}
}

// reset empties the frame. Its sessions are zero again, as Build wants the memory for those of others.
func (f *Frame) reset(tick uint64) {
	for i := range f.directs {
		f.sessions[f.directs[i].session] = ofSession{}
	}
	for i := range f.own {
		f.sessions[f.own[i].session] = ofSession{}
	}
	f.Tick, f.Wants = tick, 0
	f.Bytes = f.Bytes[:0]
	f.dir.Reset()
	f.cells, f.leaves, f.enters = f.cells[:0], f.leaves[:0], f.enters[:0]
	f.residents, f.directs, f.own = f.residents[:0], f.directs[:0], f.own[:0]
	f.Now, f.Saves, f.Left, f.Kicks, f.Marks = f.Now[:0], nil, f.Left[:0], f.Kicks[:0], f.Marks[:0]
	f.Refusals, f.Refreshed = f.Refusals[:0], f.Refreshed[:0]
	f.Answers = f.Answers[:0]
	f.Happenings, f.Unlisted = f.Happenings[:0], 0
}
