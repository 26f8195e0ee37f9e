package storetest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"muster/components/life"
	"muster/loaders/store"
)

// counter is that of the last item of anItem.
var counter atomic.Uint64

// anItem returns the GUID of an item that no other test has.
func anItem() uint64 { return store.ItemHigh | counter.Add(1) }

// full returns a character without a zero in it. Its items are no other's.
func full(account uint32, name string) store.Character {
	return store.Character{
		Account: account, Name: name, Race: 10, Class: 9, Gender: 1, Skin: 2, Face: 3, HairStyle: 4,
		HairColor: 5, FacialHair: 6, Level: 7, Map: 8, Zone: 9, X: 10.5, Y: -11.5, Z: 12.25, O: 1.5,
		SavedUnix: 1_700_000_000,
		Life: life.Life{
			Begun: true, XP: 13, MoneyCopper: 14, Health: 15, Power: [7]uint32{16, 17, 18, 19, 20, 21, 22},
			Death: life.Death{State: life.Ghost, Body: life.Place{Map: 23, Zone: 24, X: 25, Y: -26, Z: 27, O: 2}, ReclaimLeftMs: 28},
			Bind:  life.Place{Map: 29, Zone: 30, X: 31, Y: -32, Z: 33, O: 3}, PlayedSec: 34, LevelPlayedSec: 35,
			Spells:    []uint32{36, 137, 74_000},
			Cooldowns: []life.Cooldown{{Spell: 137, Category: 38, LeftMs: 39_000}},
			Auras: []life.Aura{{
				Spell: 40, Caster: 41, CasterLevel: 42, Slot: 43, Stacks: 44, Charges: 45, MaxMs: 46_000, LeftMs: 47,
				Amount: [3]int32{48, -49, 50},
			}},
			Actions: []life.Action{{Button: 51, Packed: 0x80000052}, {Button: 53, Packed: 54}},
			Items: []life.Item{
				{GUID: anItem(), Entry: 56, Count: 1, Durability: 57, Bag: 19, Slot: 58},
				{GUID: anItem(), Entry: 55, Count: 20, Durability: 59, Bag: life.InBody, Slot: 19},
			},
		},
	}
}

// fullest returns a life of the largest size, with items from a counter on.
func fullest(item uint64) life.Life {
	const most = math.MaxUint32
	place := life.Place{Map: most, Zone: most, X: math.MaxFloat32, Y: -math.MaxFloat32, Z: math.SmallestNonzeroFloat32, O: 1.0 / 3}
	l := life.Life{
		Begun: true, XP: most, MoneyCopper: store.MaxMoney, Health: most,
		Power: [7]uint32{most, most, most, most, most, most, most},
		Death: life.Death{State: life.Ghost, Body: place, ReclaimLeftMs: most}, Bind: place,
		PlayedSec: most, LevelPlayedSec: most,
	}
	for i := range uint32(life.MaxSpells) {
		l.Spells = append(l.Spells, most-life.MaxSpells+i+1)
	}
	for range life.MaxCooldowns {
		l.Cooldowns = append(l.Cooldowns, life.Cooldown{Spell: most, Category: most, LeftMs: most})
	}
	for range life.MaxAuras {
		l.Auras = append(l.Auras, life.Aura{
			Spell: most, Caster: math.MaxUint64, CasterLevel: 255, Slot: 255, Stacks: 255, Charges: 255,
			MaxMs: most, LeftMs: most, Amount: [3]int32{math.MinInt32, math.MaxInt32, -1},
		})
	}
	for i := range life.MaxActions {
		l.Actions = append(l.Actions, life.Action{Button: uint8(i), Packed: most})
	}
	for i := range life.MaxItems {
		l.Items = append(l.Items, life.Item{
			GUID: store.ItemHigh | (item + uint64(i)), Entry: most, Count: most, Durability: most, Bag: 255, Slot: uint8(i + 128),
		})
	}
	return l
}

// testLife changes all of the play state, and removes it all.
func testLife(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada := newAccount(t, s, "ADA")
	want := newCharacter(t, s, full(ada, "Mirella"))
	other := newCharacter(t, s, full(ada, "Brann"))
	for i, l := range []life.Life{fullest(1 << 20), {}, {Begun: true}, fullest(1 << 20), full(ada, "").Life} {
		want.Version++
		want.Life, want.SavedUnix = l, int64(i)
		if err := s.SaveCharacter(ctx, want); err != nil {
			t.Fatal(err)
		}
		expectList(t, s, ada, want, other)
	}

	// Arguments and results belong to the caller.
	want.Version++
	given := want.Clone()
	slices.Reverse(given.Items) // a store puts them in order
	slices.Reverse(given.Spells)
	slices.Reverse(given.Actions)
	if err := s.SaveCharacter(ctx, given); err != nil {
		t.Fatal(err)
	}
	scribble(&given)
	expectList(t, s, ada, want, other)
	found, err := s.Character(ctx, want.GUID)
	if err != nil || !same(found, want) {
		t.Fatalf("found %+v, %v, want %+v", found, err, want)
	}
	scribble(&found)
	expectList(t, s, ada, want, other)
}

func scribble(c *store.Character) {
	c.Spells[0], c.Cooldowns[0].Spell, c.Auras[0].Spell, c.Actions[0].Packed, c.Items[0].Entry = 1, 1, 1, 1, 1
}

// badLives are changes that no store may keep.
var badLives = map[string]func(*store.Character){
	"version":    func(c *store.Character) { c.Version = math.MaxInt64 + 1 },
	"money":      func(c *store.Character) { c.MoneyCopper = store.MaxMoney + 1 },
	"spells":     func(c *store.Character) { c.Spells = make([]uint32, life.MaxSpells+1) },
	"cooldowns":  func(c *store.Character) { c.Cooldowns = make([]life.Cooldown, life.MaxCooldowns+1) },
	"auras":      func(c *store.Character) { c.Auras = make([]life.Aura, life.MaxAuras+1) },
	"actions":    func(c *store.Character) { c.Actions = make([]life.Action, life.MaxActions+1) },
	"spell":      func(c *store.Character) { c.Spells = []uint32{5, 78, 5} },
	"button":     func(c *store.Character) { c.Actions[1].Button = c.Actions[0].Button },
	"items":      func(c *store.Character) { c.Items = append(fullest(1<<21).Items, c.Items[0]) },
	"slot":       func(c *store.Character) { c.Items[1].Bag, c.Items[1].Slot = c.Items[0].Bag, c.Items[0].Slot },
	"twice":      func(c *store.Character) { c.Items[1].GUID = c.Items[0].GUID },
	"none":       func(c *store.Character) { c.Items[1].Count = 0 },
	"no GUID":    func(c *store.Character) { c.Items[1].GUID = 0 },
	"large GUID": func(c *store.Character) { c.Items[1].GUID = math.MaxUint64 },
	"no number":  func(c *store.Character) { c.X = float32(math.NaN()) },
	"infinite":   func(c *store.Character) { c.Bind.Z = float32(math.Inf(-1)) },
}

func testBadLife(t *testing.T, s store.Store) {
	ada := newAccount(t, s, "ADA")
	want := newCharacter(t, s, full(ada, "Mirella"))
	for what, change := range badLives {
		bad := want.Clone()
		bad.Version++
		change(&bad)
		if err := s.SaveCharacter(t.Context(), bad); !errors.Is(err, store.ErrLife) {
			t.Errorf("%s: %v, want %v", what, err, store.ErrLife)
		}
		if what == "version" {
			continue // a new character has another anyway
		}
		bad.Name = "Brann"
		if _, err := s.CreateCharacter(t.Context(), bad); !errors.Is(err, store.ErrLife) {
			t.Errorf("%s: make it: %v, want %v", what, err, store.ErrLife)
		}
	}
	if found, err := s.Character(t.Context(), want.GUID); err != nil || !same(found, want) {
		t.Errorf("found %+v, %v, want %+v", found, err, want)
	}
}

// testSaveCharacters saves a batch with a different result for each.
func testSaveCharacters(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada := newAccount(t, s, "ADA")
	var made []store.Character
	for i := range 5 {
		made = append(made, newCharacter(t, s, full(ada, name(i))))
	}
	var batch []store.Character
	for _, c := range made {
		c = c.Clone()
		c.Version, c.XP, c.Items[0].Count = 5, 500, 9
		batch = append(batch, c)
	}
	batch[1].Version = 1                              // stale
	batch[2].GUID += 1000                             // not there
	batch[3].MoneyCopper = math.MaxUint32             // refused
	batch = append(batch, batch[0].Clone(), batch[0]) // later, and stale
	batch[5].Version, batch[5].Account, batch[5].Name = 6, ada+1, "Robber"
	each, err := s.SaveCharacters(ctx, batch)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []error{nil, store.ErrStale, store.ErrNotFound, store.ErrLife, nil, nil, store.ErrStale} {
		if !errors.Is(each[i], want) {
			t.Errorf("save %d: %v, want %v", i, each[i], want)
		}
	}
	batch[5].Account, batch[5].Name = ada, made[0].Name
	expectList(t, s, ada, batch[5], made[1], made[2], made[3], batch[4])

	if each, err := s.SaveCharacters(ctx, nil); err != nil || len(each) != 0 {
		t.Errorf("save none: %v, %v", each, err)
	}
	var many []store.Character
	for i := range uint64(3000) {
		c := batch[5].Clone()
		c.Version = 7 + i
		many = append(many, c)
	}
	if each, err := s.SaveCharacters(ctx, many); err != nil || slices.ContainsFunc(each, func(e error) bool { return e != nil }) {
		t.Errorf("save one 3,000 times: %v", fmt.Sprint(each, err)[:200])
	}
	expectList(t, s, ada, many[2999], made[1], made[2], made[3], batch[4])
}
