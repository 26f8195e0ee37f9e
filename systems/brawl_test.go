package systems

import (
	"os"
	"runtime"
	"testing"

	"muster/bench/brawl"
	"muster/components"
	"muster/ecs"
	"muster/net/frame"
)

// A ruckus is a brawl that is going on.
type ruckus struct {
	brawl *brawl.Brawl
	live  *Live
	inbox frame.Inbox
	n     uint64
}

func newRuckus(fights int) *ruckus {
	b := brawl.New(fights)
	return &ruckus{brawl: b, live: &Live{World: New(Config{Defs: b.Defs, Map: &b.Defs.Maps[0], Seed: 1}), Port: frame.NewPort()}}
}

func (r *ruckus) tick() {
	r.n++
	r.brawl.Say(r.n, func(it frame.Item) {
		if err := r.inbox.Add(it); err != nil {
			panic(err)
		}
	})
	r.live.Port.Post(&r.inbox)
	r.inbox.Reset()
	r.live.Step(r.n)
}

// state is how much health all have, and how many of them fight and have three auras.
func (r *ruckus) state() (health uint64, fighting, marked int) {
	w := r.live.World
	bouts, units := ecs.NewColumn[components.Bout](w.ecs), ecs.NewColumn[components.Unit](w.ecs)
	vitals, slab := ecs.NewColumn[components.Vitals](w.ecs), ecs.Shared[ecs.Slab[components.Auras]](w.ecs)
	for i := range r.brawl.Fights {
		for _, guid := range []uint64{brawl.Player(i), brawl.Foe(i)} {
			e := w.space.Find(guid)
			bout := bouts.Get(e)
			health += uint64(vitals.Get(e).Health)
			if units.Get(e).Flags&components.UnitInCombat != 0 && (bout.Hated > 0 || bout.Threat > 0) {
				fighting++
			}
			if bout.Auras != 0 && slab.At(bout.Auras).Count == 3 {
				marked++
			}
		}
	}
	return health, fighting, marked
}

// A tick in which everybody fights, half with weapons and half with spells, and with three auras on each, allocates
// not a byte, and the fights go on.
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
	if fighting != 2*fights || marked < 2*fights*98/100 { // who was missed three times in a row has lost one
		t.Fatalf("of %d, %d fight and %d have three auras", 2*fights, fighting, marked)
	}
	const ticks = 600 // as long as everybody's turns take to come round
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
		t.Errorf("everybody loses %.1f health a second", each)
	}
	if n := r.live.World.Players(); n != fights || r.live.World.Awake() != 2*fights {
		t.Errorf("%d players, %d awake", n, r.live.World.Awake())
	}
}
