package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/internal/pgtest"
	"muster/loaders/registry"
	"muster/net/login"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A gatewayPair is a cluster with two gateways, and its registry.
type gatewayPair struct {
	*served
	registry *registry.Registry
	url      string // of the database
	live     []registry.Gateway
}

// startGateways starts a cluster of two workers and two gateways.
func startGateways(t *testing.T, args ...string) *gatewayPair {
	t.Helper()
	url := pgtest.New(t).URL(t)
	s := &served{t: t, cmd: exec.Command(binary, append([]string{"cluster", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0",
		"--database", url, "--workers", "2", "--creatures", "200", "--start", "one"}, args...)...), ended: make(chan error, 1)}
	s.cmd.Env = []string{"MUSTER_CLOSE_IDLE_CONNECTIONS=false"} // a visitor says nothing while its test waits for something else
	s.wait("cluster")
	p := &gatewayPair{served: s, url: url}
	var err error
	if p.registry, err = registry.Open(t.Context(), registry.Config{URL: url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.registry.Close)
	eventually(t, "both gateways accept players", func() bool {
		p.live, err = p.registry.Gateways(t.Context())
		return err == nil && len(p.live) == 2
	})
	if p.live[0].Number != 1 || p.live[0].Address != s.world || p.live[1].Number != 2 || p.live[1].Address == s.world {
		t.Errorf("the gateways are %+v, the first at %s", p.live, s.world)
	}
	listed := make(map[string]bool)
	for range 4 { // in turn, but that it may begin anew between two of them
		listed[p.listed()] = true
	}
	if len(listed) != 2 {
		t.Errorf("a cluster that is ready sends clients to %v, want both gateways", listed)
	}
	return p
}

// listed is where a realm list of the first gateway sends a client.
func (p *gatewayPair) listed() (address string) {
	p.t.Helper()
	v := &visitor{t: p.t, name: "LISTED"}
	v.dial(p.auth)
	defer v.socket.Close()
	v.write(login.AppendChallenge(nil, v.name))
	v.proves(reply(v, login.ParseChallengeReply))
	reply(v, login.ParseProofReply)
	v.write(login.AppendRealmListRequest(nil))
	return reply(v, login.ParseRealmList)[0].Address
}

// at is the cluster as a client has it that goes to one of the gateways.
func (p *gatewayPair) at(gateway int) *served {
	return &served{t: p.t, auth: p.auth, world: p.live[gateway].Address}
}

// claimed is how many accounts each gateway has.
func (p *gatewayPair) claimed() map[uint32]int {
	p.t.Helper()
	list, err := p.registry.Sessions(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	by := make(map[uint32]int)
	for _, s := range list {
		by[s.Gateway]++
	}
	return by
}

var workerAt = regexp.MustCompile(`worker \d+: .*msg=ready maps=.* admin=(\S+)`)

// expelled is how many characters were in a world when another gateway brought them.
func (p *gatewayPair) expelled() (n string) {
	p.t.Helper()
	all := workerAt.FindAllStringSubmatch(p.stderr(), -1)
	if len(all) != 2 {
		p.t.Fatalf("%d workers are named, want 2", len(all))
	}
	client := http.Client{Timeout: patience}
	defer client.CloseIdleConnections()
	for _, m := range all {
		r, err := client.Get("http://" + m[1] + "/metrics")
		if err != nil {
			p.t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		found := expelledLine.FindSubmatch(body)
		if err != nil || found == nil {
			p.t.Fatalf("%v, and no figure in\n%s", err, body)
		}
		n += string(found[1])
	}
	return n
}

var expelledLine = regexp.MustCompile(`muster_events_total\{[^}]*reason="bus\.expelled"[^}]*\} (\S+)`)

// Clients are divided between two gateways, see each other across them, and keep the rules. At the end nothing is claimed, and no gateway is there.
func TestGateways(t *testing.T) {
	waits(t)
	p := startGateways(t)
	clients := atOnce(30)
	most := make(map[uint32]int)
	ended := make(chan swarm.Report)
	go func() {
		ended <- swarms(t, p.served, swarm.Config{Clients: clients, Behaviour: swarm.Walk, Duration: 4 * time.Second, Longer: relayed(clients)})
	}()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for walking := true; walking; {
		select {
		case r := <-ended:
			walking = false
			if r.Movement.Count < int64(clients*clients) {
				t.Errorf("%d relays of moves were read, want some of each by each", r.Movement.Count)
			}
		case <-poll.C:
			for gateway, n := range p.claimed() {
				most[gateway] = max(most[gateway], n)
			}
		}
	}
	if most[1]+most[2] < clients || most[1] < clients/3 || most[2] < clients/3 {
		t.Errorf("of %d clients at most %v were at each gateway", clients, most)
	}
	p.see()
	p.talk()
	p.operate()
	if code, _, stderr := execute(t, nil, "cluster", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--database", p.url, "--data", t.TempDir()); code != exitFailure ||
		!strings.Contains(stderr, "another muster cluster runs with this database") {
		t.Errorf("a second cluster with the database: exit code %d: %s", code, stderr)
	}
	p.terminate(registry.RoleLogin, registry.RoleOrchestrate)
	eventually(t, "all accounts are given back", func() bool { return len(p.claimed()) == 0 })
	if n := p.expelled(); n != "00" {
		t.Errorf("%s characters were in a world when another gateway brought them, by worker", n)
	}
	p.stop(os.Interrupt, 1)
	if live, err := p.registry.Gateways(t.Context()); err != nil || len(live) != 0 {
		t.Errorf("gateways %+v, %v, want none", live, err)
	}
}

// Clients of each kind keep the rules in a cluster as they do in one process, and are kept to by it.
func TestBehavioursInCluster(t *testing.T) {
	waits(t)
	p := startGateways(t)
	for _, b := range []swarm.Behaviour{swarm.Walk, swarm.Roam, swarm.Grind, swarm.Crowd} {
		r := swarms(t, p.served, swarm.Config{Prefix: strings.ToUpper(string(b)), Clients: atOnce(60), Behaviour: b, Duration: 4 * time.Second, Longer: relayed(1)})
		if r.Movement.Count == 0 {
			t.Errorf("%s: no relay of a move was read", b)
		}
	}
	p.stop(os.Interrupt, 1)
}

// see has a client at one gateway walk, which one at the other sees, and operators of the first reach the one at the other.
func (p *gatewayPair) see() {
	t := p.t
	t.Helper()
	a, b := authenticate(t, p.served, "ANNA"), authenticate(t, p.served, "BERTA")
	for i, v := range []*visitor{a, b} {
		v.greet(p.at(i), func(*msg.AuthSession) {})
		v.create([]string{"Anna", "Berta"}[i])
	}
	b.enter()
	to := beside(a.enter(), 2)
	a.move(to)
	for {
		var m msg.Move
		if b.await(msg.OpMoveHeartbeat, &m); m.Mover == a.guid {
			if at := (wire.Vec3{X: m.X, Y: m.Y, Z: m.Z}); at != to.Position {
				t.Errorf("seen at %v, want %v", at, to.Position)
			}
			break
		}
	}
	p.lists("Anna", "1 0 0")
	p.lists("Berta", "2 0 0")
	p.must("POST", "/api/announce", `{"text":"hear ye"}`)
	b.hears("[Server] hear ye")
	p.must("POST", "/api/accounts/BERTA/ban", `{"reason":"tested"}`)
	ends(t, b.socket)
	a.socket.Close()
}

// startServers starts a worker, and two gateways that no process starts again, the first with a folder. Args are its flags.
func startServers(t *testing.T, folder string) (one, two *served, args []string) {
	t.Helper()
	url := pgtest.New(t).URL(t)
	bus := startBus(t, 0)
	t.Cleanup(bus.Shutdown)
	world := []string{"--bus", bus.ClientURL(), "--creatures", "200", "--start", "one"}
	work(t, world...)
	with := func(folder string) []string {
		return slices.Concat(world, []string{"--database", url, "--data", folder})
	}
	args = with(folder)
	return serve(t, args...), serve(t, with(t.TempDir())...), args
}

// A process that takes the place of a gateway that was killed has its number and its accounts, once the worlds have let them go, and
// what players of the other one do goes on.
func TestKilledGateway(t *testing.T) {
	waits(t)
	folder := t.TempDir()
	one, two, args := startServers(t, folder)
	a, b := visit(t, one, "ANNA"), visit(t, two, "BERTA")
	a.create("Anna")
	a.enter()
	b.create("Berta")
	at := b.enter()
	one.cmd.Process.Kill()
	<-one.ended
	again := serve(t, args...)
	if !strings.Contains(again.stderr(), `msg="this is a gateway of the registry" gateway=1 `) || !strings.Contains(two.stderr(), " gateway=2 ") {
		t.Error("the gateways have other numbers than 1, 2 and 1")
	}
	visit(t, again, "ANNA").enter()
	b.move(beside(at, 1))
	two.stop(os.Interrupt, 1)
	again.stop(os.Interrupt, 1)
}

// A gateway is killed whose folder no other process has, as on a machine that is gone: its player goes on through another one where it was last, once the lease of the one
// that was killed is over.
func TestGatewayIsGone(t *testing.T) {
	waits(t)
	one, two, _ := startServers(t, t.TempDir())
	a, b := visit(t, one, "ANNA"), visit(t, two, "BERTA")
	b.create("Berta")
	b.enter()
	a.create("Anna")
	at := beside(a.enter(), 1)
	a.move(at)
	var moved msg.Move
	for b.await(msg.OpMoveHeartbeat, &moved); moved.Mover != a.guid; b.await(msg.OpMoveHeartbeat, &moved) {
	}
	one.cmd.Process.Kill()
	<-one.ended
	killed := time.Now()
	again := visit(t, two, "ANNA")
	again.list()
	again.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
	var is msg.Place
	if again.await(msg.OpLoginVerifyWorld, &is); is != at {
		t.Errorf("Anna is at %+v, and was at %+v", is, at)
	}
	t.Logf("a player of a gateway that is gone is back after %v", time.Since(killed).Round(time.Millisecond))
	b.move(at)
	two.stop(os.Interrupt, 1)
}

// restartTime is for how long PostgreSQL and NATS are away in TestRestarts.
const restartTime = 5 * time.Second

// PostgreSQL and NATS are away for 5 s each, one after the other, under clients that play through two gateways. No client is disconnected and no rule is
// broken, those of one gateway reach those of the other afterwards, and logins resume.
func TestRestarts(t *testing.T) {
	waits(t)
	cluster := pgtest.New(t)
	url := cluster.URL(t)
	bus := startBus(t, 0)
	defer func() { bus.Shutdown() }()
	args := []string{"--bus", bus.ClientURL(), "--creatures", "200", "--start", "one"}
	work(t, args...)
	args = append(args, "--database", url, "--data")
	one, two := serve(t, append(args, t.TempDir())...), serve(t, append(args, t.TempDir())...)
	a, b := visit(t, one, "ANNA"), visit(t, two, "BERTA")
	a.create("Anna")
	from := a.enter()
	b.create("Berta")
	b.enter()
	var playing sync.WaitGroup
	var over atomic.Bool
	defer playing.Wait()
	defer over.Store(true)
	clients := atOnce(30)
	playing.Go(func() {
		swarms(t, one, swarm.Config{
			Prefix: "GRIND", Clients: clients, Behaviour: swarm.Grind, Duration: 2 * patience, Enough: func(*swarm.Harvest) bool { return over.Load() },
		})
	})
	eventually(t, "the clients play through both gateways", func() bool {
		n, m := one.stats().World, two.stats().World
		return n+m >= clients+2 && n > clients/3 && m > clients/3
	})
	stand := func() {
		t.Helper()
		a.move(from)
		b.move(from)
	}
	away := func(since time.Time) { // until it has been for long enough
		t.Helper()
		poll := time.NewTicker(100 * time.Millisecond)
		defer poll.Stop()
		for time.Since(since) < restartTime {
			stand()
			<-poll.C
		}
	}
	if err := cluster.Halt(); err != nil {
		t.Fatal(err)
	}
	since := time.Now()
	eventually(t, "the gateways notice that the database is away", func() bool {
		return strings.Contains(one.stderr(), "lease of the gateway is not renewed") && strings.Contains(two.stderr(), "lease of the gateway is not renewed")
	})
	away(since)
	if err := cluster.Resume(); err != nil {
		t.Fatal(err)
	}
	port := bus.Addr().(*net.TCPAddr).Port
	bus.Shutdown()
	bus.WaitForShutdown()
	since = time.Now()
	eventually(t, "the gateways notice that the bus is away", func() bool {
		return strings.Contains(one.stderr(), "the bus is gone") && strings.Contains(two.stderr(), "the bus is gone")
	})
	away(since)
	bus = startBus(t, port)
	eventually(t, "the bus is back", func() bool {
		return strings.Contains(one.stderr(), "the bus is back") && strings.Contains(two.stderr(), "the bus is back")
	})
	eventually(t, "a whisper reaches the other gateway", func() bool {
		a.whispers("Berta", "still there?")
		return a.isHeard()
	})
	if m := b.chat(msg.ChatWhisper); m.Text != "still there?" {
		t.Errorf("heard %+v", m)
	}
	eventually(t, "logins resume", func() bool {
		v := &visitor{t: t, name: "CLARA"}
		v.dial(two.auth)
		defer v.socket.Close()
		v.write(login.AppendChallenge(nil, v.name))
		return reply(v, login.ParseChallengeReply).Result == login.Success
	})
	c := visit(t, two, "CLARA")
	c.create("Clara")
	c.enter()
	stand()
	over.Store(true)
	playing.Wait()
	two.stop(os.Interrupt, 1)
	one.stop(os.Interrupt, 1)
}
