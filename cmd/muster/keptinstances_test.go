package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"muster/cmd/internal/cluster"
	"muster/cmd/internal/clusterview"
	"muster/cmd/internal/credentials"
	"muster/loaders/registry"
	"muster/net/protocol/msg"
	"muster/net/replication/natsbus"
)

// kill kills a worker, or the process of a gateway by where clients reach it.
func (k *keptCluster) kill(worker *uint64, gateway string) {
	k.t.Helper()
	for _, p := range k.list().Processes {
		if worker != nil && p.Role == registry.RoleWorker && p.ID == *worker || p.Role == registry.RoleGateway && p.Addresses["world"] == gateway {
			syscall.Kill(p.PID, syscall.SIGKILL)
		}
	}
}

// plays checks that a visitor is in a world that runs.
func (v *visitor) plays(what string) {
	v.t.Helper()
	v.command("%s", what)
	if m := v.chat(msg.ChatSay); m.Sender != v.guid || m.Text != what {
		v.t.Errorf("%s heard %+v, want %q", v.name, m, what)
	}
}

// logsOf are the subjects of logs and the names of snapshots that JetStream has of a map's instances.
func (k *keptCluster) logsOf(prefix string) (all []string) {
	t := k.t
	t.Helper()
	at := natsAt.FindStringSubmatch(k.stderr())
	if at == nil {
		t.Fatal("the cluster does not say where NATS is")
	}
	bus, err := natsbus.Connect(natsbus.Config{URL: at[1], Name: "test", Role: natsbus.Worker, Credentials: credentials.File(at[2], natsbus.Worker, cluster.ClusterRealm)})
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	stream, err := bus.OpenStream(t.Context(), cluster.ClusterRealm)
	if err != nil {
		t.Fatal(err)
	}
	subjects, err := stream.Subjects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if all, err = stream.Names(t.Context(), prefix); err != nil {
		t.Fatal(err)
	}
	for _, s := range subjects {
		if strings.HasPrefix(s, "muster."+cluster.ClusterRealm+".log."+prefix) {
			all = append(all, s)
		}
	}
	return all
}

// ofWorker is a worker, for what operators ask it.
func (k *keptCluster) ofWorker(id uint64) *served {
	k.t.Helper()
	for _, p := range k.list().Processes {
		if p.Role == registry.RoleWorker && p.ID == id {
			return &served{t: k.t, admin: p.Addresses["admin"]}
		}
	}
	k.t.Fatalf("there is no worker %d", id)
	return nil
}

// bundle gets a bundle of the flight recorder, and returns its file and what muster flight prints of it.
func (s *served) bundle() (file, printed string) {
	t := s.t
	t.Helper()
	status, text := s.ask("/debug/flight", "")
	if status != http.StatusOK {
		t.Fatalf("there is no bundle: %d %s", status, text)
	}
	file = filepath.Join(t.TempDir(), "flight.zip")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, printed, failed := execute(t, nil, "flight", file)
	if code != exitOK {
		t.Fatalf("exit code %d, %s", code, failed)
	}
	return file, printed
}

// bundles runs what a bundle of the flight recorder has of the log of an instance, and compares it with the log, for which replay has some arguments. A log goes on, and is purged: on a
// busy machine it may not have the bundle's ticks any more.
func (s *served) bundles(instance int, log ...string) {
	t := s.t
	t.Helper()
	eventually(t, "a bundle has the log of an instance", func() bool {
		file, printed := s.bundle()
		if !regexp.MustCompile(fmt.Sprintf(`(?m)^ *3 +%d +\d+ +\S+ +those of its log, for muster replay *$`, instance)).MatchString(printed) {
			return false
		}
		last, is, ok := runsInstance(t, instance, file)
		if !ok {
			t.Fatal("what the bundle has is not run")
		}
		_, was, ok := runsInstance(t, instance, append(log, "--until", last)...)
		if ok && was != is {
			t.Errorf("after tick %s the world of a bundle has the hash %s, and that of the log %s", last, is, was)
		}
		return ok
	})
}

var instanceHash = regexp.MustCompile(`map 3, instance \d+: after tick (\d+) the hash of the world is ([0-9a-f]{16})\n`)

// runsInstance runs the log of an instance, for which replay has some arguments, and returns the last tick and the hash of the world after it, unless the log begins later by now.
func runsInstance(t *testing.T, instance int, args ...string) (tick, hash string, ok bool) {
	t.Helper()
	code, said, errs := execute(t, nil, append([]string{"replay", "--instance", fmt.Sprint(instance)}, args...)...)
	if strings.Contains(errs, "is not in the log any more") {
		return "", "", false
	}
	m := instanceHash.FindStringSubmatch(said)
	if code != exitOK || m == nil {
		t.Fatalf("replay %v: exit code %d, %s%s", args, code, said, errs)
	}
	return m[1], m[2], true
}

// forks forks the first instance while it runs, and has its player lose health in the copy: the copy is what the log has, and the world has not noticed.
func (k *keptCluster) forks(v *visitor, worker *served, bus []string, log ...string) {
	t := k.t
	t.Helper()
	var copied *forked
	eventually(t, "a copy is what the log has", func() bool {
		copied = startFork(t, append(bus, "--instance", "1")...)
		m := regexp.MustCompile(`^map 3, instance 2147483648 is a copy of map 3, instance 1 after tick (\d+), hash ([0-9a-f]{16})\n$`).FindStringSubmatch(copied.made)
		if m == nil {
			t.Fatalf("the copy says that it has %s", copied.made)
		}
		tick, hash, ok := runsInstance(t, 1, append(log, "--until", m[1])...)
		switch {
		case !ok: // it begins later by now
			copied.stop()
		case tick != m[1] || hash != m[2]:
			t.Errorf("the copy has the hash %s after tick %s, and the log %s after tick %s", m[2], m[1], hash, tick)
		}
		return ok
	})
	if said := copied.post("/api/console", `{"line":"#Anna modify hp 1"}`); !strings.Contains(said, "Anna has 1 of ") {
		t.Errorf("the copy says %s", said)
	}
	const hurt = `"Health":1,`
	path := fmt.Sprintf("/api/entity/%#x", v.guid)
	if there := copied.get(path); !strings.Contains(there, hurt) {
		t.Errorf("in the copy she is %s", there)
	}
	if status, there := worker.ask(path, ""); status != http.StatusOK || !strings.Contains(there, `"Health":`) || strings.Contains(there, hurt) {
		t.Errorf("in her world she is %d %s", status, there)
	}
	copied.stop()
	v.plays("copied")
}

var natsAt = regexp.MustCompile(`msg=NATS at=(\S+) credentials=(\S+)`)

// An instance goes on at its standby when its worker is killed, and at another worker when that drains. When its worker and the gateway of its player are killed at the same moment,
// the character stays in it, and is found there by a login through another gateway. When it is removed, so is its log.
func TestAssignedInstanceGoesOn(t *testing.T) {
	waits(t)
	k := startKept(t, "--standbys", "1", "--open-level", "3", "--instance-empty", "2s")
	other, here := k.at(1), k.at(0) // here operators are answered
	if strings.Contains(k.socket, "gateway-2") {
		other, here = here, other
	}
	v := authenticate(t, k.served, "ANNA")
	v.greet(other, func(*msg.AuthSession) {})
	v.create("Anna")
	v.enter()
	v.command(".teleport Dungeon")
	at := v.arrives(dungeonMap)
	now := k.runs(clusterview.Shard{Map: dungeonMap, Instance: 1}, true)
	v.plays("begun")

	k.kill(now.Worker, "")
	was, now := now, k.runs(now, true)
	if *now.Worker != *was.Standby {
		t.Errorf("the instance was %+v, and is %+v", was, now)
	}
	v.plays("killed")
	k.must("drain", *now.Worker)
	was, now = now, k.runs(now, true)
	if *now.Worker == *was.Worker {
		t.Errorf("drained, it was %+v, and is %+v", was, now)
	}
	v.plays("drained")
	drained := k.ofWorker(*was.Worker)
	eventually(t, "the flight recorder of the worker that it was at has it no more", func() bool {
		_, printed := drained.bundle()
		return !regexp.MustCompile(`(?m)^ *3 +1 +\d+ `).MatchString(printed)
	})

	var to uint64
	for _, p := range k.list().Processes {
		if p.Role == registry.RoleWorker && !p.Draining && p.ID != *now.Worker {
			to = p.ID
		}
	}
	if said, errs := k.ctl("cluster", "move", "3", fmt.Sprint(to), "2"); !strings.Contains(errs, "There is no instance 2 of map 3.") {
		t.Errorf("an instance that there is not is moved: %s%s", said, errs)
	}
	if said, errs := k.ctl("cluster", "move", "3", fmt.Sprint(to), "1"); !strings.Contains(said, "given") {
		t.Errorf("the instance is not moved: %s%s", said, errs)
	}
	eventually(t, "the instance is at that worker", func() bool { now = k.runs(now, true); return *now.Worker == to })
	v.plays("given to a worker")

	stood := beside(at, 1)
	v.move(stood)
	v.plays("moved") // so the log has it
	k.kill(now.Worker, other.world)
	ends(t, v.socket)
	now = k.runs(now, true)
	if now.Players != 1 {
		t.Errorf("the character has left: %+v", now)
	}
	v = authenticate(t, k.served, "ANNA")
	v.greet(here, func(*msg.AuthSession) {})
	v.guid = v.list()[0].GUID
	v.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: v.guid})
	var back msg.Place
	if v.await(msg.OpLoginVerifyWorld, &back); back != stood {
		t.Errorf("back at %+v, want %+v", back, stood)
	}
	v.plays("back")
	if logs := k.logsOf("3.1"); len(logs) < 2 {
		t.Errorf("of the instance there are %v", logs)
	}
	nats := natsAt.FindStringSubmatch(k.stderr())
	realm, creds := nats[1]+"/"+cluster.ClusterRealm, credentials.File(nats[2], natsbus.Worker, cluster.ClusterRealm)
	kept := []string{"--bus", nats[1], "--realm-name", cluster.ClusterRealm, "--bus-creds", creds}
	saved := filepath.Join(t.TempDir(), "saved")
	for _, c := range []struct {
		args []string
		want string
	}{
		{append([]string{"snapshot", "list", "--map", "3"}, kept...), `^MAP +INSTANCE .*\n3 +1 +\d+ .* 1 +open .*\n$`},
		{append([]string{"snapshot", "save", "--instance", "1"}, kept...), `^map 3, instance 1: kept after tick \d+, xxh3 [0-9a-f]{32}\n$`},
		{append([]string{"snapshot", "save", "--instance", "1", saved}, kept...), `^map 3, instance 1: saved after tick \d+, hash [0-9a-f]{16}\n$`},
		{[]string{"snapshot", "check", "--from", saved}, `^map 3, instance 1: after tick \d+ the hash `},
		{[]string{"replay", realm, "--bus-creds", creds, "--instance", "1"}, `^map 3, instance 1: \d+ ticks after tick \d+, `},
	} {
		if code, said, errs := execute(t, nil, c.args...); code != exitOK || !regexp.MustCompile(c.want).MatchString(said) {
			t.Errorf("%v: %d, %s%s", c.args[:2], code, said, errs)
		}
	}
	worker := k.ofWorker(*now.Worker)
	worker.bundles(1, "--bus-creds", creds, realm)
	k.forks(v, worker, kept, "--bus-creds", creds, realm)
	if code, said, errs := execute(t, nil, append([]string{"snapshot", "check", "--instance", "7"}, kept...)...); code == exitOK || !strings.Contains(errs, "nothing is kept of instance 7") {
		t.Errorf("an instance that there is not is checked: %d, %s%s", code, said, errs)
	}
	if code, said, errs := execute(t, nil, "snapshot", "restore", "--from", saved, "--into", realm, "--bus-creds", creds); code == exitOK || !strings.Contains(errs, "map 3, instance 1: ") || !strings.Contains(errs, "has the world") {
		t.Errorf("a world that a worker has is restored: %d, %s%s", code, said, errs)
	}
	v.outside()
	k.hasInstances("")
	eventually(t, "its log is removed", func() bool { return len(k.logsOf("3.1")) == 0 })
	if maps := k.logsOf("0.0"); !slices.Contains(maps, "muster.muster.log.0.0") {
		t.Errorf("of map 0 there are %v", maps)
	}
	if code, said, errs := execute(t, nil, "replay", realm, "--bus-creds", creds, "--map", "1"); code != exitOK ||
		!regexp.MustCompile(`^map 1: \d+ ticks after tick \d+, .*; (\d+ digests, all the same|no digests to compare with)\n`).MatchString(said) {
		t.Errorf("the log is run again: %d, %s%s", code, said, errs)
	}
	if code, said, errs := execute(t, nil, "replay", realm, "--map", "1"); code == exitOK || !strings.Contains(errs, "Authorization Violation") {
		t.Errorf("a log is read without credentials: %d, %s%s", code, said, errs)
	}
	k.stop(os.Interrupt, 1)
}
