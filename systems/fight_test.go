package systems

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/loaders/synth"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/respawn"
)

// An arena is a world of duels, each out of sight of the others: a player before a creature.
type arena struct {
	live   *Live
	swings frame.Inbox // every player's wish to attack its creature
	n      uint64
	foes   []uint64
	vitals ecs.Accessor[components.Vitals]
	units  ecs.Accessor[components.Unit]
}

// newArena makes duels, the n-th of creature entry(n) with a player of class(n).
func newArena(d defs.World, seed uint64, n int, entry func(i int) uint32, class func(i int) uint8) *arena {
	const apart, side = 400, 80
	m := defs.Map{Half: grid.Limit}
	at := func(i int) (x, y float32) { return float32(i%side-side/2) * apart, float32(i/side-side/2) * apart }
	for i := range n {
		x, y := at(i)
		m.Spawns = append(m.Spawns, defs.Spawn{Entry: entry(i), X: x + 2, Y: y, Path: -1})
	}
	d.Maps = []defs.Map{m}
	a := &arena{live: &Live{World: New(Config{Defs: &d, Map: &d.Maps[0], Seed: seed}), Exchange: frame.NewExchange()}}
	a.vitals, a.units = ecs.NewAccessor[components.Vitals](a.live.World.ecs), ecs.NewAccessor[components.Unit](a.live.World.ecs)
	var in frame.Inbox
	for i := range n {
		x, y := at(i)
		in.Add(frame.Item{Session: uint32(i), Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{
			GUID: uint64(i + 1), Name: "Fighter", Race: 1, Class: class(i), Level: 1, X: x, Y: y,
		})})
		foe := components.CreatureGUID(entry(i), respawn.FirstCounter+uint32(i))
		a.foes = append(a.foes, foe)
		a.swings.Add(frame.Item{Session: uint32(i), Op: msg.OpAttackSwing, Body: msg.Append(nil, wire.V12340, &msg.AttackSwing{GUID: foe})})
	}
	a.live.Exchange.Post(&in)
	for range 5 {
		a.step()
	}
	return a
}

func (a *arena) step() {
	a.n++
	a.live.Step(a.n)
}

// A character of level 1, of any class and with the outfit of its class, kills a creature of levels 1 to 3 near a hub
// with plain swings within 8 to 15 s, and most survive.
func TestFirstKills(t *testing.T) {
	t.Parallel()
	d, err := synth.New(synth.Config{Seed: 1, Creatures: 1})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []uint32
	for _, c := range d.Creatures {
		if c.MinLevel <= 3 && c.Faction == defs.FactionHostile && c.Type != defs.TypeCritter {
			kinds = append(kinds, c.Entry)
		}
	}
	classes := []uint8{1, 2, 3, 4, 5, 6, 7, 8, 9, 11}
	const each = 24
	n := len(kinds) * len(classes) * each
	a := newArena(*d, 7, n,
		func(i int) uint32 { return kinds[i%len(kinds)] },
		func(i int) uint8 { return classes[i/len(kinds)%len(classes)] })
	a.live.Exchange.Post(&a.swings)
	took := make([]float64, n) // seconds; 0 not yet
	levels := make([]uint32, n)
	for i, foe := range a.foes {
		levels[i] = a.units.Get(a.live.World.Find(foe)).Level
	}
	for tick := range 600 {
		a.step()
		for i := range took {
			foe := a.live.World.Find(a.foes[i])
			if took[i] == 0 && (!a.live.World.ecs.Exists(foe) || a.vitals.Get(foe).Health == 0) {
				took[i] = max(float64(tick)*0.05, 0.01)
			}
		}
	}
	var died, fought [6]int // by level of the creature
	by := make(map[string][]float64)
	for i := range took {
		self, level := a.live.World.Find(uint64(i+1)), levels[i]
		fought[level]++
		switch {
		case a.vitals.Get(self).Health == 0:
			died[level]++
		case level <= 3:
			key := fmt.Sprintf("class %d against level %d", classes[i/len(kinds)%len(classes)], level)
			by[key] = append(by[key], took[i])
		}
	}
	if len(by) != 3*len(classes) {
		t.Errorf("%d kinds of duels, want %d", len(by), 3*len(classes))
	}
	for key, times := range by {
		slices.Sort(times)
		mean := 0.0
		for _, s := range times {
			mean += s / float64(len(times))
		}
		t.Logf("%s: %d fights, %.1f s on average, from %.1f to %.1f", key, len(times), mean, times[0], times[len(times)-1])
		if mean < 8 || mean > 15 || times[0] == 0 {
			t.Errorf("%s: %.1f s on average, from %.1f to %.1f", key, mean, times[0], times[len(times)-1])
		}
	}
	t.Logf("by level of the creature, %v died of %v", died, fought)
	for level := 1; level <= 3; level++ {
		if died[level] > fought[level]*level/20 {
			t.Errorf("%d of %d died in their first fight, against level %d", died[level], fought[level], level)
		}
	}
	if died[4]+died[5] == 0 {
		t.Error("no player dies by creatures that are too strong")
	}
}

// A tick of a world in which all units fight, and send up to five requests a second, allocates nothing.
func TestFightsAllocateNothing(t *testing.T) {
	a := newEndless(2000)
	for range 400 {
		a.fight()
	}
	for i, guid := range a.foes {
		foe := a.vitals.Get(a.live.World.Find(guid))
		if self := a.vitals.Get(a.live.World.Find(uint64(i + 1))); foe.Health == foe.MaxHealth || self.Health == self.MaxHealth {
			t.Fatalf("duel %d: foe %d of %d, player %d of %d", i, foe.Health, foe.MaxHealth, self.Health, self.MaxHealth)
		}
	}
	if n := testing.AllocsPerRun(100, a.fight); n != 0 {
		t.Errorf("%v allocations in a tick", n)
	}
}

// newEndless is an arena in which no unit dies for a long time.
func newEndless(n int) *arena {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	c := &d.Creatures[0]
	c.MinHealth, c.MaxHealth = 1e6, 1e6
	for i := range d.Players.Classes {
		d.Players.Classes[i].Health.First = 1e6
	}
	return newArena(*d, 1, n, func(int) uint32 { return 7 }, func(i int) uint8 { return uint8(1 + i%9) })
}

// fight is a tick in which a part of the players asks to attack.
func (a *arena) fight() {
	if a.n%4 == 0 {
		a.live.Exchange.Post(&a.swings)
	}
	a.step()
}

// The cost of a tick of fights; it is to be linear in their number.
func BenchmarkFights(b *testing.B) {
	for _, n := range []int{1000, 2000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			a := newEndless(n)
			for range 200 {
				a.fight()
			}
			for b.Loop() {
				a.fight()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/fight")
		})
	}
}
