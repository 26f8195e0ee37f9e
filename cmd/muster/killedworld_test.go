package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/cmd/internal/keptworld"
	"muster/cmd/internal/playback"
	"muster/cmd/internal/worldspec"
	"muster/internal/metric"
	"muster/internal/testseed"
	"muster/net/replication/worldlog"
)

// A hashedServer is a server that says which hash its world has after each tick.
type hashedServer struct {
	*working
	auth chan string

	mu     sync.Mutex
	hashes map[uint64]string
	last   uint64 // the last tick
}

// serveHashed starts one.
func serveHashed(t *testing.T, flags string) *hashedServer {
	t.Helper()
	s := &hashedServer{auth: make(chan string, 1), hashes: make(map[uint64]string)}
	s.working = startProcess(t, worldProcess, flags, func(line string) {
		var n uint64
		var text string
		if _, err := fmt.Sscanf(line, "ready %s", &text); err == nil {
			s.auth <- text
		} else if _, err := fmt.Sscanf(line, "tick %d %16s", &n, &text); err == nil && len(text) == 16 {
			s.mu.Lock()
			s.hashes[n], s.last = text, n
			s.mu.Unlock()
		}
	})
	return s
}

// ticks are how many have a hash.
func (s *hashedServer) ticks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.hashes)
}

// Of a server with --durable world that is killed at a random moment, while clients walk and fight, the log has every tick that was published, and its
// world has after each of them, run again from the log, the hash that it had in the server. So has it in what the flight recorder has taken from the log before. The next server begins
// with that world, without the players that were in it.
// KILLS is how many there are, 3 otherwise.
func TestKilledWorldIsItsLog(t *testing.T) {
	kills := 3
	if text := os.Getenv("KILLS"); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	dice := rand.New(rand.NewPCG(testseed.Of(t), 100))
	data := filepath.Join(t.TempDir(), "data")
	flags := "--auth 127.0.0.1:0 --world 127.0.0.1:0 --admin 127.0.0.1:0 --creatures 400 --start one --durable world --flight-budget 1us --flight-every 300ms --flight-keep 1000 --data " + data
	worlds := filepath.Join(data, "worlds")
	clients, compared, crowd, most := atOnce(20), 0, 0, uint64(0)
	killed, were := "", 0 // the worlds of the server before, and how many players were in that of map 0
	for n := range kills {
		s := serveHashed(t, flags)
		var auth string
		select {
		case auth = <-s.auth:
		case err := <-s.ended:
			t.Fatalf("server %d has ended with %v:\n%s", n, err, s.log.String())
		}
		if killed != "" {
			isReplayOf(t, worlds, killed, keptworld.Shard{}, were)
		}
		ctx, stop := context.WithCancel(t.Context())
		var playing sync.WaitGroup
		for _, b := range []swarm.Behaviour{swarm.Walk, swarm.Grind} {
			playing.Go(func() { // what becomes of them when it ends is no matter
				swarm.Run(ctx, swarm.Config{Auth: auth, Prefix: string(b), Password: defaultPassword, Behaviour: b, Clients: clients / 2, Seed: uint64(n), Duration: patience})
			})
		}
		from, bundles := s.ticks(), len(bundlesIn(t, data))
		after := 20 + dice.IntN(300)
		eventually(t, "the world is stepped", func() bool { return s.ticks() >= from+after && len(bundlesIn(t, data)) > bundles+3 })
		<-time.After(time.Duration(dice.Int64N(int64(50 * time.Millisecond)))) // at any moment of a tick
		s.cmd.Process.Kill()
		for range s.ended {
		}
		stop()
		playing.Wait()
		same, players, beyond, last := s.compare(t, worlds)
		compared, crowd, were = compared+same, max(crowd, players), players
		killed = filepath.Join(t.TempDir(), "worlds")
		if err := os.CopyFS(killed, os.DirFS(worlds)); err != nil {
			t.Fatal(err)
		}
		until := s.middle(last)
		if r := runsLog(t, worlds, "--until", fmt.Sprint(until)); r.last != int(until) || r.hash != s.hashes[until] {
			t.Errorf("replay up to tick %d says %+v; the hash was %s in the server", until, r, s.hashes[until])
		}
		s.bundled(t, bundlesIn(t, data))
		if last < s.last || beyond > 1 { // one may have been written and not published
			t.Errorf("server %d has published tick %d, and the log ends with %d, %d ticks later", n, s.last, last, beyond)
		}
		if last <= most || same < after/2 {
			t.Errorf("server %d was stepped to tick %d, after %d; %d hashes were compared", n, last, most, same)
		}
		most = last
		if t.Failed() {
			t.Fatalf("that was kill %d; the server logged\n%s", n, s.log.String())
		}
	}
	if crowd < clients/2 {
		t.Errorf("there were at most %d players in the world: that is no test", crowd)
	}
	t.Logf("%d kills; %d hashes of ticks are the same, with up to %d players in the world", kills, compared, crowd)
}

// bundlesIn are those of the flight recorder, in the order of time.
func bundlesIn(t *testing.T, data string) []string {
	t.Helper()
	bundles, err := filepath.Glob(filepath.Join(data, "flight", "*.zip"))
	if err != nil {
		t.Fatal(err)
	}
	return bundles
}

// bundled runs what the newest bundle has of the log again, and compares the hash of a tick.
func (s *hashedServer) bundled(t *testing.T, bundles []string) {
	t.Helper()
	newest := bundles[len(bundles)-1]
	until := s.middle(uint64(runsLog(t, newest).last))
	if r := runsLog(t, newest, "--until", fmt.Sprint(until)); r.last != int(until) || r.hash != s.hashes[until] {
		t.Errorf("%s, up to tick %d, is run as %+v; the hash was %s in the server", newest, until, r, s.hashes[until])
	}
}

// middle is a tick with a hash, some before the last one.
func (s *hashedServer) middle(last uint64) (tick uint64) {
	for n := range s.hashes {
		if n+2 <= last {
			tick = max(tick, n)
		}
	}
	return tick
}

// compare runs the log of map 0 again, and compares each hash. It returns how many there were, the players with which
// the log ends, how many ticks it has after the last one with a hash, and its last.
func (s *hashedServer) compare(t *testing.T, folder string) (same, players, beyond int, last uint64) {
	t.Helper()
	found, err := worldlog.Open(folder, 0)
	if err != nil || found == nil {
		t.Fatalf("there is no log: %v", err)
	}
	h := found.Header
	d, err := worldspec.NewDefs(h.Seed, h.Creatures, h.Start)
	if err != nil {
		t.Fatal(err)
	}
	p := &playback.Playback{World: worldspec.NewWorld(&h, d, new(metric.Table)), Tick: found.Since()}
	if found.Snapshot != nil {
		if err := p.World.Restore(found.Snapshot.State); err != nil {
			t.Fatal(err)
		}
	}
	if err := found.Each(func(n uint64, inbox []byte) error {
		if err := p.Run(n, inbox); err != nil {
			return err
		}
		if n > s.last {
			beyond++
		}
		if was, ok := s.hashes[n]; ok {
			if now := fmt.Sprintf("%016x", p.World.Hash()); now != was {
				return fmt.Errorf("after tick %d the world has the hash %s, and had %s in the server", n, now, was)
			}
			same++
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	return same, p.World.Players(), beyond, p.Tick
}
