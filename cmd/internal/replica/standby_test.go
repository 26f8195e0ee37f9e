package replica

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"

	"muster/cmd/internal/keptworld"
	"muster/cmd/internal/link"
	"muster/cmd/internal/worldset"
	"muster/cmd/internal/worldspec"
	"muster/internal/metric"
	"muster/loaders/registry"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/natsbus"
	"muster/net/replication/recording"
	"muster/net/replication/span"
	"muster/net/replication/streamlog"
)

// A replicaOf is a replica in the process of a test.
type replicaOf struct {
	*Replica
	log bytes.Buffer // nothing writes to it when run has returned
}

// newReplicaOf makes a replica of map 0 over a bus.
func newReplicaOf(t *testing.T, bus *natsbus.Bus, stream *natsbus.Stream, standby bool) *replicaOf {
	t.Helper()
	return newTracedOf(t, bus, stream, standby, nil)
}

// newTracedOf is newReplicaOf, of a process that traces movements.
func newTracedOf(t *testing.T, bus *natsbus.Bus, stream *natsbus.Stream, standby bool, tracer *span.Tracer) *replicaOf {
	t.Helper()
	flags := worldspec.Settings{
		Seed: 1, Creatures: 20, Start: "one", Clock: "real", Tick: 25 * time.Millisecond, DeathReclaim: "anywhere", RateXP: 1, Strikes: 10, CPUBudget: 1,
	}
	flags.Divide()
	r := new(replicaOf)
	log := slog.New(slog.NewTextHandler(&r.log, nil))
	set, err := worldset.New(&flags, nil, new(metric.Table), log)
	if err == nil {
		set.Tracer = tracer
		err = set.MakeWorlds(set.AllMaps()[:1], false, link.Kept)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.Replica = New(&Durability{Standby: standby, SnapshotEvery: 4 * time.Second}, "r", set, 0, set.AllMaps()[0], bus, stream, NewHeartbeats(bus, set.Metric))
	return r
}

// A leaderOf is a replica in the process of a test that has a world, which steps when the test says so.
type leaderOf struct {
	*replicaOf
	ctx    context.Context // ends with the test
	server *nats.Server
	bus    *natsbus.Bus
	stream *natsbus.Stream
	n      uint64        // the last tick
	stride uint64        // ticks of a step
	purged atomic.Uint64 // the number before which its log was
}

// startLeader starts a server of NATS, and a replica that has a world in it.
func startLeader(t *testing.T) *leaderOf {
	t.Helper()
	l := &leaderOf{server: startStreams(t)}
	var err error
	if l.bus, err = natsbus.Connect(natsbus.Config{URL: l.server.ClientURL(), Name: "test"}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.bus.Close)
	if l.stream, err = l.bus.Stream(t.Context(), natsbus.StreamConfig{Realm: "r", Replicas: 1, Memory: true}); err != nil {
		t.Fatal(err)
	}
	l.start(t, 0)
	return l
}

// instance starts a replica that has the world of an instance beside another one.
func (l *leaderOf) instance(t *testing.T, number uint32) *leaderOf {
	t.Helper()
	of := &leaderOf{server: l.server, bus: l.bus, stream: l.stream}
	of.start(t, number)
	return of
}

func (l *leaderOf) start(t *testing.T, instance uint32) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	l.ctx, l.replicaOf = ctx, newReplicaOf(t, l.bus, l.stream, false)
	if instance != 0 {
		a := new(Assignment)
		a.Order(1, true, false)
		l.Assign(registry.Shard{Map: l.address.Map, Instance: instance}, a, l.made)
	}
	l.Place.Stream = &notedStream{l.stream, &l.purged}
	writer, err := l.follow(ctx, time.Now())
	if err != nil || writer == nil {
		t.Fatalf("the first has no log: %v, %v", writer, err)
	}
	l.stride, l.live.Log = l.ticks(50*time.Millisecond), writer
	running.Go(func() { writer.Run(ctx) })
	running.Go(func() { l.beat(ctx, writer.Life()) })
}

// step steps the world until there were so many steps.
func (l *leaderOf) step(steps uint64) {
	for l.n < steps*l.stride {
		l.n += l.stride
		l.live.Step(l.n)
	}
}

// A notedStream notes the number before which it has been purged.
type notedStream struct {
	streamlog.Stream
	purged *atomic.Uint64
}

func (s *notedStream) Purge(ctx context.Context, subject string, before uint64) error {
	err := s.Stream.Purge(ctx, subject, before)
	if err == nil {
		s.purged.Store(before)
	}
	return err
}

// counted is the value of a counter.
func (r *replicaOf) counted(name string) (n uint64) {
	r.metric.Each(func(at string, of uint64) {
		if at == name {
			n = of
		}
	})
	return n
}

// A standby in whose world one component of one player differs says so, with the tick and the component, and begins again: then its world is the
// one that the log has. The verbs read that log, too.
func TestStandbyThatDiffersIsRebuilt(t *testing.T) {
	t.Parallel()
	one := startLeader(t)
	ctx := one.ctx
	const facing = 0x3F9AF00D // a float of 1.2105, and no other value
	anna := newcomer(7)
	anna.O = math.Float32frombits(facing)
	var in frame.Inbox
	if err := in.Add(frame.Item{Session: 7, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, anna)}); err != nil {
		t.Fatal(err)
	}
	if err := one.live.Exchange.Post(&in); err != nil {
		t.Fatal(err)
	}
	stride, step := one.stride, one.step
	step(10)
	state, err := one.live.World.AppendSnapshot(nil)
	if err != nil {
		t.Fatal(err)
	}
	step(70)
	has := func(steps uint64) func() bool {
		return func() bool {
			newest := uint64(0)
			err := one.Place.Read(ctx, func(*recording.Header, *streamlog.Snapshot) error { return nil }, func(record recording.Record) error {
				newest = max(newest, record.N)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			return newest == steps*stride
		}
	}
	eventually(t, "the log has all ticks", has(70))

	two := newReplicaOf(t, one.bus, one.stream, true)
	at := bytes.Index(state, []byte{facing & 0xFF, facing >> 8 & 0xFF, facing >> 16 & 0xFF, facing >> 24})
	if at < 0 {
		t.Fatal("what she faces is not in the state")
	}
	state[at] ^= 1
	if err := two.live.World.Restore(state); err != nil {
		t.Fatal(err)
	}
	two.tick = 10 * stride
	following, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- two.Run(following) }()
	select {
	case <-two.ready:
	case err := <-ended:
		t.Fatalf("the standby ended with %v\n%s", err, two.log.String())
	case <-time.After(patience):
		t.Fatal("the standby is not ready")
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if got, want := two.counted(worldsDiffer), uint64(1); got != want || two.counted(worldsRebuilt) != 1 {
		t.Errorf("it differed %d times, and was rebuilt %d times\n%s", got, two.counted(worldsRebuilt), two.log.String())
	}
	// Step 20 begins the second that both have stepped from its beginning, step 40 ends it.
	if want := fmt.Sprintf(`level=ERROR msg="worlds that have read the same differ" map=0 tick=%d in=Position`, 40*stride); !strings.Contains(two.log.String(), want+"\n") {
		t.Errorf("it logged\n%swant %s", two.log.String(), want)
	}
	if two.tick != one.n || two.live.World.Hash() != one.live.World.Hash() {
		t.Errorf("rebuilt, after tick %d, its hash is %016x; that of the other, after tick %d, is %016x", two.tick, two.live.World.Hash(), one.n, one.live.World.Hash())
	}

	step(100)
	eventually(t, "there is a snapshot", func() bool { return one.counted("streamlog.snapshot") == 1 && has(100)() })
	visited := 0
	log := keptworld.Place{Bus: one.server.ClientURL(), RealmName: "r"}
	err = log.Each(ctx, func(w *keptworld.World) error {
		visited++
		if w.Tick != one.n || w.World.Hash() != one.live.World.Hash() || w.Since != 80*stride || w.Ticks != 20 {
			t.Errorf("after tick %d, which is %d ticks after tick %d, the hash is %016x; want %016x after tick %d, 20 after tick %d",
				w.Tick, w.Ticks, w.Since, w.World.Hash(), one.live.World.Hash(), one.n, 80*stride)
		}
		return nil
	})
	if err != nil || visited != 1 {
		t.Errorf("%d worlds of the log are read: %v", visited, err)
	}
}
