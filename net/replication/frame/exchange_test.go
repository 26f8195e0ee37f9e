package frame

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"muster/components/life"
	"muster/internal/corrupt"
)

func TestInboxOrderAndBytes(t *testing.T) {
	var in, other, back Inbox
	in.Add(Item{Session: 7, AtMs: 1, Op: 0xB5, Body: []byte{1}})
	in.Add(Item{Session: 2, AtMs: 2, Op: OpEnter, Body: []byte("anna")})
	other.Add(Item{Session: 7, AtMs: 3, Op: 0xB7})
	other.Add(Item{Session: 2, AtMs: 4, Op: OpLeave})
	if err := in.AddAll(&other); err != nil {
		t.Fatal(err)
	}
	in.Seal()
	want := []Item{
		{2, 2, OpEnter, []byte("anna")}, {2, 4, OpLeave, nil}, {7, 1, 0xB5, []byte{1}}, {7, 3, 0xB7, nil},
	}
	b, _ := in.AppendBinary(nil)
	if err := back.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	for _, box := range []*Inbox{&in, &back} {
		if box.Len() != len(want) {
			t.Fatalf("%d items, want %d", box.Len(), len(want))
		}
		for i, w := range want {
			got := box.At(i)
			if got.Session != w.Session || got.AtMs != w.AtMs || got.Op != w.Op || !bytes.Equal(got.Body, w.Body) {
				t.Errorf("item %d is %+v, want %+v", i, got, w)
			}
		}
	}
}

func TestInboxIsBounded(t *testing.T) {
	var in Inbox
	if err := in.Add(Item{Body: make([]byte, 1<<16)}); !errors.Is(err, ErrInboxFull) {
		t.Errorf("a body of 65,536 bytes: %v", err)
	}
	var err error
	for err == nil {
		err = in.Add(Item{Body: make([]byte, 0xFFFF)})
	}
	if !errors.Is(err, ErrInboxFull) || len(in.buf) > MaxInbox {
		t.Errorf("%v with %d bytes", err, len(in.buf))
	}
	// The operations of 10,000 players find room beyond the packets; leaving does in any case.
	enters, leaves := 0, 0
	for in.Add(Item{Op: OpEnter, Body: make([]byte, 200)}) == nil {
		enters++
	}
	for in.Add(Item{Op: OpLeave}) == nil {
		leaves++
	}
	if enters < 10_000 || leaves < 10_000+enters || len(in.buf) > MaxInbox {
		t.Errorf("%d enter and %d leave, with %d bytes", enters, leaves, len(in.buf))
	}
	if err := new(Inbox).AddAll(&in); err != nil {
		t.Errorf("an empty inbox has no room: %v", err)
	}
}

// The limits are to the byte: of packets, of what enters, and of what leaves.
func TestInboxLimits(t *testing.T) {
	var whole Inbox
	body := make([]byte, 0xFFFF)
	for range (MaxInbox - 8<<20) / (itemHeader + len(body)) {
		if err := whole.Add(Item{Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	for limit, ops := range map[int][]uint16{MaxInbox - 8<<20: {0xB5}, MaxInbox - 2<<20: {OpEnter, OpArrive, OpCommand}, MaxInbox: {OpLeave, OpDrop, OpLease}} {
		for _, op := range ops {
			in := Inbox{buf: whole.buf, items: whole.items}
			for in.Size()+2*(itemHeader+len(body)) < limit {
				if err := in.Add(Item{Op: op, Body: body}); err != nil {
					t.Fatal(err)
				}
			}
			rest := limit - in.Size() - 2*itemHeader
			in.Add(Item{Op: op, Body: body[:rest/2]})
			if err := in.Add(Item{Op: op, Body: body[:rest-rest/2+1]}); !errors.Is(err, ErrInboxFull) {
				t.Errorf("operation %#x: %v with a byte more than %d", op, err, limit)
			}
			if err := in.Add(Item{Op: op, Body: body[:rest-rest/2]}); err != nil || in.Size() != limit {
				t.Errorf("operation %#x: %v with %d bytes of %d", op, err, in.Size(), limit)
			}
			for _, other := range []uint16{0xB5, OpEnter, OpLeave} {
				if err := in.Add(Item{Op: other}); (err == nil) != (limit < MaxInbox && other == OpLeave || limit == MaxInbox-8<<20 && other == OpEnter) {
					t.Errorf("operation %#x after %#x up to %d: %v", other, op, limit, err)
				}
			}
		}
	}
}

// An inbox takes all of another, or nothing of it.
func TestInboxTakesAnother(t *testing.T) {
	half := Inbox{buf: make([]byte, MaxInbox/2)}
	var in Inbox
	for n := 1; n <= 2; n++ {
		if err := in.AddAll(&half); err != nil || in.Size() != n*MaxInbox/2 {
			t.Errorf("half %d: %v, %d bytes", n, err, in.Size())
		}
	}
	var one Inbox
	one.Add(Item{Session: 7})
	if err := in.AddAll(&one); !errors.Is(err, ErrInboxFull) || in.Size() != MaxInbox || in.Len() != 0 {
		t.Errorf("%v, with %d bytes and %d items", err, in.Size(), in.Len())
	}
	if err := in.UnmarshalBinary(make([]byte, MaxInbox+1)); !errors.Is(err, ErrInboxFull) || in.Len() != 0 || in.Size() != 0 {
		t.Errorf("too long: %v, with %d bytes and %d items", err, in.Size(), in.Len())
	}
	if err := in.UnmarshalBinary(make([]byte, MaxInbox/itemHeader*itemHeader)); err != nil || in.Len() != MaxInbox/itemHeader {
		t.Errorf("as long as can be: %v, %d items", err, in.Len())
	}
}

// The bytes of an inbox are its items, little-endian: session, arrival, operation, length and body.
func TestInboxBytes(t *testing.T) {
	var in Inbox
	in.Add(Item{Session: 0x04030201, AtMs: 0x08070605, Op: 0x0A09, Body: []byte{0xB, 0xC}})
	in.Add(Item{Session: 1})
	want := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 0, 11, 12, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	got, _ := in.AppendBinary([]byte{99})
	if !bytes.Equal(got, append([]byte{99}, want...)) || in.Size() != len(want) {
		t.Errorf("wrote % x, want % x", got, want)
	}
	in.Seal() // the second session is the first to be read
	if got, _ = in.AppendBinary(nil); !bytes.Equal(got, append(want[14:len(want):len(want)], want[:14]...)) {
		t.Errorf("sealed, wrote % x", got)
	}
	for _, cut := range []int{1, 11, 13, 15, 25} {
		if err := in.UnmarshalBinary(want[:cut]); !errors.Is(err, ErrInbox) || in.Len() != 0 || in.Size() != 0 {
			t.Errorf("%d bytes: %v, %d items", cut, err, in.Len())
		}
	}
	if err := in.UnmarshalBinary(want[:14]); err != nil || in.Len() != 1 {
		t.Errorf("an item: %v, %d items", err, in.Len())
	}
	if in.Reset(); in.Len() != 0 || in.Size() != 0 {
		t.Errorf("reset, it has %d items in %d bytes", in.Len(), in.Size())
	}
	if n := testing.AllocsPerRun(10, func() { in.Add(Item{Session: 2}); in.Add(Item{Session: 1}); in.Seal(); in.Reset() }); n != 0 {
		t.Errorf("a warm inbox allocates %v times", n)
	}
}

// What is posted wakes the world once, and is taken once, sealed.
func TestPost(t *testing.T) {
	p := NewExchange()
	woken := func() bool {
		select {
		case <-p.Wake():
			return true
		default:
			return false
		}
	}
	var none, in, got Inbox
	if err := p.Post(&none); err != nil || woken() || !p.Empty() {
		t.Errorf("nothing was posted: %v, empty %v", err, p.Empty())
	}
	in.Add(Item{Session: 2})
	in.Add(Item{Session: 1})
	for range 2 {
		if err := p.Post(&in); err != nil {
			t.Error(err)
		}
	}
	if !woken() || woken() || p.Empty() {
		t.Errorf("posted twice, empty %v", p.Empty())
	}
	p.Take(&got)
	if got.Len() != 4 || got.At(0).Session != 1 || got.At(1).Session != 1 || got.At(3).Session != 2 || !p.Empty() {
		t.Errorf("%d items are taken, of %d first", got.Len(), got.At(0).Session)
	}
	p.Take(&none)
	if none.Len() != 0 {
		t.Errorf("%d items are taken again", none.Len())
	}
	full := Inbox{buf: make([]byte, MaxInbox)}
	full.items = []uint32{0}
	if p.Post(&full) != nil || !errors.Is(p.Post(&in), ErrInboxFull) {
		t.Error("more than an inbox is taken")
	}
}

// Each of what a frame has for a gateway is kept, whatever else the frame has, until it is taken.
func TestPublishKeeps(t *testing.T) {
	for _, what := range []string{"left", "away", "wants", "saves", "answers", "nothing"} {
		p := NewExchange()
		p.Saving = true
		var d Builder
		for tick := range uint64(2) {
			d.Bytes = append(d.Bytes, what...)
			text := d.Cut()
			switch what {
			case "left":
				d.PlayerLeft(7, text)
			case "away":
				d.PlayerTransferred(7, text)
			case "wants":
				d.RequestItems(5)
			case "saves":
				*d.Save() = Save{GUID: 9, Told: life.Items, Lists: text}
			case "answers":
				d.Answer(3, text)
			}
			f := p.Write()
			d.Build(f, tick+1)
			p.Publish(f)
		}
		departed, wanted, answers := p.Departed(), p.Wanted(), p.Answers()
		var saves Saves
		p.Saves(&saves)
		is := func(it string, n int) int {
			if what == it {
				return n
			}
			return 0
		}
		if len(departed) != is("left", 2)+is("away", 2) || int(wanted) != is("wants", 10) || saves.Len() != is("saves", 2) || len(answers) != is("answers", 2) {
			t.Errorf("%s: %d have left, %d are wanted, %d are saved, %d are answered", what, len(departed), wanted, saves.Len(), len(answers))
		}
		for _, one := range departed {
			if one.Session != 7 || one.Away != (what == "away") || string(one.Character) != what {
				t.Errorf("%s: %+v", what, one)
			}
		}
		for _, one := range answers {
			if one.ID != 3 || one.Text != what {
				t.Errorf("%s: %+v", what, one)
			}
		}
		if p.Wanted() != 0 || len(p.Departed()) != 0 || len(p.Answers()) != 0 {
			t.Errorf("%s: it is taken twice", what)
		}
	}
}

// A frame that no window holds is written again when its turn comes; one that is held is left to its reader.
func TestFramesAreUsedAgain(t *testing.T) {
	p := NewExchange()
	var w Window
	seen := map[*Frame]int{}
	for n := uint64(1); n <= 3*(RingFrames+1); n++ {
		f := p.Write()
		seen[f]++
		f.reset(n)
		p.Publish(f)
		if n == RingFrames+1 {
			w.Open(p)
			w.After(n - 2)
		}
	}
	w.Close()
	if len(seen) != RingFrames+3 {
		t.Errorf("there are %d frames, want %d and two that were held", len(seen), RingFrames+1)
	}
}

func TestCorruptInboxes(t *testing.T) {
	var in Inbox
	in.Add(Item{Session: 1, AtMs: 2, Op: 3, Body: []byte{4, 5}})
	in.Add(Item{Session: 2, AtMs: 3, Op: 4})
	whole, _ := in.AppendBinary(nil)
	for b := range corrupt.Bytes(20_000, whole) {
		var in Inbox
		if in.UnmarshalBinary(b) != nil {
			if in.Len() != 0 {
				t.Errorf("% x left items", b)
			}
		} else if again, _ := in.AppendBinary(nil); !bytes.Equal(again, b) {
			t.Errorf("wrote % x, want % x", again, b)
		}
	}
}

func publish(p *Exchange, tick uint64) {
	f := p.Write()
	f.reset(tick)
	p.Publish(f)
}

// ticks are those of frames.
func ticks(frames []*Frame) (ticks []uint64) {
	for _, f := range frames {
		ticks = append(ticks, f.Tick)
	}
	return ticks
}

func TestWindowKeepsItsFrames(t *testing.T) {
	p := NewExchange()
	var w Window
	w.Open(p)
	if frames, ok := w.After(0); !ok || len(frames) != 0 || w.Newest != 0 {
		t.Errorf("an empty port has %v up to %d, %v", ticks(frames), w.Newest, ok)
	}
	w.Close()
	for n := uint64(1); n <= 100; n++ {
		publish(p, n)
	}
	w.Open(p)
	held, ok := w.After(60)
	if !ok || len(held) != 40 || held[0].Tick != 61 || w.Newest != 100 {
		t.Fatalf("after tick 60: %v up to %d, %v", ticks(held), w.Newest, ok)
	}
	for n := uint64(101); n <= 200; n++ {
		publish(p, n)
	}
	for i, f := range held {
		if f.Tick != uint64(61+i) {
			t.Errorf("the held frame of tick %d became that of tick %d", 61+i, f.Tick)
		}
	}
	if frames, ok := w.After(59); ok || len(frames) != 40 {
		t.Errorf("tick 60 was not held and is not lost: %v, %v", ticks(frames), ok)
	}
	w.Close()
	w.Open(p)
	defer w.Close()
	if frames, ok := w.After(199); !ok || !slices.Equal(ticks(frames), []uint64{200}) {
		t.Errorf("after tick 199: %v, %v", ticks(frames), ok)
	}
	if frames, ok := w.After(200); !ok || len(frames) != 0 {
		t.Errorf("after the newest: %v, %v", ticks(frames), ok)
	}
}

// A world that was stopped for a while skips ticks, and one that idles for a day skips 1.7 million. No
// observer has missed anything, and nothing iterates over them.
func TestSkippedTicksLoseNoPlayer(t *testing.T) {
	const day = 24 * 3600 * 20
	for _, skip := range []uint64{79, 80, 81, 120, 900, day} {
		p := NewExchange()
		for n := uint64(1); n <= 100; n++ {
			publish(p, n)
		}
		publish(p, 100+skip)
		for after, want := range map[uint64][]uint64{
			98:             {99, 100, 100 + skip},
			99:             {100, 100 + skip},
			100:            {100 + skip}, // has everything from before
			100 + skip - 1: {100 + skip},
			100 + skip:     nil,
		} {
			var w Window
			w.Open(p)
			frames, ok := w.After(after)
			if !ok || !slices.Equal(ticks(frames), want) {
				t.Errorf("after tick %d of 1 to 100 and %d: %v, %v", after, 100+skip, ticks(frames), ok)
			}
			c := Cursor{Tick: after}
			new(Replayer).Replay(nil, &w, &c)
			w.Close()
			if c.Tick != 100+skip {
				t.Errorf("a replay after tick %d ends at %d, want %d", after, c.Tick, 100+skip)
			}
		}
	}
}

// Whatever ticks are skipped, a cursor is lost if a frame that it needs was overwritten, and only then:
// up to RingFrames never are, also while the world is writing the next.
func TestReadableWhileTheWorldWrites(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 1))
	p := NewExchange()
	published := []uint64{0} // ticks
	next := func() {
		tick := published[len(published)-1] + 1
		if r.IntN(4) == 0 {
			tick += r.Uint64N(3 * RingFrames)
		}
		publish(p, tick)
		published = append(published, tick)
	}
	for range 2 * RingFrames {
		next()
	}
	for round := range 2000 {
		// A window opens, and the world goes on while it looks back as far as it may by then.
		ahead := r.IntN(RingFrames)
		lag := r.IntN(RingFrames - ahead + 1)
		have := len(published) - 1 - lag
		c := Cursor{Session: 1, GUID: 1, Tick: published[have]}
		if have+1 < len(published) { // it may be anywhere before the next frame
			c.Tick += r.Uint64N(published[have+1] - published[have])
		}
		want := slices.Clone(published[have+1:])
		var w Window
		w.Open(p)
		var world sync.WaitGroup
		world.Go(func() {
			for range ahead {
				next()
			}
			p.Write() // and is at it
		})
		frames, ok := w.After(c.Tick)
		if !ok || !slices.Equal(ticks(frames), want) {
			t.Fatalf("seed %d, round %d: %d behind and %d ahead: after %d: %v, %v, want %v",
				seed, round, lag, ahead, c.Tick, ticks(frames), ok, want)
		}
		if _, ok := new(Replayer).Replay(nil, &w, &c); !ok {
			t.Fatalf("seed %d, round %d: the cursor is lost", seed, round)
		}
		world.Wait()
		w.Close()

		w.Open(p)
		back := len(published) - 1 - RingFrames
		if frames, ok := w.After(published[back]); !ok || len(frames) != RingFrames {
			t.Fatalf("seed %d, round %d: %d frames are readable", seed, round, len(frames))
		}
		if frames, ok := w.After(published[back-1]); ok || len(frames) != RingFrames {
			t.Fatalf("seed %d, round %d: a frame is there that is being overwritten", seed, round)
		}
		w.Close()
	}
}

// What is kept is a time, four seconds here: 800 frames of 5 ms or 80 of 50 ms. A pause counts as the longest step, so
// nothing is lost for it.
func TestRingKeepsATime(t *testing.T) {
	p := NewExchange()
	p.Keep, p.Longest = 800, 10 // units of 5 ms
	tick := uint64(0)
	readable := func(after string, want int) {
		t.Helper()
		p.Write() // the world is at the next
		var w Window
		w.Open(p)
		frames, _ := w.After(0)
		w.Close()
		if len(frames) != want {
			t.Errorf("after %s %d frames are readable, want %d", after, len(frames), want)
		}
	}
	steps := func(n int, units uint64) {
		for range n {
			tick += units
			publish(p, tick)
		}
	}
	steps(2000, 1)
	readable("steps of 5 ms", 800)
	steps(1, 5000)
	readable("a pause of 25 s, which counts as 50 ms", 791)
	steps(40, 10)
	readable("40 steps of 50 ms", 40+391)
	steps(100, 10)
	readable("140 steps of 50 ms", 80)
	steps(400, 2)
	readable("400 steps of 10 ms", 400)
}

// A departed player is returned once, however long after it left.
func TestDeparted(t *testing.T) {
	p := NewExchange()
	var want []Departed
	for n := uint32(1); n <= 3*RingFrames; n++ {
		var d Builder
		character := []byte{byte(n), 1, 2}
		d.Bytes = append(d.Bytes, character...)
		d.PlayerLeft(n, d.Cut())
		f := p.Write()
		d.Build(f, uint64(n))
		p.Publish(f)
		want = append(want, Departed{Session: n, Character: character})
	}
	got := p.Departed()
	if !slices.EqualFunc(got, want, func(a, b Departed) bool {
		return a.Session == b.Session && bytes.Equal(a.Character, b.Character)
	}) {
		t.Errorf("%d have left, want %d: %v", len(got), len(want), got)
	}
	if again := p.Departed(); len(again) != 0 {
		t.Errorf("returned twice: %v", again)
	}
}

// A world writes while gateways read; the race detector watches.
func TestPortUnderLoad(t *testing.T) {
	p := NewExchange()
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		wg.Go(func() {
			var w Window
			for {
				select {
				case <-stop:
					return
				default:
				}
				w.Open(p)
				frames, _ := w.After(max(w.Newest, 5) - 5)
				for i, f := range frames {
					n := w.Newest - uint64(len(frames)-1-i)
					if f.Tick != n || !slices.Equal(f.Now, []uint32{uint32(n)}) {
						t.Errorf("tick %d reads as %d with %v", n, f.Tick, f.Now)
					}
				}
				w.Close()
			}
		})
	}
	for n := uint64(1); n < 20000; n++ {
		f := p.Write()
		f.reset(n)
		f.Now = append(f.Now, uint32(n))
		p.Publish(f)
	}
	close(stop)
	wg.Wait()
}

// TestStop has a world end: its gateway is called, its frames can be read, and it takes nothing.
func TestStop(t *testing.T) {
	p := NewExchange()
	var called []uint64
	p.Published = func(tick uint64) { called = append(called, tick) }
	f := p.Write()
	f.Tick = 7
	p.Publish(f)
	if p.Stopped() {
		t.Error("a new port has stopped")
	}
	p.Write().Tick = 8 // and then the world broke
	p.Stop()
	if !p.Stopped() || !slices.Equal(called, []uint64{7, 7}) {
		t.Errorf("stopped %v, called for %v", p.Stopped(), called)
	}
	var in Inbox
	in.Add(Item{Op: OpLeave})
	if err := p.Post(&in); err != nil || !p.Empty() {
		t.Errorf("posted with %v, empty %v", err, p.Empty())
	}
	var w Window
	w.Open(p)
	defer w.Close()
	if frames, ok := w.After(0); !ok || len(frames) != 1 || frames[0].Tick != 7 {
		t.Errorf("%d frames, %v", len(frames), ok)
	}
}
