package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"muster/cmd/internal/keptworld"
	"muster/cmd/internal/worldspec"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/replication/worldlog"
)

// orders has a server execute a command of the terminal, and returns what it says.
func (s *served) orders(args ...string) string {
	s.t.Helper()
	code, said, failed := execute(s.t, nil, append([]string{"ctl", "--socket", s.socket}, args...)...)
	if code != exitOK {
		s.t.Fatalf("%v: exit code %d, %s%s", args, code, said, failed)
	}
	return said
}

// logs checks that a server has logged something.
func (s *served) logs(want string) {
	s.t.Helper()
	if !strings.Contains(s.stderr(), want) {
		s.t.Errorf("%q is not logged:\n%s", want, s.stderr())
	}
}

// hasInstances waits until a folder of worlds has the folders of these instances, and no others.
func (s *served) hasInstances(worlds string, want ...uint32) {
	s.t.Helper()
	eventually(s.t, fmt.Sprintf("%s has instances %v", worlds, want), func() bool {
		got, err := worldlog.Instances(worlds)
		if err != nil {
			s.t.Fatal(err)
		}
		return slices.Equal(got, want)
	})
}

// comesBack enters the world with the only character of an account that has one.
func comesBack(s *served, account string) (v *visitor, at msg.Place) {
	s.t.Helper()
	v = visit(s.t, s, account)
	at = v.enter()
	v.await(msg.OpTimeSyncReq, new(msg.TimeSyncReq))
	return v, at
}

// newIn brings a new character into an instance of its own.
func newIn(s *served, name string) (v *visitor, at msg.Place) {
	s.t.Helper()
	v = visit(s.t, s, strings.ToUpper(name))
	v.create(name)
	v.enter()
	v.command(".teleport Dungeon")
	return v, v.arrives(dungeonMap)
}

var (
	summoned  = regexp.MustCompile(`0x[0-9a-fA-F]{16}`)
	hasHealth = regexp.MustCompile(` has (\d+) of (\d+) health\.`)
)

// health is what a creature has left of its health when it loses so much.
func (s *served) health(guid string, less int) (now, most int) {
	s.t.Helper()
	said := s.orders("npc", "health", guid, strconv.Itoa(-less))
	m := hasHealth.FindStringSubmatch(said)
	if m == nil {
		s.t.Fatalf("creature %s: %s", guid, said)
	}
	now, _ = strconv.Atoi(m[1])
	most, _ = strconv.Atoi(m[2])
	return now, most
}

// A server with --durable world is killed with a player and a wounded creature in an instance. The next one has that instance, under its number and as its log has it: its player logs in
// where it stood, and the creature has the health that it had. So it is after an orderly end. What an account has entered within the hour counts. Of an instance that is over nothing is left,
// nor of one that was not made to the end.
func TestServerKeepsInstances(t *testing.T) {
	waits(t)
	data := filepath.Join(t.TempDir(), "data")
	worlds := filepath.Join(data, "worlds")
	flags := []string{"--data", data, "--creatures", "0", "--start", "one", "--open-level", "3", "--durable", "world", "--instances-per-hour", "2"}
	brief := append(slices.Clone(flags), "--instance-empty", "1s")
	d, err := worldspec.NewDefs(1, 0, "one")
	if err != nil {
		t.Fatal(err)
	}

	s := serve(t, brief...)
	v, _ := newIn(s, "Anna")
	s.hasInstances(worlds, 1)
	v.outside()
	s.hasInstances(worlds) // it is over
	v.command(".instance unbind 3")
	v.command(".teleport Dungeon")
	at := v.arrives(dungeonMap)
	s.hasInstances(worlds, 2)
	elite := d.Map(dungeonMap).Spawns[0].Entry
	guid := summoned.FindString(s.orders("npc", "put", fmt.Sprint(elite), fmt.Sprint(dungeonMap), fmt.Sprint(at.Position.X), fmt.Sprint(at.Position.Y+45), "0"))
	if guid == "" {
		t.Fatal("there is no creature")
	}
	s.bundles(2, worlds)
	if wounded, most := s.health(guid, 1_000_000); wounded != 1 || most < 50 {
		t.Fatalf("it has %d of %d health", wounded, most)
	}
	stood := beside(at, 1)
	v.move(stood)
	v.plays("moved") // so the log has it
	killWorlds(s)

	killed := filepath.Join(t.TempDir(), "killed")
	if err := os.CopyFS(killed, os.DirFS(worlds)); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(worlds, "instance9"), os.DirFS(filepath.Join(killed, "instance2"))); err != nil { // that was being made
		t.Fatal(err)
	}
	s = serve(t, flags...)
	s.logs(`msg="the world is continued" instance=2 map=3 tick=`)
	s.logs(`msg="the log of an instance that is none is removed: the server has ended while it was made or removed" instance=9`)
	s.hasInstances(worlds, 2)
	isReplayOf(t, worlds, killed, keptworld.Shard{Map: 3, Instance: 2}, 1)
	s.listed("Instance 2 of map 3: ")
	wounded, most := s.health(guid, 0)
	if wounded >= most/2 {
		t.Errorf("the creature has %d of %d health", wounded, most)
	}
	v, back := comesBack(s, "ANNA")
	if back != stood {
		t.Errorf("Anna comes back at %+v, was at %+v", back, stood)
	}
	s.listed("Instance 2 of map 3: 1 players inside, 1 bound.")
	v.plays("back")
	s.stop(syscall.SIGTERM, 1)

	s = serve(t, flags...)
	if !regexp.MustCompile(`msg="the world is continued" instance=2 map=3 tick=\d+ ran=0 `).MatchString(s.stderr()) {
		t.Errorf("after an orderly end ticks of the instance are run again:\n%s", s.stderr())
	}
	if _, back = comesBack(s, "ANNA"); back != stood {
		t.Errorf("after an orderly end Anna comes back at %+v, was at %+v", back, stood)
	}
	s.health(guid, 1) // it is there
	killWorlds(s)
	if code, said, failed := execute(t, nil, "replay", worlds, "--instance", "2"); code != exitOK || !regexp.MustCompile(`^map 3, instance 2: \d+ ticks after tick \d+, `).MatchString(said) {
		t.Errorf("its log is run again: %d, %s%s", code, said, failed)
	}

	s = serve(t, flags...)
	v, _ = comesBack(s, "ANNA")
	v.outside()
	v.command(".instance unbind 3")
	v.refused(4) // a third one within the hour, one of which is over
	b, _ := newIn(s, "Berta")
	s.listed("Instance 3 of map 3: 1 players inside, 1 bound.") // no number is given twice
	s.hasInstances(worlds, 2, 3)
	b.outside()
	s.stop(syscall.SIGTERM, 1)
	s = serve(t, brief...)
	s.hasInstances(worlds)
	s.stop(syscall.SIGTERM, 1)
	if code, said, failed := execute(t, nil, "snapshot", "list", "--data", data); code != exitOK || strings.Contains(said, "\n3 ") {
		t.Errorf("of instances that are over there are: %d, %s%s", code, said, failed)
	}
}

// isReplayOf checks that a world of a folder has begun with the world that a copy of its log has, run again, without the players that were in it, of which there were so many.
func isReplayOf(t *testing.T, worlds, copied string, at keptworld.Shard, were int) {
	t.Helper()
	visited := 0
	k := &keptworld.Place{From: copied, Map: []uint32{at.Map}, Instance: []uint32{at.Instance}}
	err := k.Each(t.Context(), func(w *keptworld.World) error {
		visited++
		if players, err := w.Leave(); players != were || err != nil {
			t.Errorf("%d players were in %v, %v; want %d", players, w.Shard(), err, were)
		}
		found, err := worldlog.Open(worldlog.InstanceFolder(worlds, at.Instance), at.Map)
		if err != nil {
			return err
		}
		if found == nil || found.Snapshot == nil || found.Snapshot.N != w.Tick {
			t.Fatalf("%v is not kept as after tick %d: %+v", w.Shard(), w.Tick, found)
		}
		now := worldspec.NewWorld(&found.Header, w.Defs, new(metric.Table))
		if err := now.Restore(found.Snapshot.State); err != nil {
			return err
		}
		if now.Hash() != w.World.Hash() {
			t.Errorf("%v has after tick %d the hash %016x, and %016x if its log is run again", w.Shard(), w.Tick, now.Hash(), w.World.Hash())
		}
		return nil
	})
	if err != nil || visited != 1 {
		t.Errorf("%d logs of %v, %v", visited, at, err)
	}
}

// Instances for which there is no room now end, without a loss to their players. If it is not known which there were, their logs are set aside, as they are by a server that
// does not keep worlds.
func TestKeptInstancesThatEnd(t *testing.T) {
	waits(t)
	data := filepath.Join(t.TempDir(), "data")
	worlds := filepath.Join(data, "worlds")
	flags := []string{"--data", data, "--creatures", "0", "--start", "one", "--open-level", "3", "--durable", "world"}
	s := serve(t, flags...)
	_, at := newIn(s, "Anna")
	b, _ := newIn(s, "Berta")
	s.hasInstances(worlds, 1, 2)
	b.command(".modify money 70")
	b.plays("rich") // so the log has it
	killWorlds(s)

	s = serve(t, append(slices.Clone(flags), "--instances", "1")...)
	s.logs(`msg="an instance does not go on: there are as many as there may be" instance=2 map=3 most=1`)
	s.hasInstances(worlds, 1)
	s.counted("instance.dropped", 1)
	if _, back := comesBack(s, "ANNA"); back != at {
		t.Errorf("Anna comes back at %+v, was at %+v", back, at)
	}
	b = visit(t, s, "BERTA")
	if list := b.list(); len(list) != 1 || list[0].Map != dungeonMap {
		t.Errorf("the character screen has %+v", list)
	}
	b.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: b.list()[0].GUID})
	var exit msg.Place
	if b.await(msg.OpLoginVerifyWorld, &exit); exit.Map != 0 || exit.Position.X != 60 {
		t.Errorf("Berta logged in at %+v, want the exit", exit)
	}
	if c := s.state("berta"); c.Money != 70 {
		t.Errorf("Berta is %+v", c)
	}
	s.stop(syscall.SIGTERM, 1)

	if err := os.WriteFile(filepath.Join(worlds, "instances"), []byte("nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s = serve(t, flags...)
	s.logs("it is not known which instances there were: none of them goes on")
	s.hasInstances(worlds)
	s.hasInstances(worlds+worldlog.Refused, 1)
	newIn(s, "Clara")
	s.hasInstances(worlds, 2) // none has a number of those that were set aside
	s.stop(syscall.SIGTERM, 1)

	s = serve(t, append(slices.Clone(flags), "--durable", "characters")...)
	s.logs("instances that were kept before are not continued without --durable world")
	s.hasInstances(worlds)
	s.hasInstances(worlds+worldlog.Replaced, 2)
	newIn(s, "Dora")
	s.hasInstances(worlds) // it is kept in memory
	s.stop(syscall.SIGTERM, 1)
}
