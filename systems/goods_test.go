package systems

import (
	"math/rand/v2"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/internal/testseed"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/goods"
	"muster/systems/loot"
	"muster/systems/respawn"
	"muster/systems/rules"
)

// market is a meadow in which everything leaves something: more than bags can hold.
func market(r *rand.Rand, creatures int) *defs.World {
	d := meadow(r, creatures, 0)
	d.Items = []defs.Item{
		{Entry: 1, Stack: 20, SellPrice: 1},
		{Entry: 2, Stack: 1, Class: defs.ItemWeapon, Wear: defs.WearWeapon, MinDamage: 1, MaxDamage: 2, DelayMs: 2000},
		{Entry: 3, Stack: 1, Class: defs.ItemContainer, Wear: defs.WearBag, Bag: 4},
		{Entry: 4, Stack: 1, Class: defs.ItemWeapon, Wear: defs.WearTwoHands, MinDamage: 1, MaxDamage: 2, DelayMs: 3000},
		{Entry: 5, Stack: 1, Class: defs.ItemArmor, Wear: defs.WearShield},
		{Entry: 6, Stack: 5, Class: defs.ItemConsumable, Spell: 77},
	}
	table := defs.Loot{ID: 1, Entries: []defs.LootEntry{
		{Item: 1, Chance: 100, Min: 3, Max: 30}, {Item: 2, Chance: 60, Min: 1, Max: 1}, {Item: 6, Chance: 50, Min: 1, Max: 9},
		{Item: 3, Group: 1, Chance: 20, Min: 1, Max: 1}, {Item: 4, Group: 1, Min: 1, Max: 1}, {Item: 5, Group: 1, Min: 1, Max: 2},
		{Reference: 1, Chance: 60, Min: 1, Max: 2}, // into itself
		{Reference: 2, Chance: 10, Min: 1, Max: 1},
		{Item: 1, Chance: 100, Min: 1, Max: 1, Quest: true},
	}}
	d.Loots = []defs.Loot{table, {ID: 2, Entries: []defs.LootEntry{{Reference: 2, Chance: 100, Min: 1, Max: 1}}}}
	for i := range d.Creatures {
		c := &d.Creatures[i]
		c.LootID, c.MinMoney, c.MaxMoney, c.XP = 1, 5, 50, 1
	}
	for i := range d.Maps[0].Spawns {
		d.Maps[0].Spawns[i].RespawnMs = 2000
	}
	for class := range d.Outfits {
		d.Outfits[class] = defs.Outfit{Copper: 10, Worn: []uint32{2, 3}, Pack: []defs.Stack{{Entry: 6, Count: 3}}}
	}
	return d
}

// A stocktaker counts what there is.
type stocktaker struct {
	world       *World
	inventories *ecs.Filter2[components.Inventory, components.Progress]
	carried     ecs.Accessor[components.Carried]
	worn        ecs.Accessor[components.VisibleItems]
	bodies      *loot.Bodies
	items       *goods.ItemTally
	money       *goods.MoneyTally
}

func newStocktaker(w *World) *stocktaker {
	return &stocktaker{
		w, ecs.NewFilter2[components.Inventory, components.Progress](w.ecs), ecs.NewAccessor[components.Carried](w.ecs),
		ecs.NewAccessor[components.VisibleItems](w.ecs), ecs.Shared[loot.Bodies](w.ecs),
		ecs.Shared[goods.ItemTally](w.ecs), ecs.Shared[goods.MoneyTally](w.ecs),
	}
}

// check compares what there is with what was made, brought in and taken out; and each inventory with what its client
// was sent.
func (s *stocktaker) check(t *testing.T, tick uint64, inItems, inCopper uint64) {
	t.Helper()
	var items, copper uint64
	seen := make(map[uint32]bool)
	for q := s.inventories.Iter(); q.Next(); {
		v, p := q.Get()
		copper += uint64(p.Coinage)
		for place := range v.Items {
			it := &v.Items[place]
			if it.Counter == 0 {
				if *it != (components.Item{}) {
					t.Fatalf("tick %d: place %d has half an item %+v", tick, place, *it)
				}
			} else {
				items += uint64(it.Count)
				if seen[it.Counter] || it.Count == 0 || !v.Room(place) {
					t.Fatalf("tick %d: place %d has %+v, seen before %v, room %v", tick, place, *it, seen[it.Counter], v.Room(place))
				}
				seen[it.Counter] = true
			}
			if place < components.FirstDeep && s.carried.Get(q.Entity()).GUID[place] != it.GUID() {
				t.Fatalf("tick %d: place %d is sent as %#x, is %#x", tick, place, s.carried.Get(q.Entity()).GUID[place], it.GUID())
			}
			if both := &v.Items[components.SlotOffHand]; place == components.SlotMainHand && it.Entry == 4 && both.Counter != 0 {
				t.Fatalf("tick %d: a weapon for both hands, and %+v in the other", tick, *both)
			}
			if place < components.VisibleSlots && s.worn.Get(q.Entity()).Item[2*place] != it.Entry {
				t.Fatalf("tick %d: slot %d looks like %d, is %d", tick, place, s.worn.Get(q.Entity()).Item[2*place], it.Entry)
			}
		}
	}
	for _, block := range s.bodies.Lying {
		l := s.bodies.At(block)
		copper += uint64(l.Copper)
		for _, d := range l.Items[:l.Count] {
			if d.State == components.LootLies {
				items += uint64(d.Count)
			}
		}
	}
	if want := s.items.Made - s.items.Unmade + s.bodies.Items.Made - s.bodies.Items.Unmade + inItems; items != want {
		t.Fatalf("tick %d: there are %d items, want %d: %+v, in bodies %+v", tick, items, want, *s.items, s.bodies.Items)
	}
	if want := s.money.Made - s.money.Unmade + s.bodies.Money.Made - s.bodies.Money.Unmade + inCopper; copper != want {
		t.Fatalf("tick %d: there is %d copper, want %d: %+v, in bodies %+v", tick, copper, want, *s.money, s.bodies.Money)
	}
	if n := s.bodies.InUse(); n != len(s.bodies.Lying) {
		t.Fatalf("tick %d: %d blocks of loot in use, %d bodies lie", tick, n, len(s.bodies.Lying))
	}
}

// Whatever players do, in whatever order, no item and no coin is lost or doubled.
func TestGoodsAreConserved(t *testing.T) {
	seed := testseed.Of(t)
	r := rand.New(rand.NewPCG(seed, 7))
	d := market(r, 60)
	w := New(Config{Defs: d, Map: &d.Maps[0], Seed: seed})
	s := newStocktaker(w)
	const players = 8
	in := w.Inbox()
	send := func(p int, op uint16, m msg.Message) {
		in.Add(frame.Item{Session: uint32(p), Op: op, Body: msg.Append(nil, wire.V12340, m)})
	}
	guids := []uint64{0, 1, 999}
	for i := range d.Maps[0].Spawns {
		guids = append(guids, components.CreatureGUID(7, respawn.FirstCounter+uint32(i)))
	}
	here, gone := make([]bool, players), make([]frame.Character, players)
	for i := range gone {
		gone[i] = frame.Character{GUID: uint64(i + 1), Name: "Dealer", Race: 1, Class: 1, Level: 1}
	}
	var inItems, inCopper, taken uint64
	port := frame.NewExchange()
	type opening struct {
		by   int
		body uint64
	}
	var openings []opening // of bodies that were killed in the tick before
	for n := uint64(1); n < 3000; n++ {
		if n%500 == 1 {
			send(int(frame.NoSession), frame.OpLease, &frame.Lease{First: uint32(n) * 100, Count: 60})
		}
		for _, o := range openings {
			if here[o.by] {
				send(o.by, msg.OpLoot, &msg.Loot{GUID: o.body})
			}
		}
		openings = openings[:0]
		for range 6 {
			p := r.IntN(players)
			body := guids[r.IntN(len(guids))]
			place := func() (uint8, uint8) {
				bag, slot := components.Slot(r.IntN(components.Places))
				if r.IntN(30) == 0 {
					bag, slot = uint8(r.Uint32()), uint8(r.Uint32())
				}
				return bag, slot
			}
			switch {
			case !here[p]:
				c := &gone[p]
				c.Told = life.All
				send(p, frame.OpEnter, c)
				for _, it := range c.Items {
					inItems += uint64(it.Count)
				}
				inCopper += uint64(c.MoneyCopper)
				here[p] = true
			case r.IntN(200) == 0:
				send(p, frame.OpLeave, &msg.Empty{})
			default:
				a, b := place()
				c, d := place()
				switch r.IntN(9) {
				case 0, 1:
					victim := w.Find(body)
					if by := w.Find(uint64(p + 1)); w.ecs.Exists(victim) && w.ecs.Exists(by) && body > 1000 {
						w.Damage(rules.Damage{By: by, To: victim, Amount: 1e6})
						at := ecs.NewAccessor[components.Position](w.ecs)
						*at.Get(by) = *at.Get(victim)
					}
					openings = append(openings, opening{p, body})
				case 2, 3:
					send(p, msg.OpAutoStoreLootItem, &msg.AutoStoreLootItem{Slot: uint8(r.IntN(6))})
				case 4:
					send(p, msg.OpLootMoney, &msg.Empty{})
				case 5:
					send(p, msg.OpLootRelease, &msg.LootRelease{GUID: body})
				case 6:
					send(p, msg.OpSwapItem, &msg.SwapItem{FromBag: a, FromSlot: b, ToBag: c, ToSlot: d})
				case 7:
					send(p, msg.OpAutoEquipItem, &msg.AutoEquipItem{Bag: a, Slot: b})
				case 8:
					if r.IntN(20) == 0 {
						send(p, msg.OpDestroyItem, &msg.DestroyItem{Bag: a, Slot: b, Count: uint8(r.IntN(5))})
					}
				}
			}
		}
		in.Seal()
		f := port.Write()
		w.Tick(n, f)
		for _, left := range f.Left {
			var c frame.Character
			decode(t, f.In(left.Character), &c)
			for _, it := range c.Items {
				inItems -= uint64(it.Count)
				taken++
			}
			inCopper -= uint64(c.MoneyCopper)
			gone[left.Session], here[left.Session] = c, false
		}
		port.Publish(f)
		s.check(t, n, inItems, inCopper)
	}
	full := w.config.Metric.Value("goods.no_guid")
	made, unmade := s.items.Made+s.bodies.Items.Made, s.items.Unmade+s.bodies.Items.Unmade
	t.Logf("%d items made, %d unmade; %d went out with their owners, GUIDs ran out %d times, tables too deep %d times",
		made, unmade, taken, full, w.config.Metric.Value("loot.too_deep"))
	if made < 1000 || unmade < 100 || taken == 0 || full == 0 || w.config.Metric.Value("loot.too_deep") == 0 {
		t.Error("too quiet a market")
	}
}
