package systems

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/systems/rules"
)

// invariants are what is so after each tick, whatever happens in it.
type invariants struct {
	world       *World
	defs        *defs.World
	space       *space.Space
	goods       *stocktaker
	units       *ecs.Filter2[components.ThreatState, components.Vitals]
	books       *ecs.Filter1[components.Spellbook]
	threats     *ecs.Slab[components.ThreatList]
	auras       *ecs.Slab[components.Auras]
	objects     ecs.Accessor[components.Object]
	stances     ecs.Accessor[components.Stance]
	castings    ecs.Accessor[components.Casting]
	repeats     ecs.Accessor[components.AutoRepeat]
	aiStates    ecs.Accessor[components.AIState]
	timers      ecs.Accessor[components.StepTimer]
	homeCells   ecs.Accessor[components.HomeCell]
	positions   ecs.Accessor[components.Position]
	sessions    ecs.Accessor[components.Session]
	combats     unitStates
	vitals      ecs.Accessor[components.Vitals]
	combatStats ecs.Accessor[components.CombatStats]
	stats       ecs.Accessor[components.Stats]

	before map[uint64]being
	slept  int // auras seen on sleeping units
}

// A being is what a unit was after the last tick.
type being struct {
	health  uint32
	evading bool
}

func newInvariants(w *World, d *defs.World) *invariants {
	return &invariants{
		world: w, defs: d, space: w.space, goods: newStocktaker(w),
		units:       ecs.NewFilter2[components.ThreatState, components.Vitals](w.ecs),
		books:       ecs.NewFilter1[components.Spellbook](w.ecs),
		threats:     ecs.Shared[ecs.Slab[components.ThreatList]](w.ecs),
		auras:       ecs.Shared[ecs.Slab[components.Auras]](w.ecs),
		objects:     ecs.NewAccessor[components.Object](w.ecs),
		stances:     ecs.NewAccessor[components.Stance](w.ecs),
		castings:    ecs.NewAccessor[components.Casting](w.ecs),
		repeats:     ecs.NewAccessor[components.AutoRepeat](w.ecs),
		aiStates:    ecs.NewAccessor[components.AIState](w.ecs),
		timers:      ecs.NewAccessor[components.StepTimer](w.ecs),
		homeCells:   ecs.NewAccessor[components.HomeCell](w.ecs),
		positions:   ecs.NewAccessor[components.Position](w.ecs),
		sessions:    ecs.NewAccessor[components.Session](w.ecs),
		combats:     newUnitStates(w.ecs),
		vitals:      ecs.NewAccessor[components.Vitals](w.ecs),
		combatStats: ecs.NewAccessor[components.CombatStats](w.ecs),
		stats:       ecs.NewAccessor[components.Stats](w.ecs),
		before:      make(map[uint64]being),
	}
}

// check fails if something is not as it must be after tick n. It counts the players and creatures that have died.
func (v *invariants) check(t *testing.T, n, items, copper uint64, deaths *[2]int) {
	t.Helper()
	v.goods.check(t, n, items, copper)
	now := make(map[uint64]being)
	threatened := make(map[ecs.Entity]uint32)
	attackers, bearers := 0, 0
	for q := v.units.Iter(); q.Next(); {
		e := q.Entity()
		combatState, vitals := q.Get()
		guid := v.objects.Get(e).GUID
		if _, twice := now[guid]; twice {
			t.Fatalf("tick %d: there are two of %#x", n, guid)
		}
		now[guid] = being{vitals.Health, combatState.Evading != 0}
		was, known := v.before[guid]
		if known && was.health > 0 && vitals.Health == 0 {
			deaths[boolean(!v.sessions.Has(e))]++
		}
		if known && was.evading && combatState.Evading != 0 && vitals.Health < was.health {
			t.Fatalf("tick %d: %#x evades and has %d health, and had %d", n, guid, vitals.Health, was.health)
		}
		v.within(t, n, guid, vitals)
		v.derived(t, n, guid, e)
		v.punctual(t, n, guid, e)
		if vitals.Health == 0 {
			v.idle(t, n, guid, e)
		} else if flags := v.stances.Get(e).DynamicFlags; flags&(components.DynamicLootable|components.DynamicDead) != 0 {
			t.Fatalf("tick %d: %#x lives, with dynamic flags %#x", n, guid, flags)
		} else if (flags&components.DynamicTapped != 0) != (v.combats.taps.Get(e).LootRecipient != 0) {
			t.Fatalf("tick %d: %#x lives and is the player's %#x, with dynamic flags %#x", n, guid, v.combats.taps.Get(e).LootRecipient, flags)
		}
		if combatState.List != 0 {
			attackers++
			v.hates(t, n, guid, e, threatened)
		}
		if v.combats.auras.Get(e).Block != 0 {
			bearers++
			v.bears(t, n, guid, e)
		}
	}
	for q := v.units.Iter(); q.Next(); {
		if combatState, _ := q.Get(); combatState.ThreatenedByCount != threatened[q.Entity()] {
			t.Errorf("tick %d: %#x is on %d threat lists, and counts %d", n, v.objects.Get(q.Entity()).GUID, threatened[q.Entity()], combatState.ThreatenedByCount)
		}
	}
	if v.threats.InUse() != attackers || v.auras.InUse() != bearers {
		t.Errorf("tick %d: %d have threat lists, with room for %d; %d have auras, with room for %d", n, attackers, v.threats.InUse(), bearers, v.auras.InUse())
	}
	for q := v.books.Iter(); q.Next(); {
		book := q.Get()
		for i := 1; i < int(book.Count); i++ {
			if book.Spells[i] <= book.Spells[i-1] {
				t.Errorf("tick %d: spell %d after %d in a book", n, book.Spells[i], book.Spells[i-1])
			}
		}
	}
	v.placed(t, n)
	if v.before = now; t.Failed() {
		t.FailNow()
	}
}

// placed fails unless every entity is once in the awake order of its cell, among those that sleep in it, or among
// those that have just come. Cells that an entity has left are sorted again.
func (v *invariants) placed(t *testing.T, n uint64) {
	t.Helper()
	left := &ecs.Shared[change.Log](v.world.ecs).LeftCells
	listed := make(map[ecs.Entity]int)
	v.space.Order.Each(func(c grid.Cell, in []ecs.Entity) {
		for _, e := range in {
			listed[e]++
			if !left.Has(c) && (!v.world.ecs.Exists(e) || v.homeCells.Get(e).Cell != c) {
				t.Errorf("tick %d: %v is not in its cell %v, and no entity has left that", n, e, c)
			}
		}
	})
	v.space.SleepingTiles(func(tile grid.Tile, _ int) {
		v.space.Sleepers(tile, func(e ecs.Entity, home grid.Cell) {
			listed[e]++
			if v.world.ecs.Exists(e) && v.homeCells.Get(e).Cell != home {
				t.Errorf("tick %d: %v sleeps in %v, which is not its cell", n, e, home)
			}
		})
	})
	for _, e := range v.space.Arrived() {
		listed[e]++
	}
	for q := v.units.Iter(); q.Next(); {
		if e := q.Entity(); v.homeCells.Get(e).Cell != grid.None && listed[e] != 1 {
			t.Errorf("tick %d: %#x is in %d places", n, v.objects.Get(e).GUID, listed[e])
		}
	}
}

// within holds health and powers against their maxima.
func (v *invariants) within(t *testing.T, n, guid uint64, vitals *components.Vitals) {
	t.Helper()
	if vitals.Health > vitals.MaxHealth || vitals.MaxHealth == 0 {
		t.Fatalf("tick %d: %#x has %d of %d health", n, guid, vitals.Health, vitals.MaxHealth)
	}
	for i, power := range vitals.Power {
		if power > vitals.MaxPower[i] {
			t.Fatalf("tick %d: %#x has %d of %d of power %d", n, guid, power, vitals.MaxPower[i], i)
		}
	}
}

// derived holds what is kept of a unit's figures against what they come to when they are worked out anew: nothing was
// ever added to them.
func (v *invariants) derived(t *testing.T, n, guid uint64, e ecs.Entity) {
	t.Helper()
	combatStats := *v.combatStats.Get(e)
	if combatStats.SwingMs[components.MainHand] == 0 {
		return // they have not been requested yet
	}
	vitals, now := v.vitals.Get(e), statsOf(v.world, e)
	now.Combat.Batch = combatStats.Batch
	if now.Combat != combatStats || vitals.MaxHealth != now.MaxHealth || vitals.MaxPower[now.Power] != now.MaxPower ||
		v.stats.Has(e) && *v.stats.Get(e) != now.Shown {
		t.Fatalf("tick %d: the figures of %#x are\n%+v\n%+v and come to\n%+v", n, guid, combatStats, *vitals, now)
	}
}

// statsOf computes the stats of a unit from what it is and has.
func statsOf(w *World, e ecs.Entity) rules.UnitStats {
	units, combats := ecs.NewAccessor[components.Unit](w.ecs), newUnitStates(w.ecs)
	objects, items := ecs.NewAccessor[components.Object](w.ecs), ecs.NewAccessor[components.Inventory](w.ecs)
	d, unit := w.config.Defs, units.Get(e)
	var auras *components.Auras
	if block := combats.auras.Get(e).Block; block != 0 {
		auras = ecs.Shared[ecs.Slab[components.Auras]](w.ecs).At(block)
	}
	if items.Has(e) {
		return rules.PlayerStats(d, unit.Bytes0[components.ByteRace], unit.Bytes0[components.ByteClass], unit.Level, items.Get(e), auras)
	}
	return rules.CreatureStats(d, d.Creature(objects.Get(e).Entry), unit.Level, auras)
}

// punctual looks for what is overdue, and for what has no timer.
func (v *invariants) punctual(t *testing.T, n, guid uint64, e ecs.Entity) {
	t.Helper()
	nowMs := uint32(n) * 50
	if v.combats.swings.Get(e).Tick != 0 && int32(v.combats.swings.Get(e).Tick-uint32(n)) < 0 {
		t.Fatalf("tick %d: %#x had its swing check in tick %d", n, guid, v.combats.swings.Get(e).Tick)
	}
	if v.combats.attacks.Get(e).Swinging != 0 && v.combats.swings.Get(e).Tick == 0 {
		t.Fatalf("tick %d: %#x attacks, and has no swing check", n, guid)
	}
	if c := &v.castings.Get(e).Cast; c.Spell != 0 && int32(c.EndMs-nowMs) < 0 {
		t.Fatalf("tick %d: %#x was to end spell %d at %d ms", n, guid, c.Spell, c.EndMs)
	}
	if !v.aiStates.Has(e) || v.vitals.Get(e).Health == 0 || !v.space.Awake(v.homeCells.Get(e).Cell) {
		return
	}
	if mode, due := v.aiStates.Get(e).Mode, v.timers.Get(e).DueMs; mode != components.Idle && int32(due-nowMs) < 0 {
		t.Fatalf("tick %d: %#x, in mode %d, had its step at %d ms", n, guid, mode, due)
	}
}

// idle looks for actions of dead units. A unit that is killed by its auras stops its cast when system casts runs, in
// the next tick.
func (v *invariants) idle(t *testing.T, n, guid uint64, e ecs.Entity) {
	t.Helper()
	casting := v.castings.Get(e)
	switch {
	case v.combats.attacks.Get(e).Swinging != 0 || v.combats.attacks.Get(e).Victim != (ecs.Entity{}) || v.combats.threats.Get(e).List != 0 || v.combats.threats.Get(e).ThreatenedByCount != 0:
		t.Fatalf("tick %d: %#x is dead, and fights: %+v", n, guid, *v.combats.attacks.Get(e))
	case v.combats.vitals.Get(e).LastHitMs == uint32(n)*50:
	case casting.Cast.Spell != 0 || casting.NextSwing != 0 || v.repeats.Get(e).Spell != 0:
		t.Fatalf("tick %d: %#x is dead, and casts: %+v", n, guid, *casting)
	case v.aiStates.Has(e) && v.aiStates.Get(e).Mode != components.Idle:
		t.Fatalf("tick %d: %#x is dead, in mode %d", n, guid, v.aiStates.Get(e).Mode)
	}
}

// hates checks a threat list: each entry is alive and in the world, and there once.
func (v *invariants) hates(t *testing.T, n, guid uint64, e ecs.Entity, threatened map[ecs.Entity]uint32) {
	t.Helper()
	list := v.threats.At(v.combats.threats.Get(e).List)
	if list.Owner != e || list.Count == 0 || list.Count > components.MaxThreats {
		t.Fatalf("tick %d: %#x has a list of %d, of %v", n, guid, list.Count, list.Owner)
	}
	on := make(map[ecs.Entity]bool)
	for i := range list.List[:list.Count] {
		h := &list.List[i]
		if !v.world.ecs.Exists(h.Entity) || v.vitals.Get(h.Entity).Health == 0 || v.combats.vitals.Get(h.Entity).Gone != 0 || on[h.Entity] ||
			!(h.Amount >= 0) {
			t.Fatalf("tick %d: on the list of %#x is %+v", n, guid, *h)
		}
		on[h.Entity] = true
		threatened[h.Entity]++
	}
}

// bears looks at the auras of a unit: none is beyond its time or late, they lie in order, and what is kept of all of them
// is what they come to.
func (v *invariants) bears(t *testing.T, n, guid uint64, e ecs.Entity) {
	t.Helper()
	nowMs := uint32(n) * 50
	if !v.space.Awake(v.homeCells.Get(e).Cell) {
		v.slept++
	}
	auras := v.auras.At(v.combats.auras.Get(e).Block)
	if auras.Count == 0 || auras.Count > life.MaxAuras {
		t.Fatalf("tick %d: %#x has room for auras, and %d", n, guid, auras.Count)
	}
	states := v.combats.auras.Get(e).States
	if sum, now := rules.SumOf(v.defs, auras); sum != auras.Sum || states != now {
		t.Fatalf("tick %d: the auras of %#x come to %+v and states %#x, kept are %+v and %#x", n, guid, sum, now, auras.Sum, states)
	}
	for i := range auras.List[:auras.Count] {
		a := &auras.List[i]
		sp := v.defs.Spell(a.Spell)
		switch {
		case sp == nil || a.Ended(nowMs) || a.LeftMs(nowMs) > a.MaxMs || a.MaxMs != sp.DurationMs:
			t.Fatalf("tick %d: %#x has spell %d with %d of %d ms left", n, guid, a.Spell, a.LeftMs(nowMs), a.MaxMs)
		case i > 0 && a.Slot <= auras.List[i-1].Slot:
			t.Fatalf("tick %d: %#x has slot %d after %d", n, guid, a.Slot, auras.List[i-1].Slot)
		case a.Stacks < 1 || a.Stacks > max(sp.Stacks, 1) || a.Charges > sp.Charges || a.Charges == 0 && sp.Charges > 0:
			t.Fatalf("tick %d: %#x has spell %d %d times, with %d charges", n, guid, a.Spell, a.Stacks, a.Charges)
		case v.vitals.Get(e).Health == 0 && !sp.Has(defs.SpellOutlivesDeath|defs.SpellPassive):
			t.Fatalf("tick %d: %#x is dead, and has spell %d", n, guid, a.Spell)
		case usedUp(sp, a):
			t.Fatalf("tick %d: %#x has spell %d, which has nothing left to absorb with", n, guid, a.Spell)
		}
		for k := range sp.Effects {
			if a.Effects&(1<<k) != 0 && sp.Effects[k].PulseMs > 0 && int32(a.NextMs[k]-nowMs) <= 0 {
				t.Fatalf("tick %d: %#x was to have a pulse of spell %d at %d ms", n, guid, a.Spell, a.NextMs[k])
			}
		}
	}
}

// usedUp reports whether an aura is there to absorb and cannot any more.
func usedUp(sp *defs.Spell, a *components.Aura) bool {
	for k := range sp.Effects {
		if a.Effects&(1<<k) != 0 && sp.Effects[k].Aura == defs.AuraAbsorb && a.Amount[k] <= 0 {
			return true
		}
	}
	return false
}
