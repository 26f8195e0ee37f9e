package systems

import (
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"muster/bench/fightscene"
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/replication/frame"
)

// A ruckus is a brawl that is going on.
type ruckus struct {
	brawl *fightscene.Scene
	live  *Live
	inbox frame.Inbox
	n     uint64
}

func newRuckus(fights int) *ruckus { return newRuckusOf(fightscene.New(fights)) }

func newRuckusOf(b *fightscene.Scene) *ruckus {
	return &ruckus{brawl: b, live: &Live{World: New(Config{Defs: b.Defs, Map: &b.Defs.Maps[0], Seed: 1}), Exchange: frame.NewExchange()}}
}

func (r *ruckus) tick() {
	r.n++
	r.brawl.Say(r.n, func(it frame.Item) {
		if err := r.inbox.Add(it); err != nil {
			panic(err)
		}
	})
	r.live.Exchange.Post(&r.inbox)
	r.inbox.Reset()
	r.live.Step(r.n)
}

// state is how much health all have, and how many of them fight and have three auras.
func (r *ruckus) state() (health uint64, fighting, marked int) {
	w := r.live.World
	combats, units := newUnitStates(w.ecs), ecs.NewAccessor[components.Unit](w.ecs)
	vitals, slab := ecs.NewAccessor[components.Vitals](w.ecs), ecs.Shared[ecs.Slab[components.Auras]](w.ecs)
	for i := range r.brawl.Fights {
		for _, guid := range []uint64{fightscene.Player(i), fightscene.Foe(i)} {
			e := w.space.Find(guid)
			health += uint64(vitals.Get(e).Health)
			if units.Get(e).Flags&components.UnitInCombat != 0 && (combats.threats.Get(e).ThreatenedByCount > 0 || combats.threats.Get(e).List > 0) {
				fighting++
			}
			if combats.auras.Get(e).Block != 0 && slab.At(combats.auras.Get(e).Block).Count == 3 {
				marked++
			}
		}
	}
	return health, fighting, marked
}

// A tick in which all units fight, half with weapons and half with spells, and with three auras each, allocates
// nothing, and the fights go on.
func TestBrawlAllocatesNothing(t *testing.T) {
	fights := 1000
	if os.Getenv("LONG_TESTS") != "" {
		fights = 10_000
	}
	r := newRuckus(fights)
	for r.n < 1400 {
		r.tick()
	}
	before, fighting, marked := r.state()
	if fighting != 2*fights || marked < 2*fights*98/100 { // a unit that was missed three times in a row has lost one
		t.Fatalf("of %d, %d fight and %d have three auras", 2*fights, fighting, marked)
	}
	const ticks = 600 // in which all turns come round
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	runtime.GC()
	for range 10 { // until what the collector took from pools is back
		r.tick()
	}
	var was, is runtime.MemStats
	runtime.ReadMemStats(&was)
	for range ticks {
		r.tick()
	}
	runtime.ReadMemStats(&is)
	if n, bytes := is.Mallocs-was.Mallocs, is.TotalAlloc-was.TotalAlloc; n != 0 || bytes != 0 {
		t.Errorf("%d allocations of %d bytes in %d ticks", n, bytes, ticks)
	}
	after, fighting, marked := r.state()
	if fighting != 2*fights || marked < 2*fights*98/100 {
		t.Errorf("in the end, of %d, %d fight and %d have three auras", 2*fights, fighting, marked)
	}
	if each := float64(before-after) / float64(2*fights) / (ticks * 0.05); each < 2 || each > 30 {
		t.Errorf("each unit loses %.1f health a second", each)
	}
	if n := r.live.World.Players(); n != fights || r.live.World.Awake() != 2*fights {
		t.Errorf("%d players, %d awake", n, r.live.World.Awake())
	}
}

// Twice as many fights are twice the work and twice the bytes, and no more.
func TestBrawlIsLinear(t *testing.T) {
	work := func(fights int) (thoughts, bytes uint64) {
		b, table := fightscene.New(fights), new(metric.Table)
		w := New(Config{Defs: b.Defs, Map: &b.Defs.Maps[0], Seed: 1, Metric: table, Ephemeral: true})
		var f frame.Frame
		for n := uint64(1); n <= 1000; n++ {
			b.Say(n, func(it frame.Item) {
				if err := w.Inbox().Add(it); err != nil {
					t.Fatal(err)
				}
			})
			w.Inbox().Seal()
			if w.Tick(n, &f); n > 400 {
				bytes += uint64(len(f.Bytes))
			}
		}
		for _, why := range []string{"ai.melee", "ai.cast", "ai.casting", "ai.chase"} {
			thoughts += table.Value(why)
		}
		return thoughts, bytes
	}
	thoughts, bytes := work(300)
	twiceThoughts, twiceBytes := work(600)
	for name, ratio := range map[string]float64{
		"thoughts": float64(twiceThoughts) / float64(thoughts), "bytes": float64(twiceBytes) / float64(bytes),
	} {
		if !(ratio > 1.9 && ratio < 2.1) {
			t.Errorf("twice as many fights make %.2f times as many %s", ratio, name)
		}
	}
}

// Creatures without observers do nothing: no steps, no bytes, no allocations.
func TestNobodyNearIsNoWork(t *testing.T) {
	const creatures = 20_000
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	m, dice := &d.Maps[0], rand.New(rand.NewPCG(1, 2))
	for range creatures {
		m.Spawns = append(m.Spawns, defs.Spawn{Entry: 7, X: between(dice, 60), Y: between(dice, 60), Wander: 10, Path: -1})
	}
	table := new(metric.Table)
	w := New(Config{Defs: d, Map: m, Seed: 1, Metric: table})
	var f frame.Frame
	n := uint64(0)
	tick := func() {
		n++
		w.Inbox().Seal()
		w.Tick(n, &f)
	}
	enter(w, 1, 0, 0)
	enter(w, 2, 2000, 0)
	for range 300 {
		tick()
	}
	if w.Awake() != creatures+2 {
		t.Fatalf("%d are awake", w.Awake())
	}
	w.Inbox().Add(frame.Item{Session: 1, Op: frame.OpLeave})
	for range 300 {
		tick()
	}
	before, bytes := table.Value("ai.stroll"), 0
	if n := testing.AllocsPerRun(200, func() {
		tick()
		bytes += len(f.Bytes)
	}); n != 0 {
		t.Errorf("%v allocations in a tick", n)
	}
	if strolls := table.Value("ai.stroll") - before; before == 0 || strolls != 0 || w.Awake() != 1 || w.space.Asleep() != creatures {
		t.Errorf("%d strolls before, %d since; %d awake, %d asleep", before, strolls, w.Awake(), w.space.Asleep())
	}
	if bytes > 1000 { // the messages for the one player: time requests
		t.Errorf("200 ticks without observers take %d bytes", bytes)
	}
}
