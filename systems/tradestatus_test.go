package systems

import (
	"math/rand/v2"
	"slices"
	"testing"

	"muster/components"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/internal/testseed"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/systems/rules"
)

// A tradeStage is a world with two players next to each other, and what each is sent of trades.
type tradeStage struct {
	t       *testing.T
	world   *World
	port    *frame.Exchange
	n       uint64
	cursors [2]frame.Cursor
	vitals  ecs.Accessor[components.Vitals]
	auras   ecs.Accessor[components.UnitAuras]
	units   ecs.Accessor[components.Unit]
}

func newTradeStage(t *testing.T) *tradeStage {
	d := market(rand.New(rand.NewPCG(testseed.Of(t), 1)), 0)
	second := d.Maps[0]
	second.ID = 1
	d.Maps = append(d.Maps, second)
	w := New(Config{Defs: d, Map: &d.Maps[0], Seed: 1})
	s := &tradeStage{
		t: t, world: w, port: frame.NewExchange(), vitals: ecs.NewAccessor[components.Vitals](w.ecs),
		auras: ecs.NewAccessor[components.UnitAuras](w.ecs), units: ecs.NewAccessor[components.Unit](w.ecs),
	}
	for p := range s.cursors {
		s.cursors[p] = frame.Cursor{Session: uint32(p + 1), GUID: uint64(p + 1), Tick: s.port.Newest()}
		s.send(p, frame.OpEnter, &frame.Character{GUID: uint64(p + 1), Name: "Dealer", Race: 1, Class: 1, Level: 1, Told: life.All})
	}
	s.tick()
	return s
}

func (s *tradeStage) send(p int, op uint16, m msg.Message) {
	s.world.Inbox().Add(frame.Item{Session: uint32(p + 1), Op: op, Body: msg.Append(nil, wire.V12340, m)})
}

func (s *tradeStage) entity(p int) ecs.Entity { return s.world.Find(uint64(p + 1)) }

// turnOrc makes a player one of the Horde.
func (s *tradeStage) turnOrc(p int) {
	var dirty change.Dirty
	dirty.BindParam(s.world.ecs, "")
	s.units.Get(s.entity(p)).Bytes0[components.ByteRace] = 2
	dirty.Mark(s.entity(p), components.DirtyUnit)
}

// tick steps the world, and returns the states of trades that each player is sent, as they are on the wire.
func (s *tradeStage) tick() (states [2][]uint8) {
	s.t.Helper()
	s.n++
	step(s.world, s.port, s.n)
	for p := range s.cursors {
		for _, it := range packets(s.t, s.port, &s.cursors[p]) {
			if it.op == 0x120 { // SMSG_TRADE_STATUS
				states[p] = append(states[p], it.body[0])
			}
		}
	}
	return states
}

// expect steps the world, and compares the states that both players are sent.
func (s *tradeStage) expect(what string, first, second []uint8) {
	s.t.Helper()
	if got := s.tick(); !slices.Equal(got[0], first) || !slices.Equal(got[1], second) {
		s.t.Errorf("%s: the states are %d, want %d and %d", what, got, first, second)
	}
}

// opened has the first player ask, and the second one agree.
func (s *tradeStage) opened() {
	s.t.Helper()
	s.send(0, msg.OpInitiateTrade, &msg.InitiateTrade{GUID: 2})
	s.expect("asked", nil, []uint8{1})
	s.send(1, msg.OpBeginTrade, &msg.Empty{})
	s.expect("agreed", []uint8{2}, []uint8{2})
}

// A trade is refused for what either player is, with a state that says which of the two it is.
//
// Source: TradeStatus, SharedDefines.h, and WorldSession::HandleInitiateTradeOpcode, AzerothCore: 6 no target, 10 too far, 11 wrong faction,
// 15 and 16 stunned, 17 and 18 dead, 19 and 20 logging out, of the one that asks and of the other one.
func TestTradeIsRefused(t *testing.T) {
	far := func(s *tradeStage, p int) { ask(s.world, move.Teleport{Entity: s.entity(p), To: life.Place{X: 11.2}}) }
	for _, c := range []struct {
		name string
		do   func(s *tradeStage, p int)
		want [2]uint8 // when it is done to the one that asks, and to the other one
	}{
		{"stunned", func(s *tradeStage, p int) { s.auras.Get(s.entity(p)).States = components.StateStunned }, [2]uint8{15, 16}},
		{"dead", func(s *tradeStage, p int) { ask(s.world, rules.Kill{Entity: s.entity(p)}) }, [2]uint8{17, 18}},
		{"logging out", func(s *tradeStage, p int) { s.send(p, msg.OpLogoutRequest, &msg.Empty{}) }, [2]uint8{19, 20}},
		{"of the other faction", (*tradeStage).turnOrc, [2]uint8{11, 11}},
		{"too far away", far, [2]uint8{10, 10}},
	} {
		for p, want := range c.want {
			t.Run(c.name, func(t *testing.T) {
				s := newTradeStage(t)
				c.do(s, p)
				s.tick()
				s.send(0, msg.OpInitiateTrade, &msg.InitiateTrade{GUID: 2})
				s.expect(c.name, []uint8{want}, nil)
			})
		}
	}
	t.Run("in another map", func(t *testing.T) {
		s := newTradeStage(t)
		ask(s.world, move.Teleport{Entity: s.entity(1), To: life.Place{Map: 1}})
		s.tick()
		s.send(0, msg.OpInitiateTrade, &msg.InitiateTrade{GUID: 2})
		s.expect("in another map", []uint8{6}, nil)
	})
	t.Run("near enough", func(t *testing.T) { // 11.11 yards: TRADE_DISTANCE, ObjectDefines.h, AzerothCore
		s := newTradeStage(t)
		ask(s.world, move.Teleport{Entity: s.entity(1), To: life.Place{X: 11.1}})
		s.tick()
		s.opened()
	})
}

// A trade is cancelled when one of the two is not there for it any more, whichever of them that is, before it is agreed to and after that.
//
// Source: TradeStatus, SharedDefines.h, AzerothCore: 3 cancelled.
func TestTradeIsCancelled(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(s *tradeStage, p int)
		gone bool // the player is sent nothing more by this world
	}{
		{"it dies", func(s *tradeStage, p int) { ask(s.world, rules.Kill{Entity: s.entity(p)}) }, false},
		{"it is too far away", func(s *tradeStage, p int) { ask(s.world, move.Teleport{Entity: s.entity(p), To: life.Place{X: 11.2}}) }, false},
		{"it goes to another map", func(s *tradeStage, p int) { ask(s.world, move.Teleport{Entity: s.entity(p), To: life.Place{Map: 1}}) }, true},
		{"it logs out at once", func(s *tradeStage, p int) { s.send(p, msg.OpPlayerLogout, &msg.Empty{}) }, true},
		{"its connection ends", func(s *tradeStage, p int) { s.send(p, frame.OpDrop, &msg.Empty{}) }, true},
		{"its session is taken out", func(s *tradeStage, p int) { s.send(p, frame.OpLeave, &msg.Empty{}) }, true},
		{"its session is another one", func(s *tradeStage, p int) {
			s.send(p+7, frame.OpEnter, &frame.Character{GUID: uint64(p + 1), Name: "Dealer", Race: 1, Class: 1, Level: 1, Told: life.All})
		}, true},
	} {
		for p := range 2 {
			for _, agreed := range []bool{false, true} {
				t.Run(c.name, func(t *testing.T) {
					s := newTradeStage(t)
					if agreed {
						s.opened()
					} else {
						s.send(0, msg.OpInitiateTrade, &msg.InitiateTrade{GUID: 2})
						s.expect("asked", nil, []uint8{1})
					}
					c.do(s, p)
					var got [2][]uint8
					for range 3 {
						for q, states := range s.tick() {
							got[q] = append(got[q], states...)
						}
					}
					if !slices.Equal(got[1-p], []uint8{3}) || !c.gone && !slices.Equal(got[p], []uint8{3}) {
						t.Errorf("player %d, agreed %t: the states are %d, want 3 for each", p+1, agreed, got)
					}
					s.send(1-p, msg.OpAcceptTrade, &msg.AcceptTrade{})
					if got := s.tick(); len(got[0])+len(got[1]) != 0 {
						t.Errorf("an accepted trade that is not there: %d", got)
					}
				})
			}
		}
	}
}

// After any change of an offer both must consent again, whichever of them has changed which: the other one sees the change and is told with 7
// that the trade goes on, and an exchange (8) follows two consents (4) that nothing has come between.
//
// Source: TradeData::SetItem, SetMoney and SetAccepted, AzerothCore; TradeStatus, SharedDefines.h.
func TestConsentIsTakenBack(t *testing.T) {
	const first = components.FirstPack
	put := func(slot, place uint8) *msg.SetTradeItem {
		return &msg.SetTradeItem{TradeSlot: slot, Bag: components.NoBag, Slot: place}
	}
	for _, c := range []struct {
		name string
		op   uint16
		m    msg.Message
	}{
		{"an item more", msg.OpSetTradeItem, put(1, first+1)},
		{"an item that is only shown", msg.OpSetTradeItem, put(6, first+1)},
		{"another item in its place", msg.OpSetTradeItem, put(0, first+1)},
		{"an item less", msg.OpClearTradeItem, &msg.ClearTradeItem{TradeSlot: 0}},
		{"more money", msg.OpSetTradeGold, &msg.SetTradeGold{Copper: 6}},
		{"less money", msg.OpSetTradeGold, &msg.SetTradeGold{Copper: 0}},
	} {
		for changes := range 2 {
			for consents := range 2 {
				t.Run(c.name, func(t *testing.T) {
					s := newTradeStage(t)
					inventories, progress := ecs.NewAccessor[components.Inventory](s.world.ecs), ecs.NewAccessor[components.Progress](s.world.ecs)
					for p := range 2 {
						progress.Get(s.entity(p)).Coinage = 10
						for i := range 2 {
							inventories.Get(s.entity(p)).Items[first+i] = components.Item{Counter: uint32(10*p + i + 1), Entry: 2, Count: 1}
						}
					}
					s.opened()
					for p := range 2 {
						s.send(p, msg.OpSetTradeGold, &msg.SetTradeGold{Copper: 5})
						s.send(p, msg.OpSetTradeItem, put(0, first))
					}
					s.tick()
					s.send(consents, msg.OpAcceptTrade, &msg.AcceptTrade{})
					accepted := [2][]uint8{}
					accepted[1-consents] = []uint8{4}
					s.expect("the first consent", accepted[0], accepted[1])
					s.send(changes, c.op, c.m)
					s.expect("the change", []uint8{7}, []uint8{7})
					s.send(1-consents, msg.OpAcceptTrade, &msg.AcceptTrade{})
					accepted = [2][]uint8{}
					accepted[consents] = []uint8{4}
					s.expect("the other's consent alone", accepted[0], accepted[1])
					s.send(consents, msg.OpAcceptTrade, &msg.AcceptTrade{})
					accepted = [2][]uint8{{8}, {8}}
					accepted[1-consents] = []uint8{4, 8}
					s.expect("both consents", accepted[0], accepted[1])
				})
			}
		}
	}
}
