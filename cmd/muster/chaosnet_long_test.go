//go:build long

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
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

	"muster/internal/slowdisk"
	"muster/internal/testnet"
)

// TestChaosNetwork is TestChaos with processes that have a network between them, which the test cuts: three servers of NATS with the log in each, PostgreSQL,
// a worker, a standby and two gateways. Each but PostgreSQL is on a host of its own, a network namespace, where this process may make some. Servers of NATS are
// killed, cut off, stand still, are slow, and have a full disk; so do the gateways' journals; processes are cut off for some seconds without the end of a connection,
// their network is slow, or their connections end. At the end the worlds, run again from their logs, have the digests that they had.
func TestChaosNetwork(t *testing.T) {
	n := &chaosNet{chaos: newChaos(t), doors: make(map[string]*testnet.Host)}
	c := n.chaos
	c.parent = os.Getpid()
	c.pause, c.turns = 3*time.Second, 3
	n.makeNetwork()
	n.makeDisk()
	n.startServers()
	n.startProcesses()
	c.kinds = []chaosKind{
		{"worker killed", func() { c.signal("worker", syscall.SIGKILL, 0) }},
		{"server of NATS killed", func() { n.killServer(0) }},
		{"server of NATS stopped", n.stopServer},
		{"server of NATS slow", n.slowServer},
		{"disk of NATS full", func() { n.killServer(c.between(time.Second, 3*time.Second)) }},
		{"worker cut off from NATS", func() { n.cutOff(n.workers[c.dice.IntN(2)], 4*time.Second) }},
		{"gateway cut off from NATS", func() { n.cutOff(n.gateways[c.dice.IntN(2)], 5*time.Second) }},
		{"gateway cut off from PostgreSQL", func() { n.cut(n.gateways[c.dice.IntN(2)].cables[chaosServers:], 5*time.Second) }},
		{"network of a process slow", n.slowNetwork},
		{"connections of a process ended", n.snap},
		{"disk of a gateway full", n.fillGateway},
		{"database killed", c.killDatabase},
		{"clock jumped", n.jumpOne},
		{databaseJumped, c.jumpDatabase},
	}
	if n.network != nil {
		c.kinds = append(c.kinds, chaosKind{"server of NATS cut off", n.cutOffServer})
	}
	if n.disk != nil {
		c.kinds = append(c.kinds,
			chaosKind{"disk of NATS slow", func() { n.slowDisk(n.servers[n.dice.IntN(chaosServers)].cmd.Process.Pid) }},
			chaosKind{"disk of a gateway slow", func() { n.slowDisk(n.gateways[n.dice.IntN(len(n.gateways))].pid()) }})
	}
	c.play(chaosTime(t), n.log)
	var code, compared int
	var stdout, stderr string
	again := func() (ended bool) {
		n.servers[0].host.Do(func() { code, stdout, stderr = execute(t, nil, "replay", "nats://"+n.servers[0].client+"/muster") })
		compared = strings.Count(stdout, "digests, all the same")
		if code == exitOK && compared+strings.Count(stdout, "no digests") == 3 {
			return compared > 0
		}
		c.violates("the logs, run again: exit code %d\n%s%s", code, stdout, stderr)
		return true
	}
	eventually(t, "a second of the logs can be compared", again) // there is none for two seconds after each snapshot
	n.stop()
	again()
	t.Log(strings.TrimSpace(stdout))
	c.judge()
}

// chaosServers is how many servers of NATS there are.
const chaosServers = 3

// A chaosNet is a cluster whose processes the test starts, and the cables between them.
type chaosNet struct {
	*chaos
	network  *testnet.Network // nil if this process may make none
	disk     *slowdisk.Group  // likewise
	servers  [chaosServers]*natsServer
	workers  []*chaosProcess
	gateways []*chaosProcess
	doors    map[string]*testnet.Host // by the address at which clients reach one

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
	host            *testnet.Host
	file            string
	client, monitor string // addresses
	*working
}

// makeNetwork makes a network for hosts, if it may.
func (n *chaosNet) makeNetwork() {
	var err error
	switch n.network, err = testnet.New(); {
	case errors.Is(err, testnet.ErrRights):
		n.test.Log("processes are cut off by proxies: this process may not make network namespaces")
	case err != nil:
		n.test.Fatal(err)
	default:
		n.test.Log("each process has a network namespace, which is cut off from a bridge")
		n.test.Cleanup(func() { n.network.Close() })
	}
	n.dial = func(at string) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(n.test.Context(), time.Second)
		defer cancel()
		return n.doors[at].DialContext(ctx, "tcp", at)
	}
}

// chaosWrites is how often a process whose disk is slow writes in a second: a sync takes some writes.
const chaosWrites = 20

// makeDisk finds out whether the disk can be slow for a process.
func (n *chaosNet) makeDisk() {
	var err error
	switch n.disk, err = slowdisk.New(n.test.TempDir(), chaosWrites); {
	case errors.Is(err, slowdisk.ErrCannot):
		n.test.Logf("no disk is slow: %v", err)
	case err != nil:
		n.test.Fatal(err)
	default:
		n.test.Cleanup(func() {
			if err := n.disk.Close(); err != nil {
				n.test.Error(err)
			}
		})
	}
}

// slowDisk has the disk be slow for a process for a while.
func (n *chaosNet) slowDisk(pid int) {
	if err := n.disk.Slow(pid); err != nil && !errors.Is(err, syscall.ESRCH) { // it may have been killed just now
		n.test.Error(err)
	}
	<-time.After(n.between(time.Second, 4*time.Second))
	if err := n.disk.Release(pid); err != nil && !errors.Is(err, syscall.ESRCH) {
		n.test.Error(err)
	}
	n.awaitServers()
}

// open has clients, which are on this machine, reach what listens on the loopback of a host, at the same addresses.
func (n *chaosNet) open(h *testnet.Host, all ...string) {
	for _, at := range all {
		n.doors[at] = h
		if n.network != nil { // else it is there already
			newCable(n.test, "tcp", new(testnet.Host), at, h, at)
		}
	}
}

// host makes a host of the network, or is this machine without one.
func (n *chaosNet) host() *testnet.Host {
	if n.network == nil {
		return new(testnet.Host)
	}
	h, err := n.network.Host()
	if err != nil {
		n.test.Fatal(err)
	}
	n.test.Cleanup(func() { h.Close() })
	return h
}

// startServers starts the servers of NATS.
func (n *chaosNet) startServers() {
	t := n.test
	var routes []string
	for i := range n.servers {
		s := &natsServer{host: n.host()}
		at := func() string { return netip.AddrPortFrom(s.host.Addr(), uint16(lasting(t))).String() }
		s.client, s.monitor = at(), at()
		n.servers[i], routes = s, append(routes, at())
	}
	for i, s := range n.servers {
		// Clients are told of no server but by their flags: they are to go through cables.
		text := fmt.Sprintf("server_name: s%d\nlisten: %q\nhttp: %q\njetstream { store_dir: %q, sync_interval: always }\n"+
			"cluster { name: three, listen: %q, no_advertise: true, routes: [ %s ] }\n",
			i, s.client, s.monitor, t.TempDir(), routes[i], "nats-route://"+strings.Join(routes, ", nats-route://"))
		s.file = filepath.Join(t.TempDir(), "nats.conf")
		if err := os.WriteFile(s.file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s.start(t)
	}
	n.awaitServers()
}

func (s *natsServer) start(t *testing.T) {
	s.host.Do(func() { s.working = startProcess(t, natsProcess, s.file, func(string) {}) })
}

// awaitServers waits until all servers of NATS have what there is.
func (n *chaosNet) awaitServers() {
	n.test.Helper()
	eventually(n.test, "the servers of NATS are sound", func() bool {
		for _, s := range n.servers {
			client := http.Client{Timeout: time.Second, Transport: &http.Transport{DialContext: s.host.DialContext, DisableKeepAlives: true}}
			r, err := client.Get("http://" + s.monitor + "/healthz")
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
	host   *testnet.Host
	cables []*cable // to each server of NATS, and to PostgreSQL if it is a gateway

	mu     sync.Mutex
	cmd    *exec.Cmd
	ending bool
	done   chan struct{}
}

// natsCables are those of one process to all servers of NATS, and the flag that names them.
func (n *chaosNet) natsCables(host *testnet.Host) (all []*cable, bus string) {
	var urls []string
	for _, s := range n.servers {
		c := newCable(n.test, "tcp", host, "127.0.0.1:0", host, s.client)
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
		host := n.host()
		cables, bus := n.natsCables(host)
		args := append([]string{"worker", "--bus", bus, "--durable", "world", "--replicas", strconv.Itoa(chaosServers), "--snapshot-every", "5s"}, world...)
		again := append(slices.Clone(args), "--standby")
		if i == 1 {
			args = again
		}
		n.workers = append(n.workers, n.keep(name, host, cables, args, again))
		n.await(name, "the world is as its log has it")
	}
	at, err := url.Parse(n.url)
	if err != nil {
		t.Fatal(err)
	}
	var admin string
	for i := range n.auths {
		host := n.host()
		cables, bus := n.natsCables(host)
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
		n.gateways = append(n.gateways, n.keep(name, host, append(cables, database), args, args))
		n.open(host, n.auths[i], n.worlds[i], where)
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
func (n *chaosNet) keep(name string, host *testnet.Host, cables []*cable, args, again []string) *chaosProcess {
	p := &chaosProcess{name: name, host: host, cables: cables, done: make(chan struct{})}
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
		if p.host.Do(func() { err = cmd.Start() }); err == nil {
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

// slowServer has a server of NATS stand still for half of each tenth of a second.
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

// cutOff cuts the host of a process off for a while, or without a network its cables.
func (n *chaosNet) cutOff(p *chaosProcess, most time.Duration) {
	if n.network == nil {
		n.cut(p.cables[:chaosServers], most)
		return
	}
	n.cutHost(p.host, most)
}

// cutOffServer cuts a server of NATS off from the others and from all processes.
func (n *chaosNet) cutOffServer() {
	n.cutHost(n.servers[n.dice.IntN(chaosServers)].host, 4*time.Second)
	n.awaitServers()
}

// cutHost cuts a host off for a while.
func (n *chaosNet) cutHost(h *testnet.Host, most time.Duration) {
	if err := h.Cut(true); err != nil {
		n.test.Error(err)
	}
	<-time.After(n.between(200*time.Millisecond, most))
	if err := h.Cut(false); err != nil {
		n.test.Error(err)
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

// jumpOne has the clock of a process jump: one of muster, or a server of NATS.
func (n *chaosNet) jumpOne() {
	var pids []int
	for _, p := range slices.Concat(n.workers, n.gateways) {
		pids = append(pids, p.pid())
	}
	for _, s := range n.servers {
		pids = append(pids, s.cmd.Process.Pid)
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
