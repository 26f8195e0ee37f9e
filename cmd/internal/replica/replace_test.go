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
	"muster/net/replication/streamlog"
	"muster/systems"
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
	server, bus, stream := startRealm(t)
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
	in, from := &keptworld.Place{Bus: server.ClientURL(), RealmName: "r"}, &keptworld.Place{From: t.TempDir()}
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
		w.Header.ShareMs = 0 // as of a release whose shares were 50 ms apart
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
	if every := s.Header.ShareEvery(); every != systems.ShareEvery {
		t.Fatalf("restored, the log has shares of digests %v apart; want %v, as this release makes them", every, systems.ShareEvery)
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

// A world that a process goes on with while another one is restored keeps its log.
func TestRestoredWorldIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	server, bus, stream := startRealm(t)
	subjects := make(map[uint32]string) // by instance
	for _, instance := range []uint32{0, 12} {
		r := newReplicaOf(t, bus, stream, false)
		if instance != 0 {
			a := new(Assignment)
			a.Order(1, true, false)
			r.Assign(registry.Shard{Map: r.address.Map, Instance: instance}, a, r.made)
		}
		subjects[instance] = r.address.Log()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx) }()
		eventually(t, "it has the world", r.Has)
		var enters frame.Inbox
		if err := errors.Join(enters.Add(frame.Item{Session: 7, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, newcomer(7))}), r.live.Exchange.Post(&enters)); err != nil {
			t.Fatal(err)
		}
		eventually(t, "it has a tick", func() bool { return r.live.Exchange.Newest() > 0 })
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
	in, from := &keptworld.Place{Bus: server.ClientURL(), RealmName: "r"}, &keptworld.Place{From: t.TempDir()}
	if err := in.Each(t.Context(), func(w *keptworld.World) error {
		_, err := w.Save(from.From)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	var went streamlog.Message // the entry with which a process goes on
	var restored []keptworld.Restored
	err := keptworld.RestoreLogs(t.Context(), from, in, true, func(w keptworld.Restored) {
		restored = append(restored, w)
		end, err := stream.Last(t.Context(), subjects[12])
		if err == nil {
			_, err = stream.Append(t.Context(), subjects[12], end.Body, end.Number)
		}
		if err != nil {
			t.Error(err)
		}
		if went, err = stream.Last(t.Context(), subjects[12]); err != nil || went.Number == end.Number {
			t.Errorf("the log ends with %d, %v", went.Number, err)
		}
	})
	if err == nil || !strings.Contains(err.Error(), "a process has gone on with it meanwhile") || len(restored) != 1 || restored[0].Instance != 0 {
		t.Errorf("restored are %d, %v; want the first, and that a process has gone on with the second", len(restored), err)
	}
	if end, err := stream.Last(t.Context(), subjects[12]); err != nil || end.Number != went.Number {
		t.Errorf("its log ends with %d, %v; want %d", end.Number, err, went.Number)
	}
}
