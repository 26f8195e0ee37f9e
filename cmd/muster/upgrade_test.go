package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/internal/pgtest"
	"muster/loaders/registry"
	"muster/loaders/store"
	"muster/loaders/store/postgres"
	"muster/net/ops/console"
	"muster/net/protocol/msg"
)

// builtAs builds the program as another release.
func builtAs(t *testing.T, name string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "muster")
	args := slices.Concat([]string{"build", "-buildvcs=false"}, buildFlags, []string{"-ldflags", "-X muster/cmd/internal/release.version=" + name, "-o", path, "."})
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return path
}

// An upgraded is a realm that is upgraded.
type upgraded struct {
	t        *testing.T
	database string
	world    []string // flags of all that have to do with worlds
	registry *registry.Registry
}

func newUpgraded(t *testing.T) *upgraded {
	t.Helper()
	url := pgtest.New(t).URL(t)
	u := &upgraded{t: t, database: url, world: []string{"--bus", startStreams(t).ClientURL(), "--creatures", "200", "--start", "one"}}
	var err error
	if u.registry, err = registry.Open(t.Context(), registry.Config{URL: url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(u.registry.Close)
	return u
}

func (u *upgraded) worker(program string, args ...string) *working {
	u.t.Helper()
	return beginAs(u.t, program, slices.Concat([]string{"worker"}, u.world, []string{"--durable", "world", "--snapshot-every", "3s"}, args)...)
}

func (u *upgraded) gateway(program string) *served {
	u.t.Helper()
	s := &served{t: u.t, ended: make(chan error, 1), cmd: exec.Command(program, slices.Concat([]string{"serve", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0"},
		u.world, []string{"--database", u.database, "--data", u.t.TempDir()})...)}
	s.wait("a gateway")
	return s
}

// said is what a gateway answers to a line, also why it refuses it: a machine that is busy has processes answer late, and the verb is said again.
func (u *upgraded) said(s *served, line string) string {
	u.t.Helper()
	said, err := console.Ask(u.t.Context(), s.socket, line)
	if err != nil && !errors.Is(err, console.ErrFailed) {
		u.t.Errorf("%s: %v\n%s", line, err, said)
	}
	return said
}

// claimed is how many accounts each gateway has.
func (u *upgraded) claimed() map[uint32]int {
	u.t.Helper()
	list, err := u.registry.Sessions(u.t.Context())
	if err != nil {
		u.t.Fatal(err)
	}
	by := make(map[uint32]int)
	for _, s := range list {
		by[s.Gateway]++
	}
	return by
}

// kept are the characters of accounts as they are stored: one of each, and no item with two.
func (u *upgraded) kept(prefix string, count int) map[uint64]store.Character {
	u.t.Helper()
	s, err := postgres.Open(u.t.Context(), postgres.Config{URL: u.database})
	if err != nil {
		u.t.Fatal(err)
	}
	defer s.Close()
	all, items := make(map[uint64]store.Character), make(map[uint64]uint64)
	for i := range count {
		account, err := s.Account(u.t.Context(), fmt.Sprint(prefix, i+1))
		if err != nil {
			u.t.Fatal(err)
		}
		list, err := s.Characters(u.t.Context(), account.ID)
		if err != nil || len(list) != 1 {
			u.t.Fatalf("%s%d has %d characters, %v", prefix, i+1, len(list), err)
		}
		c, err := s.Character(u.t.Context(), list[0].GUID)
		if err != nil {
			u.t.Fatal(err)
		}
		all[c.GUID] = c
		for _, it := range c.Items {
			if other, twice := items[it.GUID]; twice {
				u.t.Errorf("item %d is with characters %d and %d", it.GUID, other, c.GUID)
			}
			items[it.GUID] = c.GUID
		}
	}
	return all
}

// upgradeClients is how many play while a realm is upgraded: CLIENTS, 300 in make upgrade.
func upgradeClients() int {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("CLIENTS"), "60"))
	if err != nil {
		panic("CLIENTS: " + err.Error())
	}
	return atOnce(n)
}

// The worlds of a realm go on in workers of another release while clients walk and fight in them: none is lost, and no rule broken. Then its gateways
// are drained one after the other: the players of those, and no others, log in again, and find themselves as they were. No character is
// set back, and no item doubled.
func TestUpgrade(t *testing.T) {
	waits(t)
	next := builtAs(t, "next")
	u := newUpgraded(t)
	old := u.worker(binary)
	oldStandby := u.worker(binary, "--standby")
	one, two := u.gateway(binary), u.gateway(binary)
	clients := upgradeClients()

	refused := exec.Command(next, slices.Concat([]string{"worker"}, u.world, []string{"--durable", "world"})...)
	if out, err := refused.CombinedOutput(); err == nil || !strings.Contains(string(out), "is of a world with another Release") || !strings.Contains(string(out), "--successor waits") {
		t.Errorf("a worker of another release without --successor ended with %v, %s", err, out)
	}
	successor := u.worker(next, "--successor")
	var playing sync.WaitGroup
	var moved, drained atomic.Bool // clients play until then, however long that takes
	defer playing.Wait()
	defer drained.Store(true)
	defer moved.Store(true)
	playing.Go(func() {
		swarms(t, one, swarm.Config{
			Prefix: "GRIND", Clients: clients, Behaviour: swarm.Grind, Ramp: 20, Duration: 2 * patience,
			Enough: func(*swarm.Harvest) bool { return moved.Load() },
		})
	})
	eventually(t, "the clients play", func() bool {
		a, b := one.stats(), two.stats()
		return a.World+b.World >= clients
	})
	plan := ""
	eventually(t, "the plan is of all processes", func() bool {
		plan = u.said(one, "cluster upgrade --dry-run")
		return !slices.ContainsFunc([]string{
			`(?m)^map 0 goes from \d+@\S+ \S.* --strikes 10, to \d+@\S+ next --rate-xp 1 `, `(?m)^gateway 1, .*, is drained: \d+ players log in again$`,
			`(?m)^no gateway is drained before there is another one of next$`,
		}, func(line string) bool { return !regexp.MustCompile(line).MatchString(plan) })
	})
	t.Logf("the plan is\n%s", plan)
	standby := u.worker(next, "--successor") // while they play
	var told strings.Builder
	eventually(t, "the worlds are of the next release", func() bool {
		said := u.said(one, "cluster upgrade")
		told.WriteString(said)
		return strings.Contains(said, "Waiting for a gateway of next: gateway 1 is drained once there is one.") || t.Failed()
	})
	t.Logf("the verb said\n%s", told.String())
	for name, w := range map[string]*working{"the worker": old, "its standby": oldStandby} {
		select {
		case err := <-w.ended:
			if err != nil {
				t.Errorf("%s of the old release ended with %v, want exit code 0", name, err)
			}
		case <-time.After(patience):
			t.Errorf("%s of the old release does not end", name)
		}
	}
	eventually(t, "the other successor is a standby", func() bool { return standby.logged("this one follows it") || successor.logged("this one follows it") })
	moved.Store(true)
	playing.Wait()
	if t.Failed() {
		return
	}
	before := u.kept("GRIND", clients)

	// The gateways: clients are at all of them.
	three := u.gateway(next)
	anna, berta := authenticate(t, one, "ANNA"), authenticate(t, two, "BERTA")
	at := make(map[*visitor]msg.Place)
	for v, g := range map[*visitor]*served{anna: one, berta: two} {
		v.greet(g, func(*msg.AuthSession) {})
		v.create(strings.ToUpper(v.name[:1]) + strings.ToLower(v.name[1:]))
		to := beside(v.enter(), 3)
		v.move(to)
		at[v] = to
	}
	lost := make(chan swarm.Report, 1)
	playing.Go(func() {
		r, err := swarm.Run(t.Context(), swarm.Config{
			Auth: three.auth, Password: defaultPassword, Strict: true, Seed: 1, Login: 2 * patience, Prefix: "GRIND", Clients: clients, Behaviour: swarm.Grind, Ramp: 20, Duration: 2 * patience,
			Enough: func(*swarm.Harvest) bool { return drained.Load() },
		})
		if err != nil && r.Lost.Total == 0 { // that some are is an error, too
			t.Error(err)
		}
		lost <- r
	})
	eventually(t, "the clients play again", func() bool {
		return one.stats().World+two.stats().World+three.stats().World >= clients+2
	})
	claimed := u.claimed()
	drains := regexp.MustCompile(`(?s)^Gateway 1 .*Gateway 2 .*All worlds and gateways of the realm are of next\.\n$`)
	told.Reset()
	eventually(t, "the gateways are drained", func() bool { // at once, unless one answers late
		code, stdout, stderr := execute(t, nil, "ctl", "--socket", three.socket, "cluster", "upgrade")
		told.WriteString(stdout)
		if code != exitOK {
			t.Logf("exit code %d\n%s", code, stderr)
		}
		return drains.MatchString(told.String())
	})
	for name, g := range map[string]*served{"the first": one, "the second": two} {
		select {
		case err := <-g.ended:
			if err != nil {
				t.Errorf("%s gateway ended with %v, want exit code 0", name, err)
			}
		case <-time.After(patience):
			t.Errorf("%s gateway does not end", name)
		}
	}
	for v, was := range at {
		ends(t, v.socket)
		again := authenticate(t, three, v.name)
		again.greet(three, func(*msg.AuthSession) {})
		again.guid = again.list()[0].GUID
		if is := again.enter(); is != was {
			t.Errorf("%s is at %+v, and was at %+v", v.name, is, was)
		}
		again.socket.Close()
	}
	drained.Store(true)
	r := <-lost
	if want := claimed[1] + claimed[2] - len(at); r.Lost.Total != want || r.Violations.Total != 0 || r.Logins.OK != clients || claimed[3] == 0 || want == 0 {
		t.Errorf("%d of %d clients were lost, want the %d of the drained gateways, of %v; violations %+v", r.Lost.Total, clients, want, claimed, r.Violations)
	}
	for guid, is := range u.kept("GRIND", clients) {
		if was, ok := before[guid]; !ok || is.Level < was.Level || is.Level == was.Level && is.XP < was.XP || is.MoneyCopper < was.MoneyCopper || is.Version < was.Version {
			t.Errorf("character %d was set back: level %d, %d experience, %d copper, version %d; it had %d, %d, %d, %d", guid,
				is.Level, is.XP, is.MoneyCopper, is.Version, was.Level, was.XP, was.MoneyCopper, was.Version)
		}
	}
	for _, w := range []*working{old, oldStandby, successor, standby} {
		for _, alarm := range []string{"worlds that have read the same differ", "panic", "taken for dead"} {
			if w.logged(alarm) {
				t.Errorf("a worker logged %q", alarm)
			}
		}
	}
	for _, g := range []*served{one, two, three} {
		if strings.Contains(g.stderr(), "a world is lost") {
			t.Error("a gateway has lost a world")
		}
	}
}
