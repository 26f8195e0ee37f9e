package main

import (
	"context"
	endian "encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"muster/cmd/internal/link"
	"muster/internal/pgtest"
	"muster/internal/testseed"
	"muster/loaders/registry"
	"muster/net/protocol/msg"
	"muster/net/replication/natsbus"
	"muster/net/replication/remote"
	"muster/net/replication/streamlog"
)

// A rotation is many orchestrators and some workers that are stopped, go on, are killed and take each other's place, over one registry.
type rotation struct {
	t             *testing.T
	dice          *rand.Rand
	registry      *registry.Registry
	orchestrators []*paused
	workers       []*paused
	begin         [2]func() *working // an orchestrator, a worker
	all           []*working         // all workers that there ever were
	history       *history
	database, bus string
}

// A paused is a place for a process, which is stopped until a moment; zero if it runs.
type paused struct {
	*working
	until time.Time
}

const (
	rotated      = 8                // orchestrators
	rotatedLives = 3                // workers
	rotatedPause = 6 * time.Second  // the longest, longer than a lease
	shardless    = 10 * time.Second // the longest that a shard may be without a worker that runs
)

func startRotation(t *testing.T, seed uint64, durable bool) *rotation {
	t.Helper()
	url := pgtest.New(t).URL(t)
	bus, kept, standbys := "", []string{}, "0"
	if durable {
		bus, kept, standbys = startStreams(t).ClientURL(), []string{"--durable", "world"}, "1"
	} else {
		core := startBus(t, 0)
		t.Cleanup(core.Shutdown)
		bus = core.ClientURL()
	}
	r := &rotation{t: t, dice: rand.New(rand.NewPCG(seed, 8)), history: &history{seed: seed}, database: url, bus: bus}
	r.begin[0] = func() *working { return begin(t, "orchestrate", "--database", url, "--standbys", standbys) }
	r.begin[1] = func() *working {
		w := work(t, append([]string{"--bus", bus, "--database", url, "--creatures", "0", "--start", "one"}, kept...)...)
		r.all = append(r.all, w)
		return w
	}
	for range rotatedLives {
		r.workers = append(r.workers, &paused{working: r.begin[1]()})
	}
	for range rotated {
		r.orchestrators = append(r.orchestrators, &paused{working: r.begin[0]()})
	}
	var err error
	if r.registry, err = registry.Open(t.Context(), registry.Config{URL: url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.registry.Close)
	return r
}

// act stops, continues or kills one of some processes of a role; keep of them run on.
func (r *rotation) act(role string, of []*paused, keep int, fresh func() *working) {
	now := time.Now()
	running := 0
	for _, p := range of {
		if p.until.IsZero() {
			running++
		} else if now.After(p.until) {
			p.cmd.Process.Signal(syscall.SIGCONT)
			r.history.note(event{role: role, pid: p.cmd.Process.Pid, what: "goes on"})
			p.until = time.Time{}
			running++
		}
	}
	p := of[r.dice.IntN(len(of))]
	switch {
	case !p.until.IsZero() || running <= keep:
	case r.dice.IntN(3) == 0:
		p.cmd.Process.Kill()
		r.history.note(event{role: role, pid: p.cmd.Process.Pid, what: "is killed"})
		<-p.ended
		p.working = fresh()
		r.history.note(event{role: role, pid: p.cmd.Process.Pid, what: "has begun"})
	default:
		p.cmd.Process.Signal(syscall.SIGSTOP)
		pause := time.Duration(r.dice.Int64N(int64(rotatedPause)))
		r.history.note(event{role: role, pid: p.cmd.Process.Pid, what: fmt.Sprintf("is stopped for %v", pause.Round(time.Millisecond))})
		p.until = now.Add(pause)
	}
}

// proceed has all processes run.
func (r *rotation) proceed() {
	for _, p := range append(append([]*paused{}, r.orchestrators...), r.workers...) {
		if !p.until.IsZero() {
			p.cmd.Process.Signal(syscall.SIGCONT)
			p.until = time.Time{}
		}
	}
	r.history.note(event{what: "all go on"})
}

// A shardWatch looks at the registry all the while: epochs grow, each is one worker's, and each shard has a worker that runs it.
type shardWatch struct {
	owners map[[2]uint64]uint64 // workers, by map and epoch
	newest map[uint32]uint64    // epochs, by map
	states map[uint32]string    // by map, for the history
	pids   map[uint64]int       // of workers, by number
	live   map[uint64]bool      // those whose lease is not over
	leader int                  // the process that leads
	runs   map[uint32]time.Time // when it was seen last to run at a worker whose lease is not over
	gap    time.Duration        // the longest that one has not
	why    string               // its history
	late   time.Duration        // the longest between two looks: what the machine keeps from this process, it keeps from others
	failed []string
}

// see notes which workers there are and which process leads, and returns the workers.
func (w *shardWatch) see(processes []registry.Process, h *history) map[uint64]bool {
	live := make(map[uint64]bool)
	for _, p := range processes {
		switch {
		case p.Role == registry.RoleWorker:
			live[p.ID], w.pids[p.ID] = true, p.PID
		case p.Leads && p.PID != w.leader:
			w.leader = p.PID
			h.note(event{role: p.Role, pid: p.PID, what: leads})
		}
	}
	for id, pid := range w.pids {
		if !live[id] && w.live[id] {
			h.note(event{role: registry.RoleWorker, pid: pid, what: "has a lease that is over"})
		}
	}
	w.live = live
	return live
}

// look checks what there is of shards.
func (w *shardWatch) look(workers map[uint64]bool, shards []registry.Shard, h *history) {
	now := time.Now()
	for _, s := range shards {
		name := fmt.Sprint("map ", s.Map)
		if state := fmt.Sprintf("%s, worker %d, epoch %d", s.State, w.pids[s.Worker], s.Epoch); state != w.states[s.Map] {
			w.states[s.Map] = state
			h.note(event{shard: name, what: state})
		}
		if s.Epoch < w.newest[s.Map] {
			w.failed = append(w.failed, fmt.Sprintf("map %d had epoch %d, and has %d", s.Map, w.newest[s.Map], s.Epoch))
		}
		w.newest[s.Map] = s.Epoch
		if s.Worker == 0 {
			continue
		}
		key := [2]uint64{uint64(s.Map), s.Epoch}
		if was, ok := w.owners[key]; ok && was != s.Worker {
			w.failed = append(w.failed, fmt.Sprintf("epoch %d of map %d was given to the workers %d and %d", s.Epoch, s.Map, was, s.Worker))
		}
		w.owners[key] = s.Worker
		if s.State == registry.Runs && workers[s.Worker] {
			if last, ok := w.runs[s.Map]; ok {
				if gap := now.Sub(last); gap > w.gap {
					w.gap, w.why = gap, name+" "+h.of(name, last)
				}
			}
			w.runs[s.Map] = now
		}
	}
}

// follow looks until ctx ends.
func (w *shardWatch) follow(ctx context.Context, r *registry.Registry, h *history) {
	looked := time.Now()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for {
		select {
		case <-poll.C:
		case <-ctx.Done():
			return
		}
		processes, err := r.Processes(ctx, "muster")
		if err != nil {
			continue
		}
		live := w.see(processes, h)
		if shards, err := r.Shards(ctx, "muster"); err == nil {
			w.look(live, shards, h)
			w.late = max(w.late, time.Since(looked))
			looked = time.Now()
		}
	}
}

// A logWatch reads the log of a map as workers append to it. One that appends has read all that the one before has appended, which appends no more. Each numbers its entries.
type logWatch struct {
	subject string
	mu      sync.Mutex      // of what follows
	began   map[uint64]bool // workers' worlds that have appended, by the number of their writer
	writer  uint64          // of the last entry
	ordinal uint64          // as well
	entries int
	failed  []string
}

// take takes an entry: version u8, flags u8, and the numbers of the log, of the writer and of the entry among those of the writer, each u64, little-endian.
func (w *logWatch) take(m streamlog.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(m.Body) < 26 {
		w.failed = append(w.failed, fmt.Sprintf("%s: entry %d has %d bytes", w.subject, m.Number, len(m.Body)))
		return
	}
	writer, ordinal := endian.LittleEndian.Uint64(m.Body[10:]), endian.LittleEndian.Uint64(m.Body[18:])
	switch {
	case writer == w.writer && ordinal != w.ordinal+1, writer != w.writer && ordinal != 1:
		w.failed = append(w.failed, fmt.Sprintf("%s: position %d is entry %d of writer %d, after %d of %d", w.subject, m.Number, ordinal, writer, w.ordinal, w.writer))
	case writer != w.writer && (w.began[writer] || writer < w.writer):
		w.failed = append(w.failed, fmt.Sprintf("%s: at position %d writer %d appends after %d", w.subject, m.Number, writer, w.writer))
	}
	w.began[writer], w.writer, w.ordinal = true, writer, ordinal
	w.entries++
}

// appended is how many writers have appended how many entries to logs.
func appended(logs []*logWatch) (writers, entries int) {
	for _, l := range logs {
		l.mu.Lock()
		writers, entries = writers+len(l.began), entries+l.entries
		l.mu.Unlock()
	}
	return writers, entries
}

// followLogs reads the logs of all maps until ctx ends, and returns what waits for that, too.
func (r *rotation) followLogs(ctx context.Context) (all []*logWatch, wait func()) {
	t := r.t
	t.Helper()
	bus, err := natsbus.Connect(natsbus.Config{URL: r.bus, Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(bus.Close)
	realm := link.Subject("muster")
	stream, err := bus.Stream(ctx, natsbus.StreamConfig{Realm: realm, Replicas: 1})
	if err != nil {
		t.Fatal(err)
	}
	var reading sync.WaitGroup
	for id := range uint32(3) {
		w := &logWatch{subject: remote.Address{Realm: realm, Map: id}.Log(), began: make(map[uint64]bool)}
		all = append(all, w)
		reading.Go(func() {
			if err := stream.Follow(ctx, w.subject, 1, w.take); err != nil {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.failed = append(w.failed, fmt.Sprintf("%s: %v", w.subject, err))
			}
		})
	}
	return all, reading.Wait
}

// inhabit keeps a player on each map, through a gateway, until ctx ends: a world without players is not stepped. It returns what waits for that.
func (r *rotation) inhabit(ctx context.Context) (wait func()) {
	t := r.t
	t.Helper()
	s := serve(t, "--bus", r.bus, "--database", r.database, "--data", t.TempDir(), "--creatures", "0", "--start", "one", "--open-level", "3")
	var playing sync.WaitGroup
	for id := range 3 {
		v := visit(t, s, fmt.Sprintf("KEEPER%c", 'A'+id))
		v.create(fmt.Sprintf("Keeper%c", 'a'+id))
		if at := v.enter(); at.Map != uint32(id) {
			v.command(".go xyz 0 0 100 %d", id)
			v.await(msg.OpNewWorld, new(msg.Place))
			v.say(msg.OpMoveWorldportAck, &msg.Empty{})
			v.await(msg.OpTimeSyncReq, new(msg.TimeSyncReq))
		}
		v.socket.Close()
		playing.Go(func() {
			again := time.NewTicker(500 * time.Millisecond)
			defer again.Stop()
			for ctx.Err() == nil {
				var once sync.WaitGroup
				once.Go(func() { s.stay(ctx, v.name, v.guid) })
				once.Wait()
				<-again.C
			}
		})
	}
	return playing.Wait
}

// stay has a character enter its world, and reads what it is sent until it is closed, which ends the goroutine, or ctx ends.
func (s *served) stay(ctx context.Context, account string, guid uint64) {
	v := &visitor{t: s.t, name: account, guid: guid, mortal: true}
	v.logsIn(s.auth)
	v.greet(s, func(*msg.AuthSession) {})
	socket := v.socket
	defer context.AfterFunc(ctx, func() { socket.Close() })()
	defer socket.Close()
	v.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: guid})
	for {
		if op, _ := v.next(); op == msg.OpCharacterLoginFailed {
			return
		}
	}
}

var givenWorld = regexp.MustCompile(`msg="(?:a world is given|this worker has gone on with a world that it followed)" map=(\d+) (?:instance=\d+ )?epoch=(\d+)`)

// begun checks that each epoch of a map was begun by one process at most, by their logs.
func (r *rotation) begun() (epochs int) {
	by := make(map[[2]string]int)
	for i, w := range r.all {
		w.mu.Lock()
		text := w.log.String()
		w.mu.Unlock()
		for _, m := range givenWorld.FindAllStringSubmatch(text, -1) {
			key := [2]string{m[1], m[2]}
			if other, ok := by[key]; ok && other != i {
				r.t.Errorf("epoch %s of map %s was begun by two workers", m[2], m[1])
			}
			by[key] = i
		}
	}
	return len(by)
}

// However eight orchestrators and three workers are stopped, go on, and are killed: no epoch of a shard is two workers', epochs grow, and no
// shard is without a worker that runs it for more than 10 s while a worker and an orchestrator are left to run. ORCHESTRATIONS is how many seeds there are: 200 in make cluster-test.
func TestOrchestratorsAreKilled(t *testing.T) {
	waits(t)
	rotate(t, false)
}

// The same holds of worlds in logs, which also go on at standbys. No two workers have one position of a log: each entry is the next of the one that has appended last, or the first
// of a new one, and what another has followed appends no more.
func TestOrchestratorsOfLogsAreKilled(t *testing.T) {
	waits(t)
	rotate(t, true)
}

// rotate stops, continues and kills orchestrators and workers, and watches the shards.
func rotate(t *testing.T, durable bool) {
	t.Helper()
	seeds, steps := 1, 150
	if text := os.Getenv("ORCHESTRATIONS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		seeds, steps = n, 60
	}
	first := testseed.Of(t)
	r := startRotation(t, first, durable)
	w := &shardWatch{
		owners: make(map[[2]uint64]uint64), newest: make(map[uint32]uint64), runs: make(map[uint32]time.Time), states: make(map[uint32]string), pids: make(map[uint64]int),
	}
	ctx, stop := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { w.follow(ctx, r.registry, r.history) })
	settled := func() {
		t.Helper()
		eventually(t, "every shard runs at a worker that lives", func() bool {
			processes, err := r.registry.Processes(t.Context(), "muster")
			live := make(map[uint64]bool)
			for _, p := range processes {
				live[p.ID] = true
			}
			shards, err2 := r.registry.Shards(t.Context(), "muster")
			if err != nil || err2 != nil || len(shards) != 3 {
				return false
			}
			for _, s := range shards {
				if s.State != registry.Runs || !live[s.Worker] {
					return false
				}
			}
			return true
		})
	}
	settled()
	var logs []*logWatch
	read, emptied := func() {}, func() {}
	if durable {
		logs, read = r.followLogs(ctx)
		emptied = r.inhabit(ctx)
	}
	for seed := range uint64(seeds) {
		r.dice = rand.New(rand.NewPCG(first+seed, 8))
		r.history.begin(first + seed)
		pace := time.NewTicker(100 * time.Millisecond)
		for range steps {
			<-pace.C
			r.act(registry.RoleOrchestrate, r.orchestrators, 1, r.begin[0])
			if r.dice.IntN(4) == 0 {
				r.act(registry.RoleWorker, r.workers, 1, r.begin[1])
			}
		}
		pace.Stop()
		r.proceed()
		settled()
		if t.Failed() {
			t.Logf("with seed %d", first+seed)
			break
		}
	}
	eventually(t, "the writers of logs have appended 20 entries each, on average", func() bool {
		writers, entries := appended(logs)
		return entries >= 20*writers
	})
	stop()
	watching.Wait()
	emptied()
	read()
	for _, what := range w.failed {
		t.Error(what)
	}
	for _, l := range logs {
		for _, what := range l.failed {
			t.Error(what)
		}
	}
	if durable {
		writers, entries := appended(logs)
		if writers < 3+seeds {
			t.Errorf("%d writers appended %d entries: that is no test", writers, entries)
		}
		t.Logf("%d writers appended %d entries to the logs", writers, entries)
	}
	epochs := r.begun()
	if least := len(w.newest) + seeds; epochs < least {
		t.Errorf("%d epochs were begun, want %d: that is no test", epochs, least)
	}
	t.Logf("%d epochs were begun, and no shard was without a worker for more than %v; looks were %v apart at most", epochs, w.gap.Round(time.Millisecond), w.late.Round(time.Millisecond))
	t.Logf("the longest was of %s", w.why)
	if allowed := shardless + 10*w.late; seeds > 1 && w.gap > allowed { // what a shard waits for passes through some processes
		t.Errorf("a shard was without a worker for %v, want %v at most", w.gap, allowed)
	}
}
