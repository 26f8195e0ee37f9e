package main

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/loaders/registry"
	"muster/net/protocol/msg"
)

// TestUpgrade, of worlds that the registry gives: they go on in workers of another release while clients walk and fight in them, of which none is lost. The workers of the
// old release end one after the other, and none is given a world of another. Then the orchestrator and the gateways of the old release end, and a player of one of these is
// found where it was.
func TestAssignedUpgrade(t *testing.T) {
	waits(t)
	next := builtAs(t, "next")
	u := newUpgraded(t)
	worker := func(program string, args ...string) *working {
		return u.worker(program, append([]string{"--database", u.database}, args...)...)
	}
	orchestrator := func(program string) *working {
		return beginAs(t, program, "orchestrate", "--database", u.database, "--wait", "2", "--standbys", "1")
	}
	old := []*working{worker(binary), worker(binary), orchestrator(binary)}
	one, two := u.gateway(binary), u.gateway(binary)
	shards := func() []registry.Shard {
		list, err := u.registry.Shards(t.Context(), "muster")
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	var playing sync.WaitGroup
	var moved atomic.Bool // clients play until then, however long that takes
	defer playing.Wait()
	defer moved.Store(true)
	clients := upgradeClients()
	playing.Go(func() {
		swarms(t, one, swarm.Config{
			Prefix: "GRIND", Clients: clients, Behaviour: swarm.Grind, Ramp: 20, Duration: 2 * patience,
			Enough: func(*swarm.Harvest) bool { return moved.Load() },
		})
	})
	eventually(t, "the clients play", func() bool { return one.stats().World+two.stats().World >= clients })
	fresh := []*working{worker(next), worker(next), orchestrator(next)}
	three := u.gateway(next)
	if said := u.said(one, "cluster upgrade"); !strings.Contains(said, "which was started last, is of next, and this gateway of ") {
		t.Errorf("a gateway of the old release says\n%s", said)
	}
	plan := ""
	eventually(t, "the plan is of all processes", func() bool {
		plan = u.said(three, "cluster upgrade --dry-run")
		return !slices.ContainsFunc([]string{
			`(?m)^3 of 3 worlds go to workers \d+, \d+, next --rate-xp 1 --death-reclaim \w+ --strikes 10; workers \d+, \d+ end$`, `(?m)^orchestrate \d+, .*, ends$`,
			`(?m)^gateway 1, .*, is drained: \d+ players log in again$`, `(?m)^gateway 2, .*, is drained: \d+ players log in again$`, `(?m)^gateway 3, next, stays$`,
		}, func(line string) bool { return !regexp.MustCompile(line).MatchString(plan) })
	})
	t.Logf("the plan is\n%s", plan)
	before := shards()
	var olds []uint64 // workers of the old release
	workers := func() (there, draining int) {
		list, err := u.registry.Processes(t.Context(), "muster")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			switch {
			case p.Role != registry.RoleWorker || p.Release == "next":
			case p.Draining:
				draining++
				fallthrough
			default:
				there++
				if !slices.Contains(olds, p.ID) {
					olds = append(olds, p.ID)
				}
			}
		}
		return there, draining
	}
	workers()
	var told strings.Builder
	eventually(t, "each world runs at a worker of the next release", func() bool {
		there, draining := workers()
		if draining > 1 {
			t.Errorf("%d workers drain at once", draining)
		}
		left := false
		for _, s := range shards() {
			at := slices.IndexFunc(before, func(was registry.Shard) bool { return was.Map == s.Map })
			if isOld := slices.Contains(olds, s.Worker); isOld && s.Epoch != before[at].Epoch {
				t.Errorf("map %d was given to worker %d of the old release, with epoch %d after %d", s.Map, s.Worker, s.Epoch, before[at].Epoch)
			} else if isOld || s.State != registry.Runs || s.Tick < before[at].Tick {
				left = true
			}
		}
		if !left && there == 0 || t.Failed() {
			return true
		}
		told.WriteString(u.said(three, "cluster upgrade"))
		return false
	})
	t.Logf("the verb said\n%s", told.String())
	ends := func(what string, ended <-chan error) {
		t.Helper()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("%s of the old release ended with %v, want exit code 0", what, err)
			}
		case <-time.After(patience):
			t.Errorf("%s of the old release does not end", what)
		}
	}
	ends("a worker", old[0].ended)
	ends("a worker", old[1].ended)
	moved.Store(true)
	playing.Wait()
	if t.Failed() {
		return
	}

	anna := authenticate(t, one, "ANNA")
	anna.greet(one, func(*msg.AuthSession) {})
	anna.create("Anna")
	at := beside(anna.enter(), 3)
	anna.move(at)
	done := regexp.MustCompile(`(?s)Orchestrate .* ends\..*Gateway 1 is drained.*Gateway 2 is drained.*All worlds and gateways of the realm are of next\.\n$`)
	eventually(t, "the gateways are drained", func() bool { // at once, unless one answers late
		code, stdout, stderr := execute(t, nil, "ctl", "--socket", three.socket, "cluster", "upgrade")
		told.WriteString(stdout)
		if code != exitOK {
			t.Logf("exit code %d\n%s", code, stderr)
		}
		return done.MatchString(told.String())
	})
	ends("the orchestrator", old[2].ended)
	ends("the first gateway", one.ended)
	ends("the second gateway", two.ended)
	again := authenticate(t, three, "ANNA")
	again.greet(three, func(*msg.AuthSession) {})
	again.guid = again.list()[0].GUID
	if is := again.enter(); is != at {
		t.Errorf("she is at %+v, and was at %+v", is, at)
	}
	again.socket.Close()
	for _, w := range slices.Concat(old, fresh) {
		for _, alarm := range []string{"worlds that have read the same differ", "panic", "taken for dead"} {
			if w.logged(alarm) {
				t.Errorf("a process logged %q", alarm)
			}
		}
	}
	for _, g := range []*served{one, two, three} {
		if strings.Contains(g.stderr(), "a world is lost") {
			t.Error("a gateway has lost a world")
		}
	}
}
