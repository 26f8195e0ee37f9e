package replica

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/cmd/internal/demand"
	"muster/cmd/internal/keptworld"
	"muster/cmd/internal/worldspec"
	"muster/internal/metric"
	"muster/loaders/registry"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/net/replication/streamlog"
)

// runAgain is the hash of the world that the log has after a tick, of which all was read from its beginning, without any snapshot.
func (r *replicaOf) runAgain(t *testing.T, tick uint64) uint64 {
	t.Helper()
	w := worldspec.NewWorld(&r.header, r.defs, new(metric.Table))
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	var f streamlog.Follower
	var fr frame.Frame
	last := uint64(0)
	var failed error
	err := r.Place.Stream.Follow(ctx, r.Place.Subject, 0, func(m streamlog.Message) {
		if last == tick || failed != nil {
			return
		}
		failed = f.Take(m, func(record recording.Record) error {
			if record.Inbox == nil || last == tick {
				return nil
			}
			if err := w.Inbox().UnmarshalBinary(record.Inbox); err != nil {
				return err
			}
			w.Tick(record.N, &fr)
			last = record.N
			return nil
		})
		if last == tick || failed != nil {
			stop()
		}
	})
	if err := errors.Join(err, failed); err != nil || last != tick {
		t.Fatalf("the log is run again up to tick %d, want %d: %v", last, tick, err)
	}
	return w.Hash()
}

// A snapshot that is asked for is in the object store when that is answered: of the world as its log has it after that tick, of a map and of an instance that the registry has given, of a
// world that steps and of one that stands still. Where no process has the world, or it has no tick yet, it is said so.
func TestSnapshotIsAskedFor(t *testing.T) {
	t.Parallel()
	server, bus, stream := startRealm(t)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	of := keptworld.Place{Bus: server.ClientURL(), RealmName: "r", Map: []uint32{0}, Instance: []uint32{9}}
	if _, err := stream.Append(ctx, "muster.r.log.0.9", []byte{1}, 0); err != nil { // it is not read
		t.Fatal(err)
	}
	if err := of.Demand(ctx, nil); !errors.Is(err, demand.ErrNoLeader) || !strings.HasPrefix(err.Error(), "map 0, instance 9: ") {
		t.Errorf("of a world without a worker: %v", err)
	}
	for _, instance := range []uint32{0, 12} {
		r := newReplicaOf(t, bus, stream, false)
		r.every = time.Hour
		if instance != 0 {
			a := new(Assignment)
			a.Order(1, true, false)
			r.Assign(registry.Shard{Map: r.address.Map, Instance: instance}, a, r.made)
		}
		of.Map, of.Instance = []uint32{r.address.Map}, []uint32{instance}
		ask := func() (a demand.Answer, err error) {
			err = of.Demand(ctx, func(at keptworld.Shard, got demand.Answer) error {
				if a = got; at != (keptworld.Shard{Map: r.address.Map, Instance: instance}) {
					t.Errorf("the snapshot is of %v", at)
				}
				return nil
			})
			return a, err
		}
		running.Go(func() {
			if err := r.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		eventually(t, "it has the world", r.Has)
		if _, err := ask(); err == nil || !strings.Contains(err.Error(), "keeps no snapshot: "+streamlog.ErrNoTick.Error()) {
			t.Errorf("before the first tick: %v", err)
		}
		say := func(item frame.Item) {
			t.Helper()
			var in frame.Inbox
			if err := errors.Join(in.Add(item), r.live.Exchange.Post(&in)); err != nil {
				t.Fatal(err)
			}
		}
		say(frame.Item{Session: 7, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, newcomer(7))})
		goesOn := func() {
			t.Helper()
			at := r.live.Exchange.Newest()
			eventually(t, "the world goes on", func() bool { return r.live.Exchange.Newest() >= at+r.second() })
		}
		goesOn()
		isKept := func(what string) (tick uint64) {
			t.Helper()
			before := r.live.Exchange.Newest()
			a, err := ask()
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if a.Tick < before || a.Tick > r.live.Exchange.Newest() {
				t.Errorf("%s: the snapshot is of tick %d, asked for after tick %d", what, a.Tick, before)
			}
			s, err := r.Place.At(ctx, a.Tick)
			if err != nil || s.N != a.Tick {
				t.Fatalf("%s: the object store has %+v of tick %d, %v", what, s, a.Tick, err)
			}
			w := worldspec.NewWorld(&r.header, r.defs, new(metric.Table))
			if err := worldspec.RestoreWorld(w, s); err != nil { // which has the state that was written
				t.Errorf("%s: %v", what, err)
			}
			hash := streamlog.Hash(s.State)
			if got, want := w.Hash(), r.runAgain(t, a.Tick); got != want || !bytes.Equal(a.Hash, hash[:]) {
				t.Errorf("%s: after tick %d the hash of the world is %016x, want %016x; the hash of its state is %x, and answered %x", what, a.Tick, got, want, hash, a.Hash)
			}
			return a.Tick
		}
		one := isKept("it steps")
		both, answered := of, 0
		both.Instance = []uint32{9, instance}
		err := both.Demand(ctx, func(keptworld.Shard, demand.Answer) error {
			answered++
			return nil
		})
		if !errors.Is(err, demand.ErrNoLeader) || answered != 1 {
			t.Errorf("one of two worlds has no worker: %v, and %d are answered, want one", err, answered)
		}
		goesOn()
		if two := isKept("it steps on"); two <= one {
			t.Errorf("the second is of tick %d, and the first of %d", two, one)
		}
		answers := make(chan demand.Answer, 1)
		repeated := demand.Ask{ID: 77}
		stop, err := bus.Subscribe(r.address.Lead(), func(b []byte) {
			if a, ok := demand.ReadAnswer(b); ok && a.ID == repeated.ID {
				answers <- a
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		again := func() (a demand.Answer) {
			t.Helper()
			eventually(t, "a question is answered", func() bool {
				if err := bus.Publish(r.address.Lead(), repeated.Append(nil)); err != nil {
					t.Fatal(err)
				}
				select {
				case a = <-answers:
					return true
				case <-time.After(askPause / 4):
					return false
				}
			})
			return a
		}
		answer, taken := again(), r.counted(streamlog.Snapshots)
		for since := time.Now(); time.Since(since) < askPause; {
			goesOn() // another one could be taken
		}
		if a := again(); a.Tick != answer.Tick || !bytes.Equal(a.Hash, answer.Hash) || r.counted(streamlog.Snapshots) != taken {
			t.Errorf("what is asked again is answered with %+v, and was with %+v; %d snapshots were kept, and then %d", a, answer, taken, r.counted(streamlog.Snapshots))
		}
		stop()
		say(frame.Item{Session: 7, Op: frame.OpLeave})
		eventually(t, "it stands still", func() bool {
			at := r.live.Exchange.Newest()
			_, err := ask()
			return err == nil && at == r.live.Exchange.Newest()
		})
		taken = r.counted(streamlog.Snapshots)
		if still := isKept("it stands still"); still != r.live.Exchange.Newest() || r.counted(streamlog.Snapshots) != taken {
			t.Errorf("it stands still after tick %d, and the snapshot is of %d; %d were kept, and then %d", r.live.Exchange.Newest(), still, taken, r.counted(streamlog.Snapshots))
		}

		// What begins with the newest, which the world stands still after, is the same world.
		err = of.Each(ctx, func(w *keptworld.World) error {
			if want := r.runAgain(t, w.Since); w.Since != r.live.Exchange.Newest() || w.Tick != w.Since || w.World.Hash() != want {
				t.Errorf("it is read as of tick %d, since tick %d, with the hash %016x; want tick %d, %016x", w.Tick, w.Since, w.World.Hash(), r.live.Exchange.Newest(), want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// A process that loses its world, or ends, leaves what was asked to the one that has the world then.
func TestLostWorldAnswersNoQuestion(t *testing.T) {
	t.Parallel()
	_, bus, stream := startRealm(t)
	r := newReplicaOf(t, bus, stream, false)
	for _, err := range []error{streamlog.ErrMoved, context.Canceled, streamlog.ErrKeeping} {
		r.snapping = 5
		if r.tookSnapshot(5, nil, err); r.snapped.ID != 0 || r.snapping != 0 {
			t.Errorf("after %v it has answered %+v, and %d is open; want none", err, r.snapped, r.snapping)
		}
	}
	if r.tookSnapshot(5, nil, streamlog.ErrNoTick); r.snapped.ID != 5 || r.snapped.Why != streamlog.ErrNoTick.Error() {
		t.Errorf("answered is %+v, want that there is no tick", r.snapped)
	}
}
