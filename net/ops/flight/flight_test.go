package flight

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"muster/internal/metric"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/sched"
	"muster/sched/tickstats"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const ms = time.Millisecond

// A fakeWorld has three systems that usually take 1, 2 and 3 ms.
type fakeWorld struct {
	*tickstats.Stats
	*World
}

func newFakeWorld(r *Recorder) fakeWorld { return newFakeInstance(r, 0) }

func newFakeInstance(r *Recorder, instance uint32) fakeWorld {
	idle := func(sched.Tick) {}
	plan := sched.NewPlan(func() {}, sched.System{Name: "movement", Run: idle}, sched.System{Name: "combat", Run: idle},
		sched.System{Name: "ai", Run: idle})
	p := tickstats.New(4, "Here", 50*ms, 50*ms, plan)
	p.Instance = instance
	return fakeWorld{p, r.Watch(p, recording.Header{Map: 4, Seed: 9, StepMs: 50}, nil)}
}

// tick has the systems take so long, and the tick some more.
func (w fakeWorld) tick(n uint64, more time.Duration, took ...time.Duration) {
	var in frame.Inbox
	in.Add(frame.Item{Session: uint32(n), Op: 0xB5, Body: []byte("walk")})
	in.Seal()
	w.Heard(n, &in)
	sum := more
	for i, d := range took {
		w.Stats.End(i, d)
		sum += d
	}
	w.Crowd(&tickstats.Crowds{{Cell: 77, Things: 40, Players: 30}, {Cell: 78, Things: 2}})
	w.Finish(n, sum, tickstats.Load{Players: 30, Creatures: 50, Awake: 42, Asleep: 38, Items: in.Len(), Bytes: in.Size()})
	w.Ended(n, sum)
}

func TestTheGuiltyIsNamed(t *testing.T) {
	for _, c := range []struct {
		name string
		more time.Duration
		took []time.Duration
		want string
	}{
		{"a system", ms, []time.Duration{ms, 302 * ms, 3 * ms},
			"Tick 300 of map 4 (Here) took 307ms, where 100ms are allowed. combat is to blame: it took 302ms, where its median is 2ms. Next is movement with 1ms."},
		{"all of them", ms, []time.Duration{41 * ms, 42 * ms, 43 * ms},
			"took 127ms, where 100ms are allowed. No system alone is to blame: all together took 126ms, where a tick usually takes 7ms."},
		{"none of them", 200 * ms, []time.Duration{ms, 2 * ms, 3 * ms},
			"All systems together took 6ms: the rest went into publishing, or the machine did something else."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := New(Config{Budget: 100 * ms, Metric: new(metric.Table)})
			w := newFakeWorld(r)
			for n := range uint64(300) {
				w.tick(n, ms, ms, 2*ms, 3*ms)
			}
			w.tick(300, c.more, c.took...)
			var file bytes.Buffer
			if _, err := r.Write(t.Context(), &file, <-r.slow); err != nil {
				t.Fatal(err)
			}
			b, err := Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.Summary, c.want) {
				t.Errorf("said %s\nwant %s", b.Summary, c.want)
			}
			for _, want := range []string{"It read 1 packets and operations.", "30 players, 50 creatures and 0 corpses; 42 things were awake and 38 asleep.",
				"with 40 of them, including 30 players."} {
				if !strings.Contains(b.Summary, want) {
					t.Errorf("said %s\nwant %s", b.Summary, want)
				}
			}
			if o := b.Worlds[0]; len(o.Ticks) != 200 || o.Ticks[199].N != 300 || o.Inboxes != "200 items of 200 ticks, from 101 to 300" || len(o.Crowds) != 2 {
				t.Errorf("%d ticks, inboxes %s, cells %v", len(o.Ticks), o.Inboxes, o.Crowds)
			}
			if n := r.config.Metric.Value("flight.slow"); n != 1 {
				t.Errorf("counted %d slow ticks", n)
			}
			var printed bytes.Buffer
			if err := b.Print(&printed); err != nil || !strings.Contains(printed.String(), b.Summary) ||
				!strings.Contains(printed.String(), "movement") || !strings.Contains(printed.String(), "map  instance  ticks  slowest") {
				t.Errorf("%v, printed %s", err, &printed)
			}
		})
	}
}

// What is not known of a tick is not reported of another.
func TestAnotherTickIsNotBlamed(t *testing.T) {
	r := New(Config{Budget: 100 * ms, Metric: new(metric.Table)})
	w := newFakeWorld(r)
	first := (&Bundle{Cause: Cause{Kind: Stuck, Map: 4, Tick: 1, Took: time.Second, System: "ai"}, Budget: 100 * ms, Worlds: []Observed{w.observe()}}).summarise()
	w.tick(1, ms, ms, 302*ms, 3*ms)
	for n := range uint64(300) {
		w.tick(n+2, ms, ms, 2*ms, 3*ms)
	}
	forgotten := (&Bundle{Cause: <-r.slow, Budget: 100 * ms, Worlds: []Observed{w.observe()}}).summarise()
	stuck := (&Bundle{Cause: Cause{Kind: Stuck, Map: 4, Tick: 302, Took: time.Second}, Budget: 100 * ms, Worlds: []Observed{w.observe()}}).summarise()
	const load = " read 1 packets and operations. There were 30 players, 50 creatures and 0 corpses; 42 things were awake and 38 asleep. " +
		"The fullest cell is "
	for _, c := range []struct{ said, want string }{
		{first, "Tick 1 of map 4 (Here) has been running for 1s, where 100ms are allowed, and has not ended. It is in ai. No cell was looked at yet."},
		{forgotten, "Tick 1 of map 4 (Here) took 307ms, where 100ms are allowed. So many have ended since that it is not known any more " +
			"where its time went. Tick 301, the last of them," + load},
		{stuck, "Tick 302 of map 4 (Here) has been running for 1s, where 100ms are allowed, and has not ended. It is in none of its systems. " +
			"Tick 301, the last that has ended," + load},
	} {
		if !strings.HasPrefix(c.said, c.want) {
			t.Errorf("said %s\nwant %s", c.said, c.want)
		}
	}
}

// A tick in which scripts had more to do than they may says so, and whose scripts did the most.
func TestScriptsAreBlamed(t *testing.T) {
	for _, c := range []struct {
		load tickstats.Load
		want string
	}{
		{tickstats.Load{}, "0 asleep. No cell"},
		{tickstats.Load{Late: 7, Blame: 50}, "0 asleep. Scripts had more to do than they may: 7 of them wait, and the most was done by those of entry 50. No cell"},
	} {
		o := Observed{Map: 4, Name: "Here", Systems: []string{"ai"}, Ticks: []tickstats.Tick{{N: 1, Took: 300 * ms, Load: c.load, Spent: []time.Duration{ms}}}}
		said := (&Bundle{Cause: Cause{Kind: Slow, Map: 4, Tick: 1, Took: 300 * ms}, Budget: 100 * ms, Worlds: []Observed{o}}).summarise()
		if !strings.Contains(said, c.want) {
			t.Errorf("said %s\nwant %s", said, c.want)
		}
	}
}

// Worlds of one map are told apart by their instances: the one is named whose tick was slow, or does not end, and each has its inboxes. One that has ended is in no bundle.
func TestInstances(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "flight")
	r := New(Config{Folder: folder, Budget: 100 * ms, Every: time.Nanosecond})
	one, seven := newFakeInstance(r, 0), newFakeInstance(r, 7)
	one.tick(1, ms, ms, ms, 300*ms)
	<-r.slow
	seven.tick(1, ms, ms, 400*ms, ms)
	r.write(t.Context(), <-r.slow)
	all, _ := filepath.Glob(filepath.Join(folder, "*-map4-instance7-tick1.zip"))
	if len(all) != 1 {
		t.Fatalf("there are %q", all)
	}
	text, err := os.ReadFile(all[0])
	if err != nil {
		t.Fatal(err)
	}
	b, err := Read(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	if err := b.Print(&printed); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.Summary, "Tick 1 of instance 7 of map 4 (Here) took 403ms, where 100ms are allowed. ") {
		t.Errorf("it says %q", b.Summary)
	}
	if rows := regexp.MustCompile(`(?m)^ *4 +0 +1 +303ms .*\n *4 +7 +1 +403ms `); !rows.MatchString(printed.String()) {
		t.Errorf("the worlds are in\n%s", &printed)
	}
	names := func() (names []string) {
		t.Helper()
		var file bytes.Buffer
		if _, err := r.Write(t.Context(), &file, Cause{Kind: Asked}); err != nil {
			t.Fatal(err)
		}
		z, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			if strings.HasSuffix(f.Name, ".rec") {
				names = append(names, f.Name)
			}
		}
		return names
	}
	if got := names(); !slices.Equal(got, []string{"map4.rec", "map4-instance7.rec"}) {
		t.Errorf("the inboxes are %q", got)
	}
	if len(one.heard.buf) != 4<<20 || len(seven.heard.buf) != 256<<10 {
		t.Errorf("of the inboxes of a map %d bytes are remembered, of those of an instance %d", len(one.heard.buf), len(seven.heard.buf))
	}
	seven.tick(2, ms, ms, 400*ms, ms)
	r.Forget(seven.World)
	r.Forget(seven.World)
	if got := names(); !slices.Equal(got, []string{"map4.rec"}) {
		t.Errorf("after the instance has ended the inboxes are %q", got)
	}
	var file bytes.Buffer
	b, err = r.Write(t.Context(), &file, <-r.slow)
	if want := "Tick 2 of instance 7 of map 4 took 403ms, where 100ms are allowed. That world has ended since: no more is known of it."; err != nil || b.Summary != want {
		t.Errorf("of a world that has ended it says %q, %v", b.Summary, err)
	}
	if b, err = r.Write(t.Context(), &file, Cause{Kind: Stuck, Map: 4, Instance: 7, Tick: 3, Took: 2 * time.Second, System: "ai"}); err != nil ||
		b.Summary != "Tick 3 of instance 7 of map 4 had been running for 2s, where 100ms are allowed. It was in ai. That world has ended since: no more is known of it." {
		t.Errorf("of a world that was stuck and has ended it says %q, %v", b.Summary, err)
	}
	printed.Reset()
	if err := b.Print(&printed); err != nil || strings.Contains(printed.String(), "movement") || !strings.Contains(printed.String(), "303ms") {
		t.Errorf("%v: printed\n%s", err, &printed)
	}
}

// An instance whose tick does not end is named, and not the world of its map.
func TestStuckInstance(t *testing.T) {
	counters := new(metric.Table)
	var log bytes.Buffer
	r := New(Config{Budget: 10 * ms, Every: time.Nanosecond, Metric: counters, Log: slog.New(slog.NewTextHandler(&log, nil))})
	newFakeWorld(r).tick(1, ms, ms, ms, ms)
	seven := newFakeInstance(r, 7)
	done := make(chan struct{})
	ctx, cancel := contextOf(t)
	go func() { r.Run(ctx); close(done) }()
	seven.Start(1)
	await(t, "it is found stuck", func() bool { return counters.Value("flight.bundle") == 1 })
	cancel()
	<-done
	if !strings.Contains(log.String(), "Tick 1 of instance 7 of map 4 (Here) has been running for ") {
		t.Errorf("it says %s", &log)
	}
	if r.trace != nil {
		t.Error("it traces, and was not told to")
	}
}

// Of many worlds a bundle has all ticks of the one that it is about and of those with the slowest ticks, and the slowest ticks of each other one.
func TestBundleOfManyWorlds(t *testing.T) {
	r := New(Config{Budget: time.Hour})
	const worlds = 12
	var all []fakeWorld
	for n := range uint32(worlds) {
		all = append(all, newFakeInstance(r, n+1))
	}
	for i, w := range all {
		for n := uint64(1); n <= 200; n++ {
			slow := time.Duration(0)
			if n%9 == 0 { // 22 of them, each slower than the one before
				slow = time.Duration(worlds-i)*10*ms + time.Duration(n)*time.Microsecond
			}
			w.tick(n, ms+slow, ms)
		}
	}
	slowest := []uint64{117, 126, 135, 144, 153, 162, 171, 180, 189, 198}
	whole := func(c Cause) (whole []uint32) {
		t.Helper()
		b, err := r.Write(t.Context(), io.Discard, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range b.Worlds {
			var ticks []uint64
			for _, t := range o.Ticks {
				ticks = append(ticks, t.N)
			}
			switch {
			case o.Ended != 200:
				t.Errorf("instance %d has %d ticks", o.Instance, o.Ended)
			case len(ticks) == 200:
				whole = append(whole, o.Instance)
			case !slices.Equal(ticks, slowest):
				t.Errorf("of instance %d there are the ticks %d", o.Instance, ticks)
			}
		}
		return whole
	}
	if got := whole(Cause{Kind: Asked}); !slices.Equal(got, []uint32{1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("all ticks are there of the instances %d", got)
	}
	for _, w := range all { // a slower tick, as slow in each of them
		w.tick(201, time.Second)
	}
	slowest = append(slowest[1:], 201)
	if got := whole(Cause{Kind: Asked}); !slices.Equal(got, []uint32{1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("where all are as slow all ticks are there of the instances %d", got)
	}
	if got := whole(Cause{Kind: Slow, Map: 4, Instance: 12, Tick: 198}); !slices.Equal(got, []uint32{1, 2, 3, 4, 5, 6, 7, 12}) {
		t.Errorf("where the twelfth is slow all ticks are there of the instances %d", got)
	}
}

// Worlds begin and end while a recorder is at work.
func TestWorldsComeAndGo(t *testing.T) {
	r := New(Config{Budget: ms, Every: time.Nanosecond})
	done := make(chan struct{})
	ctx, cancel := contextOf(t)
	go func() { r.Run(ctx); close(done) }()
	var worlds sync.WaitGroup
	for n := range uint32(20) {
		worlds.Go(func() {
			w := newFakeInstance(r, n+1)
			for n := range uint64(20) {
				w.tick(n+1, ms, ms)
			}
			r.Forget(w.World)
		})
	}
	stays := newFakeInstance(r, 99)
	ended := make(chan struct{})
	go func() { worlds.Wait(); close(ended) }()
	for all := false; !all; {
		select {
		case <-ended:
			all = true
		default:
		}
		if b, err := r.Write(t.Context(), io.Discard, Cause{Kind: Asked}); err != nil || len(b.Worlds) == 0 {
			t.Errorf("%v: a bundle has %d worlds", err, len(b.Worlds))
		}
	}
	r.Forget(stays.World)
	if left := r.watched(); len(left) > 0 {
		t.Errorf("%d worlds are observed", len(left))
	}
	cancel()
	<-done
}

// The inboxes of a bundle are a log that package recording reads, byte for byte what was read.
func TestInboxesCanBeReadAgain(t *testing.T) {
	r := New(Config{Budget: 100 * ms})
	w := newFakeWorld(r)
	for n := range uint64(250) {
		w.tick(n, ms, ms, ms, ms)
	}
	var file bytes.Buffer
	if _, err := r.Write(t.Context(), &file, Cause{Kind: Asked}); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, []string{"summary.txt", "bundle.json", "goroutines.txt", "map4.rec"}) {
		t.Errorf("it has %q", names)
	}
	f, err := z.Open("map4.rec")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	log, err := recording.NewReader(f)
	if err != nil || log.Header.Seed != 9 {
		t.Fatalf("%+v, %v", log, err)
	}
	for n := uint64(50); n < 250; n++ {
		record, err := log.Next()
		var in frame.Inbox
		if err != nil || record.N != n || in.UnmarshalBinary(record.Inbox) != nil || in.Len() != 1 || in.At(0).Session != uint32(n) ||
			string(in.At(0).Body) != "walk" {
			t.Fatalf("tick %d: %+v, %v", n, record, err)
		}
	}
}

// What is remembered is bounded: the oldest inboxes are dropped, and one that is too large drops the
// others.
func TestInboxesAreBounded(t *testing.T) {
	var h inboxes
	h.init(100, 50*ms)
	add := func(n uint64, size int) {
		var in frame.Inbox
		in.Add(frame.Item{Session: uint32(n), Body: make([]byte, size-12)})
		h.add(n, &in)
	}
	kept := func() (ticks []uint64) {
		for _, in := range h.take() {
			ticks = append(ticks, in.tick)
			if len(in.bytes) == 0 || in.bytes[0] != byte(in.tick) {
				t.Errorf("inbox %d is % x", in.tick, in.bytes)
			}
		}
		return ticks
	}
	for n := uint64(1); n <= 3; n++ {
		add(n, 30)
	}
	if got := kept(); !slices.Equal(got, []uint64{1, 2, 3}) {
		t.Errorf("kept %v", got)
	}
	add(4, 30) // from the beginning, where 1 was
	if got := kept(); !slices.Equal(got, []uint64{2, 3, 4}) {
		t.Errorf("kept %v", got)
	}
	add(5, 60)
	if got := kept(); !slices.Equal(got, []uint64{4, 5}) {
		t.Errorf("kept %v", got)
	}
	add(6, 101)
	if got := kept(); got != nil {
		t.Errorf("kept %v", got)
	}
	add(7, 100)
	if got := kept(); !slices.Equal(got, []uint64{7}) {
		t.Errorf("kept %v", got)
	}
	for n := uint64(10); n < 1000; n++ {
		h.add(n, new(frame.Inbox))
	}
	if got := h.take(); len(got) != 200 {
		t.Errorf("kept %d empty ones", len(got))
	}
}

// The inboxes of a window are kept at every step, and none from before it.
func TestInboxesAreOfTime(t *testing.T) {
	var h inboxes
	h.init(1<<10, 5*ms)
	for n := uint64(1); n <= 3000; n++ {
		h.add(n, new(frame.Inbox))
	}
	if got := h.take(); len(got) != 2000 || got[0].tick != 1001 {
		t.Errorf("in steps of 5 ms %d are kept", len(got))
	}
	for n := uint64(3010); n <= 9000; n += 10 {
		h.add(n, new(frame.Inbox))
	}
	if got := h.take(); len(got) != 200 || got[0].tick != 7010 {
		t.Errorf("in steps of 50 ms %d are kept", len(got))
	}
}

// A tick whose thread did not run is no system's fault: neither if it was in one meanwhile, nor if it was in none.
func TestPreemptedIsSaid(t *testing.T) {
	usual := func(n uint64) tickstats.Tick {
		return tickstats.Tick{N: n, Took: 3 * ms, Ran: 3 * ms, Spent: []time.Duration{ms, ms}}
	}
	for _, c := range []struct {
		slow tickstats.Tick
		want string
	}{
		{tickstats.Tick{Took: 307 * ms, Ran: 6 * ms, Spent: []time.Duration{ms, 302 * ms}},
			"It was preempted: its thread ran for 6ms, and did not for 301ms, as the machine, or another goroutine, did something else. It was in ai meanwhile. "},
		{tickstats.Tick{Took: 307 * ms, Ran: 6 * ms, Spent: []time.Duration{ms, ms}},
			"It was preempted: its thread ran for 6ms, and did not for 301ms, as the machine, or another goroutine, did something else. "},
		{tickstats.Tick{Took: 307 * ms, Ran: 200 * ms, Spent: []time.Duration{ms, 302 * ms}}, "ai is to blame: it took 302ms, where its median is 1ms. Next is movement with 1ms. "},
		{tickstats.Tick{Took: 307 * ms, Spent: []time.Duration{ms, 302 * ms}}, "ai is to blame: it took 302ms, where its median is 1ms. Next is movement with 1ms. "},
	} {
		o := &Observed{Systems: []string{"movement", "ai"}}
		for n := range uint64(20) {
			o.Ticks = append(o.Ticks, usual(n))
		}
		c.slow.N = 20
		o.Ticks = append(o.Ticks, c.slow)
		if said := o.blame(c.slow); said != c.want {
			t.Errorf("of %+v is said %q, want %q", c.slow, said, c.want)
		}
	}
}

// Where all ticks take too long, one that takes as long as usual was not preempted by the microseconds that its thread did not run.
func TestSteadyLoadIsNotPreempted(t *testing.T) {
	o := &Observed{Systems: []string{"movement", "ai"}}
	for n := range uint64(20) {
		o.Ticks = append(o.Ticks, tickstats.Tick{N: n, Took: 120 * ms, Ran: 120*ms - 50*time.Microsecond, Spent: []time.Duration{60 * ms, 60 * ms}})
	}
	for _, took := range []time.Duration{119 * ms, 120 * ms, 120*ms + 20*time.Microsecond} {
		slow := tickstats.Tick{N: 20, Took: took, Ran: took - 50*time.Microsecond, Spent: []time.Duration{60 * ms, took - 60*ms}}
		if said := o.blame(slow); strings.Contains(said, "preempted") {
			t.Errorf("of %v is said %q", took, said)
		}
	}
}

func TestHearingAllocatesNothing(t *testing.T) {
	r := New(Config{Budget: time.Hour})
	w := newFakeWorld(r)
	var in frame.Inbox
	for range 50 {
		in.Add(frame.Item{Body: make([]byte, 40)})
	}
	if n := testing.AllocsPerRun(5000, func() { w.Heard(1, &in); w.Ended(1, time.Second) }); n != 0 {
		t.Errorf("a tick allocates %v times", n)
	}
}

// A recorder at work: a slow tick is written down, the next within a minute is not, and the oldest files go.
func TestRun(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "flight")
	counters := new(metric.Table)
	r := New(Config{Folder: folder, Budget: 100 * ms, Every: time.Nanosecond, Keep: 3, Trace: true, Metric: counters})
	w := newFakeWorld(r)
	w.tick(1, ms, ms, ms, ms)
	done := make(chan struct{})
	ctx, cancel := contextOf(t)
	go func() { r.Run(ctx); close(done) }()
	bundles := func() []string {
		all, _ := filepath.Glob(filepath.Join(folder, "*.zip"))
		return all
	}
	for n := uint64(2); n < 12; n++ {
		w.tick(n, ms, ms, ms, 400*ms)
		await(t, "a bundle", func() bool { return counters.Value("flight.bundle") == n-1 })
	}
	all := bundles()
	if len(all) != 3 || !strings.HasSuffix(all[2], "-map4-tick11.zip") {
		t.Errorf("there are %q", all)
	}
	text, err := os.ReadFile(all[2])
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	if f, err := z.Open("trace.out"); err != nil {
		t.Errorf("no trace: %v", err)
	} else {
		defer f.Close()
		if begin, err := io.ReadAll(io.LimitReader(f, 16)); err != nil || !strings.HasPrefix(string(begin), "go 1.") {
			t.Errorf("the trace begins with %q", begin)
		}
	}
	w.Start(13) // and does not end
	await(t, "it is found stuck", func() bool { return counters.Value("flight.stuck") == 1 && counters.Value("flight.bundle") == 11 })
	all = bundles()
	file, err := os.ReadFile(all[2])
	if err != nil {
		t.Fatal(err)
	}
	b, err := Read(bytes.NewReader(file), int64(len(file)))
	if err != nil || b.Cause.Kind != Stuck || !strings.HasPrefix(b.Summary, "Tick 13 of map 4 (Here) has been running for ") {
		t.Errorf("%v: %+v", err, b)
	}
	cancel()
	<-done
	if n := counters.Value("flight.failed"); n != 0 {
		t.Errorf("%d bundles failed", n)
	}
}

func TestFewBundles(t *testing.T) {
	counters := new(metric.Table)
	r := New(Config{Budget: 100 * ms, Metric: counters})
	w := newFakeWorld(r)
	for n := range uint64(5) {
		w.tick(n, ms, ms, ms, 400*ms)
		r.write(t.Context(), <-r.slow)
	}
	if n := counters.Value("flight.bundle"); n != 1 {
		t.Errorf("%d bundles in less than a minute", n)
	}
}

func TestReadRefuses(t *testing.T) {
	var other bytes.Buffer
	z := zip.NewWriter(&other)
	z.Create("bundle.txt")
	z.Close()
	for name, b := range map[string][]byte{"text": []byte("no archive"), "nothing": nil, "another archive": other.Bytes()} {
		if _, err := Read(bytes.NewReader(b), int64(len(b))); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
