package frame

import (
	"bytes"
	"errors"
	"slices"
	"sync"
	"testing"
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
}

func FuzzInbox(f *testing.F) {
	var in Inbox
	in.Add(Item{Session: 1, AtMs: 2, Op: 3, Body: []byte{4, 5}})
	b, _ := in.AppendBinary(nil)
	f.Add(b)
	f.Add(b[:len(b)-1])
	f.Fuzz(func(t *testing.T, b []byte) {
		var in Inbox
		if in.UnmarshalBinary(b) != nil {
			if in.Len() != 0 {
				t.Error("a malformed inbox left items")
			}
			return
		}
		if again, _ := in.AppendBinary(nil); !bytes.Equal(again, b) {
			t.Errorf("wrote % x, want % x", again, b)
		}
	})
}

func publish(p *Port, tick uint64) {
	f := p.Write(tick)
	f.reset(tick)
	p.Publish(f)
}

func TestWindowKeepsItsFrames(t *testing.T) {
	p := NewPort()
	for n := uint64(1); n <= 100; n++ {
		if n != 50 { // a tick that wrote nothing
			publish(p, n)
		}
	}
	var w Window
	w.Open(p)
	if f, ok := w.Frame(19); ok || f != nil {
		t.Errorf("tick 19 is still there: %v, %v", f, ok)
	}
	if f, ok := w.Frame(20); !ok || f.Tick != 20 {
		t.Errorf("tick 20, the oldest: %v, %v", f, ok)
	}
	if f, ok := w.Frame(50); !ok || f != nil {
		t.Errorf("tick 50 wrote nothing: %v, %v", f, ok)
	}
	held, ok := w.Frame(60)
	if !ok || held.Tick != 60 {
		t.Fatalf("tick 60: %v, %v", held, ok)
	}
	for n := uint64(101); n <= 200; n++ {
		publish(p, n)
	}
	if held.Tick != 60 {
		t.Errorf("a held frame became that of tick %d", held.Tick)
	}
	if _, ok := w.Frame(61); ok {
		t.Error("tick 61 was not held and is not lost")
	}
	w.Close()
	w.Open(p)
	defer w.Close()
	if f, ok := w.Frame(200); !ok || f.Tick != 200 {
		t.Errorf("tick 200: %v, %v", f, ok)
	}
}

// A world that was stopped for a while skips ticks. Nobody has missed anything.
func TestSkippedTicksLoseNobody(t *testing.T) {
	p := NewPort()
	for n := uint64(1); n <= 100; n++ {
		publish(p, n)
	}
	for n := uint64(1010); n <= 1020; n++ {
		publish(p, n)
	}
	var w Window
	w.Open(p)
	defer w.Close()
	for n := uint64(1); n <= 1020; n++ {
		f, ok := w.Frame(n)
		kept := n >= 32 && n <= 100 || n >= 1010 // these are RingTicks
		if ok != (n >= 32) || (f != nil) != kept || kept && f.Tick != n {
			t.Fatalf("tick %d: %v, ok %v", n, f, ok)
		}
	}
}

// A world writes while gateways read; the race detector watches.
func TestPortUnderLoad(t *testing.T) {
	p := NewPort()
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
				for n := w.Newest; n > 0 && n+5 > w.Newest; n-- {
					if f, ok := w.Frame(n); ok && f != nil && (f.Tick != n || !slices.Equal(f.Now, []uint32{uint32(n)})) {
						t.Errorf("tick %d reads as %d with %v", n, f.Tick, f.Now)
					}
				}
				w.Close()
			}
		})
	}
	for n := uint64(1); n < 20000; n++ {
		f := p.Write(n)
		f.reset(n)
		f.Now = append(f.Now, uint32(n))
		p.Publish(f)
	}
	close(stop)
	wg.Wait()
}
