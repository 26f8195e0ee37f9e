package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/cmd/internal/clusterview"
	"muster/loaders/registry"
)

// A keptCluster is one whose worlds the registry gives to workers, which keep them in logs.
type keptCluster struct{ *gatewayPair }

func startKept(t *testing.T, args ...string) *keptCluster {
	t.Helper()
	return &keptCluster{startGateways(t, append([]string{"--workers", "3", "--durable", "world", "--snapshot-every", "2s"}, args...)...)}
}

// shard is the shard of a map, or of an instance of it.
func (k *keptCluster) shard(id, instance uint32) (found clusterview.Shard) {
	k.t.Helper()
	for _, s := range k.list().Shards {
		if s.Map == id && s.Instance == instance {
			found = s
		}
	}
	return found
}

// pid is that of a worker.
func (k *keptCluster) pid(worker *uint64) int {
	k.t.Helper()
	for _, p := range k.list().Processes {
		if worker != nil && p.ID == *worker && p.Role == registry.RoleWorker {
			return p.PID
		}
	}
	k.t.Fatalf("no process is worker %v", worker)
	return 0
}

// runs waits until a shard runs with a greater epoch than before, and has a standby that is ready, if it is to have one.
func (k *keptCluster) runs(before clusterview.Shard, standby bool) (now clusterview.Shard) {
	k.t.Helper()
	eventually(k.t, fmt.Sprintf("map %d, instance %d runs after epoch %d", before.Map, before.Instance, before.Epoch), func() bool {
		now = k.shard(before.Map, before.Instance)
		ready := len(now.Standbys) > 0 && now.Standbys[0].Ready && now.Standbys[0].Tick > 0
		ready = ready && now.Standby != nil && *now.Standby == now.Standbys[0].Worker && (now.Worker == nil || *now.Standby != *now.Worker) // one that goes on with the world is not listed for a moment more
		return now.State == registry.Runs && now.Worker != nil && now.Epoch > before.Epoch && now.Tick >= before.Tick && ready == standby
	})
	return now
}

// must has the cluster do something to a worker: "drain", or "move MAP".
func (k *keptCluster) must(do string, worker uint64) {
	k.t.Helper()
	words := append(append([]string{"ctl", "--socket", k.socket, "cluster"}, strings.Fields(do)...), fmt.Sprint(worker))
	if code, said, failed := execute(k.t, nil, words...); code != exitOK {
		k.t.Errorf("%v: exit code %d: %s%s", words, code, said, failed)
	}
}

// whilePlaying has clients walk and fight, and calls do while they do. None may be lost, and no rule broken; no gateway may lose a world.
func (k *keptCluster) whilePlaying(duration time.Duration, do func()) {
	t := k.t
	t.Helper()
	done := make(chan struct{})
	grinding := make(chan struct{})
	go func() {
		defer close(grinding)
		swarms(t, k.served, swarm.Config{Prefix: "Grind", Clients: 10, Behaviour: swarm.Grind, Duration: duration, Longer: relayed(1, closed(done))})
	}()
	go func() {
		defer close(done)
		eventually(t, "the clients walk", func() bool { return k.players() >= 30 })
		do()
	}()
	r := swarms(t, k.served, swarm.Config{Clients: 20, Behaviour: swarm.Walk, Duration: duration, Longer: relayed(1, closed(done))})
	<-done
	<-grinding
	t.Logf("movement p50 %.0f ms, p99 %.0f ms, longest %.0f ms", r.Movement.P50, r.Movement.P99, r.Movement.Max)
	for _, line := range strings.Split(k.stderr(), "\n") {
		for _, bad := range []string{"a world is lost", "worlds that have read the same differ", "panic"} {
			if strings.Contains(line, bad) {
				t.Error(line)
			}
		}
	}
}

// players are those of all worlds, as workers say.
func (k *keptCluster) players() (n int) {
	for _, s := range k.list().Shards {
		n += s.Players
	}
	return n
}

// Worlds go on by other settings of the same release as muster ctl cluster upgrade is said: they are handed over at a snapshot, none of the clients is lost, and what a kill
// gives is by the new ones. A gateway that the verb names is drained, and no other.
func TestAssignedWorldsChangeSettings(t *testing.T) {
	waits(t)
	u := newUpgraded(t)
	worker := func(args ...string) *working {
		return u.worker(binary, append([]string{"--database", u.database}, args...)...)
	}
	old := []*working{worker(), worker()}
	begin(t, "orchestrate", "--database", u.database, "--wait", "2", "--standbys", "1")
	s := u.gateway(binary)
	k := &keptCluster{&gatewayPair{served: s}}
	var was []clusterview.Shard
	eventually(t, "each world has a standby", func() bool {
		was = k.list().Shards
		return len(was) == 3 && !slices.ContainsFunc(was, func(s clusterview.Shard) bool {
			return s.State != registry.Runs || len(s.Standbys) == 0 || !s.Standbys[0].Ready
		})
	})
	reward := func(prefix string) uint64 { // experience for a kill, of characters of the first level
		r := swarms(t, s, swarm.Config{Prefix: prefix, Clients: 3, Behaviour: swarm.Grind, Duration: 2 * patience, Enough: func(h *swarm.Harvest) bool { return h.Rewarded.Total >= 3 }})
		return r.Harvest.XP.Total / max(r.Harvest.Rewarded.Total, 1)
	}
	before := reward("BEFORE")
	inTheMiddle(t, s, func() {
		fresh := []*working{worker("--rate-xp", "3"), worker("--rate-xp", "3")}
		said := ""
		eventually(t, "each world runs at a worker with the new settings", func() bool {
			said += u.said(s, "cluster upgrade")
			list, by := k.list(), make(map[uint64]int)
			for _, p := range list.Processes {
				by[p.ID] = p.PID
			}
			return !slices.ContainsFunc(list.Shards, func(now clusterview.Shard) bool {
				return now.State != registry.Runs || now.Worker == nil || by[*now.Worker] != fresh[0].cmd.Process.Pid && by[*now.Worker] != fresh[1].cmd.Process.Pid
			})
		})
		t.Logf("the verb said\n%s", said)
		for _, w := range old {
			if err := endOf(t, "a worker with the old settings", w.ended); err != nil {
				t.Errorf("a worker with the old settings ended with %v", err)
			}
		}
	})
	if after := reward("AFTER"); before == 0 || after < 5*before/2 || after > 7*before/2 { // creatures are of several levels
		t.Errorf("a kill gives %d experience, and %d by --rate-xp 3", before, after)
	}
	other := u.gateway(binary)
	if said := u.said(s, "cluster upgrade 2"); !strings.Contains(said, "Gateway 2 ") {
		t.Errorf("the verb says\n%s", said)
	}
	if err := endOf(t, "the gateway that was named", other.ended); err != nil {
		t.Errorf("the gateway that was named ended with %v", err)
	}
	if strings.Contains(s.stderr()+other.stderr(), "a world is lost") {
		t.Error("a gateway has lost a world")
	}
	s.stop(os.Interrupt, 1)
}

// The worlds that the registry gives go on, with 0 of 30 clients lost: at its standby when a worker is killed, and when one stands still, which is refused by the log when it wakes; at
// the worker that a map is moved to; at others when a worker drains. Each time another worker follows afterwards.
func TestAssignedWorldsGoOn(t *testing.T) {
	waits(t)
	k := startKept(t, "--standbys", "1")
	k.whilePlaying(30*time.Second, func() {
		was := k.runs(clusterview.Shard{Map: 0}, true)
		began := time.Now()
		step := func(what string) {
			t.Logf("%s after %v", what, time.Since(began).Round(time.Millisecond))
			began = time.Now()
		}
		victim := k.pid(was.Worker)
		syscall.Kill(victim, syscall.SIGKILL)
		now := k.runs(was, true)
		if *now.Worker != *was.Standby {
			t.Errorf("a killed worker's world was %+v, and is %+v", was, now)
		}
		step("killed: there is a standby again")

		paused := k.pid(now.Worker)
		syscall.Kill(paused, syscall.SIGSTOP)
		was, now = now, k.runs(now, true)
		syscall.Kill(paused, syscall.SIGCONT)
		if *now.Worker == *was.Worker {
			t.Errorf("the world of a worker that stands still was %+v, and is %+v", was, now)
		}
		eventually(t, "the one that wakes drops the world", func() bool { return strings.Contains(k.stderr(), "this one was taken for dead, and ends it") })
		step("stopped")

		var to uint64
		for _, p := range k.list().Processes {
			if p.Role == registry.RoleWorker && p.ID != *now.Worker && p.ID != *now.Standby {
				to = p.ID
			}
		}
		k.must("move 0", to)
		was, now = now, k.runs(now, true)
		if *now.Worker != to {
			t.Errorf("moved to %d is %+v, which was %+v", to, now, was)
		}
		step("moved")

		k.must("drain", to)
		was, now = now, k.runs(now, true)
		eventually(t, "a worker that drains has no world, and follows none", func() bool {
			return !slices.ContainsFunc(k.list().Shards, func(s clusterview.Shard) bool {
				return s.Worker == nil || *s.Worker == to || slices.ContainsFunc(s.Standbys, func(f clusterview.Standby) bool { return f.Worker == to })
			})
		})
		step("drained")
	})
	k.stop(os.Interrupt, 1)
}
