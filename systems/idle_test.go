package systems_test

import (
	"testing"
	"time"

	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched/tickstats"
	"muster/systems"
)

// A map without players is stepped until everything sleeps, so that its creatures keep their positions until a player
// comes back.
func TestIdleMapPutsItsCreaturesToSleep(t *testing.T) {
	d := &defs.World{
		Maps:      []defs.Map{{Half: 1000, Spawns: []defs.Spawn{{Entry: 1, Wander: 10, Path: -1}}}},
		Creatures: []defs.Creature{{Entry: 1, MinLevel: 1, MaxLevel: 1, Scale: 1, WalkSpeed: 2.5, RunSpeed: 7, MinHealth: 1, MaxHealth: 1}},
	}
	port := frame.NewExchange()
	live := systems.Live{World: systems.New(systems.Config{Defs: d, Map: &d.Maps[0], Seed: 1}), Exchange: port}
	post := func(it frame.Item) {
		var in frame.Inbox
		in.Add(it)
		port.Post(&in)
	}
	if !live.Idle() {
		t.Fatal("a new map is not idle")
	}
	anna := frame.Character{GUID: 1, Name: "Anna", Race: 1, Class: 1, Level: 1}
	post(frame.Item{Session: 1, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &anna)})
	if live.Idle() {
		t.Fatal("a map that a player wants to enter is idle")
	}
	live.Step(1) // the creature comes into being
	live.Step(2)
	if live.Idle() || live.World.Awake() != 2 {
		t.Fatalf("with a player beside a creature %d are awake", live.World.Awake())
	}
	if l := live.World.Load(); l != (tickstats.Load{Players: 1, Creatures: 1, Awake: 2}) {
		t.Errorf("the load is %+v", l)
	}
	if c := live.World.Crowds(); c[0].Things != 2 || c[0].Players != 1 || c[1].Things != 0 {
		t.Errorf("the fullest cells are %+v", c)
	}
	leave := frame.Item{Session: 1, Op: frame.OpLeave}
	live.Stats = tickstats.New(0, "", time.Hour, time.Hour, live.World.Plan())
	for n := uint64(3); n <= 22; n++ {
		live.Step(n)
	}
	if c := live.Stats.Crowds(); len(c) != 1 || c[0].Things != 2 {
		t.Errorf("after 20 ticks the fullest cells are %+v", c)
	}
	post(leave)
	live.Step(23)
	if live.Idle() {
		t.Fatal("the map is idle while its creature is awake")
	}
	if l := live.World.Load(); l != (tickstats.Load{Players: 0, Creatures: 1, Awake: 2, Items: 1, Bytes: 12}) {
		t.Errorf("as the player leaves, the load is %+v", l)
	}
	live.Step(24)
	if !live.Idle() || live.World.Awake() != 0 {
		t.Errorf("one tick after the last player has gone %d are awake", live.World.Awake())
	}
	if c := live.Stats.Crowds(); len(c) != 0 {
		t.Errorf("without players the fullest cells are %+v", c)
	}
}
