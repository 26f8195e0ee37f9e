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
	"muster/systems/respawn"
	"muster/systems/rules"
)

// bazaar is a world with a vendor that buys and sells every piece for 1 copper: trade changes neither what the items and
// the money of a player come to, nor what those of all do.
func bazaar(r *rand.Rand) *defs.World {
	d := market(r, 0)
	d.Items[0].BuyPrice, d.Items[0].BuyCount = 7, 7
	for i := range d.Items[:3] {
		d.Items[i].SellPrice, d.Items[i].BuyPrice = 1, max(d.Items[i].BuyPrice, 1)
	}
	for class := range d.Outfits {
		d.Outfits[class].Copper = bazaarCopper
	}
	d.Creatures = []defs.Creature{{
		Entry: 50, Faction: defs.FactionFriendly, NPCFlags: components.NPCVendor, MinLevel: 1, MaxLevel: 1, Class: 1, Scale: 1, BoundingRadius: 1,
		CombatReach: 1, WalkSpeed: 2.5, RunSpeed: 7, MinHealth: 1, MaxHealth: 1, AttackTimeMs: 2000,
	}}
	d.Vendors = []defs.Vendor{{Entry: 50, Items: []defs.VendorItem{{Item: 1}, {Item: 2, Max: 2, RestockSec: 1}, {Item: 3}, {Item: 9}}}}
	d.Maps[0].Spawns = []defs.Spawn{{Entry: 50, Path: -1}}
	return d
}

// bazaarCopper is what players have at first.
const bazaarCopper = 100

// worth is what items and money come to that trade has made, less what it has unmade.
func (s *stocktaker) worth() int64 {
	return int64(s.items.Made - s.items.Unmade + s.money.Made - s.money.Unmade)
}

// What is sold twice in one tick, or is destroyed in it, is paid for once or not at all, and nothing can be bought for the rest.
func TestSaleInOneTick(t *testing.T) {
	d := bazaar(rand.New(rand.NewPCG(1, 1)))
	d.Outfits[1] = defs.Outfit{Pack: []defs.Stack{{Entry: 1, Count: 14}}}
	w := New(Config{Defs: d, Map: &d.Maps[0], Seed: 1})
	peddler := components.CreatureGUID(50, respawn.FirstCounter)
	port, n := frame.NewExchange(), uint64(0)
	send := func(op uint16, m msg.Message) {
		w.Inbox().Add(frame.Item{Session: 1, Op: op, Body: msg.Append(nil, wire.V12340, m)})
	}
	tick := func() { n++; step(w, port, n) }
	w.Inbox().Add(frame.Item{Session: frame.NoSession, Op: frame.OpLease, Body: msg.Append(nil, wire.V12340, &frame.Lease{First: 1, Count: 100})})
	send(frame.OpEnter, &frame.Character{GUID: 1, Name: "Dealer", Race: 1, Class: 1, Level: 1, Told: life.All})
	for range 3 {
		tick()
	}
	e := w.Find(1)
	inventories, p, back := ecs.NewAccessor[components.Inventory](w.ecs), ecs.NewAccessor[components.Progress](w.ecs), ecs.NewAccessor[components.Buyback](w.ecs)
	v := inventories.Get(e)
	stack := v.Items[components.FirstPack]
	check := func(what string, pieces, kept int, copper uint32) {
		t.Helper()
		got, with := 0, 0
		for i := range v.Items {
			got += int(v.Items[i].Count)
		}
		for _, it := range back.Get(e).Items {
			with += int(it.Count)
		}
		if got != pieces || with != kept || p.Get(e).Coinage != copper {
			t.Errorf("%s: %d pieces, %d with the vendor, %d copper; want %d, %d, %d", what, got, with, p.Get(e).Coinage, pieces, kept, copper)
		}
	}
	check("at first", 14, 0, 0)
	send(msg.OpSellItem, &msg.SellItem{Vendor: peddler, Item: stack.GUID()})
	send(msg.OpSellItem, &msg.SellItem{Vendor: peddler, Item: stack.GUID()})
	send(msg.OpBuyItem, &msg.BuyItem{Vendor: peddler, Item: 1, Slot: 1, Count: 4})
	tick()
	check("sold twice", 0, 14, 14)
	send(msg.OpBuyItem, &msg.BuyItem{Vendor: peddler, Item: 1, Slot: 1, Count: 2})
	tick()
	check("bought", 14, 14, 0)
	stack = v.Items[components.FirstPack]
	send(msg.OpSellItem, &msg.SellItem{Vendor: peddler, Item: stack.GUID()})
	send(msg.OpDestroyItem, &msg.DestroyItem{Bag: components.NoBag, Slot: components.FirstPack})
	tick()
	check("sold and destroyed", 0, 14, 0)

	p.Get(e).Coinage = 7
	send(msg.OpBuyItem, &msg.BuyItem{Vendor: peddler, Item: 1, Slot: 1, Count: 1})
	tick()
	p.Get(e).Coinage = goods.MaxMoney - 2
	stack = v.Items[components.FirstPack]
	send(msg.OpSellItem, &msg.SellItem{Vendor: peddler, Item: stack.GUID(), Count: 3})
	tick()
	check("sold for more than a player can have", 7, 14, goods.MaxMoney-2)
	send(msg.OpSellItem, &msg.SellItem{Vendor: peddler, Item: stack.GUID(), Count: 2})
	tick()
	check("sold for what it can have", 5, 16, goods.MaxMoney)
}

// Whatever players buy, sell, buy back, move and destroy in one tick, no item and no coin is lost or doubled, what is sold is
// paid for once, and no GUID is both in a bag and with a vendor.
func TestTradeIsConserved(t *testing.T) {
	seed := testseed.Of(t)
	r := rand.New(rand.NewPCG(seed, 18))
	d := bazaar(r)
	w := New(Config{Defs: d, Map: &d.Maps[0], Seed: seed})
	s := newStocktaker(w)
	in := w.Inbox()
	send := func(p int, op uint16, m msg.Message) {
		in.Add(frame.Item{Session: uint32(p), Op: op, Body: msg.Append(nil, wire.V12340, m)})
	}
	peddler := components.CreatureGUID(50, respawn.FirstCounter)
	const players = 3
	var gone [players]frame.Character
	var here [players]bool
	for i := range gone {
		gone[i] = frame.Character{GUID: uint64(i + 1), Name: "Dealer", Race: 1, Class: 1, Level: 1}
	}
	inventories := ecs.NewAccessor[components.Inventory](w.ecs)
	sold := ecs.NewFilter2[components.Buyback, components.Inventory](w.ecs)
	var inItems, inCopper, bought, back uint64
	const entered = 30 // by this tick all have
	var outfits int64
	port := frame.NewExchange()
	for n := uint64(1); n < 1500; n++ {
		if n%300 == 1 {
			send(int(frame.NoSession), frame.OpLease, &frame.Lease{First: uint32(n) * 1000, Count: 900})
		}
		for range 8 {
			p := r.IntN(players)
			if !here[p] {
				c := &gone[p]
				c.Told = life.All
				send(p, frame.OpEnter, c)
				for _, it := range c.Items {
					inItems += uint64(it.Count)
				}
				inCopper += uint64(c.MoneyCopper)
				here[p] = true
				continue
			}
			var some components.Item
			if e := w.Find(uint64(p + 1)); w.ecs.Exists(e) {
				some = inventories.Get(e).Items[components.FirstPack+r.IntN(20)]
			}
			switch r.IntN(13) {
			case 0, 1, 2:
				slot := r.IntN(4)
				send(p, msg.OpBuyItem, &msg.BuyItem{Vendor: peddler, Item: uint32(slot + 1), Slot: uint32(slot + 1), Count: uint32(r.IntN(3))})
			case 3:
				send(p, msg.OpBuyItemInSlot, &msg.BuyItemInSlot{Vendor: peddler, Item: 1, Slot: 1, Count: 3, Bag: uint64(p + 1), BagSlot: uint8(20 + r.IntN(20))})
			case 4, 5, 6:
				send(p, msg.OpSellItem, &msg.SellItem{Vendor: peddler, Item: some.GUID(), Count: uint32(r.IntN(4))})
			case 7, 8, 9:
				send(p, msg.OpBuybackItem, &msg.BuybackItem{Vendor: peddler, Slot: msg.FirstBuyback + uint32(r.IntN(13))})
			case 10:
				from, to := r.IntN(components.FirstDeep), r.IntN(components.FirstDeep)
				send(p, msg.OpSwapItem, &msg.SwapItem{FromBag: components.NoBag, FromSlot: uint8(from), ToBag: components.NoBag, ToSlot: uint8(to)})
			case 11: // twice, and what both would be paid for
				for range 2 {
					send(p, msg.OpSellItem, &msg.SellItem{Vendor: peddler, Item: some.GUID()})
				}
				send(p, msg.OpBuyItem, &msg.BuyItem{Vendor: peddler, Item: 1, Slot: 1, Count: uint32(2*some.Count) / 7})
			case 12:
				if r.IntN(20) == 0 {
					send(p, frame.OpLeave, &msg.Empty{})
				}
			}
		}
		in.Seal()
		f := port.Write()
		made := s.items.Made
		w.Tick(n, f)
		bought += s.items.Made - made
		for _, left := range f.Left {
			var c frame.Character
			decode(t, f.In(left.Character), &c)
			for _, it := range c.Items {
				inItems -= uint64(it.Count)
			}
			inCopper -= uint64(c.MoneyCopper)
			gone[left.Session], here[left.Session] = c, false
		}
		port.Publish(f)
		s.check(t, n, inItems, inCopper)
		if n == entered {
			outfits = s.worth()
		}
		if got := s.worth(); n > entered && got != outfits {
			t.Fatalf("tick %d: trade has made %d out of nothing", n, got-outfits)
		}
		for q := sold.Iter(); q.Next(); {
			b, v := q.Get()
			for slot, it := range b.Items {
				if it.Counter == 0 {
					if b.Price[slot] != 0 || b.Time[slot] != 0 {
						t.Fatalf("tick %d: slot %d is empty, and costs %d", n, slot, b.Price[slot])
					}
					continue
				}
				if back++; v.Find(it.Counter) >= 0 || it.Count == 0 {
					t.Fatalf("tick %d: %+v is with the vendor and in a bag", n, it)
				}
			}
		}
	}
	if want := int64(players * (bazaarCopper + 5)); outfits != want {
		t.Errorf("outfits came to %d, want %d", outfits, want)
	}
	if bought < 100 || back < 100 {
		t.Errorf("only %d items were bought, and %d were with the vendor", bought, back)
	}
}

// What vendors sell during an event only is bought while it is on, for its price, and not before and after it.
//
// Source: GameEventMgr::UpdateEventNPCVendor, AzerothCore.
func TestPurchaseDuringAnEvent(t *testing.T) {
	d := bazaar(rand.New(rand.NewPCG(1, 1)))
	d.Outfits[1] = defs.Outfit{Copper: 20}
	d.Vendors[0].Items = d.Vendors[0].Items[:1]
	d.Items[2].BuyPrice, d.Items[2].BuyCount = 5, 1
	d.GameEvents = []defs.GameEvent{{ID: 8}}
	d.EventWares = []defs.EventWare{{Entry: 50, VendorItem: defs.VendorItem{Item: 3}}}
	w := New(Config{Defs: d, Map: &d.Maps[0], Seed: 1})
	peddler := components.CreatureGUID(50, respawn.FirstCounter)
	port, n := frame.NewExchange(), uint64(0)
	send := func(op uint16, m msg.Message) {
		w.Inbox().Add(frame.Item{Session: 1, Op: op, Body: msg.Append(nil, wire.V12340, m)})
	}
	tick := func() { n++; step(w, port, n) }
	w.Inbox().Add(frame.Item{Session: frame.NoSession, Op: frame.OpLease, Body: msg.Append(nil, wire.V12340, &frame.Lease{First: 1, Count: 100})})
	send(frame.OpEnter, &frame.Character{GUID: 1, Name: "Dealer", Race: 1, Class: 1, Level: 1, Told: life.All})
	for range 3 {
		tick()
	}
	e := w.Find(1)
	inventories, p := ecs.NewAccessor[components.Inventory](w.ecs), ecs.NewAccessor[components.Progress](w.ecs)
	buy := func(what string, pieces int, copper uint32) {
		t.Helper()
		send(msg.OpBuyItem, &msg.BuyItem{Vendor: peddler, Item: 3, Slot: 2, Count: 1})
		tick()
		got := 0
		for _, it := range inventories.Get(e).Items {
			got += int(it.Count)
		}
		if got != pieces || p.Get(e).Coinage != copper {
			t.Errorf("%s: %d pieces, %d copper; want %d, %d", what, got, p.Get(e).Coinage, pieces, copper)
		}
	}
	turn := func(on bool) {
		ask(w, rules.SetGameEvent{On: on})
		tick()
		tick()
	}
	buy("before the event", 0, 20)
	turn(true)
	buy("during it", 1, 15)
	turn(false)
	buy("after it", 1, 15)
}
