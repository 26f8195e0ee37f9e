package loot

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// drops is a system that rolls tables, in a world without bodies.
func drops(tables ...defs.Loot) (*Drops, *metric.Table) {
	w, counters := ecs.NewWorld(4), new(metric.Table)
	ecs.Share(w, counters)
	ecs.Share(w, &defs.World{Loots: tables, Items: []defs.Item{{Entry: 1, Stack: 5}, {Entry: 2, Stack: 1}, {Entry: 3, Stack: 1}}})
	ecs.Share(w, new(space.Space))
	ecs.Share(w, change.NewLog(w))
	rules.Share(w)
	Share(w)
	s := new(Drops)
	ecs.Bind(w, s)
	return s, counters
}

// Tables that refer to each other in a cycle, and without an item that would fill the body, come to an end.
func TestReferencesEnd(t *testing.T) {
	wide := defs.Loot{ID: 1}
	for range 1000 {
		wide.Entries = append(wide.Entries, defs.LootEntry{Reference: 1, Chance: 100, Min: 255, Max: 255})
	}
	deep := defs.Loot{ID: 2, Entries: []defs.LootEntry{{Reference: 2, Chance: 100, Min: 1, Max: 1}}}
	s, counters := drops(wide, deep)
	dice := sched.Tick{}.Dice("test", 1)
	var l components.Loot
	s.roll(&dice, &l, s.defs.Get().Loot(1), 0, 0)
	if !l.Empty() || s.thrown != defs.MaxLootTables+1 || counters.Value("loot.too_many") == 0 || counters.Value("loot.too_deep") == 0 {
		t.Errorf("a wide table: %d thrown, %d too many, %d too deep", s.thrown, counters.Value("loot.too_many"), counters.Value("loot.too_deep"))
	}
	s, counters = drops(wide, deep)
	s.roll(&dice, &l, s.defs.Get().Loot(2), 0, 0)
	if s.thrown != defs.MaxLootDepth+2 || counters.Value("loot.too_deep") != 1 || counters.Value("loot.too_many") != 0 {
		t.Errorf("a deep table: %d thrown, %d too deep", s.thrown, counters.Value("loot.too_deep"))
	}
}

// Quest items are left out. An entry of a group with a chance is found with that probability, and those without one
// share the rest.
func TestGroupsAndQuests(t *testing.T) {
	s, _ := drops(defs.Loot{ID: 1, Entries: []defs.LootEntry{
		{Item: 1, Chance: 100, Min: 7, Max: 7}, {Item: 2, Chance: 100, Min: 1, Max: 1, Quest: true},
		{Item: 2, Group: 3, Min: 1, Max: 1, Quest: true},
		{Item: 2, Group: 1, Chance: 20, Min: 1, Max: 1}, {Item: 3, Group: 1, Min: 1, Max: 1},
	}})
	dice := sched.Tick{}.Dice("test", 1)
	twos := 0
	const bodies = 10_000
	for range bodies {
		var l components.Loot
		s.thrown = 0
		s.roll(&dice, &l, s.defs.Get().Loot(1), 0, 0)
		got := l.Items[:l.Count]
		switch {
		case len(got) != 3 || !slices.Equal(got[:2], []components.LootItem{{Entry: 1, Count: 5}, {Entry: 1, Count: 2}}):
			t.Fatalf("found %+v", got)
		case got[2].Entry == 2:
			twos++
		case got[2].Entry != 3:
			t.Fatalf("found %+v", got)
		}
	}
	if twos < 1850 || twos > 2150 { // 2,000, and four times its deviation
		t.Errorf("one of a fifth was found %d times of %d", twos, bodies)
	}
}
