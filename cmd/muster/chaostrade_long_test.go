//go:build long

package main

import (
	"context"
	"fmt"
	mathrand "math/rand/v2"
	"time"

	"muster/cmd/internal/checker"
	"muster/components"
	"muster/loaders/store"
	"muster/loaders/synth"
	"muster/net/protocol/msg"
)

// A chaosPair is two dealers, and the item that they hand to and fro, by the lower half of its GUID; 0 until they have it.
type chaosPair struct{ item uint32 }

// comeAndTrade has two dealers log in again and again, each through a gateway that is drawn, and trade. What a trade that was cut off has
// done is not known.
func (p *chaosPair) comeAndTrade(ctx context.Context, c *chaos, number int) {
	dice := mathrand.New(mathrand.NewPCG(c.seed, uint64(71+number)))
	meet := func(n, trades int, rude, last bool) ending {
		d := &chaosDeal{chaosPair: p, c: c, number: number, n: n, trades: trades, rude: rude, last: last, gateways: [2]int{dice.IntN(2), dice.IntN(2)}}
		over := make(chan struct{})
		go func() {
			defer close(over)
			d.run()
		}()
		<-over
		return d.how()
	}
	n := 0
	for ; ctx.Err() == nil; n++ {
		meet(n, 1+dice.IntN(8), dice.IntN(4) == 0, false)
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(dice.Int64N(int64(300 * time.Millisecond)))):
		}
	}
	c.comesLast(pairName(number), func(try int) ending { return meet(n+try, 1, false, true) })
}

// A chaosDeal is one meeting of two dealers.
type chaosDeal struct {
	*chaosPair
	c         *chaos
	number, n int
	trades    int
	rude      bool // they end their connections without a logout
	last      bool // all faults are over
	gateways  [2]int
	visits    [2]*chaosVisit
	dealers   [2]*dealer
}

// run is the meeting; what ends it ends the goroutine.
func (d *chaosDeal) run() {
	began := time.Now()
	for side := range d.dealers {
		v := &chaosVisit{c: d.c, i: chaosVisitors + 2*d.number + side, n: d.n, gateway: d.gateways[side], last: d.last}
		v.prepare()
		defer v.end()
		d.visits[side] = v
		d.dealers[side] = deals(v.visitor)
		v.comes()
		v.arrives()
	}
	for side, v := range d.visits {
		v.partner = d.visits[1-side]
		v.waitsFor(v.said)
	}
	if d.item == 0 {
		d.outfit()
	}
	d.note(checker.Enters, d.has(), began)
	for range d.trades {
		after, from := d.has(), 0
		if after.Has[1] {
			from = 1
		}
		copper := uint32(1 + d.n%5)
		after.Has[0], after.Has[1] = after.Has[1], after.Has[0]
		after.Copper[from] -= copper
		after.Copper[1-from] += copper
		d.tries(from, copper, after)
	}
	how := endsRude
	if !d.rude {
		how = endsDone
		for _, v := range d.dealers {
			v.say(msg.OpPlayerLogout, &msg.Empty{})
			v.await(msg.OpLogoutComplete, &msg.Empty{})
		}
	}
	for _, v := range d.visits {
		v.how = how
	}
}

// how is how the meeting has ended.
func (d *chaosDeal) how() ending {
	for _, v := range d.visits {
		if v != nil && v.how != "" && v.how != endsDone {
			return v.how
		}
	}
	return d.visits[0].how
}

// tries has one of the dealers hand the item and money to the other.
func (d *chaosDeal) tries(from int, copper uint32, after checker.Pair) {
	kind, began := checker.MayMake, time.Now()
	defer func() { d.note(kind, after, began) }()
	d.dealers[from].hands(d.dealers[1-from], copper, d.item)
	kind = checker.Makes
	d.c.mu.Lock()
	d.c.trades++
	d.c.mu.Unlock()
}

// outfit gives both dealers money, and the first one the item.
func (d *chaosDeal) outfit() {
	first := d.dealers[0]
	for _, v := range d.dealers {
		for v.fields[packWords] == 0 { // until it has the outfit of its class
			v.next()
		}
		has := v.copper()
		v.command(".modify money 10000")
		for v.copper() != has+10000 {
			v.next()
		}
	}
	first.command(".additem %d", giftOf(d.c))
	var pushed msg.ItemPushResult
	first.await(msg.OpItemPushResult, &pushed)
	at := packWords + 2*uint16(pushed.Slot-components.FirstPack)
	for first.fields[at] == 0 {
		first.next()
	}
	d.item = first.fields[at]
}

// giftOf is the entry of an item that can be traded, and does not stack.
func giftOf(c *chaos) uint32 {
	world, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		c.t.Error(err)
		return 0
	}
	return giftIn(world)
}

// has is what the dealers know that they have.
func (d *chaosDeal) has() (p checker.Pair) {
	for side, v := range d.dealers {
		p.Copper[side] = v.copper()
		_, p.Has[side] = v.slotOf(d.item)
	}
	return p
}

// pairName is the subject of the history of a pair.
func pairName(number int) string { return fmt.Sprint("pair ", number+1) }

// note adds what the pair has done from a time on to the history.
func (d *chaosDeal) note(kind checker.Kind, p checker.Pair, began time.Time) {
	d.c.history.Add(checker.Step{Subject: pairName(d.number), Session: d.n + 1, Kind: kind, State: p}, began, time.Now())
}

// judgePairs adds what is stored of the dealers to the history.
func (c *chaos) judgePairs(s store.Store) {
	for number := range c.pairs {
		var is checker.Pair
		for side := range is.Copper {
			account, err := s.Account(c.t.Context(), chaosName(chaosVisitors+2*number+side))
			if err != nil {
				c.violates("pair %d: %v", number, err)
				continue
			}
			list, err := s.Characters(c.t.Context(), account.ID)
			if err != nil || len(list) != 1 {
				c.violates("pair %d has %d characters, %v", number, len(list), err)
				continue
			}
			ch, err := s.Character(c.t.Context(), list[0].GUID)
			if err != nil {
				c.t.Error(err)
			}
			is.Copper[side] = ch.MoneyCopper
			for _, it := range ch.Items {
				is.Has[side] = is.Has[side] || uint32(it.GUID) == c.pairs[number].item
			}
		}
		if c.pairs[number].item != 0 {
			c.stored(pairName(number), is)
		}
	}
}
