package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"

	"muster/bench/swarm"
	"muster/internal/natstest"
	"muster/net/replication/natsbus"
)

// startStreams starts NATS with JetStream on a free port.
func startStreams(t *testing.T) *nats.Server {
	t.Helper()
	return natstest.StartStreams(t)
}

// A snapshot that was removed leaves nothing in JetStream, and the others are there.
func TestRemovedSnapshotsLeaveNothing(t *testing.T) {
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
	for _, name := range []string{"1.0.1", "1.0.2?", "2.0.1"} {
		if err := stream.Put(t.Context(), name, strings.NewReader(name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"1.0.1", "1.0.2?"} {
		if err := stream.Delete(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	info, err := server.Jsz(nil)
	if err != nil {
		t.Fatal(err)
	}
	if names, err := stream.Names(t.Context(), ""); info.Messages != 2 || err != nil || !slices.Equal(names, []string{"2.0.1"}) {
		t.Errorf("%d messages and the snapshots %v are left, %v; want two, a description and a part, of 2.0.1", info.Messages, names, err)
	}
	if b, err := stream.Get(t.Context(), "2.0.1"); err != nil || string(b) != "2.0.1" {
		t.Errorf("it is %q, %v", b, err)
	}
}

// inTheMiddle has clients walk, and calls do while they do. None may be lost, and no rule broken.
func inTheMiddle(t *testing.T, s *served, do func()) {
	t.Helper()
	clients := atOnce(30)
	done := make(chan struct{})
	go func() {
		defer close(done)
		eventually(t, "the clients walk", func() bool {
			now := s.stats()
			return now.World >= clients && now.Packets > uint64(10*clients)
		})
		do()
	}()
	r := swarms(t, s, swarm.Config{Clients: clients, Behaviour: swarm.Walk, Duration: 10 * time.Second, Longer: relayed(clients, closed(done))})
	<-done
	t.Logf("movement p50 %.0f ms, p99 %.0f ms, max %.0f ms", r.Movement.P50, r.Movement.P99, r.Movement.Max)
}

// A worker that is killed costs its players a pause: the next one goes on with the world that its log has, from a snapshot on.
func TestKilledWorkerGoesOn(t *testing.T) {
	waits(t)
	s := served{t: t, cmd: exec.Command(binary, "cluster", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0",
		"--creatures", "200", "--start", "one", "--ephemeral", "--durable", "world", "--snapshot-every", "1s"), ended: make(chan error, 1)}
	s.wait("cluster")
	eventually(t, "the processes are named", func() bool { return workerPID.MatchString(s.stderr()) })
	goesOn := regexp.MustCompile(`worker 1: .* msg="this process has the world" map=0 tick=[1-9]`)
	inTheMiddle(t, &s, func() {
		pid, _ := strconv.Atoi(workerPID.FindStringSubmatch(s.stderr())[1])
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Errorf("kill: %v", err)
		}
		eventually(t, "another process has the world", func() bool { return goesOn.MatchString(s.stderr()) })
	})
	eventually(t, "the gateway has followed the world", func() bool {
		return strings.Contains(s.stderr(), `msg="another process continues the world" map=0`)
	})
	if strings.Contains(s.stderr(), "a world is lost") {
		t.Error("the gateway has lost a world")
	}
	s.stop(os.Interrupt, 1)
}

var workerPID = regexp.MustCompile(`msg=runs process="worker 1" pid=(\d+)`)

// A standby goes on with the world of a worker that is killed, and of one that stands still; that one ends when it wakes. A log
// of another world is refused.
func TestStandbyGoesOn(t *testing.T) {
	waits(t)
	url := startStreams(t).ClientURL()
	args := []string{"--bus", url, "--creatures", "200", "--start", "one", "--durable", "world"}
	one := work(t, args...)
	s := serve(t, "--bus", url, "--creatures", "200", "--start", "one", "--ephemeral")
	two := work(t, append(args, "--standby")...)
	other := exec.Command(binary, append([]string{"worker", "--seed", "2", "--standby"}, args...)...)
	if out, err := other.CombinedOutput(); err == nil || !strings.Contains(string(out), "is of a world with another Seed") {
		t.Errorf("a worker of another world ended with %v, %s", err, out)
	}
	has := func(w *working) func() bool {
		return func() bool { return w.logged(`msg="this process has the world" map=0`) }
	}
	three := work(t, append(args, "--standby")...)
	inTheMiddle(t, s, func() {
		one.cmd.Process.Signal(syscall.SIGSTOP)
		eventually(t, "a standby has the world of a worker that stands still", func() bool { return has(two)() || has(three)() })
		if has(three)() {
			two, three = three, two
		}
		one.cmd.Process.Signal(syscall.SIGCONT)
		select {
		case err := <-one.ended:
			if err == nil {
				t.Error("a worker whose world another one has ended without an error")
			}
		case <-time.After(patience):
			t.Error("a worker whose world another one has does not end")
		}
		t.Logf("%d clients are there when the next worker is killed", s.stats().World)
		two.cmd.Process.Kill()
		eventually(t, "the next standby has the world of a worker that is killed", func() bool {
			select {
			case <-three.ended: // each had taken some maps, and on a slow machine then one those of the other
				three = work(t, append(args, "--standby")...)
			default:
			}
			return has(three)()
		})
	})
	if !one.logged("another process has the world: this one was taken for dead") {
		t.Error("the first worker does not say why it has ended")
	}
	for _, w := range []*working{two, three} {
		if w.logged("worlds that have read the same differ") {
			t.Error("worlds that have read the same differ")
		}
	}
	if strings.Contains(s.stderr(), "a world is lost") {
		t.Error("the gateway has lost a world")
	}
	s.stop(os.Interrupt, 1)
}

// logged reports whether a worker has logged some text.
func (w *working) logged(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Contains(w.log.String(), text)
}
