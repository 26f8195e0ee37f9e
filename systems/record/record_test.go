package record_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/record"
)

// A room is a world with nothing in it but players.
type room struct {
	world  *ecs.World
	spawn  ecs.Spawn[player]
	loader record.Loader
	saver  record.Saver
}

// A player is the archetype of players, with what a loader fills in.
type player struct{}

func (player) Components() []ecs.Type {
	return slices.Concat(components.PlayerParts(),
		ecs.Of4[components.Record, components.Name, components.Position, components.Inventory](),
		ecs.Of4[components.Spellbook, components.Actions, components.UnitAuras, components.Cheats](), ecs.Of[components.Cooldowns]())
}

const bad, good, passive, twofold = 11, 12, 13, 14 // spells

func newRoom() *room {
	w := ecs.NewWorld(16)
	d := &defs.World{
		Maps: []defs.Map{{ID: 571, Zones: []defs.Zone{{ID: 65, MaxX: 100, MaxY: 100}}}},
		Spells: []defs.Spell{
			{ID: 1, Effects: [3]defs.Effect{{Kind: defs.EffectApplyAura}}}, {ID: 2}, {ID: 3}, {ID: bad, Flags: defs.SpellHarmful},
			{ID: good}, {ID: passive, Flags: defs.SpellPassive},
			{ID: twofold, Effects: [3]defs.Effect{{Kind: defs.EffectApplyAura, Target: defs.TargetEnemy}, {Kind: defs.EffectApplyAura, Target: defs.TargetCaster}}},
		},
	}
	ecs.Share(w, d)
	ecs.Share(w, &d.Maps[0])
	ecs.Share(w, new(metric.Table))
	ecs.Share(w, new(ecs.Slab[components.Auras]))
	r := &room{world: w}
	ecs.Bind(w, r)
	return r
}

func at(ms uint32) sched.Tick { return sched.Tick{NowMs: ms, Quantum: 50 * time.Millisecond} }

// put puts a character in and takes it out after some time.
func (r *room) put(c frame.Character, afterMs uint32) (out frame.Character, unsaved life.Set) {
	e := r.spawn.Spawn()
	unsaved = r.loader.Put(at(1000), e, &c)
	r.saver.Take(at(1000+afterMs), e, &out, life.All)
	return out, unsaved
}

// whole is a character of which no field is zero.
func whole() frame.Character {
	return frame.Character{
		GUID: 0x0102030405060708, Account: 9, SecurityLevel: 3, Name: "Aldous", Race: 1, Class: 2, Gender: 1,
		Skin: 3, Face: 4, HairStyle: 5, HairColor: 6, Facial: 7, Level: 8,
		Map: 571, Zone: 65, X: 9, Y: 10, Z: 11, O: 1.5, Version: 12, Told: life.All,
		Flags: components.PlayerGM, States: components.CheatGod | components.CheatTaxi,
		Life: life.Life{
			Begun: true, XP: 13, MoneyCopper: 14, Health: 15, Power: [7]uint32{1, 2, 3, 4, 5, 6, 7},
			Death: life.Death{
				State: life.Ghost, Body: life.Place{Map: 571, Zone: 65, X: 1, Y: 2, Z: 3, O: 4}, ReclaimLeftMs: 16,
			},
			Bind:      life.Place{Map: 530, Zone: 66, X: 5, Y: 6, Z: 7, O: 1},
			PlayedSec: 17, LevelPlayedSec: 18,
			Spells:    []uint32{1, 2, 3},
			Cooldowns: []life.Cooldown{{Spell: 2, Category: 19, LeftMs: 20}},
			Auras: []life.Aura{{
				Spell: 1, Caster: 21, CasterLevel: 22, Slot: 1, Stacks: 23, Charges: 24, MaxMs: 26, LeftMs: 25,
				Amount: [3]int32{-1, 2, -3},
			}},
			Actions: []life.Action{{Button: 143, Packed: 27}},
			Items: []life.Item{
				{GUID: (&components.Item{Counter: 28}).GUID(), Entry: 29, Count: 30, Durability: 31, Bag: life.InBody, Slot: 23, Moves: 200},
			},
		},
	}
}

// What Take returns is what Put got: a field that is added to a character and not handled by this package fails here.
func TestTakeGivesBackWhatWasPut(t *testing.T) {
	c := whole()
	c.Auras[0].Slot = 0 // the first free one
	out, _ := newRoom().put(c, 0)
	if !reflect.DeepEqual(out, c) {
		t.Errorf("came out as\n     %+v\nwant %+v", out, c)
	}
	c = whole()
	c.AwaySec, c.Caches, c.NowUnix, c.Transfer = 1, [8]uint32{1, 2, 3, 4, 5, 6, 7, 8}, 1, 1 // of a character that enters alone
	nonzero(t, reflect.ValueOf(c), "Character")
}

// An item whose place is taken when it is put in goes elsewhere, and is to be saved there; items in places of their own are as
// they were saved.
func TestItemsInOnePlace(t *testing.T) {
	c := whole()
	if _, unsaved := newRoom().put(c, 0); unsaved&life.Items != 0 {
		t.Errorf("of a character whose items are in their places %v is unsaved", unsaved)
	}
	second := c.Items[0]
	second.GUID++
	c.Items = append(c.Items, second)
	out, unsaved := newRoom().put(c, 0)
	if unsaved&life.Items == 0 || len(out.Items) != 2 || out.Items[0].Slot == out.Items[1].Slot {
		t.Errorf("unsaved: %v, items %+v; want both of them, in two places, unsaved", unsaved, out.Items)
	}
}

// nonzero requires every field of a value to be different from zero, so that none is missed.
func nonzero(t *testing.T, v reflect.Value, path string) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			nonzero(t, v.Field(i), path+"."+v.Type().Field(i).Name)
		}
	case reflect.Array, reflect.Slice:
		if v.Len() == 0 {
			t.Errorf("%s is empty", path)
		}
		for i := range v.Len() {
			nonzero(t, v.Index(i), path)
		}
	default:
		if v.IsZero() {
			t.Errorf("%s is zero: set it in whole, and have Put and Take keep it", path)
		}
	}
}

// A State has what a character has besides its lists, name and appearance.
func TestStateAndCharacterSayTheSame(t *testing.T) {
	r, c := newRoom(), whole()
	e := r.spawn.Spawn()
	r.loader.Put(at(0), e, &c)
	state := r.saver.State(e)
	r.saver.Complete(at(0), e, &state)
	want := life.State{
		At: life.Place{Map: c.Map, Zone: c.Zone, X: c.X, Y: c.Y, Z: c.Z, O: c.O}, Level: uint32(c.Level),
		XP: c.XP, MoneyCopper: c.MoneyCopper, Health: c.Health, Power: c.Power, Death: c.Death, Bind: c.Bind,
		PlayedSec: c.PlayedSec, LevelPlayedSec: c.LevelPlayedSec, Begun: 1,
	}
	nonzero(t, reflect.ValueOf(want), "State")
	if state != want {
		t.Errorf("it is\n     %+v\nwant %+v", state, want)
	}
}

// Times that run by themselves have passed: in the world, and those that also run while a player is away.
func TestTimePasses(t *testing.T) {
	c := whole()
	c.Cooldowns = []life.Cooldown{{Spell: 2, LeftMs: 90_000}, {Spell: 3, LeftMs: 20_000}}
	c.Auras = []life.Aura{
		{Spell: bad, Stacks: 1, MaxMs: 90_000, LeftMs: 80_000}, {Spell: good, Stacks: 1, MaxMs: 90_000, LeftMs: 80_000},
		{Spell: bad, Stacks: 1, MaxMs: 90_000, LeftMs: 30_000}, {Spell: bad, Stacks: 1}, {Spell: passive, Stacks: 1},
		{Spell: 999, Stacks: 1},
	}
	c.AwaySec = 30
	out, unsaved := newRoom().put(c, 10_000)
	if want := []life.Cooldown{{Spell: 2, LeftMs: 50_000}}; !reflect.DeepEqual(out.Cooldowns, want) {
		t.Errorf("cooldowns %+v, want %+v", out.Cooldowns, want)
	}
	if want := []life.Aura{
		{Spell: bad, Stacks: 1, MaxMs: 90_000, LeftMs: 40_000},
		{Spell: good, Slot: 1, Stacks: 1, MaxMs: 90_000, LeftMs: 70_000},
		{Spell: bad, Slot: 2, Stacks: 1},
	}; !reflect.DeepEqual(out.Auras, want) {
		t.Errorf("auras\n     %+v\nwant %+v", out.Auras, want)
	}
	if out.PlayedSec != c.PlayedSec+10 || out.LevelPlayedSec != c.LevelPlayedSec+10 {
		t.Errorf("played %d and %d, want 10 more than %d and %d", out.PlayedSec, out.LevelPlayedSec, c.PlayedSec, c.LevelPlayedSec)
	}
	if want := life.Cooldowns | life.Auras; unsaved != want {
		t.Errorf("unsaved %b, want %b", unsaved, want)
	}
}

// All lists of a new character are unsaved, or its first snapshot would have its existence, and not its outfit.
func TestNewCharacterIsUnsaved(t *testing.T) {
	if _, unsaved := newRoom().put(frame.Character{GUID: 1, Map: 571}, 0); unsaved != life.All {
		t.Errorf("unsaved %b, want all", unsaved)
	}
	if _, unsaved := newRoom().put(frame.Character{GUID: 1, Map: 571, Life: life.Life{Begun: true}}, 0); unsaved != 0 {
		t.Errorf("of one that has begun %b is unsaved, want nothing", unsaved)
	}
}

// A restored aura has those effects of its spell that can be on the unit.
func TestAurasKeepTheirParts(t *testing.T) {
	r := newRoom()
	auras, states := ecs.Shared[ecs.Slab[components.Auras]](r.world), ecs.NewAccessor[components.UnitAuras](r.world)
	for _, c := range []struct {
		spell   uint32
		caster  uint64
		effects uint32
	}{{twofold, 7, 0b010}, {twofold, 8, 0b001}, {1, 8, 1}} {
		e := r.spawn.Spawn()
		r.loader.Put(at(1000), e, &frame.Character{GUID: 7, Life: life.Life{Begun: true, Auras: []life.Aura{{Spell: c.spell, Caster: c.caster}}}})
		if a := auras.At(states.Get(e).Block).List[0]; a.Spell != c.spell || a.Effects != c.effects {
			t.Errorf("spell %d of %d: effects %#b, want %#b", c.spell, c.caster, a.Effects, c.effects)
		}
	}
}
