//go:build long

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestChaosNetwork is TestChaos with processes that have a network between them, which the test cuts: three servers of NATS with the log in each, PostgreSQL,
// a worker, a standby and two gateways. Servers of NATS are killed, stand still, are slow, and have a full disk; so do the gateways' journals; connections
// are cut for some seconds without an end, are slow, or end. At the end the worlds, run again from their logs, have the digests that they had.
func TestChaosNetwork(t *testing.T) {
	n := &chaosNet{chaos: newChaos(t)}
	c := n.chaos
	c.parent = os.Getpid()
	n.startServers()
	n.startProcesses()
	c.kinds = []chaosKind{
		{"worker killed", func() { c.signal("worker", syscall.SIGKILL, 0) }},
		{"server of NATS killed", func() { n.killServer(0) }},
		{"server of NATS stopped", n.stopServer},
		{"server of NATS slow", n.slowServer},
		{"disk of NATS full", func() { n.killServer(c.between(time.Second, 3*time.Second)) }},
		{"worker cut off from NATS", func() { n.cut(n.workers[c.dice.IntN(2)].cables[:chaosServers], 4*time.Second) }},
		{"gateway cut off from NATS", func() { n.cut(n.gateways[c.dice.IntN(2)].cables[:chaosServers], 5*time.Second) }},
		{"gateway cut off from PostgreSQL", func() { n.cut(n.gateways[c.dice.IntN(2)].cables[chaosServers:], 5*time.Second) }},
		{"network of a process slow", n.slowNetwork},
		{"connections of a process ended", n.snap},
		{"disk of a gateway full", n.fillGateway},
		{"database ended", c.endDatabase},
		{"clock jumped", n.jumpOne},
	}
	c.play(chaosTime(t), n.log)
	n.stop()
	code, stdout, stderr := execute(t, nil, "replay", "nats://"+local(n.servers[0].client)+"/muster")
	if code != exitOK || strings.Count(stdout, "digests, all the same") != 3 {
		c.violates("the logs, run again: exit code %d\n%s%s", code, stdout, stderr)
	}
	t.Log(strings.TrimSpace(stdout))
	c.judge()
}

// chaosServers is how many servers of NATS there are.
const chaosServers = 3

// A chaosNet is a cluster whose processes the test starts, and the cables between them.
type chaosNet struct {
	*chaos
	servers  [chaosServers]*natsServer
	workers  []*chaosProcess
	gateways []*chaosProcess

	logMu sync.Mutex
	logs  bytes.Buffer
}

func (n *chaosNet) log() string {
	n.logMu.Lock()
	defer n.logMu.Unlock()
	return n.logs.String()
}

// A natsServer is a place for one.
type natsServer struct {
	file    string
	client  int
	monitor int
	*working
}

// startServers starts the servers of NATS.
func (n *chaosNet) startServers() {
	t := n.test
	var routes []string
	for i := range n.servers {
		n.servers[i] = &natsServer{client: lasting(t), monitor: lasting(t)}
		routes = append(routes, fmt.Sprintf("nats-route://127.0.0.1:%d", lasting(t)))
	}
	for i, s := range n.servers {
		_, port, _ := net.SplitHostPort(strings.TrimPrefix(routes[i], "nats-route://"))
		// Clients are told of no server but by their flags: they are to go through cables.
		text := fmt.Sprintf("server_name: s%d\nlisten: \"127.0.0.1:%d\"\nhttp: \"127.0.0.1:%d\"\njetstream { store_dir: %q }\n"+
			"cluster { name: three, listen: \"127.0.0.1:%s\", no_advertise: true, routes: [ %s ] }\n",
			i, s.client, s.monitor, t.TempDir(), port, strings.Join(routes, ", "))
		s.file = filepath.Join(t.TempDir(), "nats.conf")
		if err := os.WriteFile(s.file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s.start(t)
	}
	n.awaitServers()
}

func (s *natsServer) start(t *testing.T) {
	s.working = startProcess(t, natsProcess, s.file, func(string) {})
}

// awaitServers waits until all servers of NATS have what there is.
func (n *chaosNet) awaitServers() {
	n.test.Helper()
	client := http.Client{Timeout: time.Second}
	defer client.CloseIdleConnections()
	eventually(n.test, "the servers of NATS are sound", func() bool {
		for _, s := range n.servers {
			r, err := client.Get("http://" + local(s.monitor) + "/healthz")
			if err != nil {
				return false
			}
			r.Body.Close()
			if r.StatusCode != http.StatusOK {
				return false
			}
		}
		return true
	})
}

// A chaosProcess is one of muster that is started again when it ends.
type chaosProcess struct {
	name   string
	cables []*cable // to each server of NATS, and to PostgreSQL if it is a gateway

	mu     sync.Mutex
	cmd    *exec.Cmd
	ending bool
	done   chan struct{}
}

// cables are those of one process to all servers of NATS, and the flag that names them.
func (n *chaosNet) natsCables() (all []*cable, bus string) {
	var urls []string
	for _, s := range n.servers {
		c := tcpCable(n.test, local(s.client))
		all = append(all, c)
		urls = append(urls, "nats://"+c.address())
	}
	return all, strings.Join(urls, ",")
}

// startProcesses starts those of muster, and waits until the gateways let players in.
func (n *chaosNet) startProcesses() {
	t := n.test
	world := []string{"--creatures", "400", "--start", "one", "--seed", strconv.FormatUint(n.seed, 10), "--log-level", "info", "--log-format", "text"}
	for i, name := range []string{"worker", "standby"} {
		cables, bus := n.natsCables()
		args := append([]string{"worker", "--bus", bus, "--durable", "world", "--replicas", strconv.Itoa(chaosServers), "--snapshot-every", "5s"}, world...)
		again := append(slices.Clone(args), "--standby")
		if i == 1 {
			args = again
		}
		n.workers = append(n.workers, n.keep(name, cables, args, again))
		n.await(name, "the world is as its log has it")
	}
	at, err := url.Parse(n.url)
	if err != nil {
		t.Fatal(err)
	}
	var admin string
	for i := range n.auths {
		cables, bus := n.natsCables()
		database, folder := postgresCable(t, at.Query().Get("host"))
		query := at.Query()
		query.Set("host", folder)
		through := *at
		through.RawQuery = query.Encode()
		where := local(lasting(t))
		admin = cmp.Or(admin, where)
		name := fmt.Sprint("gateway ", i+1)
		args := append([]string{"serve", "--gateway", strconv.Itoa(i + 1), "--bus", bus, "--database", through.String(), "--data", filepath.Join(t.TempDir(), "data"),
			"--auth", n.auths[i], "--world", n.worlds[i], "--admin", where}, world...)
		n.gateways = append(n.gateways, n.keep(name, append(cables, database), args, args))
		n.await(name, "msg=ready ")
	}
	n.served = &served{t: t, auth: n.auths[0], world: n.worlds[0], admin: admin}
}

// await waits until a process has logged something.
func (n *chaosNet) await(name, text string) {
	n.test.Helper()
	eventually(n.test, fmt.Sprintf("%s logs %q", name, text), func() bool {
		for line := range strings.Lines(n.log()) {
			if strings.HasPrefix(line, name+": ") && strings.Contains(line, text) {
				return true
			}
		}
		return false
	})
}

// keep starts a process, and starts it again with other arguments whenever it ends.
func (n *chaosNet) keep(name string, cables []*cable, args, again []string) *chaosProcess {
	p := &chaosProcess{name: name, cables: cables, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		for n.runOnce(p, args) {
			args = again
			<-time.After(100 * time.Millisecond) // so that one that ends at once does not take the processor
		}
	}()
	n.test.Cleanup(func() { p.end(syscall.SIGKILL) })
	return p
}

// runOnce runs a process until it ends. It reports whether it is to be started again.
func (n *chaosNet) runOnce(p *chaosProcess, args []string) bool {
	cmd := exec.Command(binary, args...)
	log, err := cmd.StderrPipe()
	if err != nil {
		n.test.Error(err)
		return false
	}
	p.mu.Lock()
	if !p.ending {
		if err = cmd.Start(); err == nil {
			p.cmd = cmd
		}
	}
	ending := p.ending
	p.mu.Unlock()
	if ending || err != nil {
		if err != nil {
			n.test.Error(err)
		}
		return false
	}
	for lines := bufio.NewScanner(log); lines.Scan(); {
		n.logMu.Lock()
		fmt.Fprintf(&n.logs, "%s: %s\n", p.name, lines.Text())
		n.logMu.Unlock()
	}
	ended := cmd.Wait()
	n.logMu.Lock()
	fmt.Fprintf(&n.logs, "%s: has ended: %v\n", p.name, ended)
	n.logMu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.ending
}

// pid is the process that runs now.
func (p *chaosProcess) pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cmd.Process.Pid
}

// end ends a process for good.
func (p *chaosProcess) end(how syscall.Signal) {
	p.mu.Lock()
	p.ending = true
	if p.cmd != nil {
		p.cmd.Process.Signal(how)
	}
	p.mu.Unlock()
	<-p.done
}

// stop ends all processes: gateways first, which save their players.
func (n *chaosNet) stop() {
	for _, p := range slices.Concat(n.gateways, n.workers) {
		p.end(syscall.SIGTERM)
	}
	if n.test.Failed() {
		n.test.Logf("the processes logged\n%s", n.log())
	}
}

// killServer kills a server of NATS, whose disk is full for a time before that, and starts it again a while later.
func (n *chaosNet) killServer(full time.Duration) {
	s := n.servers[n.dice.IntN(chaosServers)]
	if full > 0 {
		maxFile(n.test, s.cmd.Process.Pid, 0)
		<-time.After(full)
	}
	s.cmd.Process.Kill()
	for range s.ended {
	}
	<-time.After(n.between(0, 3*time.Second))
	s.start(n.test)
	n.awaitServers()
}

// stopServer has a server of NATS stand still.
func (n *chaosNet) stopServer() {
	s := n.servers[n.dice.IntN(chaosServers)]
	s.cmd.Process.Signal(syscall.SIGSTOP)
	<-time.After(n.between(200*time.Millisecond, 2*time.Second))
	s.cmd.Process.Signal(syscall.SIGCONT)
	n.awaitServers()
}

// slowServer has a server of NATS stand still for half of each tenth of a second, as one whose disk is slow does.
func (n *chaosNet) slowServer() {
	s := n.servers[n.dice.IntN(chaosServers)]
	for range 5 + n.dice.IntN(30) {
		s.cmd.Process.Signal(syscall.SIGSTOP)
		<-time.After(50 * time.Millisecond)
		s.cmd.Process.Signal(syscall.SIGCONT)
		<-time.After(50 * time.Millisecond)
	}
	n.awaitServers()
}

// slowNetwork has all that is carried to and from a process be late for a while.
func (n *chaosNet) slowNetwork() {
	all := slices.Concat(n.workers, n.gateways)
	cables, late := all[n.dice.IntN(len(all))].cables, n.between(5*time.Millisecond, 80*time.Millisecond)
	for _, c := range cables {
		c.setLate(late)
	}
	<-time.After(n.between(500*time.Millisecond, 4*time.Second))
	for _, c := range cables {
		c.setLate(0)
	}
}

// cut cuts cables for a while.
func (n *chaosNet) cut(all []*cable, most time.Duration) {
	for _, c := range all {
		c.setCut(true)
	}
	<-time.After(n.between(200*time.Millisecond, most))
	for _, c := range all {
		c.setCut(false)
	}
}

// snap ends all connections of a process to servers.
func (n *chaosNet) snap() {
	all := slices.Concat(n.workers, n.gateways)
	for _, c := range all[n.dice.IntN(len(all))].cables {
		c.snap()
	}
}

// jumpOne has the clock of a process jump.
func (n *chaosNet) jumpOne() {
	var pids []int
	for _, p := range slices.Concat(n.workers, n.gateways) {
		pids = append(pids, p.pid())
	}
	n.jump(pids)
}

// fillGateway has the disk of a gateway be full for a while.
func (n *chaosNet) fillGateway() {
	pid := n.gateways[n.dice.IntN(len(n.gateways))].pid()
	maxFile(n.test, pid, 0)
	<-time.After(n.between(time.Second, 3*time.Second))
	maxFile(n.test, pid, ^uint64(0))
}
