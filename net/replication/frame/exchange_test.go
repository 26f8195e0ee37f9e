package frame

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

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

func TestMangledInboxes(t *testing.T) {
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
		t.Errorf("told twice: %v", again)
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
