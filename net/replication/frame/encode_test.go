package frame

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"muster/ecs/grid"
)

// An outside is a gateway in another process: one of two, which have the sessions of a model in turn.
type outside struct {
	port    *Exchange
	decoder Decoder
	which   uint32
	divided bool                 // it takes the regions alone that its observers see
	views   map[uint32]grid.View // of its observers
	leftOut int                  // halves of regions
}

func (o *outside) mine(session uint32) bool { return session%2 == o.which }
func (o *outside) local(session uint32) (own uint32, ok bool) {
	return session / 2, session%2 == o.which
}

// take has the gateway publish a frame that was encoded.
func (o *outside) take(t *testing.T, e *Encoder, f *Frame) {
	t.Helper()
	to := o.port.Write()
	shared := [][]byte{e.AppendShared(nil, f)}
	if o.divided {
		shared = o.regions(e, f)
	}
	if err := o.decoder.Decode(to, f.Tick, o.views, shared, e.AppendPrivate(nil, f, o.mine), o.local); err != nil {
		t.Fatal(err)
	}
	to.Views(func(session uint32, v grid.View, _ bool) { o.views[session] = v })
	for _, left := range to.Left {
		delete(o.views, left.Session)
	}
	o.port.Publish(to)
}

// regions are the halves of the regions that its observers see before or after the tick.
func (o *outside) regions(e *Encoder, f *Frame) (halves [][]byte) {
	var needed []Region
	for _, v := range o.views {
		needed = AppendRegions(needed, v, 0)
	}
	f.Views(func(session uint32, v grid.View, _ bool) {
		if o.mine(session) {
			needed = AppendRegions(needed, v, 0)
		}
	})
	e.Divide(nil, f, func(r Region, half []byte) {
		if slices.Contains(needed, r) {
			halves = append(halves, bytes.Clone(half))
		} else {
			o.leftOut++
		}
	})
	return halves
}

// A gateway in another process sends each of its observers the same bytes as one beside the world, whenever it is flushed: also one that takes
// the regions alone that its observers see.
func TestDecodedFramesReplayTheSame(t *testing.T) {
	leftOut := 0
	for seed := range uint64(modelSeeds) {
		m := newModel(seed)
		flush := rand.New(rand.NewPCG(seed, 8))
		outsides := [2]outside{{port: NewExchange(), views: make(map[uint32]grid.View)}, {port: NewExchange(), views: make(map[uint32]grid.View), which: 1, divided: true}}
		var e Encoder
		var here, there Replayer
		var cursors [modelObservers]Cursor
		bytesSeen := 0
		for range 150 {
			m.step()
			var w Window
			w.Open(m.port)
			frames, _ := w.After(uint64(len(m.ticks)) - 1)
			for i := range outsides {
				outsides[i].take(t, &e, frames[0])
			}
			w.Close()
			for i := range modelObservers {
				if !m.subjects[i].alive {
					cursors[i] = Cursor{}
					continue
				}
				if cursors[i].GUID == 0 {
					cursors[i] = Cursor{Session: uint32(i), GUID: guidOf(i), Tick: uint64(len(m.ticks)) - 1}
				}
				if flush.IntN(3) > 0 && uint64(len(m.ticks))-cursors[i].Tick < 60 {
					continue
				}
				o := &outsides[i%2]
				other := cursors[i]
				other.Session /= 2
				want := replayOf(t, &here, m.port, &cursors[i])
				got := replayOf(t, &there, o.port, &other)
				if !bytes.Equal(got, want) {
					t.Fatalf("seed %d, tick %d, observer %d: was sent\n% x\nwant\n% x", seed, len(m.ticks), i, got, want)
				}
				bytesSeen += len(want)
			}
		}
		if bytesSeen < 1000 {
			t.Errorf("seed %d: all observers together were sent %d bytes", seed, bytesSeen)
		}
		leftOut += outsides[1].leftOut
	}
	if leftOut == 0 {
		t.Error("no region was left out")
	}
}

func replayOf(t *testing.T, r *Replayer, p *Exchange, c *Cursor) []byte {
	t.Helper()
	var w Window
	w.Open(p)
	defer w.Close()
	b, ok := r.Replay(nil, &w, c)
	if !ok {
		t.Fatal("an observer lost the stream")
	}
	return b
}

// ofEncoding is a frame of which each half has something of everything.
func ofEncoding(f *Frame) {
	var d Builder
	span := func(s string) Span {
		d.Bytes = append(d.Bytes, s...)
		return d.Cut()
	}
	const near, far = grid.Cell(300), grid.Cell(428)
	d.AddDelta(near, Events, span("ev"))
	d.AddOwnDelta(9, near, Moves, span("m9"))
	d.AddDelta(near, Moves, span("npc"))
	d.AddOwnDelta(8, near, Moves, span("m8"))
	d.AddDelta(far, Values, span("va"))
	d.AddDelta(far, After, span("au"))
	d.AddOwnDelta(9, far, Beats, span("\x00\x04\xee\x00b9"))
	d.AddOwnDelta(11, far, Beats, span("\x00\x04\xee\x00bb"))
	d.AddOwnDelta(300, far, Beats, span("\x00\x02\xee\x00"))
	d.Leave(near, 0x0102030405060708, grid.None)
	d.Leave(near, 6, far)
	e := d.Enter(far, 6, near, span("\x03\x01\x06b"), span("cmp"))
	d.EnterDelta(e, Moves, span("m6"))
	d.Resident(near, 4, span("blk4"), Span{})
	d.Resident(near, 5, span("\x03\x01\x05r"), span("rc"))
	d.SetView(9, grid.View{Center: far, Layers: 5}, true)
	d.Resume(9, 300)
	d.Send(9, Last, span("last"))
	d.SendNow(9, First, span("first"))
	d.SendNow(8, Middle, span("other"))
	d.PlayerTransferred(11, span("char"))
	d.Kick(9, "why")
	d.Refuse(9, 0x123, "no")
	d.SetGameMaster(9, true)
	d.Build(f, 77)
}

// The halves of a frame have these bytes, made by hand from the comments of Encoder.
func TestEncodedBytes(t *testing.T) {
	var f Frame
	ofEncoding(&f)
	var e Encoder
	shared := bytes.Join([][]byte{
		{6, 2},                 // version, cells
		{0xAC, 2, 0b1010_0101}, // cell 300: events, moves, leaves, residents
		[]byte("\x02ev"),
		[]byte("\x04\x07m9npcm8"), // two pieces that are not packed
		{9, 0, 2, 8, 3, 2},        // session 9 from 0 on, 2 bytes; session 8, 3 bytes later
		{2, 0xFF, 8, 7, 6, 5, 4, 3, 2, 1, 0},
		{1, 6, 0xAC, 3},                                                         // leaves: to no cell, to cell 428
		{18, 2, 1, 4, 4, 0, 0, 4, 2}, []byte("blk4"), []byte("\x03\x01\x05rrc"), // residents: 18 bytes, the block of the second has its GUID
		{0x80, 1, 0b0101_1010},                                                                   // cell 428: values, beats, after, enters
		[]byte("\x02va"), {7, 18, 0, 4, 0xEE, 0, 'b', '9', 23, 'b', 'b', 0xD8, 4, 0, 2, 0xEE, 0}, // three that are: the second has the header of the first
		[]byte("\x02au"),
		{1, 0, 0xAC, 2}, []byte("\x04\x03\x01\x06b\x03cmp"), // its create block has its GUID
		[]byte("\x00\x00\x02m6\x00\x00"),
	}, nil)
	if got := e.AppendShared(nil, &f); !bytes.Equal(got, shared) {
		t.Errorf("the shared half is\n% x, want\n% x", got, shared)
	}
	private := bytes.Join([][]byte{
		{6, 2}, // version, directs
		{9, 0b1011, 0xAC, 3, 5, 0xAC, 2}, []byte("\x05first\x00\x04last"),
		{11, 0b100, 0, 0, 0},
		{2, 9, 11}, // now
		{1, 11, 1}, []byte("\x04char"),
		{1, 9}, []byte("\x03why"),
		{1, 9, 0xA3, 2}, []byte("\x02no"),
		{1, 9, 1},
	}, nil)
	if got := e.AppendPrivate(nil, &f, func(s uint32) bool { return s != 8 }); !bytes.Equal(got, private) {
		t.Errorf("the private half is\n% x, want\n% x", got, private)
	}
	if got := e.AppendPrivate(nil, &f, func(s uint32) bool { return s == 7 }); len(got) > 0 {
		t.Errorf("the private half of no session is % x, want nothing", got)
	}
}

// Of the residents that a world gives for all gateways, one has those of the cells that the views of its own sessions gain, and the GUIDs alone of those
// that they lose: with a reset all of the view after and before.
func TestResidentsOfOthersAreLeftOut(t *testing.T) {
	before, after := grid.ViewFrom(grid.At(15, 15, grid.Living)), grid.ViewFrom(grid.At(45, 15, grid.Living))
	beyond := func(v, w grid.View) grid.Cell {
		var s grid.Set
		s.AddMinus(v, w)
		tile := s.Tiles()[0]
		return grid.Patch{Tile: tile, Mask: s.Mask(tile)}.First()
	}
	gained, lost, kept, far := beyond(after, before), beyond(before, after), before.Center, grid.At(3015, 15, grid.Living)
	build := func(f *Frame, reset bool, residents ...func(d *Builder)) {
		var d Builder
		for _, add := range residents {
			add(&d)
		}
		d.SetView(4, after, reset)
		d.Build(f, 9)
	}
	whole := func(at grid.Cell, guid uint64) func(d *Builder) {
		return func(d *Builder) {
			d.Bytes = fmt.Appendf(d.Bytes, "block %d", guid)
			block := d.Cut()
			d.Bytes = fmt.Appendf(d.Bytes, "companions %d", guid)
			d.Resident(at, guid, block, d.Cut())
		}
	}
	named := func(at grid.Cell, guid uint64) func(d *Builder) {
		return func(d *Builder) { d.Resident(at, guid, Span{}, Span{}) }
	}
	for _, c := range []struct {
		reset bool
		want  []func(d *Builder)
	}{
		{false, []func(d *Builder){whole(gained, 5), whole(gained, 6), named(lost, 7)}},
		{true, []func(d *Builder){whole(gained, 5), whole(gained, 6), named(lost, 7), whole(kept, 8)}},
	} {
		var f, got, want Frame
		var e Encoder
		build(&f, c.reset, whole(gained, 5), whole(gained, 6), whole(lost, 7), whole(kept, 8), whole(far, 10))
		build(&want, c.reset, c.want...)
		mine := func(uint32) bool { return true }
		local := func(session uint32) (uint32, bool) { return session, true }
		views := map[uint32]grid.View{4: before}
		if err := new(Decoder).Decode(&got, 9, views, [][]byte{e.AppendShared(nil, &f)}, e.AppendPrivate(nil, &f, mine), local); err != nil {
			t.Fatal(err)
		}
		g, _ := got.AppendBinary(nil)
		if w, _ := want.AppendBinary(nil); !bytes.Equal(g, w) {
			t.Errorf("with a reset: %v: the frame is\n%q, want\n%q", c.reset, g, w)
		}
	}
}

// A half that is cut off, or of another version, is an error, and leaves an empty frame.
func TestDecodeRefuses(t *testing.T) {
	var f Frame
	ofEncoding(&f)
	var e Encoder
	mine := func(uint32) bool { return true }
	same := func(s uint32) (uint32, bool) { return s, true }
	shared, private := e.AppendShared(nil, &f), e.AppendPrivate(nil, &f, mine)
	var d Decoder
	var to, empty Frame
	if err := d.Decode(&to, 77, nil, [][]byte{shared}, private, same); err != nil {
		t.Fatal(err)
	}
	if got := e.AppendPrivate(nil, &to, mine); !bytes.Equal(got, private) {
		t.Errorf("the private half is % x after a second encoding, want % x", got, private)
	}
	refused := func(name string, shared, private []byte) {
		t.Helper()
		if err := d.Decode(&to, 77, nil, [][]byte{shared}, private, same); !errors.Is(err, ErrFrame) {
			t.Errorf("%s: error %v, want ErrFrame", name, err)
		}
		new(Builder).Build(&empty, 77)
		got, _ := to.AppendBinary(nil)
		if want, _ := empty.AppendBinary(nil); !bytes.Equal(got, want) {
			t.Errorf("%s: the frame has something", name)
		}
	}
	for n := range len(shared) {
		refused("a shared half cut off", shared[:n], nil)
	}
	for n := 1; n < len(private); n++ {
		refused("a private half cut off", shared, private[:n])
	}
	refused("another version", append([]byte{1}, shared[1:]...), nil)
	moved := string(rune(encoding)) + "\x01\x01\x08" // a cell with heartbeats
	for name, beats := range map[string]string{
		"more packed pieces than bytes": "\x0d", "a session beyond the last": "\x03\xfe\xff\xff\xff\x1f\x00\x02\xee\x00", "a packet of no opcode": "\x03\x02\x00\x01\xee\x00",
		"a packet with a long header": "\x03\x02\x80\x02\xee\x00", "a packet beyond its half": "\x03\x02\x00\x04\xee\x00b", "no header before": "\x03\x03ab",
	} {
		refused(name, []byte(moved+beats), nil)
	}
	inView := string(rune(encoding)) + "\x01\xac\x03\x80" // cell 428, around which session 9 looks, with residents
	refused("residents beyond their half", []byte(inView+"\x02\x00"), private)
	refused("more bytes than residents", []byte(inView+"\x02\x00\x00"), private)
	refused("a block beyond its cell", []byte(inView+"\x05\x01\x01\x04\x02\x00\x00\x00"), private)
	const long = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" // with 2 it is 1
	refused("a block of 2^64-1 bytes", []byte(inView+"\x0f\x01\x01\x04"+long+"\x02b"), private)
	refused("companions of 2^64-1 bytes", []byte(inView+"\x0f\x01\x01\x04\x02"+long+"b"), private)
	anonymous := bytes.Replace(private, []byte{0b1011, 0xAC, 3, 5, 0xAC, 2}, []byte{0b1011, 0xAC, 3, 5, 0}, 1)
	refused("a connection without a number", shared, anonymous)
	refused("more bytes", append(bytes.Clone(shared), 0), nil)
	none := func(uint32) (uint32, bool) { return 0, false }
	if err := d.Decode(&to, 77, nil, [][]byte{shared}, private, none); !errors.Is(err, ErrFrame) {
		t.Errorf("a private half of another gateway: error %v, want ErrFrame", err)
	}
}

// Whatever is decoded is encoded the same ever after, and nothing panics. Two private halves bridge a gap or are refused.
func FuzzDecode(f *testing.F) {
	var whole Frame
	ofEncoding(&whole)
	var e Encoder
	f.Add(e.AppendShared(nil, &whole), e.AppendPrivate(nil, &whole, func(uint32) bool { return true }))
	f.Add([]byte{encoding, 0}, []byte{})
	gap := halves(func(d *Builder) { says(d, Middle, "before") }, func(d *Builder) {
		d.Resume(bridgeSession, 3)
		says(d, First, "login")
		d.PlayerLeft(bridgeSession, Span{})
	})
	f.Add(gap[0], gap[1])
	f.Add(gap[1], gap[0])
	local := func(s uint32) (uint32, bool) { return s, s < 1000 }
	mine := func(uint32) bool { return true }
	f.Fuzz(func(t *testing.T, shared, private []byte) {
		checkBridge(t, private, shared)
		var e Encoder
		var d Decoder
		var once, twice Frame
		if d.Decode(&once, 5, nil, [][]byte{shared}, private, local) != nil {
			return
		}
		first, own := e.AppendShared(nil, &once), e.AppendPrivate(nil, &once, mine)
		if err := d.Decode(&twice, 5, nil, [][]byte{first}, own, local); err != nil {
			t.Fatalf("what was encoded is refused: %v", err)
		}
		if again := e.AppendShared(nil, &twice); !bytes.Equal(again, first) {
			t.Errorf("the shared half is % x the second time, % x the first", again, first)
		}
		if again := e.AppendPrivate(nil, &twice, mine); !bytes.Equal(again, own) {
			t.Errorf("the private half is % x the second time, % x the first", again, own)
		}
	})
}

// A frame leaves its process and is made again in others without memory of its own, once there is room for as much as it has.
func TestHalvesDoNotAllocate(t *testing.T) {
	m := newModel(3)
	for range 100 {
		m.step()
	}
	var w Window
	w.Open(m.port)
	defer w.Close()
	frames, _ := w.After(uint64(len(m.ticks)) - 40)
	o := outside{port: NewExchange()}
	o.port.Keep = 4
	var e Encoder
	var shared, private []byte
	halves := make([][]byte, 1)
	mine, local := o.mine, o.local
	tick, bytesSeen := uint64(0), 0
	encode := func() {
		for _, f := range frames {
			shared = e.AppendShared(shared[:0], f)
			private = e.AppendPrivate(private[:0], f, mine)
			bytesSeen += len(shared) + len(private)
		}
	}
	both := func() {
		for _, f := range frames {
			tick++
			shared, private = e.AppendShared(shared[:0], f), e.AppendPrivate(private[:0], f, mine)
			halves[0] = shared
			to := o.port.Write()
			if err := o.decoder.Decode(to, tick, nil, halves, private, local); err != nil {
				t.Fatal(err)
			}
			o.port.Publish(to)
		}
	}
	for range 20 {
		both()
	}
	if n := testing.AllocsPerRun(10, encode); n != 0 || bytesSeen < 1000 {
		t.Errorf("%d frames of %d bytes are encoded in %v allocations, want 0", len(frames), bytesSeen, n)
	}
	if n := testing.AllocsPerRun(10, both); n > 0 {
		t.Errorf("%d frames are encoded and decoded in %v allocations, want 0", len(frames), n)
	}
}

// ofWalkers is a frame of a map on which players walk: 80 of them see new cells, and 800 are heard of. views
// are those before.
func ofWalkers(f *Frame) (views []grid.View) {
	const side = 60 // cells
	dice := rand.New(rand.NewPCG(16, 16))
	at := func(x, y int) grid.Cell { return grid.At(float32(x*30+15), float32(y*30+15), grid.Living) }
	var d Builder
	var gained, lost grid.Set
	for session := range uint32(80) {
		x, y := dice.IntN(side), dice.IntN(side)
		before, after := grid.ViewFrom(at(x, y)), grid.ViewFrom(at(x+dice.IntN(2)*2-1, y))
		views = append(views, before)
		d.SetView(session, after, false)
		gained.AddMinus(after, before)
		lost.AddMinus(before, after)
	}
	guid := uint64(1 << 40)
	for _, of := range []struct {
		set   *grid.Set
		bytes int
	}{{&gained, 175}, {&lost, 0}} {
		for _, tile := range of.set.Tiles() {
			grid.Patch{Tile: tile, Mask: of.set.Mask(tile)}.Cells(func(c grid.Cell) {
				if of.bytes == 0 && gained.Has(c) {
					return
				}
				for range dice.IntN(5) {
					guid++
					d.Bytes = append(d.Bytes, make([]byte, of.bytes)...)
					d.Resident(c, guid, d.Cut(), Span{})
				}
			})
		}
	}
	for session := range uint32(800) {
		d.Bytes = append(append(d.Bytes, "\x00\x22\xee\x00"...), make([]byte, 32)...)
		d.AddOwnDelta(session, at(dice.IntN(side), dice.IntN(side)), Beats, d.Cut())
	}
	d.Build(f, 1)
	return views
}

// Reading a frame of walkers as one of two gateways, into a ring.
func BenchmarkDecode(b *testing.B) {
	var f Frame
	all := ofWalkers(&f)
	o := outside{port: NewExchange()}
	views := make(map[uint32]grid.View)
	for i := 0; i < len(all); i += 2 {
		views[uint32(i/2)] = all[i]
	}
	var e Encoder
	halves, private := [][]byte{e.AppendShared(nil, &f)}, e.AppendPrivate(nil, &f, o.mine)
	local := o.local
	tick := uint64(0)
	read := func() {
		tick++
		to := o.port.Write()
		if err := o.decoder.Decode(to, tick, views, halves, private, local); err != nil {
			b.Fatal(err)
		}
		o.port.Publish(to)
	}
	for range 2 * RingFrames {
		read()
	}
	b.SetBytes(int64(len(halves[0]) + len(private)))
	b.ReportAllocs()
	for b.Loop() {
		read()
	}
}
