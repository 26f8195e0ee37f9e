package systems

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"

	"muster/internal/testseed"
	"muster/net/replication/frame"
)

// A log is what arrived in a world, as bytes, and the frames that followed.
type log struct{ inboxes, frames [][]byte }

const logTicks = 200

func logged(seed uint64) *World {
	d := meadow(rand.New(rand.NewPCG(seed, 1)), 300, 250)
	return New(Config{Defs: d, Map: &d.Maps[0], Seed: seed})
}

// record lets a crowd loose.
func record(seed uint64) (l log) {
	w := logged(seed)
	c := newCrowd(rand.New(rand.NewPCG(seed, 2)), 50, 250)
	for n := uint64(1); n <= logTicks; n++ {
		c.act(w.Inbox(), n, func(*player) {})
		w.Inbox().Seal()
		in, _ := w.Inbox().AppendBinary(nil)
		l.inboxes = append(l.inboxes, in)
		var f frame.Frame
		w.Tick(n, &f)
		for _, left := range f.Left {
			c.players[left.Session].here = false
		}
		out, _ := f.AppendBinary(nil)
		l.frames = append(l.frames, out)
	}
	return l
}

// again is the frames of a new world that reads the same inboxes, and writes into frames that have been
// used before.
func (l *log) again(t *testing.T, seed uint64) (frames [][]byte) {
	w := logged(seed)
	var ring [3]frame.Frame
	for i, in := range l.inboxes {
		if err := w.Inbox().UnmarshalBinary(in); err != nil {
			t.Fatal(err)
		}
		f := &ring[i%len(ring)]
		w.Tick(uint64(i+1), f)
		out, _ := f.AppendBinary(nil)
		frames = append(frames, out)
	}
	return frames
}

// A tick is a function: the same seed and the same inboxes give the same frames, byte for byte.
func TestSameInboxesSameFrames(t *testing.T) {
	seed := testseed.Of(t)
	l := record(seed)
	for _, procs := range []int{1, 2, 2} {
		before := runtime.GOMAXPROCS(procs)
		frames := l.again(t, seed)
		runtime.GOMAXPROCS(before)
		for i := range frames {
			if !bytes.Equal(frames[i], l.frames[i]) {
				t.Fatalf("GOMAXPROCS %d: tick %d has another frame", procs, i+1)
			}
		}
	}
	if other := l.again(t, seed+1); bytes.Equal(bytes.Join(other, nil), bytes.Join(l.frames, nil)) {
		t.Error("another seed gives the same frames")
	}
}

// Systems that run only in ticks with events would do nothing in others: a world that runs all of its systems in each tick
// is the same, and sends the same.
func TestSkippedSystemsWouldDoNothing(t *testing.T) {
	seed := testseed.Of(t)
	l, d := record(seed), meadow(rand.New(rand.NewPCG(seed, 1)), 300, 250)
	some, all := logged(seed), build(Config{Defs: d, Map: &d.Maps[0], Seed: seed})
	systems, skipped := bindSystems(all.ecs), 0
	for i := range systems {
		if systems[i].If != nil {
			systems[i].If, skipped = nil, skipped+1
		}
	}
	all.start(systems)
	if skipped == 0 {
		t.Fatal("no system is skipped")
	}
	for i, in := range l.inboxes {
		var frames [2]frame.Frame
		for k, w := range []*World{some, all} {
			if err := w.Inbox().UnmarshalBinary(in); err != nil {
				t.Fatal(err)
			}
			w.Tick(uint64(i+1), &frames[k])
		}
		one, _ := frames[0].AppendBinary(nil)
		other, _ := frames[1].AppendBinary(nil)
		if !bytes.Equal(one, other) || some.Hash() != all.Hash() {
			t.Fatalf("tick %d differs", i+1)
		}
	}
}
