//go:build long

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"muster/bench/chart"
	"muster/bench/swarm"
	"muster/internal/testseed"
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

// TestFailoverPauses kills the process that has the world of walking clients, again and again, and measures for how long a client then sees nothing of
// another one's movement: the longest between two relays of moves that are sent every 50 ms. KILLS is how many (10), CLIENTS how many walk (300), STANDBYS
// how many standbys there are (1). With MISSED the process stands still instead, so that nothing says that it has ended. No session may be lost, no rule broken, and no two processes may differ.
func TestFailoverPauses(t *testing.T) {
	number := func(name string, otherwise int) int {
		if text := os.Getenv(name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		return otherwise
	}
	kills, standbys := number("KILLS", 10), number("STANDBYS", 1)
	clients := atOnce(number("CLIENTS", 300))
	s := &served{t: t, cmd: exec.Command(binary, "cluster", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0",
		"--creatures", "1000", "--start", "one", "--ephemeral", "--durable", "world", "--standbys", strconv.Itoa(standbys), "--workers", "1"), ended: make(chan error, 1)}
	s.wait("cluster")
	p := newProber(t, s)
	ctx, stop := context.WithCancel(t.Context())
	var walking sync.WaitGroup
	walking.Go(func() {
		r, err := swarm.Run(ctx, swarm.Config{Auth: s.auth, Password: defaultPassword, Seed: 1, Login: 2 * patience, Strict: true, Clients: clients,
			Behaviour: swarm.Walk, Duration: 24 * time.Hour, Ramp: 30})
		if !errors.Is(err, context.Canceled) || r.Logins.OK != clients || r.Lost.Total != 0 || r.Violations.Total != 0 {
			t.Errorf("%v, logins %+v, lost %+v, violations %+v", err, r.Logins, r.Lost, r.Violations)
		}
	})
	eventually(t, "the others walk", func() bool { return s.stats().World >= clients+2 })
	p.walk()
	how := syscall.SIGKILL
	if os.Getenv("MISSED") != "" {
		how = syscall.SIGSTOP
	}
	const leads = `msg="this process has the world" map=0`
	dice := rand.New(rand.NewPCG(testseed.Of(t), 200))
	var pauses []time.Duration
	for n := range kills {
		p.calm()
		before := strings.Count(s.stderr(), leads)
		leader, pid := p.leader(1 + standbys + n)
		<-time.After(time.Duration(dice.Int64N(int64(500 * time.Millisecond)))) // at any moment
		quiet := p.longest()
		if err := syscall.Kill(pid, how); err != nil {
			t.Fatal(err)
		}
		eventually(t, "another process has the world", func() bool { return strings.Count(s.stderr(), leads) > before })
		if how == syscall.SIGSTOP {
			syscall.Kill(pid, syscall.SIGKILL) // it is started again
		}
		p.calm()
		pauses = append(pauses, p.longest())
		t.Logf("kill %d, of %s: nothing was seen for %v; before, for %v at most", n+1, leader, pauses[n].Round(time.Millisecond), quiet.Round(time.Millisecond))
	}
	stop()
	walking.Wait()
	for _, alarm := range []string{"worlds that have read the same differ", "a world is lost", "panic"} {
		if strings.Contains(s.stderr(), alarm) {
			t.Errorf("a process logged %q", alarm)
		}
	}
	slices.Sort(pauses)
	t.Logf("%d kills among %d clients with %d standbys: pauses p50 %v, p90 %v, p99 %v, longest %v", kills, clients, standbys,
		pauses[len(pauses)/2], pauses[len(pauses)*9/10], pauses[len(pauses)*99/100], pauses[len(pauses)-1])
	s.stop(os.Interrupt, 1)
}

// A prober is a client that moves every 50 ms, and one that sees that.
type prober struct {
	t              *testing.T
	s              *served
	watcher, mover *visitor
	at, stands     msg.Place // of the mover and of the watcher, at first

	mu    sync.Mutex
	moves int
	seen  int       // the last move that was relayed
	when  time.Time // when that was
	most  time.Duration
}

func newProber(t *testing.T, s *served) *prober {
	p := &prober{t: t, s: s, watcher: visit(t, s, "WATCHER"), mover: visit(t, s, "MOVER")}
	p.watcher.create("Watcher")
	p.mover.create("Mover")
	p.stands = p.watcher.enter()
	p.at = p.mover.enter()
	for _, v := range []*visitor{p.watcher, p.mover} {
		v.mortal = true
		v.socket.SetDeadline(time.Time{})
	}
	return p
}

// walk has the mover move, to and fro, and the watcher watch, until the test ends.
func (p *prober) walk() {
	p.when = time.Now()
	go func() { // nothing must fill its socket
		for {
			p.mover.next()
		}
	}()
	go func() {
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for range tick.C {
			p.mu.Lock()
			p.moves++
			n := p.moves
			p.mu.Unlock()
			p.mover.say(msg.OpMoveHeartbeat, &msg.Move{Mover: p.mover.guid, Movement: msg.Movement{
				X: p.at.Position.X + float32(min(n%400, 400-n%400))/64, Y: p.at.Position.Y, Z: p.at.Position.Z, O: p.at.Orientation,
			}})
			if n%100 == 0 { // who does nothing for long is closed
				p.watcher.say(msg.OpMoveHeartbeat, &msg.Move{Mover: p.watcher.guid, Movement: msg.Movement{
					X: p.stands.Position.X + float32(n/100%2)/4, Y: p.stands.Position.Y, Z: p.stands.Position.Z, O: p.stands.Orientation,
				}})
			}
		}
	}()
	go func() {
		for {
			op, body := p.watcher.next()
			var m msg.Move
			if !msg.IsMove(op) || msg.Decode(wire.V12340, body, &m) != nil || m.Mover != p.mover.guid {
				continue
			}
			p.mu.Lock()
			now := time.Now()
			p.most = max(p.most, now.Sub(p.when))
			p.when = now
			p.seen++
			p.mu.Unlock()
		}
	}()
}

// calm waits until so many relays have come that what was held up is past.
func (p *prober) calm() {
	p.t.Helper()
	p.mu.Lock()
	from := p.seen
	p.mu.Unlock()
	eventually(p.t, "moves are relayed", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.seen > from+40
	})
}

// longest is the longest time without a relay since the last call.
func (p *prober) longest() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer func() { p.most = 0 }()
	return p.most
}

// leader is the process that has map 0, once so many have read its log.
func (p *prober) leader(ready int) (name string, pid int) {
	p.t.Helper()
	eventually(p.t, "the processes have read the log", func() bool {
		return strings.Count(p.s.stderr(), `msg="the world is as its log has it" map=0`) >= ready
	})
	leads := hasWorld.FindAllStringSubmatch(p.s.stderr(), -1)
	name = leads[len(leads)-1][1]
	for _, pid := range p.s.processes("worker") {
		if slices.Contains(p.s.processes("worker", "--standby"), pid) == strings.HasPrefix(name, "standby") {
			return name, pid
		}
	}
	p.t.Fatalf("%s does not run", name)
	return "", 0
}

// processes are the children of a cluster whose command line has all of some words.
func (s *served) processes(words ...string) []int {
	return processesOf(s.t, s.cmd.Process.Pid, words...)
}
