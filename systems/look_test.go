package systems

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/internal/testseed"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/inspect"
)

// everywhere is a box around all that there is.
var everywhere = inspect.Box{MinX: -grid.Limit, MinY: -grid.Limit, MaxX: grid.Limit, MaxY: grid.Limit}

func box(minX, minY, maxX, maxY float32) inspect.Box {
	return inspect.Box{MinX: minX, MinY: minY, MaxX: maxX, MaxY: maxY}
}

// watched is a world with some of everything: players, one dead and one in combat, awake creatures, and sleeping
// ones. It has the positions of all by GUID.
func watched(t *testing.T, creatures int) (*World, map[uint64]inspect.Thing) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 1))
	d := meadow(r, 0, 0)
	m := &d.Maps[0]
	for i := range creatures {
		x := float32(0)
		if i%2 == 0 {
			x = 1000
		}
		m.Spawns = append(m.Spawns, defs.Spawn{Entry: 7, X: x + r.Float32()*100, Y: r.Float32() * 100, Path: -1})
	}
	w := New(Config{Defs: d, Map: m, Seed: seed})
	var f frame.Frame
	enter := func(session int, x, y float32) {
		w.Inbox().Add(frame.Item{Session: uint32(session), Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{
			GUID: uint64(session), Name: "Anna", Race: 1, Class: 1, Level: 1, X: x, Y: y,
		})})
	}
	enter(1, 50, 50)
	enter(2, 60, 50)
	enter(3, 1050, 50)
	w.Tick(1, &f)
	w.Tick(2, &f)
	w.Inbox().Add(frame.Item{Session: 3, Op: frame.OpLeave})
	for n := uint64(3); n < 40; n++ {
		w.Tick(n, &f)
	}
	if w.Awake() < creatures/2 || w.space.Asleep() < creatures/3 {
		t.Fatalf("%d are awake and %d asleep", w.Awake(), w.space.Asleep())
	}
	vitals, units := ecs.NewAccessor[components.Vitals](w.ecs), ecs.NewAccessor[components.Unit](w.ecs)
	vitals.Get(w.Find(1)).Health = 0
	units.Get(w.Find(2)).Flags |= components.UnitInCombat
	all := make(map[uint64]inspect.Thing)
	homes := ecs.NewAccessor[components.HomeCell](w.ecs)
	for q := ecs.NewFilter2[components.Object, components.Position](w.ecs).Iter(); q.Next(); {
		object, p := q.Get()
		thing := inspect.Thing{GUID: object.GUID, X: p.X, Y: p.Y, Kind: inspect.Creature}
		switch object.GUID {
		case 1:
			thing.Kind, thing.State = inspect.Player, inspect.Dead
		case 2:
			thing.Kind, thing.State = inspect.Player, inspect.Fighting
		}
		if !w.space.Awake(homes.Get(q.Entity()).Cell) {
			thing.State |= inspect.Asleep
		}
		all[object.GUID] = thing
	}
	return w, all
}

// The listed entities are those in the box.
func TestLookTellsOfThings(t *testing.T) {
	w, all := watched(t, 200)
	for _, b := range []inspect.Box{everywhere, box(0, 0, 60, 60), box(1000, 0, 1100, 50), box(40, 40, 70, 70), box(-500, -500, -400, -400)} {
		l := inspect.Query{Box: b}
		for range 2 { // its buffers are used again
			w.Inspect(&l)
		}
		want := 0
		for _, thing := range all {
			if b.Has(thing.X, thing.Y) {
				want++
			}
		}
		if l.Tick != 39 || l.Players != 2 || l.Awake+l.Asleep != len(all) || l.Grain != 0 || len(l.Things) != want {
			t.Fatalf("%v: tick %d, %d players, %d + %d, grain %d, %d things, want %d", b, l.Tick, l.Players, l.Awake, l.Asleep, l.Grain, len(l.Things), want)
		}
		for _, got := range l.Things {
			if got != all[got.GUID] {
				t.Errorf("%+v, want %+v", got, all[got.GUID])
			}
		}
	}
}

// Where there are too many entities to list, all are counted by place.
func TestLookCountsInBlocks(t *testing.T) {
	w, all := watched(t, 3*inspect.MaxThings)
	for _, c := range []struct {
		box   inspect.Box
		grain int
	}{
		{everywhere, 32},
		{box(-200, -200, 1400, 300), 1},
		{box(-1000, -1000, 2500, 1000), 2},
		{box(-5000, -5000, 5000, 5000), 8},
	} {
		l := inspect.Query{Box: c.box}
		w.Inspect(&l)
		if l.Grain != c.grain || len(l.Things) != 0 || len(l.Blocks) > inspect.MaxBlocks || len(l.Blocks)%l.Columns != 0 {
			t.Fatalf("%v: grain %d, %d things, %d blocks in rows of %d", c.box, l.Grain, len(l.Things), len(l.Blocks), l.Columns)
		}
		var sum inspect.Block
		side := float32(l.Grain * grid.CellYards)
		for i, b := range l.Blocks {
			sum.Awake, sum.Asleep, sum.Players = sum.Awake+b.Awake, sum.Asleep+b.Asleep, sum.Players+b.Players
			x, y := l.Left+float32(i%l.Columns)*side, l.Bottom+float32(i/l.Columns)*side
			within, near := uint32(0), box(x-grid.SlackYards, y-grid.SlackYards, x+side+grid.SlackYards, y+side+grid.SlackYards)
			if b != (inspect.Block{}) {
				for _, thing := range all {
					if near.Has(thing.X, thing.Y) {
						within++
					}
				}
			}
			if b.Awake+b.Asleep > within {
				t.Errorf("%v: a block at %v, %v has %+v, of %d things", c.box, x, y, b, within)
			}
		}
		if want := (inspect.Block{Awake: uint32(l.Awake), Asleep: uint32(l.Asleep), Players: 2}); sum != want {
			t.Errorf("%v: all blocks are %+v, want %+v", c.box, sum, want)
		}
	}
}

// One entity is returned with all its components, as a copy.
func TestLookAtOne(t *testing.T) {
	w, all := watched(t, 10)
	l := inspect.Query{GUID: 1}
	w.Inspect(&l)
	if !l.Found || l.At != all[1] || len(l.Things)+len(l.Blocks) != 0 {
		t.Fatalf("found %v, %+v, %d things", l.Found, l.At, len(l.Things))
	}
	read := func() (name string, health uint32) {
		for _, c := range l.Row.Components() {
			switch v := c.Addr().Interface().(type) {
			case *components.Name:
				name = v.String()
			case *components.Vitals:
				health = v.Health
			}
		}
		return name, health
	}
	vitals := ecs.NewAccessor[components.Vitals](w.ecs)
	vitals.Get(w.Find(1)).Health = 77
	if name, health := read(); name != "Anna" || health != 0 {
		t.Errorf("%q has %d health", name, health)
	}
	w.Inspect(&l)
	if name, health := read(); name != "Anna" || health != 77 {
		t.Errorf("then %q has %d health", name, health)
	}
	if l.GUID = 99; true {
		w.Inspect(&l)
	}
	if l.Found {
		t.Error("no entity was found")
	}
}

// A world does not change by queries.
func TestLooksChangeNothing(t *testing.T) {
	seed := testseed.Of(t)
	l := record(seed)
	w := logged(seed)
	v := inspect.Query{Box: everywhere}
	for i, in := range l.inboxes {
		if err := w.Inbox().UnmarshalBinary(in); err != nil {
			t.Fatal(err)
		}
		var f frame.Frame
		w.Tick(uint64(i+1), &f)
		if out, _ := f.AppendBinary(nil); !bytes.Equal(out, l.frames[i]) {
			t.Fatalf("tick %d has another frame", i+1)
		}
		w.Inspect(&v)
		if len(v.Things) > 0 {
			v.GUID = v.Things[i%len(v.Things)].GUID
		}
	}
	if !v.Found || len(v.Things) < 10 {
		t.Errorf("it saw %d things", len(v.Things))
	}
}

// Without queries nothing is allocated; with them, the world's side allocates less than an answer.
func TestNobodyLooks(t *testing.T) {
	s := newSteady(100, 200)
	s.live.Inspector = inspect.NewInspector()
	step := func() {
		s.tick()
		s.live.Rest()
	}
	for range 2 * round {
		step()
	}
	if n := testing.AllocsPerRun(200, step); n != 0 {
		t.Errorf("%v allocations in a tick without queries", n)
	}
	if s.live.World.inspector != nil {
		t.Error("something was prepared without a query")
	}
	l := inspect.Query{Box: everywhere}
	if n := testing.AllocsPerRun(20, func() { s.live.World.Inspect(&l) }); n > 8 {
		t.Errorf("%v allocations for %d things", n, len(l.Things))
	}
}
