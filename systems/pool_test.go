package systems

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/loaders/synth"
	"muster/systems/rules"
)

// A pool never has more creatures than it may, nor those of two pools of which one is to be chosen; each of its
// places has its turn, the likely ones more often.
func TestPools(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	m := &d.Maps[0]
	for i := range 8 {
		m.Spawns = append(m.Spawns, defs.Spawn{Entry: 7, X: float32(i) * 5, Path: -1, RespawnMs: 2000})
	}
	points := func(from, to uint32) (members []defs.PoolMember) {
		for i := from; i < to; i++ {
			members = append(members, defs.PoolMember{Index: i})
		}
		return members
	}
	m.Pools = []defs.Pool{
		{Limit: 1, Members: []defs.PoolMember{{Index: 1, Nested: true, Chance: 75}, {Index: 2, Nested: true}}},
		{Limit: 2, Members: points(0, 4)},
		{Limit: 1, Members: points(4, 7)},
	}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	turns := make([]int, 8)
	const rounds = 300
	for round := range rounds {
		for range 45 {
			r.tick()
		}
		living := r.living()
		first, second := 0, 0
		for point := range living {
			turns[point]++
			switch {
			case point < 4:
				first++
			case point < 7:
				second++
			}
		}
		if _, alone := living[7]; !alone {
			t.Fatalf("round %d: the one in no pool is not there", round)
		}
		if !(first == 2 && second == 0 || first == 0 && second == 1) {
			t.Fatalf("round %d: %d of one pool and %d of the other", round, first, second)
		}
		for _, e := range living {
			r.kill(e)
		}
	}
	for point, n := range turns {
		if n == 0 {
			t.Errorf("point %d never had its turn", point)
		}
	}
	if n := turns[4] + turns[5] + turns[6]; n < rounds*15/100 || n > rounds*35/100 {
		t.Errorf("the pool with a chance of 25 %% had %d of %d turns", n, rounds)
	}
}

// In the default world each rare creature uses one of its places at a time. When it has died and its respawn is due,
// the place is drawn anew: the rare creature comes about every fifth time.
func TestRares(t *testing.T) {
	d, err := synth.New(synth.Config{Creatures: -1})
	if err != nil {
		t.Fatal(err)
	}
	m := &d.Maps[0]
	pool := &m.Pools[0]
	mine := make(map[uint32]bool) // the points of the first, and whether it is the rare one's
	for i := range m.Spawns {
		m.Spawns[i].RespawnMs = 1000
	}
	r := newReserve(t, d, 1)
	for i, member := range pool.Members {
		for k, point := range m.Pools[member.Index].Members {
			mine[point.Index] = k == 0
			s := &m.Spawns[point.Index]
			r.enter(uint32(2*i+k+1), s.X+40, s.Y)
		}
	}
	const rounds = 200
	rare, places := 0, make(map[uint32]bool)
	for round := range rounds {
		for range 50 {
			r.tick()
		}
		n := 0
		for point, e := range r.living() {
			isRare, ok := mine[point]
			if !ok {
				continue
			}
			if n++; isRare {
				rare++
			}
			places[point] = true
			r.kill(e)
		}
		if n != 1 {
			t.Fatalf("round %d: %d are there, want 1", round, n)
		}
	}
	if len(places) != len(mine) {
		t.Errorf("%d of %d places had their turn", len(places), len(mine))
	}
	if rare < rounds*12/100 || rare > rounds*28/100 {
		t.Errorf("the rare one came %d times of %d, want about a fifth", rare, rounds)
	}
}

// Pools that make no sense end the start, and say why.
func TestBadPools(t *testing.T) {
	member := func(i uint32, nested bool) []defs.PoolMember { return []defs.PoolMember{{Index: i, Nested: nested}} }
	deep := []defs.Pool{{Limit: 1, Members: member(0, false)}}
	for i := range uint32(defs.MaxPoolDepth) {
		deep = append(deep, defs.Pool{Limit: 1, Members: member(i, true)})
	}
	for _, c := range []struct {
		pools []defs.Pool
		want  string
	}{
		{[]defs.Pool{{Members: member(0, false)}}, `respawn: pool 0 of map 0 "" has no limit`},
		{[]defs.Pool{{Limit: 1, Members: member(1, false)}}, `respawn: pool 0 of map 0 "" has a member 1 that is not there`},
		{[]defs.Pool{{Limit: 1, Members: member(1, true)}}, `respawn: pool 0 of map 0 "" has a member 1 that is not there`},
		{[]defs.Pool{{Limit: 1, Members: member(0, false)}, {Limit: 1, Members: member(0, false)}}, `respawn: pool 1 of map 0 "" has a member 0 of another`},
		{[]defs.Pool{{Limit: 1, Members: []defs.PoolMember{{Chance: -1}}}}, `respawn: pool 0 of map 0 "" has a member 0 with a chance of -1`},
		{[]defs.Pool{{Limit: 1, Members: member(0, true)}}, `respawn: pool 0 of map 0 "" lies in 8 others`},
		{deep, `respawn: pool 0 of map 0 "" lies in 8 others`},
	} {
		d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
		d.Maps[0].Spawns = []defs.Spawn{{Entry: 7, Path: -1}}
		d.Maps[0].Pools = c.pools
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != c.want {
					t.Errorf("panics with %q, want %q", got, c.want)
				}
			}()
			New(Config{Defs: d, Map: &d.Maps[0]})
		}()
	}
}

// A summoned creature has the faction of its summoner, and despawns after its time. An invalid request is counted.
func TestSummons(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	r := newReserve(t, d, 1)
	summons := ecs.QueueOf[rules.Summon](r.world.ecs)
	r.enter(1, 0, 0)
	r.tick()
	at := components.Position{X: 3, Y: 4}
	*summons.Next() = rules.Summon{By: r.space.Find(1), Entry: 7, At: at, ForMs: 2000}
	*summons.Next() = rules.Summon{Entry: 8, At: at}
	*summons.Next() = rules.Summon{Entry: 7, At: components.Position{X: 1e9}}
	r.tick()
	there := func() (n int) {
		for q := r.all.Iter(); q.Next(); {
			n++
			e := q.Entity()
			if p := r.at.Get(e); r.units.Get(e).Faction != defs.FactionFriendly || max(p.X, p.Y) > 4 {
				t.Errorf("it has faction %d and is at %v", r.units.Get(e).Faction, *p)
			}
		}
		return n
	}
	if n := there(); n != 1 {
		t.Fatalf("%d are there", n)
	}
	if n := r.metric.Value("respawn.bad_summon"); n != 2 {
		t.Errorf("%d summons were refused, want 2", n)
	}
	for range 39 {
		r.tick()
	}
	if n := there(); n != 1 {
		t.Errorf("%d are there a moment before its time", n)
	}
	r.tick()
	r.tick()
	if n := there(); n != 0 {
		t.Errorf("%d are there after its time", n)
	}
}

// A summoned creature that stays occupies one counter, whatever others come and go.
func TestSummonsPassOverWhoStays(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	r.tick()
	ask(r.world, rules.Summon{Entry: 7}) // it stays
	for range 12 {
		for range 500 {
			ask(r.world, rules.Summon{Entry: 7, ForMs: 1})
		}
		for range 5 {
			r.tick()
		}
	}
	if n := r.metric.Value("respawn.crowded"); n != 0 {
		t.Errorf("%d of 6000 did not come, though no more than 501 were here at a time", n)
	}
	there := 0
	for q := r.all.Iter(); q.Next(); {
		there++
	}
	if there != 1 {
		t.Errorf("%d are there, want the one that stays", there)
	}
}

// More summons than there are numbers for are refused, also within a tick, in which none of the others is to be found yet.
func TestSummonsOfATickHaveTheirOwnGUIDs(t *testing.T) {
	const most = 4096
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	r.tick()
	for range most + 3 {
		ask(r.world, rules.Summon{Entry: 7})
	}
	r.tick()
	r.tick()
	if n := r.metric.Value("respawn.crowded"); n != 3 {
		t.Errorf("%d are refused, want 3", n)
	}
	guids := make(map[uint64]bool)
	for q := r.all.Iter(); q.Next(); {
		guids[r.objects.Get(q.Entity()).GUID] = true
	}
	if len(guids) != most {
		t.Errorf("%d have a GUID of their own, want %d", len(guids), most)
	}
}

// Pools of an event are there while it is on, and others but then: as many of their creatures as always. What has died before the event ends does not
// come back.
//
// Source: GameEventMgr::GameEventSpawn and PoolMgr::DespawnPool, AzerothCore.
func TestEventPools(t *testing.T) {
	const siege = 1
	d := fair()
	m := &d.Maps[0]
	points := func(of ...uint32) (members []defs.PoolMember) {
		for _, i := range of {
			members = append(members, defs.PoolMember{Index: i})
		}
		return members
	}
	m.Pools = []defs.Pool{
		{Limit: 1, Members: points(0, 1)}, {Limit: 1, Members: []defs.PoolMember{{Index: 2, Nested: true}}}, {Limit: 2, Members: points(2, 3)},
	}
	m.EventPools = []defs.EventSpawn{{Point: 0, Event: siege}, {Point: 1, Event: siege, Away: true}}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	see := func(what string, first, second int) {
		t.Helper()
		got := [3]int{}
		for _, point := range r.here() {
			got[point/2]++
		}
		if want := [3]int{first, second, 2}; got != want {
			t.Errorf("%s, tick %d: of each pair there are %v, want %v", what, r.n, got, want)
		}
	}
	turn := func(on bool) {
		ask(r.world, rules.SetGameEvent{Event: siege, On: on})
		r.tick()
		r.tick()
	}
	dies := func(points ...uint32) {
		living := r.living()
		for _, point := range points {
			if e, ok := living[point]; ok {
				r.kill(e)
			}
		}
	}
	r.pass(time.Second)
	see("before the event", 0, 2)
	dies(2)
	turn(true)
	see("during it", 1, 0)
	r.pass(3 * time.Second)
	see("when a respawn of before would be due", 1, 0)
	dies(0, 1)
	r.pass(time.Second)
	see("after a death", 0, 0)
	r.pass(2 * time.Second)
	see("after its respawn", 1, 0)
	dies(0, 1)
	turn(false)
	see("after the event", 0, 2)
	r.pass(3 * time.Second)
	see("when a respawn of the event would be due", 0, 2)
	turn(true)
	see("during the next one", 1, 0)
}
