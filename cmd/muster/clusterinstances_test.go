package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"muster/loaders/registry"
	"muster/net/protocol/msg"
)

// runningInstance is a line of muster ctl cluster: instance 1 of map 3, at some worker, with its first epoch and two players.
var runningInstance = regexp.MustCompile(`(?m)^3 +1 +\d+ +- +1 +runs +\d+ +2 +\d+\.\d\d$`)

// shardsOf are the instances of a map that the registry has, by their numbers.
func (p *gatewayPair) shardsOf(id uint32) (all []registry.Shard) {
	p.t.Helper()
	list, err := p.registry.Shards(p.t.Context(), "muster")
	if err != nil {
		p.t.Fatal(err)
	}
	return slices.DeleteFunc(list, func(s registry.Shard) bool { return s.Map != id || s.Instance == 0 })
}

// hasInstances waits until those instances of the dungeon run, each with so many players as its worker says: "2 of 1, 3 of 2".
func (p *gatewayPair) hasInstances(want string) {
	p.t.Helper()
	got := ""
	eventually(p.t, "the instances are "+want, func() bool {
		var all []string
		for _, s := range p.shardsOf(dungeonMap) {
			all = append(all, fmt.Sprintf("%d of %d", s.Players, s.Instance))
		}
		got = strings.Join(all, ", ")
		return got == want
	})
}

// refused goes to the dungeon, and is turned back for a reason.
func (v *visitor) refused(reason uint8) {
	v.t.Helper()
	v.command(".teleport Dungeon")
	v.goes(dungeonMap)
	var why msg.TransferAborted
	if v.await(msg.OpTransferAborted, &why); why.Map != dungeonMap || why.Reason != reason {
		v.t.Errorf("%s is refused with %+v, want reason %#x", v.name, why, reason)
	}
	if at := v.arrives(0); at.Position.X != 60 || at.Position.Y != 40 {
		v.t.Errorf("%s is turned back to %+v", v.name, at)
	}
}

// outside leaves the dungeon.
func (v *visitor) outside() {
	v.t.Helper()
	v.command(".teleport DungeonGate")
	v.arrives(0)
}

// Players of two gateways that are bound to one instance meet in it, in a world that an orchestrator has given to a worker; another one gets another. The
// limits of the realm refuse what they do in one process. A worker that has an instance is killed: another one has it, with those that are bound to it. So it is
// when an operator gives it to another worker, with its player, who is not closed: it begins anew there, as nothing is in a log.
// When its players have left, it is removed.
func TestClusterInstances(t *testing.T) {
	waits(t)
	p := startGateways(t, "--open-level", "3", "--instances", "2", "--instances-per-hour", "1", "--instance-empty", "15s")
	names := []string{"Anna", "Berta", "Clara"}
	var all []*visitor
	for i, name := range names {
		v := authenticate(t, p.served, strings.ToUpper(name))
		v.greet(p.at(min(i, 1)), func(*msg.AuthSession) {})
		v.create(name)
		v.enter()
		all = append(all, v)
	}
	a, b, c := all[0], all[1], all[2]
	a.command(".teleport DungeonGate")
	a.lands()
	a.command(".go 40 40")
	a.lands()
	a.say(msg.OpAreaTrigger, &msg.AreaTrigger{ID: gateIn})
	if at := a.arrives(dungeonMap); at.Position.X != 20 || at.Position.Y != 0 {
		t.Errorf("came in at %+v", at)
	}
	p.hasInstances("1 of 1")

	b.command(".instance enter 1")
	b.hears("Berta enters instance 1 the next time.")
	b.command(".teleport Dungeon")
	b.arrives(dungeonMap)
	for n, v := range []*visitor{a, b} { // each hears all that is said in the world, its own words too
		v.command("hello %d", n)
		for _, listener := range []*visitor{a, b} {
			if m := listener.chat(msg.ChatSay); m.Sender != v.guid || m.Text != fmt.Sprintf("hello %d", n) {
				t.Errorf("%s heard %+v", listener.name, m)
			}
		}
	}
	c.command(".teleport Dungeon")
	c.arrives(dungeonMap)
	p.hasInstances("2 of 1, 1 of 2")
	c.command(".instance list")
	c.hears("Instance 1 of map 3: 2 players inside, 2 bound.")
	c.hears("Instance 2 of map 3: 1 players inside, 1 bound.")
	c.hears("2 instances in the realm.")
	if _, said, _ := execute(t, nil, "ctl", "--socket", p.socket, "cluster"); !runningInstance.MatchString(said) {
		t.Errorf("the cluster is listed as\n%s", said)
	}

	p.lists("Berta", "2 3 1")
	p.lists("Clara", "2 3 2")

	b.outside()
	p.lists("Berta", "2 0 0")
	b.command(".instance unbind 3")
	b.hears("instances unbound: 1")
	b.refused(0x0A) // there are as many as there may be
	c.outside()
	p.hasInstances("1 of 1") // the second has been empty for 15 s, and Berta is in none
	c.refused(4)             // a second one in an hour

	p.killWorkerOf(a)
	a = authenticate(t, p.served, "ANNA")
	a.greet(p.at(0), func(*msg.AuthSession) {})
	a.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.list()[0].GUID})
	var at msg.Place
	if a.await(msg.OpLoginVerifyWorld, &at); at.Map != dungeonMap {
		t.Errorf("logged in at %+v, want the instance", at)
	}
	a.await(msg.OpTimeSyncReq, new(msg.TimeSyncReq))
	p.hasInstances("1 of 1")
	p.moveInstanceOf(a)
	p.hasInstances("1 of 1")
	eventually(t, "the map outside runs again", func() bool {
		list, err := p.registry.Shards(t.Context(), "muster")
		return err == nil && !slices.ContainsFunc(list, func(s registry.Shard) bool { return s.State != registry.Runs })
	})
	a.outside()
	p.hasInstances("")
	p.stop(os.Interrupt, 1)
}

// lands acknowledges a teleport within its map.
func (v *visitor) lands() {
	v.t.Helper()
	var to msg.Teleport
	v.await(msg.OpMoveTeleportAck, &to)
	v.say(msg.OpMoveTeleportAck, &msg.TeleportAck{Mover: v.guid, Counter: to.Counter})
}

// moveInstanceOf gives the only instance, in which a visitor is, to another worker, and the visitor goes with it.
func (p *gatewayPair) moveInstanceOf(v *visitor) {
	t := p.t
	t.Helper()
	before := p.shardsOf(dungeonMap)[0]
	var to uint64
	eventually(t, "there is another worker", func() bool {
		for _, w := range p.list().Processes {
			if w.Role == registry.RoleWorker && !w.Draining && w.ID != before.Worker {
				to = w.ID
			}
		}
		return to != 0
	})
	if said, failed := p.ctl("cluster", "move", fmt.Sprint(dungeonMap), fmt.Sprint(to), fmt.Sprint(before.Instance)); !strings.Contains(said, "given") {
		t.Errorf("the instance is not moved: %s%s", said, failed)
	}
	v.arrives(dungeonMap)
	if all := p.shardsOf(dungeonMap); len(all) != 1 || all[0].Instance != before.Instance || all[0].Worker != to || all[0].Epoch != before.Epoch+1 {
		t.Errorf("the instance was %+v, and is %+v, want it at worker %d", before, all, to)
	}
}

// killWorkerOf kills the worker that has the only instance, in which a visitor is, whose connection ends.
func (p *gatewayPair) killWorkerOf(v *visitor) {
	t := p.t
	t.Helper()
	before := p.shardsOf(dungeonMap)[0]
	processes, err := p.registry.Processes(t.Context(), "muster")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(processes, func(w registry.Process) bool { return w.ID == before.Worker })
	if at < 0 {
		t.Fatalf("no process has %+v", before)
	}
	victim, err := os.FindProcess(processes[at].PID)
	if err == nil {
		err = victim.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	ends(t, v.socket)
	if all := p.shardsOf(dungeonMap); len(all) != 1 || all[0].Instance != before.Instance || all[0].Epoch <= before.Epoch || all[0].Worker == before.Worker {
		t.Errorf("the instance was %+v, and is %+v", before, all)
	}
}
