package registry_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"muster/loaders/registry"
)

// busy is a worker whose ticks take so many cores.
func busy(id uint64, load float32, change ...func(*registry.Process)) registry.Process {
	w := registry.Process{ID: id, Capacity: 9, Load: load, Release: "1"}
	for _, c := range change {
		c(&w)
	}
	return w
}

// running is a world that a worker runs, whose ticks take so many cores.
func running(id uint32, worker uint64, load float32, change ...func(*registry.Shard)) registry.Shard {
	s := registry.Shard{Map: id, Worker: worker, Epoch: 1, State: registry.Runs, Release: "1", Load: load}
	for _, c := range change {
		c(&s)
	}
	return s
}

// A world is moved from a worker that has several, off one with much load or to one without worlds, if that lowers the greater load of the two, and to a worker that can have it.
func TestRebalance(t *testing.T) {
	t.Parallel()
	type workers = []registry.Process
	type shards = []registry.Shard
	type move struct {
		id, instance uint32
		from, to     uint64
	}
	drains := func(w *registry.Process) { w.Draining = true }
	silent := func(w *registry.Process) { w.Silent = true }
	superseded := func(w *registry.Process) { w.Superseded = true }
	durable := func(w *registry.Process) { w.Durable = true }
	newer := func(w *registry.Process) { w.Release = "2" }
	full := func(w *registry.Process) { w.Capacity = 0 }
	other := func(w *registry.Process) { w.Maps = []uint32{9} }
	moved := func(s *registry.Shard) { s.Moved = true }
	given := func(s *registry.Shard) { s.State = registry.Given }
	twelfth := func(s *registry.Shard) { s.Instance = 12 }
	players := func(n int) func(*registry.Shard) { return func(s *registry.Shard) { s.Players = n } }
	two := shards{running(1, 1, 0.3), running(2, 1, 0.2)}
	for _, test := range []struct {
		name     string
		workers  workers
		shards   shards
		standbys []registry.Standby
		want     []move
	}{
		{"to one without worlds", workers{busy(1, 0.5), busy(2, 0)}, two, nil, []move{{2, 0, 1, 2}}}, // as even with either: the one with less
		{"nearly as even with either", workers{busy(1, 0.501), busy(2, 0)}, two, nil, []move{{2, 0, 1, 2}}},
		{"of an instance", workers{busy(1, 0.5), busy(2, 0)}, shards{running(1, 1, 0.2, twelfth), running(2, 1, 0.3)}, nil, []move{{1, 12, 1, 2}}},
		{"the one that evens out most", workers{busy(1, 0.6), busy(2, 0)}, shards{running(1, 1, 0.1), running(2, 1, 0.25), running(3, 1, 0.15), running(4, 1, 0.1)}, nil, []move{{2, 0, 1, 2}}},
		{"its only world", workers{busy(1, 0.9), busy(2, 0)}, shards{running(1, 1, 0.5)}, nil, nil},
		{"little load", workers{busy(1, 0.09), busy(2, 0)}, shards{running(1, 1, 0.045), running(2, 1, 0.045)}, nil, nil},
		{"a swap", workers{busy(1, 0.5), busy(2, 0)}, shards{running(1, 1, 0.5), running(2, 1, 0)}, nil, nil},
		{"next to nothing", workers{busy(1, 0.5), busy(2, 0)}, shards{running(1, 1, 0.46), running(2, 1, 0.04)}, nil, nil},
		{"another one has worlds, and load is moderate", workers{busy(1, 0.65), busy(2, 0.01)}, append(two, running(3, 2, 0.01)), nil, nil},
		{"much load", workers{busy(1, 0.75), busy(2, 0.1)}, shards{running(1, 1, 0.5), running(2, 1, 0.25), running(3, 2, 0.1)}, nil, []move{{2, 0, 1, 2}}},
		{"much load, too little less", workers{busy(1, 0.75), busy(2, 0.3)}, shards{running(1, 1, 0.5), running(2, 1, 0.25), running(3, 2, 0.3)}, nil, nil},
		{"players make load", workers{busy(1, 0.6), busy(2, 0.1)}, shards{running(1, 1, 0.35), running(2, 1, 0.25, players(2000)), running(3, 2, 0.1)}, nil, []move{{1, 0, 1, 2}}},
		{"players make a world cost more", workers{busy(1, 0.5), busy(2, 0)}, shards{running(1, 1, 0.25, players(2000)), running(2, 1, 0.25)}, nil, []move{{2, 0, 1, 2}}},
		{"players of the other one count", workers{busy(1, 0.8), busy(2, 0.1)}, shards{running(1, 1, 0.5), running(2, 1, 0.3), running(3, 2, 0.1, players(5000))}, nil, nil},
		{"a world that is about to start counts", workers{busy(1, 0.8), busy(2, 0.2)}, shards{running(1, 1, 0.5), running(2, 1, 0.3), running(3, 2, 0, given)}, nil, nil},
		{"one that is on its way", workers{busy(1, 0.6), busy(2, 0)}, shards{running(1, 1, 0.25, given), running(2, 1, 0.1)}, nil, []move{{2, 0, 1, 2}}},
		{"moved before", workers{busy(1, 0.5), busy(2, 0)}, shards{running(1, 1, 0.2, moved), running(2, 1, 0.3)}, nil, []move{{2, 0, 1, 2}}},
		{"from one that drains", workers{busy(1, 0.9, drains), busy(2, 0)}, two, nil, nil},
		{"to one that drains", workers{busy(1, 0.9), busy(2, 0, drains)}, two, nil, nil},
		{"from a silent one", workers{busy(1, 0.9, silent), busy(2, 0)}, two, nil, nil},
		{"to a silent one", workers{busy(1, 0.9), busy(2, 0, silent)}, two, nil, nil},
		{"from a superseded one", workers{busy(1, 0.9, superseded), busy(2, 0)}, two, nil, nil},
		{"to a superseded one", workers{busy(1, 0.9), busy(2, 0, superseded)}, two, nil, nil},
		{"of a worker that is gone", workers{busy(2, 0)}, two, nil, nil},
		{"to a full one", workers{busy(1, 0.9), busy(2, 0, full)}, two, nil, nil},
		{"to one without the map", workers{busy(1, 0.9), busy(2, 0, other)}, two, nil, nil},
		{"to one of another release", workers{busy(1, 0.9), busy(2, 0, newer)}, two, nil, []move{{1, 0, 1, 2}}},
		{"in a log, to one of another release", workers{busy(1, 0.9, durable), busy(2, 0, durable, newer)}, two, nil, nil},
		{"in a log, to one that keeps none", workers{busy(1, 0.9, durable), busy(2, 0)}, two, nil, nil},
		{"of one that keeps no log, beside some that do", workers{busy(1, 0.9), busy(2, 0, durable)}, two, nil, nil},
		{"to its standby", workers{busy(1, 0.5, durable), busy(2, 0, durable), busy(3, 0, durable)}, two, []registry.Standby{{Map: 1, Worker: 2, Ready: true}, {Map: 2, Worker: 2}}, []move{{2, 0, 1, 3}}},
		{
			"the greatest load first, then the lower ID", workers{busy(4, 0), busy(3, 0), busy(2, 1), busy(1, 0.5)},
			shards{running(1, 1, 0.3), running(2, 1, 0.2), running(3, 2, 0.5), running(4, 2, 0.4)}, nil, []move{{3, 0, 2, 3}, {3, 0, 2, 4}, {2, 0, 1, 3}, {2, 0, 1, 4}},
		},
		{"alike ones", workers{busy(1, 0.6), busy(2, 0)}, shards{running(2, 1, 0.2), running(1, 1, 0.2, twelfth), running(1, 1, 0.2)}, nil, []move{{1, 0, 1, 2}}},
	} {
		var got []move
		for _, m := range registry.Rebalance(test.workers, test.shards, test.standbys...) {
			got = append(got, move{m.Shard.Map, m.Shard.Instance, m.Shard.Worker, m.To})
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: moves are %v, want %v", test.name, got, test.want)
		}
	}
}

// A balanced is a realm whose Balancer is asked as an orchestrator asks it, at times of its own.
type balanced struct {
	registry.Balancer
	now     time.Time
	workers []registry.Process
	shards  []registry.Shard
}

// after lets time pass, while the Balancer is asked four times a second, until there is a move or the time is over.
func (b *balanced) after(d time.Duration) (m registry.Move, waited time.Duration) {
	for ; waited < d; b.now, waited = b.now.Add(250*time.Millisecond), waited+250*time.Millisecond {
		if m, ok := b.Next(b.now, b.workers, b.shards); ok {
			return m, waited
		}
	}
	return registry.Move{}, waited
}

// A world is moved when the loads have been so for 30 s, a minute after the last one, and while none is on its way or has no worker.
func TestBalancer(t *testing.T) {
	t.Parallel()
	start := func() *balanced {
		return &balanced{
			now: time.Unix(1e9, 0), workers: []registry.Process{busy(1, 0.6), busy(2, 0)},
			shards: []registry.Shard{running(1, 1, 0.2), running(2, 1, 0.2), running(3, 1, 0.2)},
		}
	}
	want := func(b *balanced, m registry.Move, waited, after time.Duration) {
		t.Helper()
		if m.To != 2 || waited != after {
			t.Errorf("after %v: moved is %+v, want after %v", waited, m, after)
		}
	}
	b := start()
	m, waited := b.after(time.Hour)
	want(b, m, waited, registry.HoldTime)

	b = start()
	b.Hold = 2 * time.Second
	m, waited = b.after(time.Hour)
	want(b, m, waited, b.Hold)
	b.workers = append(b.workers[:1], busy(2, 0)) // as if it had not been
	m, waited = b.after(time.Hour)
	want(b, m, waited, registry.MovePause)

	// the time begins anew when loads were even
	b = start()
	b.after(15 * time.Second)
	b.workers[1].Load = 0.6
	b.after(15 * time.Second)
	b.workers[1].Load = 0
	if m, waited = b.after(29 * time.Second); m.To != 0 {
		t.Errorf("moved is %+v %v after loads were even", m, waited)
	}
	if m, waited = b.after(time.Hour); m.To != 2 || waited > 10*time.Second {
		t.Errorf("moved is %+v %v later", m, waited)
	}

	// a second without load does not count
	b = start()
	b.after(15 * time.Second)
	b.workers[0].Load = 0.05
	b.after(time.Second)
	b.workers[0].Load = 0.6
	m, waited = b.after(time.Hour)
	want(b, m, waited, registry.HoldTime-16*time.Second)

	// the best move is made
	b = start()
	b.workers = append(b.workers, busy(3, 0))
	m, waited = b.after(time.Hour)
	want(b, m, waited, registry.HoldTime)

	// while something is on its way, or is to be given, nothing is moved
	for name, s := range map[string]registry.Shard{
		"on its way": {Map: 9, Worker: 1, State: registry.Given}, "without a worker": {Map: 9, State: registry.Free}, "of a worker that is gone": {Map: 9, Worker: 7, State: registry.Runs},
	} {
		b = start()
		b.shards = append(b.shards, s)
		if m, _ = b.after(2 * registry.HoldTime); m.To != 0 {
			t.Errorf("moved is %+v while a world is %s", m, name)
		}
		b.shards = b.shards[:3]
		m, waited = b.after(time.Hour)
		want(b, m, waited, 0)
	}
	b = start()
	b.shards = append(b.shards, registry.Shard{Map: 9, State: registry.Free}) // which no worker takes
	for i := range b.workers {
		b.workers[i].Maps = []uint32{1, 0, 2, 3}
	}
	m, waited = b.after(time.Hour)
	want(b, m, waited, registry.HoldTime)
}

// As long as the loads of worlds stay as they are there is an end to moves: each lowers the greater load of its two workers, no world is moved twice in 10 min and no two in a minute, and the order of the
// lists does not count.
func TestBalancerModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := &balanced{now: time.Unix(1e9, 0)}
		own := make(map[uint64]float32) // of workers, besides their worlds
		for id := range rapid.Uint64Range(2, 5).Draw(t, "workers") {
			own[1+id] = rapid.SampledFrom([]float32{0, 0, 0.1, 0.3}).Draw(t, "own")
			b.workers = append(b.workers, busy(1+id, 0))
		}
		for id := range rapid.Uint32Range(1, 12).Draw(t, "worlds") {
			s := running(id, rapid.Uint64Range(1, uint64(len(b.workers))).Draw(t, "worker"), rapid.Float32Range(0, 0.6).Draw(t, "load"))
			s.Players = rapid.IntRange(0, 1000).Draw(t, "players")
			b.shards = append(b.shards, s)
		}
		loads := func(players bool) map[uint64]float32 {
			all := make(map[uint64]float32)
			for id, load := range own {
				all[id] = load
			}
			for _, s := range b.shards {
				all[s.Worker] += s.Load
				if players {
					all[s.Worker] += float32(s.Players) / 10_000
				}
			}
			return all
		}
		squares := func() (sum float32) {
			for _, load := range loads(true) {
				sum += load * load
			}
			return sum
		}
		most := int(squares()/(2*registry.LeastGain*registry.LeastGain)) + 1
		at := make(map[uint32]time.Time)
		var last time.Time
		for n, quiet := 0, time.Duration(0); quiet < registry.StayTime+time.Minute; {
			for i := range b.workers {
				b.workers[i].Load = loads(false)[b.workers[i].ID]
			}
			for i := range b.shards {
				s := &b.shards[i]
				s.State, s.Moved = registry.Runs, !at[s.Map].IsZero() && b.now.Sub(at[s.Map]) < registry.StayTime
			}
			shuffled := rapid.Permutation(b.workers).Draw(t, "order")
			if got, want := registry.Rebalance(shuffled, b.shards), registry.Rebalance(b.workers, b.shards); !slices.Equal(got, want) {
				t.Fatalf("the same loads are evened out by %+v and %+v", got, want)
			}
			m, ok := b.Next(b.now, shuffled, b.shards)
			if !ok {
				b.now, quiet = b.now.Add(5*time.Second), quiet+5*time.Second
				continue
			}
			i := slices.IndexFunc(b.shards, func(s registry.Shard) bool { return s.Map == m.Shard.Map })
			before, from := loads(true), b.shards[i].Worker
			switch was := at[m.Shard.Map]; {
			case !was.IsZero() && b.now.Sub(was) < registry.StayTime:
				t.Fatalf("%+v is moved again after %v", m, b.now.Sub(was))
			case !last.IsZero() && b.now.Sub(last) < registry.MovePause:
				t.Fatalf("%+v is moved %v after another one", m, b.now.Sub(last))
			}
			b.shards[i].Worker, b.shards[i].Epoch, b.shards[i].State = m.To, m.Shard.Epoch+1, registry.Given
			at[m.Shard.Map], last, quiet = b.now, b.now, 0
			after := loads(true)
			if max(after[from], after[m.To]) > max(before[from], before[m.To])-registry.LeastGain/2 || !slices.ContainsFunc(b.shards, func(s registry.Shard) bool { return s.Worker == from }) {
				t.Fatalf("%+v has %v become %v", m, before, after)
			}
			if n++; n > most {
				t.Fatalf("the %dth move of %d worlds is %+v", n, len(b.shards), m)
			}
			b.now = b.now.Add(5 * time.Second)
		}
		if left := registry.Rebalance(b.workers, b.shards); len(left) > 0 {
			t.Fatalf("at the end there is left %+v", left)
		}
	})
}
