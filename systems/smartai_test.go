package systems

import (
	"bytes"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/internal/testseed"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/rules"
)

// scripted is a world of creatures with a script, around the middle of its map.
func scripted(creatures int, rows ...defs.ScriptRow) *defs.World {
	d := &defs.World{Maps: []defs.Map{{Half: grid.Limit}}, Players: people, Spells: magic(), Creatures: []defs.Creature{{
		Entry: 7, Name: "Chanter", MinLevel: 1, MaxLevel: 1, Class: defs.ClassWarrior, Faction: defs.FactionHostile, Script: 1,
		DisplayID: 5, Scale: 1, BoundingRadius: 0.5, CombatReach: 1.5, WalkSpeed: 2.5, RunSpeed: 7,
		MinHealth: 400, MaxHealth: 400, AttackTimeMs: 2000, MinDamage: 1, MaxDamage: 2, ReactState: defs.Aggressive,
	}}}
	d.Scripts = []defs.Script{{Rows: rows}}
	for i := range creatures {
		d.Maps[0].Spawns = append(d.Maps[0].Spawns, defs.Spawn{Entry: 7, X: float32(i%50) - 25, Y: float32(i/50) - 25, Path: -1})
	}
	return d
}

// What is restored of a snapshot goes on with its scripts as the world of which it was taken: phases, timers, lists, texts, counters.
func TestScriptsAreInSnapshots(t *testing.T) {
	seed := testseed.Of(t)
	self := defs.ScriptSelf
	d := scripted(30,
		defs.ScriptRow{Event: defs.ScriptUpdate, Chance: 70, When: [6]uint32{100, 900, 300, 900}, Action: defs.ScriptTalk, Target: self},
		defs.ScriptRow{Event: defs.ScriptUpdateInCombat, When: [6]uint32{100, 900, 300, 900}, Action: defs.ScriptRandomPhaseRange, Do: [6]uint32{1, 3}, Target: self},
		defs.ScriptRow{Event: defs.ScriptUpdateInCombat, Phases: 2, When: [6]uint32{100, 900, 300, 900}, Action: defs.ScriptRandomEmote, Do: [6]uint32{1, 2, 3}, Target: defs.ScriptHostileRandom},
		defs.ScriptRow{Event: defs.ScriptUpdate, When: [6]uint32{500, 1500, 2000, 4000}, Action: defs.ScriptCallList, Do: [6]uint32{900, 0, 2}, Target: self},
		defs.ScriptRow{Event: defs.ScriptUpdate, When: [6]uint32{200, 600, 800, 900}, Action: defs.ScriptSetCounter, Do: [6]uint32{3, 1}, Target: defs.ScriptClosestCreature},
		defs.ScriptRow{Event: defs.ScriptCounterSet, When: [6]uint32{3, 4}, Action: defs.ScriptCreateTimedEvent, Do: [6]uint32{5, 100, 700, 400, 900}, Target: self},
		defs.ScriptRow{Event: defs.ScriptUpdate, When: [6]uint32{300, 3000, 5000, 9000}, Action: defs.ScriptEscortStart, Do: [6]uint32{1, 1, 1, 0, 0, 2}, Target: defs.ScriptClosestPlayer},
		defs.ScriptRow{Event: defs.ScriptEscortReached, When: [6]uint32{1}, Action: defs.ScriptEscortPause, Do: [6]uint32{700}, Target: self},
		defs.ScriptRow{Event: defs.ScriptTimedEvent, When: [6]uint32{5}, Action: defs.ScriptStoreTargets, Do: [6]uint32{1}, Target: defs.ScriptPlayerDistance, Of: [4]uint32{40}},
	)
	d.ScriptLists = []defs.ScriptList{{ID: 900, Rows: []defs.ScriptRow{
		{When: [6]uint32{100, 500}, Action: defs.ScriptEmote, Do: [6]uint32{16}, Target: self},
		{When: [6]uint32{300, 700}, Action: defs.ScriptEmote, Do: [6]uint32{17}, Target: defs.ScriptStored, Of: [4]uint32{1}},
	}}}
	lines := []defs.TextLine{{Text: "A", Type: 12}, {Text: "B", Type: 14, Chance: 10}, {Text: "C", Type: 16}}
	d.Texts = defs.Texts{{Entry: 7, Lines: lines}}
	d.ScriptPaths = []defs.ScriptPath{{ID: 70, Nodes: []defs.Node{{X: 14}, {X: 14, Y: 4}, {X: -10, Y: 4}}}}
	one := newReserve(t, d, seed)
	one.enter(1, 0, 0)
	frameOf := func(r *reserve) []byte {
		r.tick()
		b, err := r.frame.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var others []*reserve
	for n := range 400 {
		if n == 3 || n == 60 || n == 211 {
			b, err := one.world.AppendSnapshot(nil)
			other := newReserve(t, d, seed)
			if err == nil {
				err = other.world.Restore(b)
			}
			if err != nil {
				t.Fatal(err)
			}
			other.n = one.n
			others = append(others, other)
		}
		frame, sums := frameOf(one), slices.Clone(one.world.Sums())
		for i, other := range others {
			if !bytes.Equal(frameOf(other), frame) || !slices.Equal(other.world.Sums(), sums) {
				t.Fatalf("restored world %d goes another way in tick %d", i, one.n)
			}
		}
	}
	if n := one.metric.Counter("smartai.rows").Value(); n < 1000 {
		t.Errorf("only %d rows have happened", n)
	}
	if n := one.metric.Counter("smartai.texts").Value(); n < 100 {
		t.Errorf("only %d texts were said", n)
	}
}

// Scripts that have more to do than fits a tick wait, and none is forgotten. What they do in a tick is bounded.
func TestScriptsAreBounded(t *testing.T) {
	const most = 1 << 11 // maxActs of package smartai
	rows := make([]defs.ScriptRow, 4)
	for i := range rows {
		rows[i] = defs.ScriptRow{Event: defs.ScriptUpdate, When: [6]uint32{0, 0, 1000, 1000}, Action: defs.ScriptSetEmoteState, Do: [6]uint32{10}, Target: defs.ScriptSelf}
	}
	d := scripted(1500, rows...)
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	var last, busiest uint64
	var late, blamed int
	for range 22 {
		r.tick()
		now := r.metric.Counter("smartai.rows").Value()
		busiest = max(busiest, now-last)
		last = now
		if load := r.world.Load(); load.Late > 0 {
			late, blamed = late+load.Late, load.Blame
		}
	}
	if uint64(late) != r.metric.Counter("smartai.late").Value() || blamed != 7 {
		t.Errorf("%d waited, by scripts of entry %d; %d are counted, of entry 7", late, blamed, r.metric.Counter("smartai.late").Value())
	}
	if busiest > most+4 || busiest < most {
		t.Errorf("%d rows in a tick, at most %d are meant", busiest, most)
	}
	if last < 1500*4 {
		t.Errorf("%d rows have happened, %d are due", last, 1500*4)
	}
	if r.metric.Counter("smartai.over_budget").Value() == 0 || r.metric.Counter("smartai.late").Value() == 0 {
		t.Error("nothing counts that scripts had to wait")
	}
}

// A script sleeps with its creature: nothing of it happens, and its times go on where they were. One whose creature is gone is gone.
func TestScriptsSleep(t *testing.T) {
	d := scripted(1, defs.ScriptRow{Event: defs.ScriptUpdate, When: [6]uint32{1000, 1000, 60000, 60000}, Action: defs.ScriptEmote, Do: [6]uint32{1}, Target: defs.ScriptSelf})
	d.Creatures[0].ReactState = defs.Neutral
	r := newReserve(t, d, 1)
	happened := func() uint64 { return r.metric.Counter("smartai.rows").Value() }
	states := ecs.Shared[ecs.Slab[components.ScriptState]](r.world.ecs)
	r.enter(1, 0, 0)
	for range 11 { // it is there since tick 1: 500 ms of 1000
		r.tick()
	}
	ask(r.world, move.Teleport{Entity: r.space.Find(1), To: life.Place{X: 5000}})
	for range 100 {
		r.tick()
	}
	if happened() != 0 || r.world.Awake() != 1 {
		t.Fatalf("%d rows have happened, %d are awake", happened(), r.world.Awake())
	}
	ask(r.world, move.Teleport{Entity: r.space.Find(1), To: life.Place{X: 3}})
	woke := r.n
	for happened() == 0 && r.n < woke+40 {
		r.tick()
	}
	if took := r.n - woke; took < 9 || took > 13 {
		t.Errorf("it happens %d ticks after it has woken, 10 are left", took)
	}
	if states.InUse() != 1 {
		t.Errorf("%d scripts", states.InUse())
	}
	for _, e := range r.living() {
		ask(r.world, rules.DespawnCreature{Entity: e})
	}
	for range 5 {
		r.tick()
	}
	if states.InUse() != 0 {
		t.Errorf("%d scripts of no creature", states.InUse())
	}
}

// Systems of scripts, menus and trainers that keep no timers run only in ticks with events, and would do nothing in others.
func TestScriptsWaitForEvents(t *testing.T) {
	waiting := map[string]bool{
		"scriptevents": true, "scriptfoes": true, "scripttargets": true, "talks": true, "speeches": true, "scriptwalks": true, "scriptlooks": true, "scriptcasts": true, "scriptfights": true, "scriptstates": true,
		"scriptnotices": true, "scriptsenses": true, "scriptshapes": true, "scriptpowers": true, "scriptsteps": true, "scriptobjects": true, "turns": true, "posts": true,
		"gossiprequests": true, "gossip": true, "trainerrequests": true, "trainer": true, "orders": true,
	}
	d := scripted(20,
		defs.ScriptRow{Event: defs.ScriptUpdate, When: [6]uint32{300, 900, 300, 900}, Action: defs.ScriptSetCounter, Do: [6]uint32{3, 1}, Target: defs.ScriptClosestCreature},
		defs.ScriptRow{Event: defs.ScriptCounterSet, When: [6]uint32{3, 4}, Action: defs.ScriptEvadeNow, Target: defs.ScriptSelf},
		defs.ScriptRow{Event: defs.ScriptDamaged, When: [6]uint32{0, 1000, 500, 500}, Action: defs.ScriptTalk, Target: defs.ScriptVictim},
	)
	d.Texts = defs.Texts{{Entry: 7, Lines: []defs.TextLine{{Text: "A", Type: 12}}}}
	some, all := newReserve(t, d, 1), newReserve(t, d, 1)
	for _, s := range bindSystems(build(Config{Defs: d, Map: &d.Maps[0]}).ecs) {
		if waiting[s.Name] && (s.If == nil || len(s.Timers) > 0) {
			t.Errorf("%s runs in each tick, with %d timers", s.Name, len(s.Timers))
		}
	}
	for name := range waiting {
		all.world.plan.Around(name, func(t sched.Tick, run func(sched.Tick)) { run(t) })
	}
	some.enter(1, 0, 0)
	all.enter(1, 0, 0)
	for range 200 {
		some.tick()
		all.tick()
		one, _ := some.frame.AppendBinary(nil)
		other, _ := all.frame.AppendBinary(nil)
		if !bytes.Equal(one, other) || !slices.Equal(some.world.Sums(), all.world.Sums()) {
			t.Fatalf("tick %d differs", some.n)
		}
	}
}

// Scripts that answer each other without end go on in the next tick: no tick ends with something to react to.
func TestScriptsThatAnswerEachOther(t *testing.T) {
	d := scripted(2,
		defs.ScriptRow{Event: defs.ScriptUpdate, Flags: defs.ScriptOnce, Action: defs.ScriptSetData, Do: [6]uint32{1, 1}, Target: defs.ScriptClosestCreature},
		defs.ScriptRow{Event: defs.ScriptDataSet, When: [6]uint32{1, 1}, Action: defs.ScriptSetData, Do: [6]uint32{1, 1}, Target: defs.ScriptClosestCreature},
	)
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	for range 20 {
		r.tick()
	}
	if late := r.metric.Counter("tick.late_reaction").Value(); late != 0 {
		t.Errorf("%d stages ended with something to react to", late)
	}
	if n := r.metric.Counter("smartai.rows").Value(); n < 20 {
		t.Errorf("%d rows have happened: they do not go on", n)
	} else if n > 20*20 {
		t.Errorf("%d rows have happened in 20 ticks", n)
	}
}

// What a script keeps, what an act happens to, and what waits are bounded, and what is beyond is counted.
func TestScriptsHaveLittleRoom(t *testing.T) {
	self, once := defs.ScriptSelf, defs.ScriptRow{Event: defs.ScriptUpdate, Flags: defs.ScriptOnce, Target: defs.ScriptSelf}
	rows := []defs.ScriptRow{{Event: defs.ScriptUpdate, Flags: defs.ScriptOnce, Action: defs.ScriptEmote, Do: [6]uint32{1}, Target: defs.ScriptCreatureDistance, Of: [4]uint32{7, 100}}}
	for i := range uint32(components.MaxScriptTimers + 1) {
		row := once
		row.Action, row.Do = defs.ScriptCreateTimedEvent, [6]uint32{10 + i, 60000, 60000}
		rows = append(rows, row)
	}
	for i := range uint32(components.MaxScriptCounters + 1) {
		row := once
		row.Action, row.Do = defs.ScriptSetCounter, [6]uint32{i, 1}
		rows = append(rows, row)
	}
	for _, test := range []struct {
		counter   string
		creatures int
		rows      []defs.ScriptRow
		want      uint64
	}{
		{"smartai.targets", 34, rows[:1], 34}, // each has 33 others
		{"smartai.targets", 33, rows[:1], 0},
		{"smartai.full", 1, rows[1:], 2},
		{"smartai.full", 1, rows[2 : len(rows)-1], 0},
		{"smartai.full", 1, []defs.ScriptRow{{
			Event: defs.ScriptUpdate, Flags: defs.ScriptOnce, Action: defs.ScriptEscortStart, Do: [6]uint32{0, 1}, Target: defs.ScriptPlayerDistance, Of: [4]uint32{100},
		}}, 2},
		{"smartai.dropped", 1, []defs.ScriptRow{
			{Event: defs.ScriptUpdate, Flags: defs.ScriptOnce, Action: defs.ScriptTriggerTimedEvent, Do: [6]uint32{1}, Target: self},
			{Event: defs.ScriptTimedEvent, When: [6]uint32{1}, Action: defs.ScriptTriggerTimedEvent, Do: [6]uint32{1}, Target: self},
			{Event: defs.ScriptTimedEvent, When: [6]uint32{1}, Action: defs.ScriptTriggerTimedEvent, Do: [6]uint32{1}, Target: self},
		}, 1},
	} {
		d := scripted(test.creatures, test.rows...)
		d.ScriptPaths = []defs.ScriptPath{{ID: 70, Nodes: []defs.Node{{X: 14}}}}
		r := newReserve(t, d, 1)
		for session := range uint32(components.MaxScriptTargets + 2) {
			r.enter(session+1, 0, 0)
		}
		for range 30 {
			r.tick()
		}
		got := r.metric.Counter(test.counter).Value()
		if test.counter == "smartai.dropped" {
			got = min(got, 1)
		}
		if got != test.want {
			t.Errorf("%s is %d for %d creatures with %d rows, want %d", test.counter, got, test.creatures, len(test.rows), test.want)
		}
	}
}

// Of creatures that wait to leave by their scripts there are not more than the limit says: more leave at once.
func TestScriptsHaveFewLeave(t *testing.T) {
	const creatures, targets, limit = 34, 32, 8192
	r := newReserve(t, scripted(creatures, defs.ScriptRow{
		Event: defs.ScriptUpdate, When: [6]uint32{50, 50, 50, 50}, Action: defs.ScriptForceDespawn, Do: [6]uint32{600_000}, Target: defs.ScriptCreatureDistance, Of: [4]uint32{7, 100},
	}), 1)
	r.enter(1, 0, 0)
	for r.n < 100 && len(r.living()) < creatures {
		r.tick()
	}
	gone := 0
	for range limit/(creatures*targets) - 1 {
		r.tick()
		gone += creatures - len(r.living())
	}
	if n := r.metric.Counter("smartai.full").Value(); n != 0 || gone != 0 {
		t.Fatalf("%d leave at once, %d are gone", n, gone)
	}
	for range 5 {
		r.tick()
	}
	if n := r.metric.Counter("smartai.full").Value(); n == 0 || len(r.living()) > 1 { // the last has no target
		t.Errorf("%d leave at once, %d are left", n, len(r.living()))
	}
}

// 2,000 awake creatures with scripts: of each, rows happen that are timed, look for others near, count, and say something, about six
// times a second in all.
func scriptCrowd() (*World, func()) {
	self := defs.ScriptSelf
	d := scripted(2000,
		defs.ScriptRow{Event: defs.ScriptUpdate, When: [6]uint32{100, 900, 500, 900}, Action: defs.ScriptSetCounter, Do: [6]uint32{3, 1}, Target: defs.ScriptClosestCreature, Of: [4]uint32{0, 5}},
		defs.ScriptRow{Event: defs.ScriptCounterSet, When: [6]uint32{3, 4}, Action: defs.ScriptTalk, Target: self},
		defs.ScriptRow{Event: defs.ScriptUpdate, When: [6]uint32{100, 900, 500, 900}, Action: defs.ScriptEmote, Do: [6]uint32{1}, Target: self},
		defs.ScriptRow{Event: defs.ScriptNearPlayers, When: [6]uint32{5, 10, 300, 1000, 1000}, Action: defs.ScriptEmote, Do: [6]uint32{2}, Target: self},
		defs.ScriptRow{Event: defs.ScriptUpdateInCombat, When: [6]uint32{100, 900, 300, 900}, Action: defs.ScriptEmote, Do: [6]uint32{3}, Target: self},
		defs.ScriptRow{Event: defs.ScriptUpdate, When: [6]uint32{100, 900, 500, 900}, Action: defs.ScriptSetPhase, Do: [6]uint32{2}, Target: self},
	)
	d.Creatures[0].ReactState = defs.Neutral
	d.Texts = defs.Texts{{Entry: 7, Lines: []defs.TextLine{{Text: "A", Type: 12}, {Text: "B", Type: 12}}}}
	w := New(Config{Defs: d, Map: &d.Maps[0], Seed: 1, Ephemeral: true})
	var f frame.Frame
	n := uint64(0)
	tick := func() {
		n++
		w.Inbox().Seal()
		w.Tick(n, &f)
	}
	w.Inbox().Add(frame.Item{Session: 1, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{GUID: 1, Name: "Watcher", Race: 1, Class: 1, Level: 1})})
	for range 400 {
		tick()
	}
	return w, tick
}

func BenchmarkScripts(b *testing.B) {
	w, tick := scriptCrowd()
	if w.Awake() != 2001 {
		b.Fatalf("%d are awake", w.Awake())
	}
	b.ReportAllocs()
	for b.Loop() {
		tick()
	}
}

// Scripts allocate nothing: a tick of a crowd with them no more than frames and logs grow now and then.
func TestScriptsDoNotAllocate(t *testing.T) {
	_, tick := scriptCrowd()
	if n := testing.AllocsPerRun(200, tick); n > 1 {
		t.Errorf("%v allocations in a tick", n)
	}
}
