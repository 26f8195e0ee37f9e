package systems

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/death"
	"muster/systems/rules"
)

// A chest has three items: the first is for mages, the second for warriors, the third for all.
func strongbox(respawn uint32) *defs.World {
	d := &defs.World{
		Items: []defs.Item{{Entry: 31, Display: 1, Stack: 1}, {Entry: 32, Display: 2, Stack: 1}, {Entry: 33, Display: 3, Stack: 5}},
		Loots: []defs.Loot{{ID: 1, Entries: []defs.LootEntry{
			{Item: 31, Chance: 100, Min: 1, Max: 1, Conditions: 1}, {Item: 32, Chance: 100, Min: 1, Max: 1, Conditions: 2}, {Reference: 2, Only: 2, Chance: 100, Min: 2, Max: 2},
		}}, {ID: 2, Entries: []defs.LootEntry{{Item: 33, Group: 2, Min: 3, Max: 3}, {Item: 31, Group: 1, Min: 1, Max: 1}, {Item: 31, Chance: 100, Min: 1, Max: 1}}}},
		Conditions: []defs.Conditions{
			{{Kind: defs.ConditionClass, Value: [3]uint32{1 << 7}}}, {{Kind: defs.ConditionClass, Value: [3]uint32{1}}},
		},
		GameObjects: []defs.GameObject{{Entry: 7, Type: defs.ObjectChest, DisplayID: 9, Size: 1, LootID: 1, Data: [24]uint32{defs.ChestConsumable: 1}}},
		Maps: []defs.Map{{Half: 1000, Objects: []defs.ObjectSpawn{
			{ID: 70, Entry: 7, X: 2, Rotation: [4]float32{3: 1}, State: components.GameObjectReady, RespawnMs: respawn},
		}}},
	}
	return d
}

// A player is shown, and can take, what its conditions allow: another finds the rest. What is left for no player that was there does not
// keep the chest.
func TestLootUnderConditions(t *testing.T) {
	d := strongbox(1000)
	w := New(Config{Defs: d, Map: &d.Maps[0], Ephemeral: true})
	chest := components.GameObjectGUID(7, 0x800000)
	port, n := frame.NewExchange(), uint64(0)
	cursors := map[uint32]*frame.Cursor{}
	send := func(session uint32, op uint16, m msg.Message) {
		w.Inbox().Add(frame.Item{Session: session, Op: op, Body: msg.Append(nil, wire.V12340, m)})
	}
	tick := func() { n++; step(w, port, n) }
	enter := func(session uint32, class uint8) {
		cursors[session] = &frame.Cursor{Session: session, GUID: uint64(session), Tick: port.Newest()}
		send(session, frame.OpEnter, &frame.Character{GUID: uint64(session), Name: "Anna", Race: 1, Class: class, Level: 1})
		tick()
		tick()
		shown(t, port, cursors[session])
	}
	open := func(session uint32) (found msg.LootResponse) {
		send(session, msg.OpGameObjectUse, &msg.GameObjectUse{GUID: chest})
		tick()
		decode(t, shown(t, port, cursors[session])[msg.OpLootResponse], &found)
		return found
	}
	items := func(found msg.LootResponse) (all []msg.LootItem) {
		for _, it := range found.Items {
			all = append(all, msg.LootItem{Slot: it.Slot, Item: it.Item, Count: it.Count})
		}
		return all
	}
	send(frame.NoSession, frame.OpLease, &frame.Lease{First: 1, Count: 100})
	enter(1, 1)
	all := []msg.LootItem{{Slot: 1, Item: 32, Count: 1}, {Slot: 2, Item: 33, Count: 3}, {Slot: 3, Item: 33, Count: 3}}
	if got := items(open(1)); !slices.Equal(got, all) {
		t.Errorf("a warrior finds %+v", got)
	}
	send(1, msg.OpAutoStoreLootItem, &msg.AutoStoreLootItem{Slot: 0})
	tick()
	var failure msg.InventoryChangeFailure
	if decode(t, shown(t, port, cursors[1])[msg.OpInventoryChangeFailure], &failure); failure.Result != msg.InventoryLootGone {
		t.Errorf("what is for mages: %+v", failure)
	}
	send(1, msg.OpLootRelease, &msg.LootRelease{GUID: chest})
	tick()
	enter(2, 8)
	if got := items(open(2)); !slices.Equal(got, []msg.LootItem{{Item: 31, Count: 1}, all[1], all[2]}) {
		t.Errorf("a mage finds %+v", got)
	}
	for _, slot := range []uint8{2, 3} {
		send(2, msg.OpAutoStoreLootItem, &msg.AutoStoreLootItem{Slot: slot})
	}
	send(2, msg.OpLootRelease, &msg.LootRelease{GUID: chest})
	tick()
	if got := items(open(1)); !slices.Equal(got, all[:1]) {
		t.Errorf("then the warrior finds %+v", got)
	}
	send(1, msg.OpAutoStoreLootItem, &msg.AutoStoreLootItem{Slot: 1})
	tick()
	send(1, msg.OpLootRelease, &msg.LootRelease{GUID: chest})
	for range 5 {
		tick()
	}
	if w.ecs.Exists(w.Find(chest)) {
		t.Error("the chest stays, though only what a mage may have is left")
	}
}

// A new character has what its race and class begin with, besides the outfit of its class.
func TestStartItems(t *testing.T) {
	d := strongbox(0)
	d.Outfits[4] = defs.Outfit{Pack: []defs.Stack{{Entry: 32, Count: 1}}}
	d.StartItems = []defs.StartItem{{Race: 1, Class: 4, Stack: defs.Stack{Entry: 33, Count: 4}}, {Race: 2, Stack: defs.Stack{Entry: 31, Count: 1}}, {Stack: defs.Stack{Entry: 31, Count: 1}}}
	w := New(Config{Defs: d, Map: &d.Maps[0]})
	port := frame.NewExchange()
	w.Inbox().Add(frame.Item{Session: frame.NoSession, Op: frame.OpLease, Body: msg.Append(nil, wire.V12340, &frame.Lease{First: 1, Count: 100})})
	w.Inbox().Add(frame.Item{Session: 1, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{GUID: 1, Name: "Anna", Race: 1, Class: 4, Level: 1})})
	for n := uint64(1); n < 4; n++ {
		step(w, port, n)
	}
	var got []defs.Stack
	for _, it := range part[components.Inventory](&court{world: w}, 1).Items {
		if it.Counter != 0 {
			got = append(got, defs.Stack{Entry: it.Entry, Count: it.Count})
		}
	}
	if want := []defs.Stack{{Entry: 32, Count: 1}, {Entry: 33, Count: 4}, {Entry: 31, Count: 1}}; !slices.Equal(got, want) {
		t.Errorf("it has %v, want %v", got, want)
	}
}

// A ghost appears at the nearest graveyard of its map for the side of its race, from an instance without one at that for its exit, and without any
// where characters begin.
func TestGhostsAppearAtGraveyards(t *testing.T) {
	yard := func(id, of uint32, x float32, sides defs.Sides) defs.Graveyard {
		return defs.Graveyard{ID: id, Hub: defs.Hub{Map: of, X: x}, Sides: sides}
	}
	all := []defs.Graveyard{yard(1, 0, 300, 0), yard(2, 0, 100, defs.Horde), yard(3, 0, -200, defs.Alliance), yard(4, 7, 1, 0)}
	for _, c := range []struct {
		race      uint8
		yards     []defs.Graveyard
		instanced bool
		want      float32
		on        int32
	}{
		{1, all, false, -200, 0}, {2, all, false, 100, 0}, {1, all[:1], false, 300, 0}, {1, all[3:], false, 50, 0}, {1, all[3:], true, 1, 7}, {1, nil, true, 50, 0},
	} {
		d := strongbox(0)
		d.Graveyards, d.Hubs = c.yards, []defs.Hub{{X: 50}}
		d.Maps[0].Instanced, d.Maps[0].Exit = c.instanced, defs.Hub{Map: 7, X: 40}
		w := New(Config{Defs: d, Map: &d.Maps[0], Reclaim: death.AtCorpse})
		port := frame.NewExchange()
		cursor := &frame.Cursor{Session: 1, GUID: 1, Tick: port.Newest()}
		w.Inbox().Add(frame.Item{Session: 1, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{GUID: 1, Name: "Anna", Race: c.race, Class: 1, Level: 1})})
		step(w, port, 1)
		w.Damage(rules.Damage{To: w.Find(1), Amount: 1e6})
		step(w, port, 2)
		w.Inbox().Add(frame.Item{Session: 1, Op: msg.OpRepopRequest, Body: []byte{0}})
		for n := uint64(3); n < 6; n++ {
			step(w, port, n)
		}
		var at msg.DeathReleaseLoc
		if decode(t, shown(t, port, cursor)[msg.OpDeathReleaseLoc], &at); at.Position.X != c.want || at.Map != c.on {
			t.Errorf("%+v: it is at %+v", c, at)
		}
	}
}
