//go:build long

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"muster/bench/chart"
	"muster/bench/swarm"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// hasWorld finds which process has map 0.
var hasWorld = regexp.MustCompile(`(worker 1|standby 1): .* msg="this process has the world" map=0`)

// TestFailoverPicture measures what a client sees of another one's movement while the process that has their world is killed and a standby
// goes on, among clients that walk. What is relayed is in order; heartbeats that are superseded may be left out. PICTURE names the file into
// which it draws that.
func TestFailoverPicture(t *testing.T) {
	s := &served{t: t, cmd: exec.Command(binary, "cluster", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0",
		"--creatures", "1000", "--start", "one", "--ephemeral", "--durable", "world", "--standbys", "1", "--workers", "1"), ended: make(chan error, 1)}
	s.wait("cluster")
	watcher, mover := visit(t, s, "WATCHER"), visit(t, s, "MOVER")
	watcher.create("Watcher")
	mover.create("Mover")
	watcher.enter()
	at := mover.enter()
	const step, moves, killed = 50 * time.Millisecond, 240, 120
	clients := atOnce(60)
	var walking sync.WaitGroup
	walking.Go(func() {
		swarms(t, s, swarm.Config{Clients: clients, Behaviour: swarm.Walk, Duration: 15 * time.Second, Ramp: 30})
	})
	eventually(t, "the others walk", func() bool { return s.stats().World >= clients+2 })
	go func() { // nothing must fill its socket
		for {
			b := make([]byte, 64<<10)
			if _, err := mover.socket.Read(b); err != nil {
				return
			}
		}
	}()
	var mu sync.Mutex
	var due []time.Time
	var end time.Time
	leads := hasWorld.FindAllStringSubmatch(s.stderr(), -1)
	leader := leads[len(leads)-1][1]
	pid, _ := strconv.Atoi(regexp.MustCompile(`msg=runs process="` + leader + `" pid=(\d+)`).FindStringSubmatch(s.stderr())[1])
	go func() {
		tick := time.NewTicker(step)
		defer tick.Stop()
		for n := range moves {
			now := <-tick.C
			if n == killed {
				mu.Lock()
				end = time.Now()
				mu.Unlock()
				syscall.Kill(pid, syscall.SIGKILL)
			}
			mu.Lock()
			due = append(due, now)
			mu.Unlock()
			mover.socket.SetDeadline(time.Now().Add(patience))
			mover.say(msg.OpMoveHeartbeat, &msg.Move{Mover: mover.guid, Movement: msg.Movement{
				X: at.Position.X + float32(n+1)/64, Y: at.Position.Y, Z: at.Position.Z, O: at.Orientation,
			}})
		}
	}()
	var points []chart.Point
	seen := make([]time.Duration, moves)
	for last := -1; last < moves-1; {
		op, body := watcher.next()
		var m msg.Move
		if !msg.IsMove(op) || msg.Decode(wire.V12340, body, &m) != nil || m.Mover != mover.guid {
			continue
		}
		n := int((m.Movement.X-at.Position.X)*64+0.5) - 1
		if n <= last || n >= moves {
			t.Fatalf("move %d comes after %d", n, last)
		}
		mu.Lock()
		since := due[0]
		seen[n] = time.Since(due[n])
		points = append(points, chart.Point{Size: due[n].Sub(since).Seconds(), Value: float64(seen[n].Microseconds()) / 1000})
		mu.Unlock()
		last = n
	}
	walking.Wait()
	if now := hasWorld.FindAllStringSubmatch(s.stderr(), -1); len(now) <= len(leads) || now[len(leads)][1] == leader {
		t.Errorf("after %s was killed these had map 0, in turn: %v", leader, now)
	}
	mu.Lock()
	kill := end.Sub(due[0]).Seconds()
	mu.Unlock()
	before := slices.Sorted(slices.Values(seen[:killed]))
	t.Logf("%d of %d heartbeats were relayed, half of those before the end within %v; the longest took %v", len(points), moves, before[len(before)/2], slices.Max(seen))
	if path := os.Getenv("PICTURE"); path != "" {
		svg, err := chart.Timeline(fmt.Sprintf("A worker is killed among %d walking clients", clients), "time, s", "from a move to its relay, ms", points,
			[]chart.Event{{Name: "kill -9", At: kill}})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Clean(path), svg, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.stop(os.Interrupt, 1)
}
