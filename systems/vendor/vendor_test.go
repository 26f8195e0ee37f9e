package vendor

import (
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// A stage is a world with a player of the class 1 and the GUID 2, and a vendor with the GUID 9 and the entry 50, which sells the wares of
// shop. What changes hands is asked for, and a test gives it.
type stage struct {
	*ecs.World
	system *Vendor
	plan   *sched.Plan
	log    *change.Log
	tick   sched.Tick
	count  metric.Table

	player, vendor ecs.Entity
	objects        ecs.Accessor[components.Object]
	units          ecs.Accessor[components.Unit]
	vitals         ecs.Accessor[components.Vitals]
	stances        ecs.Accessor[components.Stance]
	homes          ecs.Accessor[components.HomeCell]
	inventories    ecs.Accessor[components.Inventory]
	buybacks       ecs.Accessor[components.Buyback]
	records        ecs.Accessor[components.Record]
}

// shop has the items 1, five for 20 copper, 2, of which there are four, two at a time and two more every 10 s, 3, which binds and is
// for the classes 1 and 3, 4, which binds and is for class 2, 5, which is for class 2 and does not bind, 6 for nothing, and 7, which
// is not for sale, and costs a great deal. There is no item 8.
func shop() *defs.World {
	return &defs.World{
		Items: []defs.Item{
			{Entry: 1, Display: 101, BuyPrice: 20, BuyCount: 5, SellPrice: 1}, {Entry: 2, BuyPrice: 7, BuyCount: 2, SellPrice: 3, Durability: 30},
			{Entry: 3, BuyPrice: 9, Classes: 5, Bonding: defs.BindTaken}, {Entry: 4, BuyPrice: 9, Classes: 2, Bonding: defs.BindTaken},
			{Entry: 5, BuyPrice: 9, Classes: 2}, {Entry: 6}, {Entry: 7, BuyPrice: 1 << 30, SellPrice: 1 << 30},
		},
		Vendors: []defs.Vendor{{Entry: 50, Items: []defs.VendorItem{
			{Item: 1}, {Item: 2, Max: 4, RestockSec: 10}, {Item: 3}, {Item: 4}, {Item: 5}, {Item: 6}, {Item: 8}, {Item: 7},
		}}},
	}
}

func newStage(d *defs.World) *stage {
	w := ecs.NewWorld(8)
	s := &stage{World: w, system: new(Vendor), tick: sched.Tick{N: 500, NowMs: 25_000, Quantum: 50e6}}
	ecs.Share(w, d)
	index := new(space.Space)
	ecs.Share(w, index)
	ecs.Share(w, &s.count)
	s.log = change.NewLog(w)
	ecs.Share(w, s.log)
	rules.Share(w)
	s.plan = sched.NewPlan(w.EndStage, sched.Bind(w, sched.Act, new(levels)), sched.Bind(w, sched.Act, new(VendorRequests)), sched.Bind(w, sched.Act, new(VendorConditions)), sched.Bind(w, sched.Act, s.system))
	s.objects, s.units = ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.Unit](w)
	s.vitals, s.stances = ecs.NewAccessor[components.Vitals](w), ecs.NewAccessor[components.Stance](w)
	s.homes, s.inventories = ecs.NewAccessor[components.HomeCell](w), ecs.NewAccessor[components.Inventory](w)
	s.buybacks, s.records = ecs.NewAccessor[components.Buyback](w), ecs.NewAccessor[components.Record](w)
	both := slices.Concat(components.CombatParts(), ecs.Of2[components.Position, components.HomeCell]())
	s.player = ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), both,
		ecs.Of4[components.Session, components.Inventory, components.Buyback, components.Record]())...).Spawn()
	s.vendor = ecs.NewArchetype(w, slices.Concat(components.CreatureParts(), both)...).Spawn()
	*s.objects.Get(s.player), *s.objects.Get(s.vendor) = components.Object{GUID: 2}, components.Object{GUID: 9, Entry: 50}
	for _, e := range []ecs.Entity{s.player, s.vendor} {
		s.units.Get(e).Faction, s.vitals.Get(e).Health = defs.FactionFriendly, 100
	}
	s.units.Get(s.player).Bytes0[components.ByteClass] = 1
	s.records.Get(s.player).EnteredMs = 5000
	s.homes.Get(s.player).Set(1, grid.At(0, 0, 0))
	s.stances.Get(s.vendor).NPCFlags = components.NPCVendor
	index.Add(9, s.vendor)
	return s
}

func emit[T any](s *stage, all ...T) {
	for _, it := range all {
		*ecs.QueueOf[T](s.World).Next() = it
	}
}

func (s *stage) buy(slot, item, count, n uint32) {
	emit(s, change.Sent[msg.BuyItem]{By: s.player, N: n, Msg: msg.BuyItem{Vendor: 9, Item: item, Slot: slot, Count: count}})
}

func (s *stage) sell(guid uint64, count uint32) {
	emit(s, change.Sent[msg.SellItem]{By: s.player, Msg: msg.SellItem{Vendor: 9, Item: guid, Count: count}})
}

func (s *stage) buyBack(slot uint32) {
	emit(s, change.Sent[msg.BuybackItem]{By: s.player, Msg: msg.BuybackItem{Vendor: 9, Slot: slot}})
}

// has puts a stack into a player's backpack, and returns its GUID.
func (s *stage) has(place int, it components.Item) uint64 {
	s.inventories.Get(s.player).Items[place] = it
	return it.GUID()
}

// A result is what a tick has sent, as opcodes with bodies in hexadecimal, and asked for.
type result struct {
	sent  []string
	money []goods.GiveMoney
	items []goods.GiveItem
	takes []goods.TakeItem
}

func (s *stage) run() (got result) {
	s.plan.Run(s.tick)
	for b := s.log.Builder.Bytes; len(b) > 0; {
		op, payload, header, _ := wire.ServerHeader(b)
		got.sent = append(got.sent, fmt.Sprintf("%x %s", op, hex.EncodeToString(b[header:header+payload])))
		b = b[header+payload:]
	}
	got.money, got.items = slices.Clone(ecs.QueueOf[goods.GiveMoney](s.World).All()), slices.Clone(ecs.QueueOf[goods.GiveItem](s.World).All())
	got.takes = slices.Clone(ecs.QueueOf[goods.TakeItem](s.World).All())
	s.log.Builder.Bytes = s.log.Builder.Bytes[:0]
	s.log.Builder.Cut()
	s.log.Reset()
	s.EndTick()
	s.tick.N++
	s.tick.NowMs += 50
	return got
}

func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}

// first is the ticket of the first deal.
const first = 1<<31 + 1

// A list has what is sold to the class of the player, with what is left of it; not what is sold out, or what there is not.
//
// Source: WorldSession::SendListInventory, AzerothCore: for each item u32 slot, item, display, what is left (-1 without a limit), price,
// durability, pieces of a purchase, other cost.
func TestList(t *testing.T) {
	s := newStage(shop())
	ask := func() []string {
		emit(s, change.Sent[msg.ListInventory]{By: s.player, Msg: msg.ListInventory{GUID: 9}})
		return s.run().sent
	}
	none, zero, one := "ffffffff", "00000000", "01000000"
	item1 := one + one + "65000000" + none + "14000000" + zero + "05000000" + zero
	item2 := func(left string) string {
		return "02000000" + "02000000" + zero + left + "07000000" + "1e000000" + "02000000" + zero
	}
	rest := "03000000" + "03000000" + zero + none + "09000000" + zero + one + zero + // not 4
		"05000000" + "05000000" + zero + none + "09000000" + zero + one + zero +
		"06000000" + "06000000" + zero + none + zero + zero + one + zero + // not 8
		"08000000" + "07000000" + zero + none + "00000040" + zero + one + zero
	head := "19f 0900000000000000"
	same(t, "all", ask(), []string{head + "06" + item1 + item2("04000000") + rest})
	s.buy(2, 2, 1, 0)
	s.run()
	same(t, "after one purchase", ask(), []string{head + "06" + item1 + item2("02000000") + rest})
	s.buy(2, 2, 1, 0)
	s.run()
	same(t, "sold out", ask(), []string{head + "05" + item1 + rest})
	s.tick.NowMs += 9_800
	same(t, "before more come", ask(), []string{head + "05" + item1 + rest})
	s.tick.NowMs += 150
	same(t, "when two have come", ask(), []string{head + "06" + item1 + item2("02000000") + rest})
	s.tick.NowMs += 100_000
	same(t, "when all have come", ask(), []string{head + "06" + item1 + item2("04000000") + rest})
	if len(s.system.stocks) != 0 {
		t.Errorf("stocks %+v", s.system.stocks)
	}
	s.objects.Get(s.vendor).Entry = 51
	same(t, "of one that sells nothing", ask(), []string{head + "00" + "00"})
	s.stances.Get(s.vendor).NPCFlags = 0
	same(t, "of no vendor", ask(), []string{"1a1 " + "0000000000000000" + "0000000000000000" + "03"})
	s.vitals.Get(s.player).Health = 0
	if got := ask(); len(got) != 0 || s.count.Value("vendor.unable") != 1 {
		t.Errorf("the dead are shown %v", got)
	}
}

// A purchase takes the money first, and then gives the items; each way in which it ends.
//
// Source: Player::BuyItemFromVendorSlot, AzerothCore; BuyResult, Item.h, there (0 not found, 1 sold out, 2 not enough money, 5 too
// far).
func TestBuy(t *testing.T) {
	failed := func(vendor, item, why uint32) []string {
		return []string{fmt.Sprintf("1a5 %02x00000000000000%02x000000%02x", vendor, item, why)}
	}
	for _, c := range []struct {
		name              string
		slot, item, count uint32
		sets              func(s *stage)
		copper            int64
		pieces            uint32
		sent              []string
		counted           string
	}{
		{"five for 20", 1, 1, 1, nil, 20, 5, nil, ""}, {"three times", 1, 1, 3, nil, 60, 15, nil, ""}, {"no number is one", 1, 1, 0, nil, 20, 5, nil, ""},
		{"all that there are", 2, 2, 2, nil, 14, 4, nil, ""}, {"more than there are", 2, 2, 3, nil, 0, 0, failed(9, 2, 1), ""},
		{"for its class", 3, 3, 1, nil, 9, 1, nil, ""}, {"for another", 4, 4, 1, nil, 0, 0, failed(0, 4, 0), ""},
		{"for another, but free to give away", 5, 5, 1, nil, 9, 1, nil, ""}, {"for nothing", 6, 6, 2, nil, 0, 2, nil, ""},
		{"what there is not", 7, 8, 1, nil, 0, 0, failed(0, 8, 0), ""}, {"another slot", 2, 1, 1, nil, 0, 0, failed(9, 1, 0), ""},
		{"a slot that there is not", 9, 1, 1, nil, 0, 0, failed(9, 1, 0), ""}, {"no slot", 0, 1, 1, nil, 0, 0, nil, "vendor.bad_slot"},
		{"more than anyone has", 8, 7, 2, nil, 0, 0, failed(9, 7, 2), ""}, {"almost as much", 8, 7, 1, nil, 1 << 30, 1, nil, ""},
		{"an overflow", 8, 7, 1<<32 - 1, nil, 0, 0, failed(9, 7, 2), ""},
		{"of none", 1, 1, 1, func(s *stage) { s.stances.Get(s.vendor).NPCFlags = 0 }, 0, 0, failed(0, 1, 5), ""},
		{"of one without wares", 1, 1, 1, func(s *stage) { s.objects.Get(s.vendor).Entry = 51 }, 0, 0, failed(9, 1, 0), ""},
		{"by the dead", 1, 1, 1, func(s *stage) { s.vitals.Get(s.player).Health = 0 }, 0, 0, nil, "vendor.unable"},
		{"by one that has just come", 1, 1, 1, func(s *stage) {
			*s.homes.Get(s.player) = components.HomeCell{}
			s.homes.Get(s.player).Set(uint32(s.tick.N), grid.At(0, 0, 0))
		}, 0, 0, nil, "vendor.unable"},
	} {
		s := newStage(shop())
		if c.sets != nil {
			c.sets(s)
		}
		s.buy(c.slot, c.item, c.count, 0)
		got := s.run()
		same(t, c.name, got.sent, c.sent)
		var money []goods.GiveMoney
		if c.copper > 0 {
			money = []goods.GiveMoney{{To: s.player, Copper: -c.copper, Ticket: first, Exact: true}}
		}
		same(t, c.name+", money", got.money, money)
		for _, name := range []string{"vendor.bad_slot", "vendor.unable"} {
			if n := s.count.Value(name); n > 1 || n == 1 != (name == c.counted) {
				t.Errorf("%s: %s is %d", c.name, name, n)
			}
		}
		if c.pieces == 0 {
			continue
		}
		if c.copper > 0 {
			if len(got.items) != 0 {
				t.Errorf("%s: items before the money", c.name)
			}
			emit(s, goods.MoneyGiven{GiveMoney: money[0], OK: true})
			got = s.run()
		}
		same(t, c.name+", items", got.items, []goods.GiveItem{{To: s.player, Entry: c.item, Count: c.pieces, FromNPC: true, Ticket: first}})
		emit(s, goods.ItemGiven{GiveItem: got.items[0]})
		got = s.run()
		left := "ffffffff"
		if c.item == 2 {
			left = "00000000"
		}
		same(t, c.name+", done", got.sent, []string{fmt.Sprintf("1a4 0900000000000000%02x000000%s%02x000000", c.slot, left, max(c.count, 1))})
		if len(got.money)+len(s.system.deals) != 0 {
			t.Errorf("%s: %+v, %+v", c.name, got.money, s.system.deals)
		}
	}
}

// A purchase that fails gives the vendor its stock back, and the player its money, if it was paid; also when the player has gone.
func TestFailedPurchase(t *testing.T) {
	stock := func(s *stage) uint32 {
		return s.system.left(s.tick.NowMs, 9, &defs.VendorItem{Item: 2, Max: 4, RestockSec: 1000}, 2)
	}
	for _, gone := range []bool{false, true} {
		s := newStage(shop())
		s.buy(2, 2, 1, 0)
		got := s.run()
		if stock(s) != 2 {
			t.Errorf("%d are left", stock(s))
		}
		leave := func() {
			if gone {
				s.Despawn(s.player)
				s.EndStage()
			}
		}
		leave()
		emit(s, goods.MoneyGiven{GiveMoney: got.money[0]})
		got = s.run()
		want := []string{"1a5 0900000000000000" + "02000000" + "02"}
		if gone {
			want = nil
		}
		same(t, "without the money", got.sent, want)
		if stock(s) != 4 || len(s.system.deals)+len(got.items) != 0 {
			t.Errorf("%d are left, deals %+v", stock(s), s.system.deals)
		}

		s = newStage(shop())
		s.buy(2, 2, 1, 0)
		got = s.run()
		emit(s, goods.MoneyGiven{GiveMoney: got.money[0], OK: true})
		got = s.run()
		leave()
		emit(s, goods.ItemGiven{GiveItem: got.items[0], Why: msg.InventoryResult(50)})
		got = s.run()
		back := []goods.GiveMoney{{To: s.player, Copper: 7, Partly: true}}
		if gone {
			back = nil
		}
		same(t, "without room, money", got.money, back)
		if stock(s) != 4 || len(s.system.deals) != 0 || gone != (len(got.sent) == 0) || !gone && got.sent[0][:6] != "112 32" {
			t.Errorf("%d are left, deals %+v, sent %v", stock(s), s.system.deals, got.sent)
		}
	}
}

// The answers to others' requests are not for a vendor.
func TestOthersTickets(t *testing.T) {
	s := newStage(shop())
	s.buy(1, 1, 1, 0)
	s.run()
	emit(s, goods.MoneyGiven{GiveMoney: goods.GiveMoney{To: s.player, Ticket: first + 1}, OK: true})
	emit(s, goods.ItemGiven{GiveItem: goods.GiveItem{To: s.player}})
	emit(s, goods.ItemTaken{Taken: 1})
	if got := s.run(); len(got.items)+len(got.sent)+len(got.money) != 0 || len(s.system.deals) != 1 {
		t.Errorf("%+v", got)
	}
}

// A sale takes the items first, and then gives the money; the player can buy them back. Each way in which it ends at once.
//
// Source: WorldSession::HandleSellItemOpcode, AzerothCore; SellResult, Item.h, there (1 not found, 2 not wanted, 3 no vendor).
func TestSell(t *testing.T) {
	pack := components.FirstPack
	thing := components.Item{Counter: 77, Entry: 2, Count: 4}
	failed := func(vendor, why int) []string {
		return []string{fmt.Sprintf("1a1 %02x00000000000000%s%02x", vendor, "4d00000000000040", why)}
	}
	for _, c := range []struct {
		name   string
		it     components.Item
		place  int
		count  uint32
		sets   func(s *stage)
		taken  uint32
		copper int64
		sent   []string
	}{
		{"all", thing, pack, 0, nil, 4, 12, nil}, {"some", thing, pack, 3, nil, 3, 9, nil}, {"all by number", thing, pack, 4, nil, 4, 12, nil},
		{"more than there are", thing, pack, 5, nil, 0, 0, failed(9, 2)},
		{"what it has not", components.Item{Counter: 78, Entry: 2, Count: 4}, pack, 0, nil, 0, 0, failed(9, 1)},
		{"what is worth nothing", components.Item{Counter: 77, Entry: 3, Count: 1}, pack, 0, nil, 0, 0, failed(9, 2)},
		{"what there is not", components.Item{Counter: 77, Entry: 8, Count: 1}, pack, 0, nil, 0, 0, failed(9, 1)},
		{"what it wears", thing, 0, 0, nil, 4, 12, nil},
		{"an empty bag", thing, components.FirstBag, 0, nil, 4, 12, nil},
		{"a bag with something in it", thing, components.FirstBag, 0, func(s *stage) { s.has(components.FirstDeep, components.Item{Counter: 5, Entry: 1, Count: 1}) }, 0, 0, failed(9, 2)},
		{"a stack that is worth more than there is", components.Item{Counter: 77, Entry: 7, Count: 3}, pack, 0, nil, 3, goods.MaxMoney, nil},
		{"to none", thing, pack, 0, func(s *stage) { s.stances.Get(s.vendor).NPCFlags = 0 }, 0, 0, failed(0, 3)},
	} {
		s := newStage(shop())
		s.has(c.place, c.it)
		if c.sets != nil {
			c.sets(s)
		}
		s.sell(thing.GUID(), c.count)
		got := s.run()
		same(t, c.name, got.sent, c.sent)
		if c.taken == 0 {
			if len(got.takes)+len(got.money)+len(s.system.deals) != 0 {
				t.Errorf("%s: %+v", c.name, got)
			}
			continue
		}
		take := goods.TakeItem{From: s.player, Counter: 77, Count: c.taken, Keep: true, Ticket: first}
		same(t, c.name+", takes", got.takes, []goods.TakeItem{take})
		out := c.it
		out.Count = uint16(c.taken)
		emit(s, goods.ItemTaken{TakeItem: take, Taken: c.taken, Item: out})
		got = s.run()
		money := goods.GiveMoney{To: s.player, Copper: c.copper, Ticket: first, Exact: true}
		same(t, c.name+", money", got.money, []goods.GiveMoney{money})
		emit(s, goods.MoneyGiven{GiveMoney: money, OK: true})
		got = s.run()
		b := s.buybacks.Get(s.player)
		if b.Items[0] != out || b.Price[0] != uint32(c.copper) || b.Time[0] != 108_020 || len(got.sent) != 1 || len(s.system.deals) != 0 { // 30 h, and 20 s of the visit
			t.Errorf("%s: %+v %d %d; %v", c.name, b.Items[0], b.Price[0], b.Time[0], got.sent)
		}
	}
}

// A sale of what an earlier request has taken fails. One that cannot be paid for gives the items back; what finds no room then can be
// bought back. A player that has gone gets nothing.
func TestFailedSale(t *testing.T) {
	thing := components.Item{Counter: 77, Entry: 2, Count: 4}
	begin := func() (*stage, goods.TakeItem) {
		s := newStage(shop())
		s.sell(s.has(components.FirstPack, thing), 0)
		return s, s.run().takes[0]
	}
	s, take := begin()
	emit(s, goods.ItemTaken{TakeItem: take})
	if got := s.run(); len(got.money)+len(s.system.deals) != 0 || len(got.sent) != 1 || got.sent[0] != "1a1 09000000000000004d0000000000004001" {
		t.Errorf("taken before: %+v", got)
	}
	s.sell(77, 0) // a GUID that is not of an item
	same(t, "another GUID", s.run().sent, []string{"1a1 0900000000000000" + "4d00000000000000" + "01"})
	s, take = begin()
	s.Despawn(s.player)
	s.EndStage()
	emit(s, goods.ItemTaken{TakeItem: take, Taken: 4, Item: thing})
	if got := s.run(); len(got.money)+len(s.system.deals)+len(got.sent) != 0 {
		t.Errorf("gone: %+v", got)
	}
	for _, why := range []msg.InventoryResult{msg.InventoryOK, 50} {
		s, take = begin()
		emit(s, goods.ItemTaken{TakeItem: take, Taken: 4, Item: thing})
		emit(s, goods.MoneyGiven{GiveMoney: s.run().money[0]})
		got := s.run()
		back := goods.GiveItem{To: s.player, Entry: 2, Count: 4, Item: thing, Quiet: true, Ticket: first}
		same(t, "unpaid, items", got.items, []goods.GiveItem{back})
		emit(s, goods.ItemGiven{GiveItem: back, Why: why})
		got = s.run()
		kept := s.buybacks.Get(s.player).Items[0] == thing
		if kept != (why != msg.InventoryOK) || len(s.system.deals)+len(got.money) != 0 || got.sent[len(got.sent)-1] != "1a1 09000000000000004d0000000000004005" {
			t.Errorf("unpaid, %d: kept %v, %+v", why, kept, got)
		}
	}
}

// What was sold comes back for its price; it is in no slot until that is decided, and in its slot again if it fails.
//
// Source: WorldSession::HandleBuybackItem, AzerothCore; BUYBACK_SLOT_START, Player.h, there (74).
func TestBuyBack(t *testing.T) {
	thing := components.Item{Counter: 77, Entry: 2, Count: 4}
	for _, c := range []struct {
		name  string
		slot  uint32
		price uint32
		paid  bool
		why   msg.InventoryResult
		ops   []string // the beginnings of what is sent
		back  bool     // into its slot
	}{
		{"what is there", 76, 12, true, 0, []string{"a9"}, false},
		{"for nothing", 76, 0, true, 0, []string{"a9"}, false},
		{"without the money", 76, 12, false, 0, []string{"1a5 0900000000000000" + "02000000" + "02"}, true},
		{"without room", 76, 12, true, 50, []string{"112 32"}, true},
		{"for nothing, without room", 76, 0, true, 50, []string{"112 32"}, true},
		{"an empty slot", 75, 0, true, 0, []string{"1a5 0900000000000000" + "00000000" + "00"}, true},
		{"a slot below all", 73, 0, true, 0, []string{"1a5 0900000000000000" + "00000000" + "00"}, true},
		{"a slot above all", 86, 0, true, 0, []string{"1a5 0900000000000000" + "00000000" + "00"}, true},
	} {
		s := newStage(shop())
		b := s.buybacks.Get(s.player)
		b.Items[2], b.Price[2], b.Time[2] = thing, c.price, 100
		s.buyBack(c.slot)
		got := s.run()
		if len(got.money) > 0 {
			same(t, c.name, got.money, []goods.GiveMoney{{To: s.player, Copper: -int64(c.price), Ticket: first, Exact: true}})
			if b.Items[2] != (components.Item{}) {
				t.Errorf("%s: it is in its slot still", c.name)
			}
			emit(s, goods.MoneyGiven{GiveMoney: got.money[0], OK: c.paid})
			got = s.run()
		} else if c.price > 0 {
			t.Errorf("%s: it is not paid for", c.name)
		}
		if len(got.items) > 0 {
			same(t, c.name, got.items, []goods.GiveItem{{To: s.player, Entry: 2, Count: 4, Item: thing, Quiet: true, FromNPC: true, Ticket: first}})
			emit(s, goods.ItemGiven{GiveItem: got.items[0], Why: c.why})
			got = s.run()
		}
		if refund := c.why != 0 && c.price > 0; refund != (len(got.money) == 1) || refund && got.money[0] != (goods.GiveMoney{To: s.player, Copper: 12, Partly: true}) {
			t.Errorf("%s: money %+v", c.name, got.money)
		}
		if len(got.sent) != len(c.ops) || got.sent[0][:len(c.ops[0])] != c.ops[0] {
			t.Errorf("%s: sent %v, want %v", c.name, got.sent, c.ops)
		}
		if is := b.Items[2] == thing && b.Price[2] == c.price && b.Time[2] == 100; is != c.back || len(s.system.deals) != 0 {
			t.Errorf("%s: it is in its slot %v", c.name, is)
		}
	}
	s := newStage(shop())
	s.stances.Get(s.vendor).NPCFlags = 0
	s.buyBack(74)
	same(t, "from none", s.run().sent, []string{"1a1 0000000000000000" + "0000000000000000" + "03"})
}

// A place for what is bought: in the backpack, in a bag that the player has, and nowhere else.
//
// Source: WorldSession::HandleBuyItemInSlotOpcode, AzerothCore.
func TestBuyInto(t *testing.T) {
	bag := components.Item{Counter: 60, Entry: 1, Count: 1, Slots: 6}
	for _, c := range []struct {
		name string
		bag  uint64
		slot uint8
		at   uint8 // 0: it is refused
	}{
		{"the first place of the backpack", 2, components.FirstPack, components.FirstPack + 1},
		{"the last one", 2, components.FirstDeep - 1, components.FirstDeep},
		{"a place of a bag", 2, components.FirstBag, 0}, {"a place that is worn", 2, 0, 0}, {"beyond the backpack", 2, components.FirstDeep, 0},
		{"a bag", bag.GUID(), 0, components.FirstDeep + components.BagRoom + 1},
		{"its last place", bag.GUID(), 5, components.FirstDeep + components.BagRoom + 6}, {"beyond it", bag.GUID(), 6, 0},
		{"a bag in the backpack", 1<<62 + 61, 0, 0}, {"a bag that it has not", 99, components.FirstPack, 0}, {"no bag", 0, 0, 0},
	} {
		s := newStage(shop())
		s.has(components.FirstBag+1, bag)
		s.has(components.FirstPack+1, components.Item{Counter: 61, Entry: 1, Count: 1, Slots: 6})
		emit(s, change.Sent[msg.BuyItemInSlot]{By: s.player, Msg: msg.BuyItemInSlot{Vendor: 9, Item: 1, Slot: 1, Count: 1, Bag: c.bag, BagSlot: c.slot}})
		got := s.run()
		if len(got.money) == 1 != (c.at != 0) || len(got.sent) != 0 || s.count.Value("vendor.bad_slot") == 1 != (c.at == 0) {
			t.Errorf("%s: %+v", c.name, got)
			continue
		}
		if c.at != 0 {
			emit(s, goods.MoneyGiven{GiveMoney: got.money[0], OK: true})
			if got = s.run(); len(got.items) != 1 || got.items[0].At != c.at {
				t.Errorf("%s: %+v", c.name, got.items)
			}
		}
	}
}

// Whom an item is sold to: everyone, but for one that binds when it is taken and is for other classes.
//
// Source: WorldSession::SendListInventory, AzerothCore (AllowableClass, a bit for each class from 1 on).
func TestSellsTo(t *testing.T) {
	for _, c := range []struct {
		classes, bonding uint32
		class            uint8
		want             bool
	}{
		{0, defs.BindTaken, 2, true}, {5, defs.BindTaken, 1, true}, {5, defs.BindTaken, 2, false}, {5, defs.BindTaken, 3, true},
		{5, defs.BindTaken, 0, false}, {5, 0, 2, true}, {1 << 10, defs.BindTaken, 11, true}, {1 << 10, defs.BindTaken, 10, false},
	} {
		it := defs.Item{Classes: c.classes, Bonding: c.bonding}
		if got := sellsTo(&it, c.class); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// A list has no more than clients bear, and what costs as much as a player can have is sold.
//
// Source: MAX_VENDOR_ITEMS, Creature.h, AzerothCore (150).
func TestBounds(t *testing.T) {
	d := shop()
	d.Items = append(d.Items, defs.Item{Entry: 9, BuyPrice: goods.MaxMoney}, defs.Item{Entry: 10, BuyPrice: goods.MaxMoney + 1})
	d.Vendors[0].Items = []defs.VendorItem{{Item: 9}, {Item: 10}}
	for range 200 {
		d.Vendors[0].Items = append(d.Vendors[0].Items, defs.VendorItem{Item: 1})
	}
	s := newStage(d)
	emit(s, change.Sent[msg.ListInventory]{By: s.player, Msg: msg.ListInventory{GUID: 9}})
	if got := s.run(); len(got.sent) != 1 || got.sent[0][20:22] != "96" {
		t.Errorf("%.40s", got.sent)
	}
	s.buy(1, 9, 1, 0)
	s.buy(2, 10, 1, 1)
	if got := s.run(); len(got.money) != 1 || got.money[0].Copper != -goods.MaxMoney || len(got.sent) != 1 {
		t.Errorf("%+v", got)
	}
}

// A stock that is as large as it can be is forgotten.
func TestFullStock(t *testing.T) {
	s := newStage(shop())
	sold := &defs.VendorItem{Item: 2, Max: 4, RestockSec: 10}
	s.system.take(1000, 9, sold, 2, 2)
	if left := s.system.left(11_000, 9, sold, 2); left != 4 || len(s.system.stocks) != 0 {
		t.Errorf("%d are left, %+v", left, s.system.stocks)
	}
}

// values is SMSG_UPDATE_OBJECT with some fields of the player with the GUID 2.
//
// Source: docs/protocol.md 4.1 and 4.2: u32 blocks, u8 type 0, packed GUID, u8 words of the mask, the mask, the values.
func values(fields map[int]uint32) string {
	most := 0
	for i := range fields {
		most = max(most, i)
	}
	mask, all := make([]uint32, most/32+1), ""
	for i := 0; i <= most; i++ {
		if v, ok := fields[i]; ok {
			mask[i/32] |= 1 << (i % 32)
			all += word(v)
		}
	}
	text := "a9 " + "01000000" + "00" + "0102" + fmt.Sprintf("%02x", len(mask))
	for _, m := range mask {
		text += word(m)
	}
	return text + all
}

func word(v uint32) string {
	return hex.EncodeToString([]byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)})
}

// What a client is shown of its slots when something is sold: the GUID, price and time in the slot's fields, and the end of what was
// sold first, if all slots are full.
//
// Source: docs/protocol.md, appendix A (0x1D8 GUIDs, 0x4B1 prices, 0x4BD times).
func TestShownBuyback(t *testing.T) {
	s := newStage(shop())
	b := s.buybacks.Get(s.player)
	for i := range b.Items {
		b.Items[i], b.Time[i] = components.Item{Counter: uint32(100 + i), Entry: 1, Count: 1}, 1000
	}
	b.Time[3] = 999
	d := &deal{Request: Request{By: s.player, Owner: 2, VisitSec: 20}, Price: 12}
	s.system.keep(d, components.Item{Counter: 77, Entry: 2, Count: 4})
	b.Time[1] = 998
	s.system.keep(d, components.Item{Counter: 78, Entry: 2, Count: 4})
	got := s.run()
	same(t, "sent", got.sent, []string{
		values(map[int]uint32{0x1D8 + 6: 77, 0x1D8 + 7: 0x40000000, 0x4B1 + 3: 12, 0x4BD + 3: 108_020}),
		"aa " + "67000000" + "00000040" + "00",
		values(map[int]uint32{0x1D8 + 2: 78, 0x1D8 + 3: 0x40000000, 0x4B1 + 1: 12, 0x4BD + 1: 108_020}),
		"aa " + "65000000" + "00000040" + "00",
	})
}

// What does not come back is put into another slot if its own has been taken since.
func TestRestoredElsewhere(t *testing.T) {
	s := newStage(shop())
	b := s.buybacks.Get(s.player)
	thing, other := components.Item{Counter: 77, Entry: 2, Count: 4}, components.Item{Counter: 78, Entry: 1, Count: 1}
	b.Items[0], b.Price[0] = thing, 12
	s.buyBack(74)
	got := s.run()
	b.Items[0], b.Price[0], b.Next = other, 3, 1
	emit(s, goods.MoneyGiven{GiveMoney: got.money[0]})
	got = s.run()
	if b.Items[0] != other || b.Price[0] != 3 || b.Items[1] != thing || b.Price[1] != 12 || len(got.sent) != 2 {
		t.Errorf("%+v %+v, %v", b.Items[:2], b.Price[:2], got.sent)
	}
}

// Requests of all kinds are executed in the order in which they arrived.
func TestRequestsInOrder(t *testing.T) {
	s := newStage(shop())
	thing := components.Item{Counter: 77, Entry: 2, Count: 4}
	emit(s, change.Sent[msg.SellItem]{By: s.player, N: 3, Msg: msg.SellItem{Vendor: 9, Item: s.has(components.FirstPack, thing), Count: 1}})
	emit(s, change.Sent[msg.BuybackItem]{By: s.player, N: 4, Msg: msg.BuybackItem{Vendor: 9, Slot: 74}})
	s.buy(2, 2, 2, 1)
	emit(s, rules.Gossip{By: s.player, GUID: 9, N: 2, Opens: defs.GossipVendor}, rules.Gossip{By: s.player, GUID: 9, Opens: defs.GossipTrainer})
	s.buy(2, 2, 2, 5)
	got := s.run()
	if len(got.sent) != 3 || got.sent[0][:22] != "19f 0900000000000000"+"05" || got.sent[1][:4] != "1a5 " || got.sent[2] != "1a5 0900000000000000"+"02000000"+"01" {
		t.Errorf("sent %v", got.sent)
	}
	if len(got.money) != 1 || got.money[0].Ticket != first || len(got.takes) != 1 || got.takes[0].Ticket != first+1 {
		t.Errorf("%+v %+v", got.money, got.takes)
	}
}

// levels answers queries: the list n holds of players from level n on.
type levels struct {
	queries ecs.Requests[rules.ConditionQuery]
	answers ecs.Emit[rules.ConditionAnswer]
	units   ecs.Read[components.Unit]
}

// React implements sched.Reactor.
func (s *levels) React(sched.Tick) {
	for _, q := range s.queries.Take() {
		s.answers.Emit(rules.ConditionAnswer{ConditionQuery: q, Holds: s.units.Get(q.First).Level >= q.List && q.Second != ecs.Entity{}})
	}
}

// What is sold under conditions is listed for and sold to the players of which they hold; requests stay in their order.
//
// Source: WorldSession::SendListInventory and Player::BuyItemFromVendorSlot, AzerothCore (0 not found).
func TestConditions(t *testing.T) {
	d := shop()
	d.Vendors = []defs.Vendor{{Entry: 50, Items: []defs.VendorItem{{Item: 6, Conditions: 5}, {Item: 1, Conditions: 4}, {Item: 6}}}}
	s := newStage(d)
	ask := func() []string {
		emit(s, change.Sent[msg.ListInventory]{By: s.player, N: 1, Msg: msg.ListInventory{GUID: 9}})
		emit(s, change.Sent[msg.BuyItem]{By: s.player, N: 2, Msg: msg.BuyItem{Vendor: 9, Item: 6, Slot: 1, Count: 1}})
		emit(s, change.Sent[msg.ListInventory]{By: s.player, N: 3, Msg: msg.ListInventory{GUID: 9}})
		return s.run().sent
	}
	const rest = "000000000000000001000000" + "00000000"
	second := "02000000" + "01000000" + "65000000" + "ffffffff" + "14000000" + "00000000" + "05000000" + "00000000"
	third := "03000000" + "06000000" + "00000000" + "ffffffff" + rest
	s.units.Get(s.player).Level = 4
	low := "19f 0900000000000000" + "02" + second + third
	same(t, "too low", ask(), []string{low, "1a5 0900000000000000" + "06000000" + "00", low})
	s.units.Get(s.player).Level = 5
	high := "19f 0900000000000000" + "03" + "01000000" + "06000000" + "00000000" + "ffffffff" + rest + second + third
	same(t, "high enough", ask(), []string{high, high})
}
