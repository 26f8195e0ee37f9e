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
)

// An exchangeStage is a world with two players, of which each has what a test gives it.
type exchangeStage struct {
	t           *testing.T
	world       *World
	port        *frame.Exchange
	n           uint64
	inventories ecs.Accessor[components.Inventory]
	progress    ecs.Accessor[components.Progress]
}

func newExchangeStage(t *testing.T) *exchangeStage {
	d := market(rand.New(rand.NewPCG(1, 1)), 0)
	for class := range d.Outfits {
		d.Outfits[class] = defs.Outfit{}
	}
	w := New(Config{Defs: d, Map: &d.Maps[0], Seed: 1})
	s := &exchangeStage{
		t: t, world: w, port: frame.NewExchange(),
		inventories: ecs.NewAccessor[components.Inventory](w.ecs), progress: ecs.NewAccessor[components.Progress](w.ecs),
	}
	for p := range 2 {
		s.send(p, frame.OpEnter, &frame.Character{GUID: uint64(p + 1), Name: "Dealer", Race: 1, Class: 1, Level: 1, Told: life.All})
	}
	s.tick()
	s.send(0, msg.OpInitiateTrade, &msg.InitiateTrade{GUID: 2})
	s.tick()
	s.send(1, msg.OpBeginTrade, &msg.Empty{})
	s.tick()
	return s
}

func (s *exchangeStage) send(p int, op uint16, m msg.Message) {
	s.world.Inbox().Add(frame.Item{Session: uint32(p), Op: op, Body: msg.Append(nil, wire.V12340, m)})
}

func (s *exchangeStage) tick() []uint64 {
	s.n++
	s.world.Inbox().Seal()
	f := s.port.Write()
	s.world.Tick(s.n, f)
	var saved []uint64
	for i := range f.Saves {
		saved = append(saved, f.Saves[i].GUID)
	}
	s.port.Publish(f)
	return saved
}

// has sets what a player has: its money, and stacks of which each has a place.
func (s *exchangeStage) has(p int, copper uint32, items map[int]components.Item) {
	e := s.world.Find(uint64(p + 1))
	s.progress.Get(e).Coinage = copper
	for place, it := range items {
		s.inventories.Get(e).Items[place] = it
	}
}

// fill fills all places of a player's backpack but some.
func (s *exchangeStage) fill(p int, but ...int) {
	v := s.inventories.Get(s.world.Find(uint64(p + 1)))
	for place := components.FirstPack; place < components.FirstDeep; place++ {
		v.Items[place] = components.Item{Counter: uint32(1000*(p+1) + place), Entry: 2, Count: 1}
	}
	for _, place := range but {
		v.Items[place] = components.Item{}
	}
}

// accept has both accept, and returns which characters are saved in that tick.
func (s *exchangeStage) accept() []uint64 {
	s.send(0, msg.OpAcceptTrade, &msg.AcceptTrade{})
	s.tick()
	s.send(1, msg.OpAcceptTrade, &msg.AcceptTrade{})
	return s.tick()
}

// Both players give all that they have offered, or nothing of it: the places that one gives are room for what it gets.
func TestExchangeIsAllOrNothing(t *testing.T) {
	const first = components.FirstPack
	stack := func(counter, entry uint32, count uint16) components.Item {
		return components.Item{Counter: counter, Entry: entry, Count: count}
	}
	put := func(s *exchangeStage, p, slot, place int) {
		s.send(p, msg.OpSetTradeItem, &msg.SetTradeItem{TradeSlot: uint8(slot), Bag: components.NoBag, Slot: uint8(place)})
	}
	for _, c := range []struct {
		name  string
		given func(s *exchangeStage)
		done  bool
		money [2]uint32
	}{
		{"items for money", func(s *exchangeStage) {
			s.has(0, 5, map[int]components.Item{first: stack(7, 1, 12)})
			s.has(1, 9, nil)
			put(s, 0, 0, first)
			s.send(1, msg.OpSetTradeGold, &msg.SetTradeGold{Copper: 9})
		}, true, [2]uint32{14, 0}},
		{"full bags, as much for as much", func(s *exchangeStage) {
			s.fill(0)
			s.fill(1)
			put(s, 0, 0, first)
			put(s, 1, 3, first+15)
		}, true, [2]uint32{}},
		{"two for one in full bags", func(s *exchangeStage) {
			s.fill(0)
			s.fill(1)
			put(s, 0, 0, first)
			put(s, 0, 1, first+1)
			put(s, 1, 0, first+2)
			s.send(1, msg.OpSetTradeGold, &msg.SetTradeGold{})
		}, false, [2]uint32{}},
		{"room on stacks, for a part", func(s *exchangeStage) {
			s.has(0, 3, map[int]components.Item{first: stack(7, 1, 12)})
			s.fill(1)
			s.has(1, 0, map[int]components.Item{first: stack(8, 1, 9)})
			put(s, 0, 0, first)
			s.send(0, msg.OpSetTradeGold, &msg.SetTradeGold{Copper: 3})
		}, false, [2]uint32{3, 0}},
		{"room on stacks, for all of it", func(s *exchangeStage) {
			s.has(0, 3, map[int]components.Item{first: stack(7, 1, 11)})
			s.fill(1)
			s.has(1, 0, map[int]components.Item{first: stack(8, 1, 9)})
			put(s, 0, 0, first)
			s.send(0, msg.OpSetTradeGold, &msg.SetTradeGold{Copper: 3})
		}, true, [2]uint32{0, 3}},
		{"more money than a player can have", func(s *exchangeStage) {
			s.has(0, goods.MaxMoney, nil)
			s.has(1, 1, nil)
			s.send(1, msg.OpSetTradeGold, &msg.SetTradeGold{Copper: 1})
		}, false, [2]uint32{goods.MaxMoney, 1}},
		{"as much as it can have, since it gives some", func(s *exchangeStage) {
			s.has(0, goods.MaxMoney, nil)
			s.has(1, 1, nil)
			s.send(0, msg.OpSetTradeGold, &msg.SetTradeGold{Copper: 2})
			s.send(1, msg.OpSetTradeGold, &msg.SetTradeGold{Copper: 1})
		}, true, [2]uint32{goods.MaxMoney - 1, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newExchangeStage(t)
			c.given(s)
			s.tick()
			var before, after [2]components.Inventory
			for p := range before {
				before[p] = *s.inventories.Get(s.world.Find(uint64(p + 1)))
			}
			saved := s.accept()
			pieces := [2]int{}
			for p := range after {
				e := s.world.Find(uint64(p + 1))
				after[p] = *s.inventories.Get(e)
				if got := s.progress.Get(e).Coinage; got != c.money[p] {
					t.Errorf("player %d has %d copper, want %d", p+1, got, c.money[p])
				}
				for i := range after[p].Items {
					pieces[0] += int(before[p].Items[i].Count)
					pieces[1] += int(after[p].Items[i].Count)
					if it := after[p].Items[i]; it.Counter != 0 && before[1-p].Find(it.Counter) >= 0 != (it.Moves == 1) {
						t.Errorf("player %d has %+v: Moves is 1 of what the other had, and 0 of its own", p+1, it)
					}
				}
			}
			if pieces[0] != pieces[1] {
				t.Errorf("there were %d pieces, and are %d", pieces[0], pieces[1])
			}
			if !c.done && after != before {
				t.Errorf("something has changed hands: %+v", after)
			}
			if c.done && (len(saved) != 2 || saved[0] == saved[1]) {
				t.Errorf("saved in the tick of the exchange: %d, want both players", saved)
			}
		})
	}
}

// Whatever players offer, accept, move, buy and destroy in one tick, and wherever they go, no item and no coin is lost or doubled by their
// trades, and no GUID is with two.
func TestExchangesAreConserved(t *testing.T) {
	seed := testseed.Of(t)
	r := rand.New(rand.NewPCG(seed, 19))
	d := market(r, 0)
	for class := range d.Outfits {
		d.Outfits[class] = defs.Outfit{Copper: 30, Worn: []uint32{3}, Pack: []defs.Stack{{Entry: 1, Count: 35}, {Entry: 2, Count: 3}, {Entry: 3, Count: 1}, {Entry: 6, Count: 7}}}
	}
	w := New(Config{Defs: d, Map: &d.Maps[0], Seed: seed})
	s := newStocktaker(w)
	in := w.Inbox()
	send := func(p int, op uint16, m msg.Message) {
		in.Add(frame.Item{Session: uint32(p), Op: op, Body: msg.Append(nil, wire.V12340, m)})
	}
	const players = 4
	var gone [players]frame.Character
	var here [players]bool
	for i := range gone {
		gone[i] = frame.Character{GUID: uint64(i + 1), Name: "Dealer", Race: 1, Class: 1, Level: 1}
	}
	inventories := ecs.NewAccessor[components.Inventory](w.ecs)
	var inItems, inCopper uint64
	owners := make(map[uint32]uint64)
	handed := 0
	port := frame.NewExchange()
	for n := uint64(1); n < 3000; n++ {
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
			place := uint8(components.FirstPack + r.IntN(6))
			for e, tries := w.Find(uint64(p+1)), 0; tries < 10 && w.ecs.Exists(e) && inventories.Get(e).Items[place].Counter == 0; tries++ {
				place = uint8(components.FirstPack + r.IntN(components.FirstDeep-components.FirstPack)) // more often than not something is there
			}
			switch r.IntN(16) {
			case 0, 1:
				send(p, msg.OpInitiateTrade, &msg.InitiateTrade{GUID: uint64(1 + r.IntN(players))})
			case 2, 3:
				send(p, msg.OpBeginTrade, &msg.Empty{})
			case 4, 5:
				send(p, msg.OpSetTradeItem, &msg.SetTradeItem{TradeSlot: uint8(r.IntN(7)), Bag: components.NoBag, Slot: place})
			case 7:
				send(p, msg.OpClearTradeItem, &msg.ClearTradeItem{TradeSlot: uint8(r.IntN(8))})
			case 8:
				send(p, msg.OpSetTradeGold, &msg.SetTradeGold{Copper: uint32(r.IntN(20))})
			case 6, 9, 10, 11, 12:
				for p := range players { // those that trade
					send(p, msg.OpAcceptTrade, &msg.AcceptTrade{})
				}
			case 13:
				send(p, msg.OpSwapItem, &msg.SwapItem{FromBag: components.NoBag, FromSlot: place, ToBag: components.NoBag, ToSlot: uint8(r.IntN(components.FirstDeep))})
			case 14:
				switch r.IntN(100) {
				case 0:
					send(p, msg.OpDestroyItem, &msg.DestroyItem{Bag: components.NoBag, Slot: place, Count: uint8(r.IntN(9))})
				case 1, 2, 3, 4, 5:
					send(p, msg.OpCancelTrade, &msg.Empty{})
				case 6, 7, 8, 9, 10:
					send(p, msg.OpUnacceptTrade, &msg.Empty{})
				}
			case 15:
				if r.IntN(20) == 0 {
					send(p, frame.OpLeave, &msg.Empty{})
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
			}
			inCopper -= uint64(c.MoneyCopper)
			gone[left.Session], here[left.Session] = c, false
		}
		port.Publish(f)
		s.check(t, n, inItems, inCopper)
		for guid := uint64(1); guid <= players; guid++ {
			e := w.Find(guid)
			if !w.ecs.Exists(e) {
				continue
			}
			for _, it := range inventories.Get(e).Items {
				if it.Counter == 0 {
					continue
				}
				if was, ok := owners[it.Counter]; ok && was != guid {
					handed++
				}
				owners[it.Counter] = guid
			}
		}
	}
	if handed < 50 {
		t.Errorf("only %d items have changed hands", handed)
	}
}
