package stats

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

const (
	snare = 5 // a spell that slows by its amount,
	zeal  = 6 // and one that hastens swings by its amount
)

func newWorld() (*ecs.World, *change.Log) {
	w := ecs.NewWorld(8)
	d := &defs.World{Spells: []defs.Spell{
		{ID: snare, Effects: [3]defs.Effect{{Kind: defs.EffectApplyAura, Aura: defs.AuraSlow}}},
		{ID: zeal, Effects: [3]defs.Effect{{Kind: defs.EffectApplyAura, Aura: defs.AuraMeleeHaste}}},
	}}
	d.Players = defs.Players{MaxLevel: 3, NextXP: []uint32{0, 400, 900}}
	d.Players.Classes[1] = defs.Class{Health: defs.Growth{First: 50, PerLevel: 20}, Mana: defs.Growth{First: 30, PerLevel: 5}, SwingMs: 2000}
	ecs.Share(w, d)
	ecs.Share(w, new(metric.Table))
	log := change.NewLog(w)
	ecs.Share(w, log)
	rules.Share(w)
	return w, log
}

func spawnPlayer(w *ecs.World) ecs.Entity {
	e := ecs.NewArchetype(w, slices.Concat(components.PlayerParts(),
		ecs.Of4[components.CombatState, components.CombatStats, components.Position, components.Dirty](),
		ecs.Of3[components.Session, components.Inventory, components.Record]())...).Spawn()
	units := ecs.NewAccessor[components.Unit](w)
	*units.Get(e) = components.Unit{Bytes0: [4]uint8{components.ByteClass: 1}, Level: 1}
	return e
}

// A new player has full health and power; a returning one what it was saved with, up to the maxima; the dead stay
// dead.
func TestJoin(t *testing.T) {
	for _, c := range []struct {
		name   string
		was    components.Vitals
		state  uint32
		health uint32
		mana   uint32
	}{
		{"new", components.Vitals{}, life.Alive, 50, 30},
		{"hurt", components.Vitals{Health: 20, Power: [7]uint32{4}}, life.Alive, 20, 4},
		{"once larger", components.Vitals{Health: 500, Power: [7]uint32{400}}, life.Alive, 50, 30},
		{"dead", components.Vitals{}, life.Dead, 0, 0},
	} {
		w, _ := newWorld()
		system := sched.Bind(w, sched.Act, new(System))
		e := spawnPlayer(w)
		vitals, records := ecs.NewAccessor[components.Vitals](w), ecs.NewAccessor[components.Record](w)
		*vitals.Get(e), records.Get(e).Death.State = c.was, c.state
		ecs.QueueOf[change.Joined](w).Next().Entity = e
		system.Run(sched.Tick{N: 1, NowMs: 50, Step: 50e6})
		if v := vitals.Get(e); v.MaxHealth != 50 || v.MaxPower[0] != 30 || v.Health != c.health || v.Power[0] != c.mana {
			t.Errorf("%s: %+v", c.name, *v)
		}
	}
}

// A faster weapon does not change the remaining time to the next swing, and haste does.
func TestWeaponKeepsSwingTimer(t *testing.T) {
	w, log := newWorld()
	system, book := sched.Bind(w, sched.Act, new(System)), rules.New(w)
	slab, combats := ecs.Shared[ecs.Slab[components.Auras]](w), ecs.NewAccessor[components.CombatState](w)
	e := spawnPlayer(w)
	ecs.QueueOf[change.Joined](w).Next().Entity = e
	tick := func(n uint64) {
		system.Run(sched.Tick{N: n, NowMs: 50, Step: 50e6})
		log.Reset()
		w.EndTick()
	}
	tick(1)
	combat := combats.Get(e)
	combat.NextMs[components.MainHand] = 50 + 1600
	ecs.Shared[defs.World](w).Players.Classes[1].SwingMs = 1000
	book.MarkStatsDirty(e)
	tick(2)
	if left := combat.NextMs[components.MainHand] - 50; left != 1600 {
		t.Errorf("with another weapon the next swing comes in %d ms, want 1600", left)
	}
	combat.NextMs[components.MainHand] = 50 + 800
	combat.Auras = slab.Take()
	*slab.At(combat.Auras) = components.Auras{Count: 1, List: [life.MaxAuras]components.Aura{
		{Spell: zeal, Effects: 1, Stacks: 1, Amount: [3]int32{100}},
	}}
	book.MarkStatsDirty(e)
	tick(3)
	if left := combat.NextMs[components.MainHand] - 50; left != 400 {
		t.Errorf("twice as quick the next swing comes in %d ms, want 400", left)
	}
}

// A unit marked twice is recomputed once, and runs as fast as its stats say.
func TestRecompute(t *testing.T) {
	w, log := newWorld()
	system, book := sched.Bind(w, sched.Act, new(System)), rules.New(w)
	paces := ecs.QueueOf[move.SetSpeed](w).Lasting()
	slab := ecs.Shared[ecs.Slab[components.Auras]](w)
	combats, units, vitals := ecs.NewAccessor[components.CombatState](w), ecs.NewAccessor[components.Unit](w), ecs.NewAccessor[components.Vitals](w)
	e := spawnPlayer(w)
	ecs.QueueOf[change.Joined](w).Next().Entity = e
	tick := func(n uint64) {
		system.Run(sched.Tick{N: n, NowMs: uint32(n) * 50, Step: 50e6})
		log.Reset()
		w.EndTick()
	}
	tick(1)
	combats.Get(e).Auras = slab.Take()
	*slab.At(combats.Get(e).Auras) = components.Auras{Count: 1, List: [life.MaxAuras]components.Aura{
		{Spell: snare, Effects: 1, Stacks: 1, Amount: [3]int32{-50}},
	}}
	units.Get(e).Level = 2
	book.MarkStatsDirty(e)
	book.MarkStatsDirty(e)
	tick(2)
	want := []move.SetSpeed{{Entity: e, Which: components.SpeedRun, Speed: 3.5}, {Entity: e, Which: components.SpeedSwim, Speed: 2.361111}}
	if got := paces.Take(); !slices.Equal(got, want) {
		t.Errorf("asks for %+v, want %+v", got, want)
	}
	if v := vitals.Get(e); v.MaxHealth != 70 || v.Health != 50 {
		t.Errorf("after a level: %+v", *v)
	}
	slab.At(combats.Get(e).Auras).Count = 0
	book.MarkStatsDirty(e)
	tick(3)
	if got := paces.Take(); len(got) != 2 || got[0].Speed != 7 {
		t.Errorf("then it asks for %+v", got)
	}
	tick(4)
	if got := paces.Take(); len(got) != 0 {
		t.Errorf("without a reason it asks for %+v", got)
	}
}

// A player that logs in with a snare is slow from the beginning.
func TestJoinSnared(t *testing.T) {
	w, _ := newWorld()
	system, paces := sched.Bind(w, sched.Act, new(System)), ecs.QueueOf[move.SetSpeed](w).Lasting()
	slab := ecs.Shared[ecs.Slab[components.Auras]](w)
	combats, vitals := ecs.NewAccessor[components.CombatState](w), ecs.NewAccessor[components.Vitals](w)
	e := spawnPlayer(w)
	vitals.Get(e).Health = 20
	combats.Get(e).Auras = slab.Take()
	*slab.At(combats.Get(e).Auras) = components.Auras{Count: 1, List: [life.MaxAuras]components.Aura{
		{Spell: snare, Effects: 1, Stacks: 1, Amount: [3]int32{-50}},
	}}
	ecs.QueueOf[change.Joined](w).Next().Entity = e
	system.Run(sched.Tick{N: 1, NowMs: 50, Step: 50e6})
	want := []move.SetSpeed{{Entity: e, Which: components.SpeedRun, Speed: 3.5}, {Entity: e, Which: components.SpeedSwim, Speed: 2.361111}}
	w.EndTick()
	if got := paces.Take(); !slices.Equal(got, want) {
		t.Errorf("asks for %+v, want %+v", got, want)
	}
}
