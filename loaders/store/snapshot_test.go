package store_test

import (
	"reflect"
	"testing"

	"muster/components/life"
	"muster/loaders/store"
)

// Lists that a snapshot does not have advance with time, without a change of the earlier snapshot's.
func TestTellAdvances(t *testing.T) {
	before := store.Character{Version: 1, SavedUnix: 1000, Life: life.Life{
		Cooldowns: []life.Cooldown{{Spell: 1, LeftMs: 30_000}, {Spell: 2, LeftMs: 30_001}, {Spell: 3, LeftMs: 1}},
		Auras:     []life.Aura{{Spell: 4}, {Spell: 5, MaxMs: 60_000, LeftMs: 50_000}, {Spell: 6, MaxMs: 9, LeftMs: 9}},
		Spells:    []uint32{7},
	}}
	c := before
	c.Merge(&store.Character{Version: 2, SavedUnix: 1030}, 0)
	want := store.Character{Version: 2, SavedUnix: 1030, Life: life.Life{
		Cooldowns: []life.Cooldown{{Spell: 2, LeftMs: 1}},
		Auras:     []life.Aura{{Spell: 4}, {Spell: 5, MaxMs: 60_000, LeftMs: 20_000}},
		Spells:    []uint32{7},
	}}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("after half a minute it is\n     %+v\nwant %+v", c, want)
	}
	if before.Cooldowns[1].LeftMs != 30_001 || before.Auras[1].LeftMs != 50_000 {
		t.Errorf("the lists of before are now %+v, %+v", before.Cooldowns, before.Auras)
	}
	newer := store.Character{Version: 3, SavedUnix: 2000, Life: life.Life{Cooldowns: []life.Cooldown{{Spell: 8, LeftMs: 5}}}}
	c.Merge(&newer, life.Cooldowns)
	if len(c.Cooldowns) != 1 || c.Cooldowns[0].LeftMs != 5 {
		t.Errorf("cooldowns of the snapshot are %+v", c.Cooldowns)
	}
	back := c
	back.Merge(&store.Character{SavedUnix: 1}, 0) // the clock was put back
	if !reflect.DeepEqual(back.Cooldowns, c.Cooldowns) {
		t.Errorf("under a clock that was put back cooldowns are %+v", back.Cooldowns)
	}
}
