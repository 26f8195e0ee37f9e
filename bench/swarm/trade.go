package swarm

import (
	"encoding/binary"
	"fmt"
	"maps"
	"time"

	"muster/net/protocol/msg"
	"muster/net/protocol/update"
)

// How clients trade: our own choices.
const (
	tradeStep  = 250 * time.Millisecond // between two looks at what a pair is about
	tradeRest  = time.Second            // for which both have the same before they trade
	tradeWait  = 30 * time.Second       // how long a trade may take; a world that goes on in another process takes a part of that
	tradeCheck = 10 * time.Second       // how long after a trade both may be without what they had together
	maxCopper  = 7                      // of a trade
)

// ErrUnbalanced is what a run can have come to in which pairs had more or less after a trade than before it, as Report.Err has it.
var ErrUnbalanced = fmt.Errorf("swarm: trades have made or lost items or money")

// Trades is what pairs of clients of behaviour Trade have handed over. The items of a pair are counted by entry, with its money, before each
// trade and after it.
type Trades struct {
	Done       int     `json:"done"`
	Items      uint64  `json:"items"`      // stacks
	Copper     uint64  `json:"copper"`     // in all
	Ended      Reasons `json:"ended"`      // trades that came to nothing
	Unbalanced Reasons `json:"unbalanced"` // after which a pair did not have what it had
}

// write adds the lines of trades to a report for people.
func (t *Trades) write(row func(name, format string, args ...any)) {
	row("trades", "%d done, with %d items and %d copper; %v came to nothing", t.Done, t.Items, t.Copper, t.Ended)
	row("", "%v have made or lost something", t.Unbalanced)
}

// A trader is what one client of behaviour Trade has and is about.
type trader struct {
	items   map[uint64]stack
	pack    [packPlaces]uint64 // GUIDs
	copper  uint32
	refused map[uint32]bool // entries that cannot be traded

	gives   bool // in the trade that is under way, or that comes next
	offered uint32
	paid    uint32
	done    bool

	pair pair // of the first of two
}

// A stack is an item of a client's.
type stack struct{ entry, count uint32 }

// A pair is how far two clients have come.
type pair struct {
	trades bool
	since  moment            // when that began; or since when they have what they have
	ended  moment            // the last trade; 0: it is judged
	had    map[uint32]uint64 // before that, and while they rest
}

// Fields of clients and of items, and types of objects.
//
// Source: protocol.md appendix A.
const (
	fieldEntry  = 0x003 // OBJECT_FIELD_ENTRY
	fieldCount  = 0x00E // ITEM_FIELD_STACK_COUNT
	fieldPack   = 0x172 // PLAYER_FIELD_PACK_SLOT_1
	fieldCopper = 0x492 // PLAYER_FIELD_COINAGE
	packPlaces  = 16
	firstPack   = 23 // the slot of the first place of the backpack
	noBag       = 255
	typeItem    = 1
	typeBag     = 2

	copperEntry = 0 // of money among what a pair has: no item has that
)

// partner is the other one of a client's pair; the last of an odd number has none.
func (r *run) partner(c *client) *client {
	if id := int(c.id ^ 1); id < len(r.clients) {
		return &r.clients[id]
	}
	return nil
}

// trade takes a step of a pair, when it is the turn of its first client.
func (r *run) trade(c *client, due moment) {
	if me, ok := c.checker.Unit(c.guid); ok && (me.Dead || me.Ghost) {
		r.lieDead(c, due)
		return
	} else if ok && c.grinder.dead {
		r.riseAgain(c, due)
	}
	other := r.partner(c)
	if c.id%2 == 1 || other == nil || other.stage != stageInWorld || len(c.trader.items) == 0 || len(other.trader.items) == 0 {
		return
	}
	p := &c.trader.pair
	if p.trades {
		if due-p.since > moment(tradeWait) {
			r.ended(c, other, "no answer")
			r.put(c, msg.OpCancelTrade, &msg.Empty{})
			r.put(other, msg.OpCancelTrade, &msg.Empty{})
			r.flush(other)
		}
		return
	}
	had, has := p.had, together(&c.trader, &other.trader)
	rested, unbalanced := p.rest(has, due)
	if unbalanced {
		r.trades.Unbalanced.count(fmt.Sprintf("%s and %s had %v, and have %v", c.account, other.account, had, has))
	}
	if rested && c.checker.Knows(other.guid) && other.checker.Knows(c.guid) {
		r.ask(c, other, due)
	}
}

// rest takes over what a pair has between two trades. It has rested when that has stayed the same for a time, and is unbalanced when it has not
// become what it was before the last trade.
func (p *pair) rest(has map[uint32]uint64, due moment) (rested, unbalanced bool) {
	switch same := maps.Equal(has, p.had); {
	case p.ended != 0 && same:
		p.ended, p.since = 0, due
	case p.ended != 0 && due-p.ended > moment(tradeCheck):
		p.ended, p.since, p.had = 0, due, has
		return false, true
	case p.ended != 0:
	case !same: // from elsewhere, as the outfit of a class
		p.since, p.had = due, has
	default:
		return due-p.since > moment(tradeRest), false
	}
	return false, false
}

// ask has the one of a pair that has not given last ask the other to trade.
func (r *run) ask(first, second *client, due moment) {
	p := &first.trader.pair
	p.trades, p.since = true, due
	from, to := second, first
	if !first.trader.gives {
		from, to = first, second
	}
	from.trader.gives, to.trader.gives = true, false
	from.trader.done, to.trader.done = false, false
	r.put(from, msg.OpInitiateTrade, &msg.InitiateTrade{GUID: to.guid})
	r.flush(from)
}

// together is what two have: items by entry, and money.
func together(a, b *trader) map[uint32]uint64 {
	all := map[uint32]uint64{copperEntry: uint64(a.copper) + uint64(b.copper)}
	for _, t := range []*trader{a, b} {
		for _, it := range t.items {
			all[it.entry] += uint64(it.count)
		}
	}
	return all
}

// ended notes that a trade of a pair has come to nothing.
func (r *run) ended(first, second *client, why string) {
	p := &first.trader.pair
	p.trades, p.ended, p.since = false, r.now, r.now
	r.trades.Ended.count(why)
	for _, c := range []*client{first, second} {
		if t := &c.trader; t.gives && t.offered != 0 && why == tradeStates[msg.TradeCancelled] {
			t.refused[t.offered] = true
		}
		c.trader.offered, c.trader.paid = 0, 0
	}
}

// tradeStates are the ends of trades, as reports have them.
var tradeStates = map[msg.TradeState]string{
	msg.TradeBusy: "busy", msg.TradeCancelled: "cancelled", msg.TradeNoTarget: "no target", msg.TradeTooFar: "too far",
	msg.TradeWrongFaction: "wrong faction", msg.TradeIgnored: "ignored", msg.TradeStunned: "stunned", msg.TradeTargetStunned: "target stunned",
	msg.TradeDead: "dead", msg.TradeTargetDead: "target dead", msg.TradeLogout: "logout", msg.TradeTargetLogout: "target logout",
}

// traded reads what concerns a client that trades, after its checker has.
func (r *run) traded(c *client, op uint16, payload []byte) {
	switch op {
	case msg.OpUpdateObject:
		r.belongings(c, payload)
	case msg.OpCompressedUpdateObject:
		if inflated, err := update.Inflate(nil, payload); err == nil { // the checker counts what is wrong with it
			r.belongings(c, inflated)
		}
	case msg.OpDestroyObject:
		if len(payload) >= 8 {
			delete(c.trader.items, binary.LittleEndian.Uint64(payload))
		}
	case msg.OpTradeStatus:
		if m := new(msg.TradeStatus); r.decode(c, payload, m) {
			r.goesOn(c, m.State)
		}
	}
}

// belongings takes over what an update says of a client's money and items.
func (r *run) belongings(c *client, payload []byte) {
	t := &c.trader
	_ = update.Parse(payload, func(b *update.Block) error { // the checker counts what is wrong with it
		switch {
		case b.GUID == c.guid:
			for _, f := range b.Fields {
				switch i := int(f.Index) - fieldPack; {
				case f.Index == fieldCopper:
					t.copper = f.Value
				case i >= 0 && i < 2*packPlaces && i%2 == 0:
					t.pack[i/2] = t.pack[i/2]&^0xFFFFFFFF | uint64(f.Value)
				case i >= 0 && i < 2*packPlaces:
					t.pack[i/2] = t.pack[i/2]&0xFFFFFFFF | uint64(f.Value)<<32
				}
			}
		case (b.Type == update.Create || b.Type == update.Create2) && (b.TypeID == typeItem || b.TypeID == typeBag):
			entry, _ := b.Value(fieldEntry)
			count, _ := b.Value(fieldCount)
			t.items[b.GUID] = stack{entry, max(count, 1)}
		case b.Type == update.Values:
			if it, ok := t.items[b.GUID]; ok {
				if count, ok := b.Value(fieldCount); ok {
					t.items[b.GUID] = stack{it.entry, count}
				}
			}
		}
		return nil
	})
}

// goesOn answers a state of a trade.
func (r *run) goesOn(c *client, state msg.TradeState) {
	other := r.partner(c)
	if other == nil {
		return
	}
	first, second := c, other
	if c.id > other.id {
		first, second = other, c
	}
	p, t := &first.trader.pair, &c.trader
	if !p.trades {
		return // of one that was given up
	}
	switch state {
	case msg.TradeBegins:
		r.put(c, msg.OpBeginTrade, &msg.Empty{})
	case msg.TradeOpens:
		if t.gives {
			r.offer(c)
		}
	case msg.TradeAccepted:
		if !t.gives {
			r.put(c, msg.OpAcceptTrade, &msg.AcceptTrade{})
		}
	case msg.TradeGoesOn:
	case msg.TradeComplete:
		if t.done = true; !other.trader.done {
			break
		}
		p.trades, p.ended, p.since = false, r.now, r.now
		r.trades.Done++
		for _, c := range []*client{first, second} {
			t := &c.trader
			if t.offered != 0 {
				r.trades.Items++
			}
			r.trades.Copper += uint64(t.paid)
			t.offered, t.paid = 0, 0
		}
	default:
		why, ok := tradeStates[state]
		if !ok {
			why = fmt.Sprintf("state %d", state)
		}
		r.ended(first, second, why)
	}
	r.flush(c)
}

// offer has a client offer an item of its backpack and some money, and accept that.
func (r *run) offer(c *client) {
	t := &c.trader
	if t.paid = min(t.copper, 1+uint32(c.walker.random.unit()*maxCopper)); t.paid > 0 {
		r.put(c, msg.OpSetTradeGold, &msg.SetTradeGold{Copper: t.paid})
	}
	from := int(c.walker.random.unit() * packPlaces)
	for i := range t.pack {
		place := (from + i) % packPlaces
		it, ok := t.items[t.pack[place]]
		if ok && !t.refused[it.entry] {
			t.offered = it.entry
			r.put(c, msg.OpSetTradeItem, &msg.SetTradeItem{Bag: noBag, Slot: uint8(firstPack + place)})
			break
		}
	}
	r.put(c, msg.OpAcceptTrade, &msg.AcceptTrade{})
}
