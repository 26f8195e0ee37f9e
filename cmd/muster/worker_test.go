package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"

	"muster/bench/swarm"
	"muster/internal/pgtest"
	"muster/net/protocol/msg"
)

// startBus starts NATS on a port, 0 for a free one, and returns how to reach it.
func startBus(t *testing.T, port int) *nats.Server {
	t.Helper()
	if port == 0 {
		port = lasting(t)
	}
	s, err := nats.NewServer(&nats.Options{Host: "127.0.0.1", Port: port, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(patience) {
		t.Fatal("NATS is not ready")
	}
	return s
}

// lasting is a free port that the system gives to no connection: a server that ends can listen there again. Systems begin to give at
// 32768 or later.
func lasting(t *testing.T) int {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(10_000)))
		if err == nil {
			l.Close()
			return l.Addr().(*net.TCPAddr).Port
		}
	}
	t.Fatal("no port is free")
	return 0
}

// A working is a running worker.
type working struct {
	cmd   *exec.Cmd
	admin string
	mu    sync.Mutex
	log   strings.Builder
	ended chan error
}

var processReady = regexp.MustCompile(`msg=ready .*admin=(\S+)`)

// work starts a worker on a bus, and waits until it is ready.
func work(t *testing.T, args ...string) *working {
	t.Helper()
	return begin(t, append([]string{"worker"}, args...)...)
}

// begin starts a process of a cluster, and waits until it is ready.
func begin(t *testing.T, args ...string) *working {
	t.Helper()
	return beginAs(t, binary, args...)
}

// beginAs is begin for another program.
func beginAs(t *testing.T, program string, args ...string) *working {
	t.Helper()
	w, ready := launch(t, program, args...)
	select {
	case w.admin = <-ready:
	case err := <-w.ended:
		t.Fatalf("%s ended with %v", args[0], err)
	case <-time.After(patience):
		t.Fatalf("%s is not ready", args[0])
	}
	return w
}

// launch starts a program, whose address for operators is sent when it is ready.
func launch(t *testing.T, program string, args ...string) (w *working, admin <-chan string) {
	t.Helper()
	w = &working{cmd: exec.Command(program, args...), ended: make(chan error, 1)}
	pipe, err := w.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(pipe); lines.Scan(); {
			w.mu.Lock()
			w.log.WriteString(lines.Text() + "\n")
			w.mu.Unlock()
			if m := processReady.FindStringSubmatch(lines.Text()); m != nil {
				select {
				case ready <- m[1]:
				default: // of a process that it has started
				}
			}
		}
		w.ended <- w.cmd.Wait()
		close(w.ended)
	}()
	t.Cleanup(func() {
		w.cmd.Process.Kill()
		for range w.ended {
		}
		if t.Failed() {
			w.mu.Lock()
			defer w.mu.Unlock()
			t.Logf("%s logged\n%s", args[0], w.log.String())
		}
	})
	return w, ready
}

// Clients in worlds of another process see each other as in one process, keep the rules, and stay while the bus is restarted.
// What they did is saved.
func TestWorlds(t *testing.T) {
	waits(t)
	bus := startBus(t, 0)
	defer func() { bus.Shutdown() }()
	url := bus.ClientURL()
	w := work(t, "--bus", url, "--creatures", "200", "--start", "one")
	s := serve(t, "--bus", url, "--creatures", "200", "--start", "one", "--ephemeral")
	clients := atOnce(30)
	restarted := make(chan struct{})
	time.AfterFunc(6*time.Second, func() { // while they walk
		defer close(restarted)
		port := bus.Addr().(*net.TCPAddr).Port
		bus.Shutdown()
		bus.WaitForShutdown()
		bus = startBus(t, int(port))
	})
	isBack := func() bool { return strings.Contains(s.stderr(), "the bus is back") }
	r := swarms(t, s, swarm.Config{Clients: clients, Behaviour: swarm.Walk, Duration: 12 * time.Second, Longer: relayed(clients, isBack)})
	<-restarted
	if r.Movement.Count < int64(clients*clients) {
		t.Errorf("%d relays of moves were read, want some of each by each", r.Movement.Count)
	}
	if strings.Contains(s.stderr(), "a world is lost") || !isBack() {
		t.Error("the restart of the bus was noticed otherwise than by a line that it is back")
	}
	s.stop(os.Interrupt, 1)
	w.cmd.Process.Signal(syscall.SIGTERM)
	if err := <-w.ended; err != nil {
		t.Errorf("the worker ended with %v, want exit code 0", err)
	}
}

// A gateway polls its sockets at drain points also in steps of less than 50 ms, as its worlds are in another process: a client that sends a ping
// when the one before is answered waits for them nearly all the time. Now and then several pings are read at one.
func TestGatewayHoldsItsLoops(t *testing.T) {
	waits(t)
	bus := startBus(t, 0)
	defer bus.Shutdown()
	args := []string{"--bus", bus.ClientURL(), "--tick", "40ms", "--creatures", "0"}
	work(t, args...)
	v := visit(t, serve(t, append(args, "--ephemeral")...), "ANNA")
	const least = 5 * time.Millisecond // of the third of a step that is between two
	// They do not while ANNA is on the way.
	eventually(t, "pings wait for drain points", func() bool {
		var waited, all time.Duration
		for n := range uint32(20) { // far less than are dropped as a flood
			asked := time.Now()
			v.say(msg.OpPing, &msg.Ping{Sequence: n})
			v.await(msg.OpPong, new(msg.Pong))
			took := time.Since(asked)
			if all += took; took > least {
				waited += took
			}
		}
		return waited >= all/2
	})
}

// A cluster is one command: it is ready, clients walk in it, and it ends in order, with all of its processes.
func TestCluster(t *testing.T) {
	waits(t)
	s := served{t: t, cmd: exec.Command(binary, "cluster", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0",
		"--creatures", "200", "--start", "one", "--ephemeral", "--workers", "2"), ended: make(chan error, 1)}
	s.wait("cluster")
	var pids [][]string
	eventually(t, "2 workers and a gateway are named", func() bool {
		pids = childPIDs.FindAllStringSubmatch(s.stderr(), -1)
		return len(pids) == 3
	})
	swarms(t, &s, swarm.Config{Clients: 10, Behaviour: swarm.Walk, Duration: 3 * time.Second})
	s.stop(os.Interrupt, 1)
	for _, m := range pids {
		pid, _ := strconv.Atoi(m[1])
		if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
			t.Errorf("process %d: %v, want that there is none", pid, err)
		}
	}
}

// A cluster with PostgreSQL of its own has all roles, and leaves nothing behind if nothing is to be kept.
func TestClusterWithLocalDatabase(t *testing.T) {
	waits(t)
	s := served{t: t, cmd: exec.Command(binary, "cluster", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0",
		"--creatures", "200", "--start", "one", "--database", "local", "--ephemeral"), ended: make(chan error, 1)}
	s.wait("cluster")
	at := localDatabaseAt.FindStringSubmatch(s.stderr())
	if at == nil {
		t.Fatalf("it logs no database")
	}
	if _, err := os.Stat(at[2]); err != nil {
		t.Error(err)
	}
	roles := make(map[string]int)
	for _, m := range childRoles.FindAllStringSubmatch(s.stderr(), -1) {
		roles[m[1]]++
	}
	if want := map[string]int{"orchestrator": 2, "worker": 3, "login": 2, "gateway": 2}; !maps.Equal(roles, want) {
		t.Errorf("it runs %v, want %v", roles, want)
	}
	swarms(t, &s, swarm.Config{Clients: 10, Behaviour: swarm.Walk, Duration: time.Second})
	s.stop(os.Interrupt, 1)
	for _, folder := range at[1:] {
		folder, _ = url.QueryUnescape(folder)
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want that it is gone", folder, err)
		}
	}
}

// A character is where it was when a cluster with PostgreSQL of its own is started again, after an interrupt and after a kill.
func TestClusterKeepsCharacters(t *testing.T) {
	waits(t)
	dir := pgtest.Folder(t)
	start := func() *served {
		s := &served{t: t, cmd: exec.Command(binary, "cluster", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0",
			"--creatures", "0", "--workers", "1", "--database", "local", "--data", dir), ended: make(chan error, 1)}
		s.wait("cluster")
		return s
	}
	s := start()
	v := visit(t, s, "ANNA")
	v.create("Anna")
	at := beside(v.enter(), 2)
	v.move(at)
	v.say(msg.OpPing, &msg.Ping{Sequence: 1}) // is answered when the move is read
	v.await(msg.OpPong, new(msg.Pong))
	for range 2 {
		s.stop(os.Interrupt, 1)
		s = start()
		v = visit(t, s, "ANNA")
		if back := v.enter(); back.Map != at.Map || back.Position != at.Position {
			t.Errorf("it is at %+v, want %+v", back, at)
		}
	}
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for range s.ended {
	}
	s = start()
	if list := visit(t, s, "ANNA").list(); len(list) != 1 || list[0].Name != "Anna" {
		t.Errorf("after a kill the account has %+v", list)
	}
	s.stop(os.Interrupt, 1)
}

// What a cluster logs of its own database: where its socket is, and the data folder; and of its children.
var (
	localDatabaseAt = regexp.MustCompile(`msg=PostgreSQL at="?\S+host=([^&"\s]+)\S* data=(\S+)`)
	childRoles      = regexp.MustCompile(`msg=runs process="(\w+) \d+"`)
)

var childPIDs = regexp.MustCompile(`msg=runs process=.* pid=(\d+)`)
