package systems

import (
	"math/rand/v2"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/internal/testseed"
	"muster/loaders/synth"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/rules"
)

// A reserve is a world and what lives in it, for tests that kill.
type reserve struct {
	t      *testing.T
	world  *World
	place  *defs.Map
	metric metric.Table
	n      uint64
	frame  frame.Frame
	reading
	space   *space.Space
	all     *ecs.Filter2[components.HomeCell, components.SpawnInfo]
	objects ecs.Accessor[components.Object]
	vitals  ecs.Accessor[components.Vitals]
	units   ecs.Accessor[components.Unit]
	at      ecs.Accessor[components.Position]
}

// reading is what a test asks the rules.
type reading struct {
	threats rules.Threats
}

// inCombat reports whether a unit shows that it is in combat.
func (r *reserve) inCombat(e ecs.Entity) bool {
	return r.units.Get(e).Flags&components.UnitInCombat != 0
}

func newReserve(t *testing.T, d *defs.World, seed uint64) *reserve {
	r := &reserve{t: t, place: &d.Maps[0]}
	r.world = New(Config{Defs: d, Map: r.place, Seed: seed, Metric: &r.metric, Ephemeral: true})
	w := r.world.ecs
	r.space = ecs.Shared[space.Space](w)
	ecs.Bind(w, &r.reading)
	r.all = ecs.NewFilter2[components.HomeCell, components.SpawnInfo](w)
	r.objects, r.vitals = ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.Vitals](w)
	r.units, r.at = ecs.NewAccessor[components.Unit](w), ecs.NewAccessor[components.Position](w)
	return r
}

func (r *reserve) tick() {
	r.n++
	r.world.Inbox().Seal()
	r.world.Tick(r.n, &r.frame)
}

// enter adds a player that stands there and is not attacked.
func (r *reserve) enter(session uint32, x, y float32) {
	r.world.Inbox().Add(frame.Item{Session: session, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{
		GUID: uint64(session), Name: "Watcher", Race: 1, Class: 1, Level: 1, X: x, Y: y, Z: r.place.Height(x, y),
	})})
}

func (r *reserve) leave(session uint32) {
	r.world.Inbox().Add(frame.Item{Session: session, Op: frame.OpLeave})
}

// kill ends a creature before the next tick.
func (r *reserve) kill(e ecs.Entity) {
	ask(r.world, rules.Kill{Entity: e})
}

// living lists the creatures by spawn point, and fails if there are two of one, or if a GUID is not found.
func (r *reserve) living() map[uint32]ecs.Entity {
	living := make(map[uint32]ecs.Entity)
	known := make(map[uint64]bool)
	for q := r.all.Iter(); q.Next(); {
		e := q.Entity()
		_, post := q.Get()
		guid := r.objects.Get(e).GUID
		if known[guid] {
			r.t.Fatalf("tick %d: two creatures are called %#x", r.n, guid)
		}
		known[guid] = true
		if r.space.Find(guid) != e {
			r.t.Fatalf("tick %d: %#x is not enrolled", r.n, guid)
		}
		if post.Point > 0 && r.vitals.Get(e).Health > 0 {
			living[post.Point-1] = e
		}
	}
	return living
}

// No timer is lost while cells sleep and wake: what died respawns, not before its time, and as soon as an observer
// can see it then. The model has the times of deaths.
func TestEverybodyComesBack(t *testing.T) {
	const points, reach, ticks = 60, 700, 2500
	seed := testseed.Of(t)
	dice := rand.New(rand.NewPCG(seed, 3))
	d := meadow(dice, 0, 0)
	m := &d.Maps[0]
	for i := range points {
		s := defs.Spawn{Entry: 7, X: between(dice, reach), Y: between(dice, reach), Path: -1, RespawnMs: 1 + uint32(dice.IntN(40_000))}
		if i%3 == 0 {
			s.Wander = 10
		}
		m.Spawns = append(m.Spawns, s)
	}
	r := newReserve(t, d, seed)
	due := make([]uint64, points) // tick of the next creature; 0 has one, or was never seen
	here := make([]bool, 4)
	for range ticks {
		for i := range here {
			if dice.IntN(60) > 0 {
				continue
			}
			if here[i] = !here[i]; here[i] {
				r.enter(uint32(i+1), between(dice, reach), between(dice, reach))
			} else {
				r.leave(uint32(i + 1))
			}
		}
		for point, e := range r.living() { // the order does not matter: each has dice of its own
			if rand.New(rand.NewPCG(uint64(point), r.n)).IntN(200) == 0 {
				r.kill(e)
				due[point] = r.n + 1 + max(1, uint64(m.Spawns[point].RespawnMs+49)/50)
			}
		}
		r.tick()
		living := r.living()
		for point := range due {
			s := &m.Spawns[point]
			_, lives := living[uint32(point)]
			switch {
			case lives && due[point] > r.n:
				t.Fatalf("seed %d, tick %d: %d is back before tick %d", seed, r.n, point, due[point])
			case lives:
				due[point] = 0
			case due[point] != 0 && due[point]+2 <= r.n && r.space.Awake(grid.At(s.X, s.Y, grid.Living)):
				t.Fatalf("seed %d, tick %d: %d is not back since tick %d", seed, r.n, point, due[point])
			}
		}
	}
	for i, s := range m.Spawns { // an observer finds them all
		r.n += 1000
		r.enter(uint32(100+i), s.X, s.Y)
		r.tick()
		r.tick()
		r.tick()
		if _, lives := r.living()[uint32(i)]; !lives {
			t.Errorf("seed %d: %d never came back", seed, i)
		}
		r.leave(uint32(100 + i))
	}
}

// In the default world, a character near any hub has five to fight within 40 yards, and has them again a little
// more than 15 seconds after it has killed all of them.
func TestFiveToFight(t *testing.T) {
	d, err := synth.New(synth.Config{Creatures: 3000})
	if err != nil {
		t.Fatal(err)
	}
	dice := rand.New(rand.NewPCG(1, 4))
	r := newReserve(t, d, 1)
	fair := func(x, y float32) (fair []ecs.Entity) {
		for _, e := range r.living() {
			u, p, dx := r.units.Get(e), r.at.Get(e), float32(0)
			if dx = p.X - x; u.Level > 3 || u.Faction != defs.FactionHostile || u.Flags != 0 || r.vitals.Get(e).MaxHealth < 10 {
				continue
			}
			if dy := p.Y - y; dx*dx+dy*dy <= 40*40 {
				fair = append(fair, e)
			}
		}
		return fair
	}
	for i := range 12 {
		x, y := between(dice, 2500), between(dice, 2500)
		r.enter(uint32(i+1), x, y)
		r.tick()
		all := fair(x, y)
		if len(all) < 5 {
			t.Errorf("around %v,%v there are %d to fight", x, y, len(all))
		}
		for _, e := range all {
			r.kill(e)
		}
		r.tick()
		if n := len(fair(x, y)); n != 0 {
			t.Errorf("around %v,%v there are %d left", x, y, n)
		}
		for range 15*20 + 2 {
			r.tick()
		}
		if n := len(fair(x, y)); n < 5 {
			t.Errorf("around %v,%v there are %d to fight after 15 s", x, y, n)
		}
		r.leave(uint32(i + 1))
		r.tick()
	}
}

// However many creatures a map has: without observers there are no steps, no walks and no allocations.
func TestNobodyNearCostsNothing(t *testing.T) {
	d, err := synth.New(synth.Config{Creatures: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	r := newReserve(t, d, 1)
	for range 100 {
		r.tick()
	}
	if n := len(r.living()); n != 0 || r.world.Awake() != 0 {
		t.Errorf("without an observer there are %d creatures, %d awake", n, r.world.Awake())
	}
	r.enter(1, 50, 50)
	for range 600 {
		r.tick()
	}
	if n := len(r.living()); n < 40 || r.world.Awake() < n/2 {
		t.Errorf("with an observer there are %d creatures, %d awake", n, r.world.Awake())
	}
	r.leave(1)
	r.tick()
	r.tick()
	thoughts := r.thoughts()
	if n := testing.AllocsPerRun(600, r.tick); n != 0 {
		t.Errorf("%v allocations in a tick of an empty map", n)
	}
	if n := r.thoughts() - thoughts; n != 0 || r.world.Awake() != 0 {
		t.Errorf("without the observer there are %d steps, %d awake", n, r.world.Awake())
	}
}

// thoughts is how many steps creatures have taken.
func (r *reserve) thoughts() (n uint64) {
	r.metric.Each(func(name string, count uint64) {
		if len(name) > 3 && name[:3] == "ai." {
			n += count
		}
	})
	return n
}

// A spawn point of which two respawns are due while no observer is near, one of them asked for, has one creature when
// an observer comes.
func TestTwoRespawnsAreOneCreature(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Maps[0].Spawns = []defs.Spawn{{Entry: 7, X: 10, Path: -1, RespawnMs: 5000}}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 60)
	for range 10 {
		r.tick()
	}
	old := r.living()[0]
	r.kill(old)
	r.tick()
	ask(r.world, rules.RespawnAll{})
	r.leave(1)
	for range 200 {
		r.tick()
	}
	if n := r.world.Load().Creatures; n != 0 {
		t.Fatalf("%d creatures are there without an observer", n)
	}
	r.enter(2, 0, 60)
	r.tick()
	r.tick()
	if n := r.world.Load().Creatures; n != 1 || len(r.living()) != 1 || r.living()[0] == old {
		t.Errorf("%d creatures are there, %v live, want another than %v", n, r.living(), old)
	}
}
