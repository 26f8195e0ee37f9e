package vendor

import (
	"cmp"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A Request is what a client asks of a vendor, with the state that its player was in. System vendorconditions takes it.
type Request struct {
	By       ecs.Entity
	Vendor   ecs.Entity // zero if the player cannot deal with it
	GUID     uint64     // of the vendor
	Owner    uint64     // GUID of the player
	Item     uint64     // the entry to buy, or the GUID to sell
	Bag      uint64     // with BuyInto: the GUID of the bag, or Owner
	Entry    uint32     // of the vendor
	N        uint32     // of the message, among all of the tick
	Slot     uint32     // of the list, from 1, or of what was sold, from msg.FirstBuyback
	Count    uint32
	VisitSec uint32 // how long the player has been here: system vendor fills it in
	Allowed  allowed
	Verb     Verb
	BagSlot  uint8
	Class    uint8
	Dead     bool
	Entering bool // it comes in this tick: nothing of what it has can be shown to its client yet
}

// allowed is a bit for each item of a vendor's list: its conditions hold.
type allowed [(msg.MaxVendorItems + 63) / 64]uint64

func (a *allowed) add(i uint32) { a[i/64] |= 1 << (i % 64) }

// has reports whether an item is sold to the player.
func (a *allowed) has(i int, sold *defs.VendorItem) bool {
	return sold.Conditions == 0 || a[i/64]>>(i%64)&1 != 0
}

// A Verb is what a Request asks for.
type Verb uint8

// The verbs.
const (
	List Verb = iota
	Buy
	BuyInto // a place in a bag
	Sell
	BuyBack
)

// opcodes are those of the messages, by verb.
var opcodes = [...]uint16{
	List: msg.OpListInventory, Buy: msg.OpBuyItem, BuyInto: msg.OpBuyItemInSlot, Sell: msg.OpSellItem, BuyBack: msg.OpBuybackItem,
}

// VendorRequests hands the requests of clients to system vendorconditions, in the order of their arrival, whatever their types.
type VendorRequests struct {
	rules.Interaction

	lists    ecs.Events[change.Sent[msg.ListInventory]]
	buys     ecs.Events[change.Sent[msg.BuyItem]]
	slots    ecs.Events[change.Sent[msg.BuyItemInSlot]]
	sales    ecs.Events[change.Sent[msg.SellItem]]
	buybacks ecs.Events[change.Sent[msg.BuybackItem]]
	talks    ecs.Events[rules.Gossip]
	requests ecs.Emit[Request]

	objects ecs.Read[components.Object]
	classes ecs.Read[components.Unit]
	homes   ecs.Read[components.HomeCell]

	arrived []arrival `snapshot:"-"` // in this tick
}

// An arrival is a request with its index among all messages of the tick.
type arrival struct {
	n uint32
	Request
}

// OnEvents implements sched.Handler.
func (s *VendorRequests) OnEvents(t sched.Tick) {
	s.arrived = s.arrived[:0]
	for i, all := 0, s.lists.All(); i < len(all); i++ {
		s.add(t, all[i].N, Request{By: all[i].By, Verb: List, GUID: all[i].Msg.GUID})
	}
	for i, all := 0, s.buys.All(); i < len(all); i++ {
		m := &all[i].Msg
		s.add(t, all[i].N, Request{By: all[i].By, Verb: Buy, GUID: m.Vendor, Item: uint64(m.Item), Slot: m.Slot, Count: m.Count})
	}
	for i, all := 0, s.slots.All(); i < len(all); i++ {
		m := &all[i].Msg
		s.add(t, all[i].N, Request{By: all[i].By, Verb: BuyInto, GUID: m.Vendor, Item: uint64(m.Item), Slot: m.Slot, Count: m.Count, Bag: m.Bag, BagSlot: m.BagSlot})
	}
	for i, all := 0, s.sales.All(); i < len(all); i++ {
		m := &all[i].Msg
		s.add(t, all[i].N, Request{By: all[i].By, Verb: Sell, GUID: m.Vendor, Item: m.Item, Count: m.Count})
	}
	for i, all := 0, s.buybacks.All(); i < len(all); i++ {
		m := &all[i].Msg
		s.add(t, all[i].N, Request{By: all[i].By, Verb: BuyBack, GUID: m.Vendor, Slot: m.Slot})
	}
	for i, all := 0, s.talks.All(); i < len(all); i++ {
		if m := &all[i]; m.Opens == defs.GossipVendor {
			s.add(t, m.N, Request{By: m.By, Verb: List, GUID: m.GUID})
		}
	}
	slices.SortFunc(s.arrived, func(a, b arrival) int { return cmp.Compare(a.n, b.n) })
	for i := range s.arrived {
		s.requests.Emit(s.arrived[i].Request)
	}
}

// add adds a request, with the state of its player.
func (s *VendorRequests) add(t sched.Tick, n uint32, r Request) {
	r.N = n
	r.Owner = s.objects.Get(r.By).GUID
	r.Class = s.classes.Get(r.By).Bytes0[components.ByteClass]
	r.Dead = !s.Alive(r.By)
	r.Entering = s.homes.Get(r.By).Before(uint32(t.N)) == grid.None
	if r.Vendor = s.Find(r.By, r.GUID, components.NPCVendor); r.Vendor != (ecs.Entity{}) {
		r.Entry = s.objects.Get(r.Vendor).Entry
	}
	s.arrived = append(s.arrived, arrival{n, r})
}
