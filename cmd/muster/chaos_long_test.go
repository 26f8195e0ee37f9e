//go:build long

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"muster/bench/swarm"
	"muster/internal/pgtest"
	"muster/internal/testseed"
	"muster/loaders/store"
	"muster/loaders/store/postgres"
	"muster/net/login"
	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// TestChaos runs a cluster whose worlds do not die under clients that walk, fight, and log in and out through both gateways, for as long
// as CHAOS says, or for a minute. SEED draws what is done to it and when. Rounds take turns: in one, workers and standbys are killed and stopped and
// the database ends, and no session may be lost; in the next, gateways are killed. After each round characters and items are there
// once, and have not lost what they had. Logins and saves are linearizable: each login finds the character where the last one left it.
func TestChaos(t *testing.T) {
	whole := time.Minute
	if text := os.Getenv("CHAOS"); text != "" {
		var err error
		if whole, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	seed := testseed.Of(t)
	c := startChaos(t, seed)
	ctx, cancel := context.WithCancel(t.Context())
	var visits sync.WaitGroup
	for i := range chaosVisitors {
		visits.Go(func() { c.comeAndGo(ctx, i) })
	}
	for began, n := time.Now(), 0; time.Since(began) < whole && !t.Failed(); n++ {
		if n%2 == 0 {
			c.whilePlaying(n)
		} else {
			c.killGateways(n)
		}
		c.audit(n)
	}
	cancel()
	visits.Wait()
	c.judge()
	log := c.stderr()
	for _, alarm := range []string{"worlds that have read the same differ", "a world is lost", "panic"} {
		for line := range strings.Lines(log) {
			if strings.Contains(line, alarm) && !c.excused(line) {
				t.Errorf("a process logged %s", line)
			}
		}
	}
	c.stop(syscall.SIGINT, 1)
	t.Logf("%d faults: %v; %d visits", c.faults, c.done, len(c.history))
}

const (
	chaosVisitors = 8
	chaosRound    = 25 * time.Second // with the players' logins
	// chaosPause is the mean time between two faults. A cluster starts 20 processes again in a minute.
	chaosPause = 5 * time.Second
)

// A chaos is a cluster, and what was done to it.
type chaos struct {
	*served
	database *pgtest.Cluster
	url      string
	auths    [2]string // of the gateways
	worlds   [2]string
	dice     *mathrand.Rand
	faults   int
	done     map[string]int
	before   map[uint64]store.Character // by GUID, as of the last audit

	mu      sync.Mutex
	history []porcupine.Operation
}

func startChaos(t *testing.T, seed uint64) *chaos {
	t.Helper()
	c := &chaos{database: startCluster(t), dice: mathrand.New(mathrand.NewPCG(seed, 17)), done: make(map[string]int)}
	var err error
	if c.url, err = c.database.Database(t.Context()); err != nil {
		t.Fatal(err)
	}
	auth, world, admin := freePorts(t), freePorts(t), freePorts(t)
	at := func(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }
	c.auths, c.worlds = [2]string{at(auth), at(auth + 1)}, [2]string{at(world), at(world + 1)}
	c.served = &served{t: t, cmd: exec.Command(binary, "cluster", "--auth", at(auth), "--world", at(world), "--admin", at(admin),
		"--database", c.url, "--data", filepath.Join(t.TempDir(), "data"), "--durable", "world", "--standbys", "1", "--gateways", "2", "--workers", "1", "--snapshot-every", "5s",
		"--creatures", "400", "--start", "one", "--seed", strconv.FormatUint(seed, 10)), ended: make(chan error, 1)}
	c.wait("cluster")
	return c
}

// freePorts is the first of two ports in a row that are free.
func freePorts(t *testing.T) int {
	t.Helper()
	for {
		one, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := one.Addr().(*net.TCPAddr).Port
		two, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+1))
		one.Close()
		if err == nil {
			two.Close()
			return port
		}
	}
}

// processes are the children of a cluster whose command line has all of some words.
func (c *served) processes(words ...string) (pids []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		c.t.Error(err)
	}
	parent := strconv.Itoa(c.cmd.Process.Pid)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "stat"))
		_, after, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(after)
		line, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		args := strings.Split(string(line), "\x00")
		if len(fields) < 2 || fields[1] != parent || fields[0] == "Z" {
			continue
		}
		if !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(args, w) }) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// whilePlaying does to workers, standbys and the database what players must not notice but for a pause.
func (c *chaos) whilePlaying(n int) {
	clients := atOnce(20)
	done := make(chan struct{})
	var playing sync.WaitGroup
	for _, b := range []swarm.Behaviour{swarm.Walk, swarm.Grind} {
		playing.Go(func() {
			swarms(c.t, &served{t: c.t, auth: c.auths[0]}, swarm.Config{
				Prefix: strings.ToUpper(string(b)), Clients: clients, Behaviour: b, Ramp: 20, Duration: chaosRound,
				Enough: func(*swarm.Harvest) bool { return false },
			})
		})
	}
	go func() {
		playing.Wait()
		close(done)
	}()
	pause := time.NewTimer(4 * time.Second) // for logins, which a database that is away refuses
	defer pause.Stop()
	for {
		select {
		case <-pause.C:
			c.hurt()
			pause.Reset(chaosPause/2 + time.Duration(c.dice.Int64N(int64(chaosPause))))
		case <-done:
			c.t.Logf("round %d: players were not disturbed by %d faults so far", n, c.faults)
			return
		}
	}
}

// hurt does one thing.
func (c *chaos) hurt() {
	c.faults++
	switch what := c.dice.IntN(5); what {
	case 0, 1: // whichever leads
		c.signal("worker", syscall.SIGKILL, 0)
	case 2:
		c.signal("standby", syscall.SIGKILL, 0)
	case 3:
		c.signal("worker", syscall.SIGSTOP, 200*time.Millisecond+time.Duration(c.dice.Int64N(int64(2*time.Second))))
	case 4:
		c.done["database ended"]++
		if err := c.database.Halt(); err != nil {
			c.t.Error(err)
		}
		<-time.After(time.Duration(c.dice.Int64N(int64(time.Second)))) // it is away for as long
		if err := c.database.Resume(); err != nil {
			c.t.Error(err)
		}
	}
}

// signal sends a worker a signal, and another one that continues it after a time if it is one that stops.
func (c *chaos) signal(which string, sig syscall.Signal, stopped time.Duration) {
	pids := c.processes("worker")
	standbys := c.processes("worker", "--standby")
	if which == "standby" {
		pids = standbys
	}
	if len(pids) == 0 {
		return
	}
	pid := pids[c.dice.IntN(len(pids))]
	c.done[fmt.Sprint(which, " ", sig)]++
	syscall.Kill(pid, sig)
	if stopped > 0 {
		<-time.After(stopped) // it stands still for as long
		syscall.Kill(pid, syscall.SIGCONT)
	}
}

// killGateways kills gateways while clients come and go, which are to find what they left.
func (c *chaos) killGateways(n int) {
	for range 2 {
		pids := c.processes("serve", "--gateway")
		if len(pids) > 0 {
			c.faults++
			c.done["gateway killed"]++
			syscall.Kill(pids[c.dice.IntN(len(pids))], syscall.SIGKILL)
		}
		<-time.After(chaosPause + time.Duration(c.dice.Int64N(int64(chaosPause)))) // visits go on meanwhile
	}
	eventually(c.t, "both gateways are there again", func() bool {
		for _, at := range slices.Concat(c.auths[:], c.worlds[:]) {
			s, err := net.DialTimeout("tcp", at, time.Second)
			if err != nil {
				return false
			}
			s.Close()
		}
		return true
	})
	c.t.Logf("round %d: gateways were killed", n)
}

// excused reports whether a line is about a world that a gateway has lost because it was itself killed or cut off.
func (c *chaos) excused(line string) bool { return strings.Contains(line, "level=DEBUG") }

// audit compares what is stored with what was: no character is there twice, none is lost or has less experience or money than it had, and
// no item is with two.
func (c *chaos) audit(n int) {
	s, err := postgres.Open(c.t.Context(), postgres.Config{URL: c.url})
	if err != nil {
		c.t.Fatal(err)
	}
	defer s.Close()
	now, items := make(map[uint64]store.Character), make(map[uint64]uint64)
	add := func(prefix string, count int) {
		for i := range count {
			account, err := s.Account(c.t.Context(), fmt.Sprint(prefix, i+1))
			if err != nil {
				continue // it has not logged in yet
			}
			list, err := s.Characters(c.t.Context(), account.ID)
			if err != nil || len(list) > 1 {
				c.t.Errorf("round %d: %s%d has %d characters, %v", n, prefix, i+1, len(list), err)
			}
			for _, brief := range list {
				ch, err := s.Character(c.t.Context(), brief.GUID)
				if err != nil {
					c.t.Errorf("round %d: character %d: %v", n, brief.GUID, err)
					continue
				}
				if _, twice := now[ch.GUID]; twice {
					c.t.Errorf("round %d: character %d is there twice", n, ch.GUID)
				}
				now[ch.GUID] = ch
				for _, it := range ch.Items {
					if other, twice := items[it.GUID]; twice {
						c.t.Errorf("round %d: item %d is with characters %d and %d", n, it.GUID, other, ch.GUID)
					}
					items[it.GUID] = ch.GUID
				}
			}
		}
	}
	add("WALK", 20)
	add("GRIND", 20)
	add("CHAOS", chaosVisitors)
	for guid, was := range c.before {
		is, ok := now[guid]
		if !ok || is.Level < was.Level || is.Level == was.Level && is.XP < was.XP || is.MoneyCopper < was.MoneyCopper || is.Version < was.Version {
			c.t.Errorf("round %d: character %d was set back: level %d, %d experience, %d copper, version %d; it had %d, %d, %d, %d", n, guid,
				is.Level, is.XP, is.MoneyCopper, is.Version, was.Level, was.XP, was.MoneyCopper, was.Version)
		}
	}
	c.before = now
}

// A chaosPlace is what a visitor does with where its character is: it finds it there, or leaves it there.
type chaosPlace struct {
	visitor int
	leaves  bool
	x       float32
}

// comeAndGo has a character log in and out again and again, each time through a gateway that is drawn, and notes where it has found and
// left itself. What a visit that was cut off has done is not known.
func (c *chaos) comeAndGo(ctx context.Context, i int) {
	dice := mathrand.New(mathrand.NewPCG(uint64(i), 23))
	for n := 0; ctx.Err() == nil; n++ {
		gateway, over := dice.IntN(2), make(chan struct{})
		go func() {
			defer close(over)
			c.visitOnce(i, n, gateway, dice.IntN(4) == 0)
		}()
		<-over
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(dice.Int64N(int64(300 * time.Millisecond)))):
		}
	}
}

// visitOnce is one visit; what ends it ends the goroutine. A rude one ends its connection without a logout.
func (c *chaos) visitOnce(i, n, gateway int, rude bool) {
	v := &visitor{t: c.t, name: fmt.Sprint("CHAOS", i+1), mortal: true}
	defer func() {
		if v.socket != nil {
			v.socket.Close()
		}
	}()
	v.dialer.Timeout = 5 * time.Second
	v.dial(c.auths[gateway])
	v.socket.SetDeadline(time.Now().Add(chaosPatience))
	v.write(login.AppendChallenge(nil, v.name))
	challenge := reply(v, login.ParseChallengeReply)
	if challenge.Result != login.Success {
		runtime.Goexit()
	}
	srp, err := crypt.NewClient(rand.Reader, v.name, strings.ToUpper(defaultPassword))
	v.check(err)
	A, M1, key, _, err := srp.Answer(challenge.Public, challenge.Salt)
	v.check(err)
	v.write(login.AppendProof(nil, A, M1))
	if reply(v, login.ParseProofReply).Result != login.Success {
		runtime.Goexit()
	}
	v.socket.Close()
	v.key = key
	v.dial(c.worlds[gateway])
	v.socket.SetDeadline(time.Now().Add(chaosPatience))
	var hello msg.AuthChallenge
	v.await(msg.OpAuthChallenge, &hello)
	session := msg.AuthSession{Build: uint32(wire.V12340), Account: v.name, Realm: 1, ClientSeed: [4]byte{1, 2, 3, 4}}
	session.Digest = crypt.WorldProof(v.name, session.ClientSeed, hello.Seed, v.key)
	v.say(msg.OpAuthSession, &session)
	v.fromThem, v.toThem, v.keyed = crypt.ServerToClient(key), crypt.ClientToServer(key), true
	var welcome msg.AuthResponse
	if v.await(msg.OpAuthResponse, &welcome); welcome.Result != msg.AuthOK {
		runtime.Goexit()
	}
	all := v.list()
	if len(all) == 0 {
		v.say(msg.OpCharCreate, &msg.CharCreate{Name: "Chaos" + string(rune('a'+i)), Look: msg.Look{Race: 1, Class: 1}})
		var made msg.CharResult
		v.await(msg.OpCharCreateResult, &made)
		runtime.Goexit()
	}
	v.guid = all[0].GUID
	began := time.Now().UnixNano()
	v.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: v.guid})
	var at msg.Place
	for at == (msg.Place{}) {
		switch op, body := v.next(); op {
		case msg.OpLoginVerifyWorld:
			v.check(msg.Decode(wire.V12340, body, &at))
		case msg.OpCharacterLoginFailed:
			runtime.Goexit()
		}
	}
	c.note(chaosPlace{i, false, at.Position.X}, began, time.Now().UnixNano())
	to := at
	if to.Position.X += 0.5; n%200 >= 100 {
		to.Position.X -= 1
	}
	began = time.Now().UnixNano()
	sent, known := false, false
	defer func() {
		if sent && !known {
			c.note(chaosPlace{i, true, to.Position.X}, began, -1)
		}
	}()
	sent = true
	v.move(to)
	if rude {
		return
	}
	v.say(msg.OpPlayerLogout, &msg.Empty{})
	v.await(msg.OpLogoutComplete, &msg.Empty{})
	known = true
	c.note(chaosPlace{i, true, to.Position.X}, began, time.Now().UnixNano())
}

// chaosPatience is how long a visitor waits for anything.
const chaosPatience = 60 * time.Second

// note adds an operation to the history; one that ended at -1 may have its effect at any time, or never.
func (c *chaos) note(p chaosPlace, began, ended int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.history = append(c.history, porcupine.Operation{ClientId: p.visitor, Input: p, Call: began, Return: ended})
}

// judge checks that the history is that of a register for each character.
func (c *chaos) judge() {
	c.mu.Lock()
	defer c.mu.Unlock()
	end := time.Now().UnixNano()
	for i := range c.history {
		if op := &c.history[i]; op.Return < 0 {
			op.Return, op.ClientId = end, chaosVisitors+i // it goes on beside what its visitor does next
		}
	}
	model := porcupine.Model{
		Partition: func(history []porcupine.Operation) (parts [][]porcupine.Operation) {
			parts = make([][]porcupine.Operation, chaosVisitors)
			for _, op := range history {
				i := op.Input.(chaosPlace).visitor
				parts[i] = append(parts[i], op)
			}
			return parts
		},
		Init: func() any { return (*float32)(nil) }, // where it began
		Step: func(state, input, _ any) (bool, any) {
			at, p := state.(*float32), input.(chaosPlace)
			return p.leaves || at == nil || *at == p.x, &p.x
		},
		Equal: func(a, b any) bool {
			x, y := a.(*float32), b.(*float32)
			return x == y || x != nil && y != nil && *x == *y
		},
	}
	switch porcupine.CheckOperationsTimeout(model, c.history, time.Minute) {
	case porcupine.Illegal:
		text := ""
		for i, part := range model.Partition(c.history) {
			if !porcupine.CheckOperations(model, part) {
				text += fmt.Sprintf("\nvisitor %d:", i+1)
				slices.SortFunc(part, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
				for _, op := range part {
					text += fmt.Sprintf(" %v", op.Input)
				}
			}
		}
		c.t.Errorf("logins and saves are not linearizable:%s", text)
	case porcupine.Unknown:
		c.t.Logf("whether logins and saves are linearizable was not found out within a minute")
	}
	if len(c.history) < chaosVisitors {
		c.t.Errorf("%d visits", len(c.history))
	}
}
