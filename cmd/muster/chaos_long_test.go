//go:build long

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net"
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

	"muster/bench/swarm"
	"muster/cmd/internal/checker"
	"muster/internal/pgtest"
	"muster/internal/skew"
	"muster/internal/testseed"
	"muster/loaders/store"
	"muster/loaders/store/postgres"
)

// TestChaos runs a cluster whose worlds do not die under clients that walk, fight, trade, log in and out through both gateways, and change the map, for as long
// as half of CHAOS says, or for half a minute. SEED draws what is done to it and when, of what has ONLY in its name. Rounds take turns: in one, all processes but gateways are killed, some stand still, and no
// session may be lost; in another, gateways are killed. After each round characters and items are there
// once, and have not lost what they had. With KILLS there are no rounds in which gateways are killed, and instead of a time as many kills. CLIENTS play, 60 otherwise. Logins, saves, trades and hand-overs are linearizable: each login finds the character as the last one left it.
func TestChaos(t *testing.T) {
	c := newChaos(t)
	admin := freePorts(t)
	c.served = &served{t: t, cmd: exec.Command(binary, "cluster", "--auth", c.auths[0], "--world", c.worlds[0], "--admin", local(admin),
		"--database", c.url, "--data", filepath.Join(t.TempDir(), "data"), "--durable", "world", "--standbys", "1", "--gateways", "2", "--workers", "3", "--snapshot-every", "5s",
		"--creatures", "400", "--start", "one", "--seed", strconv.FormatUint(c.seed, 10)), ended: make(chan error, 1)}
	c.wait("cluster")
	c.parent = c.cmd.Process.Pid
	c.pause, c.turns = 5*time.Second, 2 // it starts 20 processes again in a minute
	c.kinds = []chaosKind{
		{"worker killed", func() { c.signal("worker", syscall.SIGKILL, 0) }}, // each has some worlds, and follows others
		{"worker of the players killed", c.killServing},
		{"orchestrator killed", func() { c.signal("orchestrate", syscall.SIGKILL, 0) }},
		{"login server killed", c.killLogin},
		{"worker stopped", func() { c.signal("worker", syscall.SIGSTOP, c.still()) }},
		{"orchestrator stopped", func() { c.signal("orchestrate", syscall.SIGSTOP, c.still()) }},
		{"gateway stopped", func() { c.signal("gateway", syscall.SIGSTOP, c.still()) }},
		{"database killed", c.killDatabase},
		{databaseJumped, c.jumpDatabase},
		{"clock jumped", func() { c.jump(append(c.children(), c.parent)) }}, // of the children, or of the process that has the bus
	}
	c.play(chaosTime(t), c.stderr)
	c.stop(syscall.SIGINT, 1)
	c.judge()
}

const (
	chaosVisitors = 8
	// chaosTravellers are those of the visitors that change the map.
	chaosTravellers = 4
	// chaosPairs are pairs of further visitors, which trade.
	chaosPairs = 2
	chaosRound = 25 * time.Second // with the players' logins
)

// chaosGateways is the least time between two kills of gateways.
const chaosGateways = 5 * time.Second

// chaosJump is how far a clock that is wrong is ahead or behind at most.
const chaosJump = 5 * time.Minute

const databaseJumped = "clock of the database jumped"

// chaosPlay is what players do, of which there are as many each.
var chaosPlay = [...]swarm.Behaviour{swarm.Walk, swarm.Grind, swarm.Trade}

// A chaosKind is a fault that players must not notice but for a pause.
type chaosKind struct {
	name string
	do   func() // returns when it is over
}

// A chaos is a cluster, and what was done to it.
type chaos struct {
	*served  // the cluster, or its first gateway
	test     *testing.T
	database *pgtest.Cluster
	url      string
	auths    [2]string // of the gateways
	worlds   [2]string
	seed     uint64
	dice     *mathrand.Rand
	kinds    []chaosKind
	next     []int         // which of them come next
	pause    time.Duration // between two of them, in the mean
	turns    int           // of so many rounds the last one is without players
	began    time.Time
	ending   context.Context                   // done when visits are to end
	parent   int                               // of the processes
	dial     func(at string) (net.Conn, error) // connects to a gateway
	faults   int
	kills    int // that there are to be; 0: CHAOS says for how long
	clients  int // of each behaviour
	done     map[string]int
	audits   checker.Audit
	// behaviours are those of the players, by account.
	behaviours map[uint32]swarm.Behaviour
	history    checker.History
	pairs      [chaosPairs]chaosPair

	mu      sync.Mutex
	endings map[ending]int
	visits  map[string][]pastVisit            // by account
	goes    [chaosVisitors]*checker.Character // where visits have asked them to go, until they are there
	hops    int
	trades  int
}

// chaosTime is half of what CHAOS says: there are two tests of it.
func chaosTime(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("CHAOS")
	if text == "" {
		return time.Minute / 2
	}
	whole, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return whole / 2
}

// newChaos makes a database, and places for two gateways.
func newChaos(t *testing.T) *chaos {
	t.Helper()
	seed := testseed.Of(t)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("SEED=%d repeats the faults", seed)
		}
	})
	c := &chaos{began: time.Now(), test: t, database: pgtest.New(t), seed: seed, dice: mathrand.New(mathrand.NewPCG(seed, 17)), done: make(map[string]int), endings: make(map[ending]int),
		behaviours: make(map[uint32]swarm.Behaviour)}
	c.dial = func(at string) (net.Conn, error) { return net.DialTimeout("tcp", at, time.Second) }
	number := func(name string, otherwise int) int {
		n, err := strconv.Atoi(cmp.Or(os.Getenv(name), strconv.Itoa(otherwise)))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	c.kills, c.clients = number("KILLS", 0), atOnce(number("CLIENTS", 60))/len(chaosPlay)
	c.audits = checker.Audit{
		Spends: func(c *store.Character) bool { return strings.HasPrefix(c.Name, "Dealer") },
		Keeps: func(ch *store.Character) bool {
			return strings.HasPrefix(ch.Name, "Chaos") || c.behaviours[ch.Account] == swarm.Walk
		},
		Gains: func(ch *store.Character) bool { return c.behaviours[ch.Account] == swarm.Grind },
	}
	var err error
	if c.url, err = c.database.Database(t.Context()); err != nil {
		t.Fatal(err)
	}
	auth, world := freePorts(t), freePorts(t)
	c.auths, c.worlds = [2]string{local(auth), local(auth + 1)}, [2]string{local(world), local(world + 1)}
	return c
}

// violates fails the test, and says which seed does the same again.
func (c *chaos) violates(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf("SEED=%d: %s", c.seed, fmt.Sprintf(format, args...))
}

func local(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }

// play does what is to be done to a cluster, for a time. What its processes log is read from logs.
func (c *chaos) play(whole time.Duration, logs func() string) {
	only := os.Getenv("ONLY")
	if only == "" && c.kills > 0 {
		only = "killed"
	}
	if only != "" {
		c.kinds = slices.DeleteFunc(c.kinds, func(k chaosKind) bool { return !strings.Contains(k.name, only) })
	}
	if os.Geteuid() != 0 {
		c.t.Log("the clock of the database does not jump: only root may set that of a process that is no child")
		c.kinds = slices.DeleteFunc(c.kinds, func(k chaosKind) bool { return k.name == databaseJumped })
	}
	c.admitMasters()
	ctx, cancel := context.WithCancel(c.t.Context())
	c.ending = ctx
	var visits sync.WaitGroup
	for i := range chaosVisitors {
		visits.Go(func() { c.comeAndGo(ctx, i) })
	}
	for p := range c.pairs {
		visits.Go(func() { c.pairs[p].comeAndTrade(ctx, c, p) })
	}
	again := func(n int) bool { return n < c.turns || time.Since(c.began)+chaosRound < whole }
	if c.kills > 0 {
		again = func(int) bool { return c.faults < c.kills }
	}
	for n := 0; again(n) && !c.t.Failed(); n++ {
		if n%c.turns < c.turns-1 || c.kills > 0 {
			c.whilePlaying(n)
		} else {
			c.killGateways(n)
		}
		c.audit(n)
	}
	cancel()
	visits.Wait()
	c.judgeEndings()
	for _, alarm := range []string{"worlds that have read the same differ", "a world is lost", "panic"} {
		for line := range strings.Lines(logs()) {
			if strings.Contains(line, alarm) && !strings.Contains(line, "level=DEBUG") {
				c.violates("a process logged %s", line)
			}
		}
	}
	c.t.Logf("%d faults: %v; %d steps of visits, %d maps changed, %d trades; %d times a process has begun to serve the players' map",
		c.faults, c.done, c.history.Len(), c.hops, c.trades, strings.Count(logs(), `msg="this process has the world" map=0 `))
}

// between draws a time.
func (c *chaos) between(least, most time.Duration) time.Duration {
	return least + time.Duration(c.dice.Int64N(int64(most-least)))
}

// freePorts is the first of two ports in a row that are free, and stay so while gateways are killed and started again: see lasting.
func freePorts(t *testing.T) int {
	t.Helper()
	for {
		port := lasting(t)
		two, err := net.Listen("tcp", local(port+1))
		if err == nil {
			two.Close()
			return port
		}
	}
}

// whilePlaying does what players must not notice but for a pause.
func (c *chaos) whilePlaying(n int) {
	duration := chaosRound
	if left := c.kills - c.faults; left > 0 { // 20 of them, and the logins
		duration += time.Duration(min(left, 20)) * c.pause
	}
	logins, done := make(chan struct{}), make(chan struct{})
	var entering, playing sync.WaitGroup
	entering.Add(len(chaosPlay))
	for _, b := range chaosPlay {
		entered := sync.OnceFunc(entering.Done)
		var began time.Time
		playing.Go(func() {
			defer entered()
			r := swarms(c.t, &served{t: c.t, auth: c.auths[0]}, swarm.Config{
				Prefix: chaosAccounts(b, n), Clients: c.clients, Behaviour: b, Ramp: float64(c.clients), Duration: time.Millisecond,
				Longer: func(int64) bool { // asked from when all are in
					if began.IsZero() {
						began = time.Now()
						entered()
					}
					return time.Since(began) < duration
				},
			})
			if r.Trades != nil {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.trades += r.Trades.Done
			}
		})
	}
	go func() {
		entering.Wait()
		close(logins)
		playing.Wait()
		close(done)
	}()
	<-logins // a database that is away refuses them
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-pause.C:
			c.hurt()
			pause.Reset(c.between(c.pause/2, c.pause*3/2))
		case <-done:
			c.t.Logf("round %d: players were not disturbed by %d faults so far", n, c.faults)
			return
		}
	}
}

// hurt does one thing, of which each has its turn before one comes again.
func (c *chaos) hurt() {
	if len(c.kinds) == 0 { // ONLY is of another test
		return
	}
	if len(c.next) == 0 {
		c.next = c.dice.Perm(len(c.kinds))
	}
	kind := c.kinds[c.next[0]]
	c.next = c.next[1:]
	c.faults++
	c.done[kind.name]++
	c.t.Logf("%s: %s", time.Now().UTC().Format("15:04:05.000"), kind.name)
	kind.do()
}

// still draws for how long a process stands still.
func (c *chaos) still() time.Duration { return c.between(200*time.Millisecond, 2200*time.Millisecond) }

// servesPlayers is what a worker logs that has the map on which clients play, and started what the cluster logs of one that it has started.
var (
	servesPlayers = regexp.MustCompile(`(worker \d+): .* msg="this process has the world" map=0 `)
	started       = regexp.MustCompile(`msg=(?:runs|"is started again") process="(worker \d+)" pid=(\d+)`)
)

// killServing kills the worker that has the map on which clients play, once there is one.
func (c *chaos) killServing() {
	eventually(c.t, "a worker has the players' map", func() bool {
		said := c.stderr()
		leads, pid := servesPlayers.FindAllStringSubmatch(said, -1), 0
		for _, r := range started.FindAllStringSubmatch(said, -1) {
			if len(leads) > 0 && r[1] == leads[len(leads)-1][1] {
				pid, _ = strconv.Atoi(r[2])
			}
		}
		return pid > 0 && syscall.Kill(pid, syscall.SIGKILL) == nil
	})
}

// killLogin kills a login server, and waits until it is there again, so that the players of the next round find it.
func (c *chaos) killLogin() {
	c.signal("login", syscall.SIGKILL, 0)
	c.reachable("both login servers are", c.auths[:])
}

// reachable waits until clients can connect to some addresses.
func (c *chaos) reachable(what string, all []string) {
	eventually(c.t, what+" there again", func() bool {
		for _, at := range all {
			s, err := c.dial(at)
			if err != nil {
				return false
			}
			s.Close()
		}
		return true
	})
}

// killDatabase ends the database as a crash would, and starts it again after a second at most.
func (c *chaos) killDatabase() {
	if err := c.database.Halt(); err != nil {
		c.t.Error(err)
	}
	<-time.After(c.between(0, time.Second)) // it is away for as long
	if err := c.database.Resume(); err != nil {
		c.t.Error(err)
	}
}

// signal sends a process of a verb a signal, once there is one, and another one that continues it after a time if it is one that stops.
func (c *chaos) signal(verb string, sig syscall.Signal, stopped time.Duration) {
	drawn, pid := c.dice.Int(), 0
	eventually(c.t, "a process of "+verb+" is there", func() bool {
		pids := processesOf(c.t, c.parent, verb)
		if len(pids) == 0 {
			return false
		}
		pid = pids[drawn%len(pids)]
		return syscall.Kill(pid, sig) == nil
	})
	if stopped > 0 {
		<-time.After(stopped) // it stands still for as long
		syscall.Kill(pid, syscall.SIGCONT)
	}
}

// children are the processes of the roles. One that is just being started has the words of its parent still, and its memory.
func (c *chaos) children() (pids []int) {
	for _, verb := range []string{"login", "gateway", "worker", "orchestrate"} {
		pids = append(pids, processesOf(c.t, c.parent, verb)...)
	}
	return pids
}

// jump has the wall clock of one of some processes jump.
func (c *chaos) jump(pids []int) {
	pid, ahead := pids[c.dice.IntN(len(pids))], c.ahead()
	if err := skew.Set(pid, ahead); err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrProcessDone) { // it may have been killed just now
		c.t.Error(err)
	}
	c.t.Logf("the clock of process %d is set to %v", pid, ahead.Round(time.Second))
}

// jumpDatabase has that of PostgreSQL jump, by which leases last.
func (c *chaos) jumpDatabase() {
	ahead := c.ahead()
	pid, err := c.database.PID()
	if err == nil {
		err = skew.SetFamily(pid, ahead)
	}
	if err != nil {
		c.t.Error(err)
	}
	c.t.Logf("the clock of the database is set to %v", ahead.Round(time.Second))
}

// ahead draws how far a clock is ahead or behind from now on; it may be as the machine's again.
func (c *chaos) ahead() time.Duration {
	if c.dice.IntN(4) == 0 {
		return 0
	}
	return c.between(-chaosJump, chaosJump)
}

// killGateways kills gateways while clients come and go, which are to find what they left.
func (c *chaos) killGateways(n int) {
	for range 2 {
		pids := processesOf(c.t, c.parent, "--gateway")
		if len(pids) > 0 {
			c.faults++
			c.done["gateway killed"]++
			syscall.Kill(pids[c.dice.IntN(len(pids))], syscall.SIGKILL)
		}
		<-time.After(c.between(chaosGateways, 2*chaosGateways)) // visits go on meanwhile
	}
	c.reachable("both gateways are", slices.Concat(c.auths[:], c.worlds[:]))
	c.t.Logf("round %d: gateways were killed", n)
}

// audit compares what is stored with what was: checker.Audit. Visitors keep their items, and dealers pay each other.
func (c *chaos) audit(n int) {
	s, err := postgres.Open(c.t.Context(), postgres.Config{URL: c.url})
	if err != nil {
		c.t.Fatal(err)
	}
	defer s.Close()
	all, versions := c.characters(n, s), make(map[uint64]uint64)
	for _, again := range c.characters(n, s) {
		versions[again.GUID] = again.Version
	}
	var saved []uint64
	for _, ch := range all {
		if ch.Version != versions[ch.GUID] {
			saved = append(saved, ch.GUID)
		}
	}
	for _, wrong := range c.audits.Check(all, saved...) {
		c.violates("round %d: %s", n, wrong)
	}
}

// chaosWalk is in how many rounds the same clients walk: they go on where they were, and sooner or later so far apart that none sees another one.
const chaosWalk = 20

// chaosAccounts is how accounts of clients begin that play in a round.
func chaosAccounts(b swarm.Behaviour, round int) string {
	name := strings.ToUpper(string(b))
	if of := round / chaosWalk; b == swarm.Walk && of > 0 {
		name += string(rune('A' + of)) // a number comes after it
	}
	return name
}

// characters reads those of all accounts, one after the other.
func (c *chaos) characters(n int, s store.Store) (all []store.Character) {
	add := func(prefix string, count int, b swarm.Behaviour) {
		for i := range count {
			account, err := s.Account(c.t.Context(), fmt.Sprint(prefix, i+1))
			if err != nil {
				continue // it has not logged in yet
			}
			c.behaviours[account.ID] = b
			list, err := s.Characters(c.t.Context(), account.ID)
			if err != nil {
				c.violates("round %d: %s%d: %v", n, prefix, i+1, err)
			}
			for _, brief := range list {
				ch, err := s.Character(c.t.Context(), brief.GUID)
				if err != nil {
					c.violates("round %d: character %d: %v", n, brief.GUID, err)
				}
				all = append(all, ch)
			}
		}
	}
	for _, b := range chaosPlay {
		for round := 0; round <= n; round += chaosWalk {
			if name := chaosAccounts(b, round); round == 0 || name != chaosAccounts(b, 0) {
				add(name, c.clients, b)
			}
		}
	}
	add("CHAOS", chaosVisitors+2*chaosPairs, "")
	return all
}
