package replica

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"muster/cmd/internal/keptworld"
	"muster/loaders/registry"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/natsbus"
	"muster/net/replication/streamlog"
)

// A world that was saved takes the place of a later one in its log when no process has that and no player is in it: the next worker goes on with it, at its tick, in a log of another
// number, and so does the one after that. So it is with an instance.
func TestWorldIsRestoredIntoItsLog(t *testing.T) {
	t.Parallel()
	for _, instance := range []uint32{0, 12} {
		t.Run(fmt.Sprint(instance), func(t *testing.T) {
			t.Parallel()
			testRestoredIntoLog(t, instance)
		})
	}
}

func testRestoredIntoLog(t *testing.T, instance uint32) {
	server := startStreams(t)
	bus, err := natsbus.Connect(natsbus.Config{URL: server.ClientURL(), Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	stream, err := bus.Stream(t.Context(), natsbus.StreamConfig{Realm: "r", Replicas: 1, Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	defer running.Wait()
	replicaOfWorld := func(successor bool) (r *replicaOf) {
		r = newReplicaOf(t, bus, stream, successor)
		if instance != 0 {
			a := new(Assignment)
			a.Order(1, true, false)
			r.Assign(registry.Shard{Map: r.address.Map, Instance: instance}, a, r.made)
		}
		return r
	}
	run := func() (r *replicaOf, stop func()) {
		t.Helper()
		r = replicaOfWorld(false)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		running.Go(func() { ended <- r.Run(ctx) })
		eventually(t, "it has the world", func() bool {
			select {
			case err := <-ended:
				t.Fatalf("it ended with %v\n%s", err, r.log.String())
			default:
			}
			return r.Has()
		})
		return r, func() {
			t.Helper()
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	}
	say := func(r *replicaOf, item frame.Item) {
		t.Helper()
		var in frame.Inbox
		if err := errors.Join(in.Add(item), r.live.Exchange.Post(&in)); err != nil {
			t.Fatal(err)
		}
		at := r.live.Exchange.Newest()
		eventually(t, "the world goes on", func() bool { return r.live.Exchange.Newest() > at })
	}
	in, from := &keptworld.Place{Bus: server.ClientURL(), RealmName: "r", Compares: true}, &keptworld.Place{From: t.TempDir()}
	has := func(players int) { // in the log
		t.Helper()
		eventually(t, "its player is there, or not", func() bool {
			got := -1
			if err := in.Each(t.Context(), func(w *keptworld.World) error {
				got = w.World.Players()
				return nil
			}); err != nil {
				t.Error(err)
			}
			return got == players
		})
	}
	enters := frame.Item{Session: 7, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, newcomer(7))}
	restore := func(asStored bool) (restored []keptworld.Restored, err error) {
		err = keptworld.RestoreLogs(t.Context(), from, in, asStored, func(w keptworld.Restored) { restored = append(restored, w) })
		return restored, err
	}
	// log is the number of the log, its newest snapshot, and its last entry.
	log := func(r *replicaOf) (number uint64, s *streamlog.Snapshot, last uint64) {
		t.Helper()
		s, err := r.Place.Newest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		end, err := stream.Last(t.Context(), r.Place.Subject)
		if err != nil {
			t.Fatal(err)
		}
		if s != nil {
			number = s.Log
		}
		return number, s, end.Number
	}

	one, stop := run()
	say(one, enters)
	has(1)
	var saved, hash uint64
	if err := in.Each(t.Context(), func(w *keptworld.World) error {
		if _, err := w.Save(from.From); err != nil {
			return err
		}
		_, err := w.Leave()
		saved, hash = w.Tick, w.World.Hash()
		return err
	}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "there is a snapshot", func() bool { return one.counted(streamlog.Snapshots) > 0 })
	if restored, err := restore(true); err == nil || !strings.Contains(err.Error(), "has the world: end all workers") || restored != nil {
		t.Errorf("under a worker: %v, %v", restored, err)
	}
	stop()
	number, was, last := log(one)
	if restored, err := restore(false); err == nil || !strings.Contains(err.Error(), "1 players are in the world that is there") || restored != nil {
		t.Errorf("with a player in the world: %v, %v", restored, err)
	}
	if n, s, l := log(one); n != number || s.N != was.N || l != last {
		t.Errorf("refused, it has changed: %d, %d, %d; it was %d, %d, %d", n, s.N, l, number, was.N, last)
	}
	two, stop := run()
	say(two, frame.Item{Session: 7, Op: frame.OpLeave})
	has(0)
	stop()

	for range 2 { // it may be said again
		restored, err := restore(false)
		if err != nil || len(restored) != 1 || restored[0] != (keptworld.Restored{Shard: keptworld.Shard{Map: one.address.Map, Instance: instance}, Tick: saved, Players: 1}) {
			t.Fatalf("restored: %+v, %v; want tick %d, one player", restored, err, saved)
		}
	}
	n, s, l := log(one)
	if n == number || s.N != saved || l != 0 {
		t.Errorf("restored, the log is %d with tick %d and entry %d; want another than %d, tick %d, none", n, s.N, l, number, saved)
	}
	three := replicaOfWorld(true) // which takes no world
	if _, err := three.restore(t.Context()); err != nil || three.tick != saved || three.live.World.Hash() != hash || three.live.World.Players() != 0 {
		t.Errorf("a worker begins with tick %d, the hash %016x and %d players, %v; want tick %d, %016x, none", three.tick, three.live.World.Hash(), three.live.World.Players(), err, saved, hash)
	}
	for _, name := range []string{"the next", "the one after"} { // the first has no entry before it
		r, stop := run()
		if r.begunWith != saved {
			t.Errorf("%s begins with tick %d, want %d", name, r.begunWith, saved)
		}
		say(r, enters)
		eventually(t, "the log has more of it", func() bool {
			newest := uint64(0)
			if err := in.Each(t.Context(), func(w *keptworld.World) error {
				newest = w.Tick
				return nil
			}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			return newest >= saved+2*r.second()
		})
		stop()
		if r.counted(worldsDiffer) > 0 {
			t.Errorf("%s differs", name)
		}
	}
}
