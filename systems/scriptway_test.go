package systems

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/systems/rules"
)

// walker is a friendly creature with a script at 10,0, and a path of three sides of a square of 4 yards.
func walker(rows ...defs.ScriptRow) *defs.World {
	d := scripted(1, rows...)
	c := &d.Creatures[0]
	c.ReactState, c.Faction, c.MinHealth, c.MaxHealth = defs.Passive, defs.FactionFriendly, 1000, 1000
	d.Maps[0].Spawns[0] = defs.Spawn{Entry: 7, X: 10, Path: -1}
	d.ScriptPaths = []defs.ScriptPath{{ID: 70, Nodes: []defs.Node{{X: 14}, {X: 14, Y: 4}, {X: 10, Y: 4}}}}
	return d
}

// counted is a row that counts an event.
func counted(event defs.ScriptEvent, counter uint32, when ...uint32) defs.ScriptRow {
	row := defs.ScriptRow{Event: event, Action: defs.ScriptSetCounter, Do: [6]uint32{counter, 1}, Target: defs.ScriptSelf}
	copy(row.When[:], when)
	return row
}

// counter is what the script of a creature has counted.
func (r *reserve) counter(e ecs.Entity, number uint32) uint32 {
	own := ecs.NewAccessor[components.Scripted](r.world.ecs)
	st := ecs.Shared[ecs.Slab[components.ScriptState]](r.world.ecs).At(own.Get(e).Block)
	for _, c := range st.Counters {
		if c.Number == number+1 {
			return c.Value
		}
	}
	return 0
}

// only is the one creature that lives.
func (r *reserve) only(t *testing.T) ecs.Entity {
	t.Helper()
	for _, e := range r.living() {
		return e
	}
	t.Fatal("there is no creature")
	return ecs.Entity{}
}

func escortStart(do ...uint32) defs.ScriptRow {
	row := defs.ScriptRow{Event: defs.ScriptUpdate, Flags: defs.ScriptOnce, When: [6]uint32{200, 200}, Action: defs.ScriptEscortStart, Target: defs.ScriptClosestPlayer}
	copy(row.Do[:], do)
	return row
}

// A creature runs along the path of its script, pauses where the script says, and the script is told of all that.
func TestScriptPaths(t *testing.T) {
	const started, reached, second, paused, resumed, stopped, ended = 0, 1, 2, 3, 4, 5, 6
	d := walker(
		escortStart(1, 1, 0, 0, 0, 0),
		defs.ScriptRow{Event: defs.ScriptEscortReached, When: [6]uint32{2, 70}, Action: defs.ScriptEscortPause, Do: [6]uint32{1000}, Target: defs.ScriptSelf},
		counted(defs.ScriptEscortStarted, started, 1, 70), counted(defs.ScriptEscortReached, reached), counted(defs.ScriptEscortReached, second, 2),
		counted(defs.ScriptEscortPaused, paused, 2), counted(defs.ScriptEscortResumed, resumed, 2), counted(defs.ScriptEscortStopped, stopped),
		counted(defs.ScriptEscortEnded, ended, 3, 70),
	)
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	r.tick()
	e := r.only(t)
	atCorner, moving := 0, 0
	last := r.at.Get(e).Vec()
	for r.counter(e, ended) == 0 && r.n < 200 {
		r.tick()
		now := r.at.Get(e).Vec()
		if now == (components.Vec{X: 14, Y: 4}) && now == last {
			atCorner++
		} else if now != last {
			moving++
		}
		last = now
	}
	// 12 yards at 7 yards a second are 1,714 ms or 35 ticks, and there are two stops for the script besides the pause of 20 ticks.
	if moving < 35 || moving > 42 || atCorner < 19 || atCorner > 23 {
		t.Errorf("it has moved for %d ticks, want about 36, and stood at the second node for %d, want about 20", moving, atCorner)
	}
	if last != (components.Vec{X: 10, Y: 4}) {
		t.Errorf("it is at %v", last)
	}
	for counter, want := range map[uint32]uint32{started: 1, reached: 3, second: 1, paused: 1, resumed: 1, stopped: 0, ended: 1} {
		if n := r.counter(e, counter); n != want {
			t.Errorf("counter %d is %d, want %d", counter, n, want)
		}
	}
	for range 400 { // it stays there, though it has spawned elsewhere
		r.tick()
	}
	if at := r.at.Get(e).Vec(); at != last {
		t.Errorf("it has gone on to %v", at)
	}
}

// A path that is interrupted by a fight goes on after it, and one that is left is over: the creature stays, and despawns when it is to.
func TestScriptPathsAreInterrupted(t *testing.T) {
	const stopped, ended = 5, 6
	d := walker(escortStart(0, 1, 0, 0, 0, 1), counted(defs.ScriptEscortStopped, stopped), counted(defs.ScriptEscortEnded, ended),
		defs.ScriptRow{Event: defs.ScriptTimedEvent, When: [6]uint32{3}, Action: defs.ScriptEscortStop, Do: [6]uint32{500}, Target: defs.ScriptSelf},
		defs.ScriptRow{Event: defs.ScriptReachedHome, Action: defs.ScriptCreateTimedEvent, Do: [6]uint32{3, 1000, 1000}, Target: defs.ScriptSelf},
	)
	d.Creatures[0].Faction, d.Creatures[0].ReactState = defs.FactionHostile, defs.Neutral
	d.Scripts[0].Rows[0].Target = defs.ScriptSelf
	d.Scripts[0].Rows[0].Flags |= defs.ScriptKeeps
	r := newReserve(t, d, 1)
	r.enter(1, 1, 0)
	r.enter(2, 1, 20)
	for range 14 { // 500 ms at 2.5 yards a second
		r.tick()
	}
	e := r.only(t)
	if x := r.at.Get(e).X; x < 10.5 || x > 12 {
		t.Fatalf("it is at %v", x)
	}
	ask(r.world, rules.Damage{By: r.space.Find(1), To: e, School: 1, Amount: 5})
	for range 10 {
		r.tick()
	}
	if x := r.at.Get(e).X; x > 10 {
		t.Fatalf("it does not fight, but is at %v", x)
	}
	r.leave(1)
	for r.counter(e, stopped) == 0 && r.n < 400 {
		r.tick()
	}
	at := r.at.Get(e).Vec()
	if at.X < 12.5 || at.X > 14 || at.Y > 1 || r.counter(e, ended) != 1 {
		t.Errorf("it has stopped at %v, and its path has ended %d times", at, r.counter(e, ended))
	}
	for range 12 {
		r.tick()
	}
	if len(r.living()) != 0 {
		t.Error("it has not despawned")
	}
}

// A creature whose escorts are all farther away than 60 yards leaves: its script is told that it dies.
func TestEscortsAreLost(t *testing.T) {
	d := walker(escortStart(0, 1, 1), defs.ScriptRow{Event: defs.ScriptDeath, Action: defs.ScriptSummonCreature, Do: [6]uint32{8, 8}, Target: defs.ScriptSelf})
	other := d.Creatures[0]
	other.Entry, other.Script = 8, 0
	d.Creatures = append(d.Creatures, other)
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	r.enter(2, 5, 0)
	for range 200 { // the path is begun again and again
		r.tick()
	}
	if len(r.living()) != 1 {
		t.Fatalf("%d creatures live", len(r.living()))
	}
	ask(r.world, move.Teleport{Entity: r.space.Find(1), To: life.Place{X: 65}})
	ask(r.world, move.Teleport{Entity: r.space.Find(2), To: life.Place{X: 75}})
	for range 24 {
		r.tick()
	}
	var entries []uint32
	for _, e := range r.living() {
		entries = append(entries, r.objects.Get(e).Entry)
	}
	if len(entries) > 1 || len(entries) == 1 && entries[0] != 8 || r.metric.Counter("smartai.escort_lost").Value() != 1 {
		t.Errorf("creatures of %v live", entries)
	}
}

// A creature goes to points, running or walking, and its script is told which it has reached. It goes on with its path after that.
func TestScriptPoints(t *testing.T) {
	once := func(ms uint32, action defs.ScriptAction, do [6]uint32) defs.ScriptRow {
		return defs.ScriptRow{
			Event: defs.ScriptUpdate, Flags: defs.ScriptOnce, When: [6]uint32{ms, ms}, Action: action, Do: do, Target: defs.ScriptPosition, At: [4]float32{10, -7},
		}
	}
	walks := once(1500, defs.ScriptSetRun, [6]uint32{})
	walks.Target = defs.ScriptSelf
	back := once(1600, defs.ScriptMoveToPosition, [6]uint32{4, 0, 0, 5})
	back.Target, back.At = defs.ScriptClosestPlayer, [4]float32{}
	d := walker(once(100, defs.ScriptMoveToPosition, [6]uint32{3}), walks, back,
		counted(defs.ScriptMovementInform, 3, 8, 3), counted(defs.ScriptMovementInform, 4, 0, 4))
	r := newReserve(t, d, 1)
	r.enter(1, 10, 8)
	r.tick()
	e := r.only(t)
	for r.counter(e, 3) == 0 && r.n < 100 {
		r.tick()
	}
	if at := r.at.Get(e).Vec(); at != (components.Vec{X: 10, Y: -7}) || r.n < 21 || r.n > 27 { // 7 yards take 20 ticks
		t.Errorf("it is at %v in tick %d", at, r.n)
	}
	for r.counter(e, 4) == 0 && r.n < 200 {
		r.tick()
	}
	if at := r.at.Get(e).Vec(); yardsApart(at, components.Vec{X: 10, Y: 3}) > 0.01 || r.n < 33+80 || r.n > 33+90 { // 10 yards take 80 ticks
		t.Errorf("it is at %v in tick %d", at, r.n)
	}
}

// A point beyond the bounds of the map is not gone to.
func TestScriptPointsAreOnTheMap(t *testing.T) {
	for _, c := range []struct {
		x    float32 // from the creature, which is at 17040
		off  uint64
		goes bool
	}{{20, 0, true}, {30, 1, false}, {17066, 1, false}} {
		d := walker(defs.ScriptRow{
			Event: defs.ScriptUpdate, Flags: defs.ScriptOnce, When: [6]uint32{100, 100}, Action: defs.ScriptMoveToPosition, Do: [6]uint32{7}, Target: defs.ScriptSelf, At: [4]float32{c.x},
		})
		d.Maps[0].Spawns[0].X = 17040
		r := newReserve(t, d, 1)
		r.enter(1, 17030, 0)
		for range 100 {
			r.tick()
		}
		want := float32(17040)
		if c.goes {
			want += c.x
		}
		if x, off := r.at.Get(r.only(t)).X, r.metric.Counter("smartai.off_map").Value(); x != want || off != c.off {
			t.Errorf("%v yards on it is at %v, and %d points are off the map", c.x, x, off)
		}
	}
}

func yardsApart(a, b components.Vec) float32 { return max(a.X-b.X, b.X-a.X) + max(a.Y-b.Y, b.Y-a.Y) }

// A creature that is on its way when its fight begins goes for its victim at once, wherever that stands: also in the middle of the map.
func TestFightsEndWays(t *testing.T) {
	for _, x := range []float32{0, 0.3, 5} {
		d := walker(
			defs.ScriptRow{Event: defs.ScriptUpdate, Flags: defs.ScriptOnce, When: [6]uint32{100, 100}, Action: defs.ScriptSetRun, Target: defs.ScriptSelf},
			defs.ScriptRow{
				Event: defs.ScriptUpdate, Flags: defs.ScriptOnce, When: [6]uint32{200, 200}, Action: defs.ScriptMoveToPosition, Target: defs.ScriptPosition, At: [4]float32{30},
			})
		d.Creatures[0].Faction, d.Creatures[0].ReactState = defs.FactionHostile, defs.Neutral
		r := newReserve(t, d, 1)
		r.enter(1, x, 0)
		for range 20 {
			r.tick()
		}
		e := r.only(t)
		before := r.at.Get(e).X
		ask(r.world, rules.Damage{By: r.space.Find(1), To: e, School: 1, Amount: 5})
		for range 10 {
			r.tick()
		}
		if at := r.at.Get(e).X; before < 10.5 || at > before-1 {
			t.Errorf("half a second after the victim at %v has hit it the creature has gone from %v to %v", x, before, at)
		}
	}
}

// A creature that leaves its path because of the node that it has reached stays there.
func TestScriptPathsAreLeftAtNodes(t *testing.T) {
	d := walker(
		escortStart(1, 1), counted(defs.ScriptEscortEnded, 6, 2),
		defs.ScriptRow{Event: defs.ScriptEscortReached, When: [6]uint32{2, 70}, Action: defs.ScriptEscortStop, Target: defs.ScriptSelf},
	)
	r := newReserve(t, d, 1)
	r.enter(1, 10, 0)
	for range 400 {
		r.tick()
	}
	e := r.only(t)
	if at := r.at.Get(e).Vec(); at != (components.Vec{X: 14, Y: 4}) || r.counter(e, 6) != 1 {
		t.Errorf("it is at %v, and its path has ended %d times", at, r.counter(e, 6))
	}
}
