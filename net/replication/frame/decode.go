package frame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"muster/ecs/grid"
	"muster/net/protocol/wire"
)

// ErrFrame is wrapped by the errors for bytes that are not half of a frame.
var ErrFrame = errors.New("frame: malformed frame")

// A Decoder makes frames of the halves that an Encoder wrote. It keeps only scratch memory; one goroutine owns it.
type Decoder struct {
	builder Builder
	b       []byte // what is left of the half that is being read
	half    []byte // all of it
	from    uint32 // as spans of the builder name its bytes
	last    uint32 // header of the packed packet before, 0 if there is none in the half
	err     error
	bridge  map[uint32]*bridged // by session, what it has in a frame that bridges a gap; nil in any other

	views        map[uint32]grid.View // of sessions before the frame
	gained, lost grid.Set             // cells that views of sessions gain and lose in it
	scratch      []resident           // of a cell, with how long their create halves are
}

// Decode makes the frame of a tick in f of its shared half, or those of some of its regions, and, unless that is empty, of its private one. Observers
// of regions that are left out must not be given the frame. views are those of the gateway's sessions before the tick, by its own numbers: of residents
// the frame has those of the cells that these views gain or lose, however many other gateways have gained. local is the number that the gateway has for a
// session of the world; it is not ok for the sessions of others. If it fails, f is empty.
func (d *Decoder) Decode(f *Frame, tick uint64, views map[uint32]grid.View, shared [][]byte, private []byte, local func(world uint32) (session uint32, ok bool)) error {
	d.err, d.views = nil, views
	d.gained.Clear()
	d.lost.Clear()
	if len(private) > 0 {
		d.read(private, func() { d.private(local) }) // first, as it has the new views
	}
	for _, half := range shared {
		d.read(half, func() { d.cells(local) })
	}
	if d.err != nil {
		d.builder.empty()
	}
	d.builder.Build(f, tick)
	d.half = nil
	return d.err
}

// read reads a half, of which the builder copies what the frame needs.
func (d *Decoder) read(half []byte, what func()) {
	if d.err != nil {
		return
	}
	d.b, d.half, d.last = half, half, 0
	ok := false
	if d.from, ok = d.builder.borrow(half); !ok {
		d.fail("the halves have more bytes than a frame can name")
		return
	}
	if v := d.byte(); d.err == nil && v != encoding {
		d.fail("version %d, not %d", v, encoding)
	}
	what()
	if d.err == nil && len(d.b) > 0 {
		d.fail("%d bytes too many", len(d.b))
	}
}

// cellNumbers is how many cells there are, in all layers.
const cellNumbers = grid.Tiles * grid.TileSide * grid.TileSide

func (d *Decoder) cells(local func(uint32) (uint32, bool)) {
	cell := grid.None
	for range d.count() {
		step := d.number()
		if step == 0 || step >= cellNumbers-uint64(cell) {
			d.fail("a cell beyond the last, or twice")
			return
		}
		cell += grid.Cell(step)
		d.cell(cell, local)
	}
}

func (d *Decoder) cell(c grid.Cell, local func(uint32) (uint32, bool)) {
	has := d.byte()
	for left := has & (1<<parts - 1); left != 0; left &= left - 1 {
		if part := Part(bits.TrailingZeros8(left)); part == Moves || part == Beats {
			d.moves(c, part, local)
		} else {
			d.builder.AddDelta(c, part, d.span())
		}
	}
	if has&hasLeaves != 0 {
		for range d.count() {
			guid := d.guid()
			d.builder.Leave(c, guid, d.cellNumber())
		}
	}
	if has&hasEnters != 0 {
		for range d.count() {
			guid, from := d.guid(), d.cellNumber()
			block, companions := d.bytes(), d.bytes()
			entry := d.builder.Enter(c, subject(guid, block), from, d.spanOf(block), d.spanOf(companions))
			for part := range parts {
				if s := d.span(); s.Len > 0 {
					d.builder.EnterDelta(entry, part, s)
				}
			}
		}
	}
	if has&hasResidents != 0 {
		d.residents(c)
	}
}

// residents adds those of a cell, as far as observers need them: with their create halves if a view gains the cell, by their GUIDs alone if one loses it.
func (d *Decoder) residents(c grid.Cell) {
	all := d.bytes()
	gained, lost := d.gained.Has(c), d.lost.Has(c)
	if !gained && !lost {
		return
	}
	rest := d.b
	d.b = all
	some := d.scratch[:0]
	n := uint64(0) // bytes of their create halves
	for range d.count() {
		r := resident{guid: d.guid()}
		block, companions := d.number(), d.number()
		if n += block + companions; max(block, companions, n) > uint64(len(all)) {
			d.fail("residents beyond their cell")
			return
		}
		r.create.block.Len, r.create.companions.Len = uint32(block), uint32(companions)
		some = append(some, r)
	}
	d.scratch = some
	if d.err != nil || n != uint64(len(d.b)) {
		d.fail("%d bytes of residents, not %d", len(d.b), n)
		return
	}
	halves, at := d.b, uint32(0)
	if gained {
		at = d.spanOf(halves).Off
	}
	for i := range some {
		r := &some[i].create
		block := halves[:r.block.Len]
		halves = halves[r.block.Len+r.companions.Len:]
		if gained {
			r.block.Off = at
			r.companions.Off = at + r.block.Len
			at = r.companions.Off + r.companions.Len
		} else {
			*r = half{}
		}
		d.builder.Resident(c, subject(some[i].guid, block), r.block, r.companions)
	}
	d.b = rest
}

// moves adds a part whose pieces may be a session's own. Those of other gateways are like those of creatures here.
func (d *Decoder) moves(c grid.Cell, part Part, local func(uint32) (uint32, bool)) {
	n := d.number()
	if n>>1 > uint64(len(d.b)) {
		d.fail("%d pieces in %d bytes", n>>1, len(d.b))
	} else if n&1 != 0 {
		d.packets(c, part, n>>1, local)
	} else {
		d.pieces(c, part, n>>1, local)
	}
}

// packets adds pieces that are packed.
func (d *Decoder) packets(c grid.Cell, part Part, n uint64, local func(uint32) (uint32, bool)) {
	from := len(d.builder.Bytes) // where those begin that are not added yet
	add := func(to int) {
		if to > from {
			d.builder.AddDelta(c, part, Span{uint32(from), uint32(to - from)})
		}
	}
	for range n {
		world, at := d.number(), len(d.builder.Bytes)
		if !d.packet(world&1 != 0) {
			return
		}
		if world >>= 1; world >= uint64(NoSession) {
			d.fail("session %d", world)
			return
		}
		if session, ok := local(uint32(world)); ok {
			add(at)
			from = len(d.builder.Bytes)
			d.builder.AddOwnDelta(session, c, part, Span{uint32(at), uint32(from - at)})
		}
	}
	add(len(d.builder.Bytes))
}

// packet appends a packet to the bytes of the builder, whose header is that of the one before, or comes first.
func (d *Decoder) packet(same bool) (ok bool) {
	if !same {
		if len(d.b) < wire.ServerHeaderLen {
			d.fail("it ends in the header of a packet")
			return false
		}
		d.last = binary.LittleEndian.Uint32(d.b)
		d.b = d.b[wire.ServerHeaderLen:]
	}
	_, n, ok := wire.ServerHeaderWord(d.last)
	if !ok || n < 0 || n > len(d.b) {
		d.fail("a packet beyond its half")
		return false
	}
	d.builder.Bytes = append(binary.LittleEndian.AppendUint32(d.builder.Bytes, d.last), d.b[:n]...)
	d.b = d.b[n:]
	return true
}

// pieces adds a part that is not packed.
func (d *Decoder) pieces(c grid.Cell, part Part, n uint64, local func(uint32) (uint32, bool)) {
	whole := d.span()
	from, at, end := whole.Off, whole.Off, whole.Off+whole.Len // from is where those begin that are not added yet
	for range n {
		world, gap, n := d.number(), d.number(), d.number()
		if d.err != nil || world >= uint64(NoSession) || gap > uint64(end-at) || n == 0 || n > uint64(end-at)-gap {
			d.fail("a piece beyond its part")
			return
		}
		at += uint32(gap)
		if session, ok := local(uint32(world)); ok {
			if at > from {
				d.builder.AddDelta(c, part, Span{from, at - from})
			}
			d.builder.AddOwnDelta(session, c, part, Span{at, uint32(n)})
			from = at + uint32(n)
		}
		at += uint32(n)
	}
	if end > from {
		d.builder.AddDelta(c, part, Span{from, end - from})
	}
}

func (d *Decoder) private(local func(uint32) (uint32, bool)) {
	session := func() uint32 {
		world := d.number()
		s, ok := local(uint32(min(world, uint64(NoSession))))
		if !ok {
			d.fail("session %d is of another gateway", world)
			return 0 // the builder keeps something for each session up to the greatest that it meets
		}
		return s
	}
	for range d.count() {
		d.direct(session())
	}
	for range d.count() {
		s := session()
		d.builder.meet(s)
		d.builder.now = append(d.builder.now, s)
	}
	for range d.count() {
		s, away := session(), d.byte() != 0
		d.builder.exits = append(d.builder.exits, Left{Session: s, Away: away, Character: d.span()})
	}
	for range d.count() {
		s := session()
		d.builder.kicks = append(d.builder.kicks, Kick{s, d.text()})
	}
	for range d.count() {
		s, op := session(), d.number()
		d.builder.Refuse(s, uint16(op), d.text())
	}
	for range d.count() {
		s := session()
		d.builder.SetGameMaster(s, d.byte() != 0)
	}
}

func (d *Decoder) direct(session uint32) {
	bits := d.byte()
	to := direct{
		session: session, looked: bits&directLooked != 0, reset: bits&directReset != 0, left: bits&directLeft != 0,
	}
	if to.looked {
		if to.look.Center = d.cellNumber(); to.look.Center != grid.None && !to.look.Center.HasView() {
			d.fail("a view beyond the map, around cell %d", to.look.Center)
		}
		to.look.Layers = d.byte()
	}
	if bits&directResumed != 0 {
		if to.resumed = d.number(); to.resumed == 0 {
			d.fail("a connection without a number")
		}
	}
	var spans [places]Span
	for i := range spans {
		spans[i] = d.span()
	}
	if d.err != nil {
		return
	}
	d.builder.meet(session)
	if d.bridge != nil {
		d.bridgeDirect(to, spans)
		return
	}
	if to.looked {
		d.look(session, to.look, to.reset)
	}
	if to.looked || to.left || to.resumed != 0 {
		d.builder.looks = append(d.builder.looks, to)
	}
	for place, s := range spans {
		if s.Len > 0 {
			d.builder.Send(session, Place(place), s)
		}
	}
}

// look notes which cells a session's view gains and loses: with a reset all of the new one and of the one before.
func (d *Decoder) look(session uint32, after grid.View, reset bool) {
	before := d.views[session]
	if reset {
		d.gained.AddView(after)
		d.lost.AddView(before)
		return
	}
	d.gained.AddMinus(after, before)
	d.lost.AddMinus(before, after)
}

func (d *Decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s", ErrFrame, fmt.Sprintf(format, args...))
		d.b = nil
	}
}

func (d *Decoder) byte() byte {
	if len(d.b) == 0 {
		d.fail("it ends too soon")
		return 0
	}
	v := d.b[0]
	d.b = d.b[1:]
	return v
}

func (d *Decoder) number() uint64 {
	if b := d.b; len(b) > 1 { // most are of one byte or two
		if b[0] < 0x80 {
			d.b = b[1:]
			return uint64(b[0])
		}
		if b[1] < 0x80 {
			d.b = b[2:]
			return uint64(b[0]&0x7F) | uint64(b[1])<<7
		}
	}
	return d.longNumber()
}

func (d *Decoder) longNumber() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail("it ends in a number")
		return 0
	}
	d.b = d.b[n:]
	return v
}

// count is a number of things, each of which takes a byte or more.
func (d *Decoder) count() uint64 {
	n := d.number()
	if n > uint64(len(d.b)) {
		d.fail("%d things in %d bytes", n, len(d.b))
		return 0
	}
	return n
}

func (d *Decoder) cellNumber() grid.Cell {
	n := d.number()
	if n >= cellNumbers {
		d.fail("cell %d", n)
		return grid.None
	}
	return grid.Cell(n)
}

func (d *Decoder) guid() uint64 {
	v, n := wire.ReadPackedGUID(d.b)
	if n == 0 {
		d.fail("it ends in a guid")
		return 0
	}
	d.b = d.b[n:]
	return v
}

// subject is the GUID of a subject, as Encoder.subject appends it.
func subject(guid uint64, block []byte) uint64 {
	if guid == 0 {
		return named(block)
	}
	return guid
}

// bytes is what comes after its length. It belongs to the half.
func (d *Decoder) bytes() []byte {
	n := d.number()
	if n > uint64(len(d.b)) {
		d.fail("it ends in bytes")
		return nil
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

// spanOf names bytes that belong to the half: they reach as far in its memory.
func (d *Decoder) spanOf(b []byte) Span {
	return Span{d.from + uint32(cap(d.half)-cap(b)), uint32(len(b))}
}

func (d *Decoder) span() Span { return d.spanOf(d.bytes()) }

func (d *Decoder) text() string { return string(d.bytes()) }
