package inventory

import (
	"cmp"
	"slices"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// A Request is what a client asks to be done with one of its player's items, with the state that the player was in.
// System inventory takes it.
type Request struct {
	By       ecs.Entity
	GUID     uint64 // of the item to use
	Verb     Verb
	Bag      uint8 // the place of the item
	Slot     uint8
	ToBag    uint8 // and the place where Swap moves it
	ToSlot   uint8
	Count    uint8 // of a stack to destroy, 0 for all of it; or of the casts of the client
	Dead     bool
	Stunned  bool
	Fighting bool
}

// A Verb is what a Request asks for.
type Verb uint8

// The verbs.
const (
	Equip Verb = iota
	Swap
	Destroy
	Use
)

// ItemRequests hands the requests of clients about their items to system inventory, in the order of their arrival, whatever
// their types.
type ItemRequests struct {
	equips   ecs.Events[change.Sent[msg.AutoEquipItem]]
	swaps    ecs.Events[change.Sent[msg.SwapItem]]
	slots    ecs.Events[change.Sent[msg.SwapInvItem]]
	destroys ecs.Events[change.Sent[msg.DestroyItem]]
	uses     ecs.Events[change.Sent[msg.UseItem]]
	requests ecs.Emit[Request]

	vitals      ecs.Read[components.Vitals]
	units       ecs.Read[components.Unit]
	appearances ecs.Read[components.PlayerAppearance]
	unitAuras   ecs.Read[components.UnitAuras]

	arrived []arrival `snapshot:"-"` // in this tick
}

// An arrival is a request with its index among all messages of the tick.
type arrival struct {
	n uint32
	Request
}

// OnEvents implements sched.Handler.
func (s *ItemRequests) OnEvents(sched.Tick) {
	s.arrived = s.arrived[:0]
	for i, all := 0, s.equips.All(); i < len(all); i++ {
		m := &all[i].Msg
		s.add(all[i].N, Request{By: all[i].By, Verb: Equip, Bag: m.Bag, Slot: m.Slot})
	}
	for i, all := 0, s.swaps.All(); i < len(all); i++ {
		m := &all[i].Msg
		s.add(all[i].N, Request{By: all[i].By, Verb: Swap, Bag: m.FromBag, Slot: m.FromSlot, ToBag: m.ToBag, ToSlot: m.ToSlot})
	}
	for i, all := 0, s.slots.All(); i < len(all); i++ {
		m := &all[i].Msg
		s.add(all[i].N, Request{By: all[i].By, Verb: Swap, Bag: components.NoBag, Slot: m.FromSlot, ToBag: components.NoBag, ToSlot: m.ToSlot})
	}
	for i, all := 0, s.destroys.All(); i < len(all); i++ {
		m := &all[i].Msg
		s.add(all[i].N, Request{By: all[i].By, Verb: Destroy, Bag: m.Bag, Slot: m.Slot, Count: m.Count})
	}
	for i, all := 0, s.uses.All(); i < len(all); i++ {
		m := &all[i].Msg
		s.add(all[i].N, Request{By: all[i].By, Verb: Use, Bag: m.Bag, Slot: m.Slot, GUID: m.GUID, Count: m.Count})
	}
	slices.SortFunc(s.arrived, func(a, b arrival) int { return cmp.Compare(a.n, b.n) })
	for i := range s.arrived {
		s.requests.Emit(s.arrived[i].Request)
	}
}

// add adds a request, with the state of its player.
func (s *ItemRequests) add(n uint32, r Request) {
	r.Dead = s.vitals.Get(r.By).Health == 0 || s.appearances.Get(r.By).Flags&components.PlayerGhost != 0
	r.Stunned = s.unitAuras.Get(r.By).States&components.StateStunned != 0
	r.Fighting = s.units.Get(r.By).Flags&components.UnitInCombat != 0
	s.arrived = append(s.arrived, arrival{n, r})
}
