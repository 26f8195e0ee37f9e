package main

import (
	"errors"
	"fmt"

	"muster/components"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
)

// A dealer is a visitor that trades, and knows its money and what is in its backpack.
type dealer struct {
	*visitor
	fields map[uint16]uint32 // of its character, as it was sent them
}

// The first words of what is in the backpack, and the word of the money.
//
// Source: PLAYER_FIELD_PACK_SLOT_1 and PLAYER_FIELD_COINAGE, protocol.md appendix A.
const (
	packWords  = 0x172
	copperWord = 0x492
	packPlaces = components.FirstDeep - components.FirstPack
)

// deals has a visitor note what it is sent of its character.
func deals(v *visitor) *dealer {
	d := &dealer{visitor: v, fields: make(map[uint16]uint32)}
	other := v.reads
	v.reads = func(op uint16, body []byte) {
		d.read(op, body)
		if other != nil {
			other(op, body)
		}
	}
	return d
}

func (d *dealer) read(op uint16, body []byte) {
	if op == msg.OpCompressedUpdateObject {
		var err error
		body, err = update.Inflate(nil, body)
		d.check(err)
	} else if op != msg.OpUpdateObject {
		return
	}
	d.check(update.Parse(body, func(b *update.Block) error {
		if b.GUID == d.guid {
			for _, f := range b.Fields {
				d.fields[f.Index] = f.Value
			}
		}
		return nil
	}))
}

func (d *dealer) copper() uint32 { return d.fields[copperWord] }

// slotOf is where in its backpack a dealer has an item, by the lower half of its GUID; false if it has it not.
func (d *dealer) slotOf(item uint32) (slot uint8, ok bool) {
	for i := range uint8(packPlaces) {
		if d.fields[packWords+2*uint16(i)] == item {
			return components.FirstPack + i, true
		}
	}
	return 0, false
}

// errTradeEnded is a trade that has ended before it was done.
var errTradeEnded = errors.New("the trade has ended")

// is reads up to the state of a trade. If the trade ends instead, so does the test, or the goroutine of a mortal one.
func (d *dealer) is(want msg.TradeState) {
	d.t.Helper()
	for {
		var m msg.TradeStatus
		switch d.await(msg.OpTradeStatus, &m); m.State {
		case want:
			return
		case msg.TradeBegins, msg.TradeOpens, msg.TradeGoesOn, msg.TradeAccepted:
		default:
			d.check(fmt.Errorf("%w: it is in state %d, want %d", errTradeEnded, m.State, want))
		}
	}
}

// hands has a dealer give another one money, and an item of its backpack, if that is not 0. It returns when both know that it is done.
func (d *dealer) hands(to *dealer, copper, item uint32) {
	d.t.Helper()
	has, had := d.copper(), to.copper()
	d.say(msg.OpInitiateTrade, &msg.InitiateTrade{GUID: to.guid})
	to.is(msg.TradeBegins)
	to.say(msg.OpBeginTrade, &msg.Empty{})
	d.is(msg.TradeOpens)
	to.is(msg.TradeOpens)
	var offer msg.TradeOffer
	d.say(msg.OpSetTradeGold, &msg.SetTradeGold{Copper: copper})
	to.await(msg.OpTradeOffer, &offer)
	if slot, ok := d.slotOf(item); ok {
		d.say(msg.OpSetTradeItem, &msg.SetTradeItem{Bag: components.NoBag, Slot: slot})
		to.await(msg.OpTradeOffer, &offer)
	}
	d.say(msg.OpAcceptTrade, &msg.AcceptTrade{})
	to.is(msg.TradeAccepted)
	to.say(msg.OpAcceptTrade, &msg.AcceptTrade{})
	d.is(msg.TradeComplete)
	to.is(msg.TradeComplete)
	for d.copper() != has-copper {
		d.next()
	}
	for to.copper() != had+copper {
		to.next()
	}
}
