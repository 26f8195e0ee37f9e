package main

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"muster/components/defs"
	"muster/internal/pgtest"
	"muster/internal/testseed"
	"muster/loaders/synth"
	"muster/net/protocol/msg"
)

// A server is killed again and again while two players hand an item and money to each other. Each time one of them has the item, and both
// have all of the money: both sides of the last trade that is found were saved, or neither.
func TestKilledServerKeepsTradesWhole(t *testing.T) {
	d, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		t.Fatal(err)
	}
	gift := giftIn(d)
	const kills = 4
	for name, k := range keeps(t, pgtest.New(t)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k.t = t
			k.flags = append(k.flags, "--open-level", "3", "--start", "one")
			dice := rand.New(rand.NewPCG(testseed.Of(t), kills))
			first := k.serve()
			for i := range 2 {
				d := k.dealer(first, i)
				for d.fields[packWords] == 0 { // until it has its outfit
					d.next()
				}
				d.command(".modify money 1000")
				if i == 0 {
					d.command(".additem %d", gift)
					d.await(msg.OpItemPushResult, new(msg.ItemPushResult))
				}
				for d.copper() < 1000 {
					d.next()
				}
			}
			first.stop(syscall.SIGTERM, 1)
			before, all := k.traded(gift), 0
			for n := range kills {
				s := k.serve()
				a, b := k.dealer(s, 0), k.dealer(s, 1)
				from, to := a, b
				if _, ok := from.slotOf(before.item); !ok {
					from, to = to, from
				}
				from.hands(to, 1, before.item)
				a.mortal, b.mortal = true, true
				done := 1
				over := make(chan struct{})
				go func() {
					defer close(over)
					for ; ; done++ {
						from, to = to, from
						from.hands(to, 1+uint32(done)%7, before.item)
					}
				}()
				<-time.After(time.Duration(dice.Int64N(int64(2 * time.Second))))
				if err := s.cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				<-s.ended
				<-over
				all += done
				if after := k.traded(gift); after != before {
					t.Errorf("after kill %d and %d trades there are %v, and were %v", n+1, done, after, before)
				}
			}
			if all < 2*kills {
				t.Errorf("%d trades in %d servers", all, kills)
			}
			t.Logf("%d trades, %v", all, before)
		})
	}
}

// giftIn is the entry of an item of a world that can be traded, and does not stack.
func giftIn(d *defs.World) (entry uint32) {
	for i := range d.Items {
		if it := &d.Items[i]; it.Stack <= 1 && it.Bonding != defs.BindTaken && it.Bag == 0 {
			entry = it.Entry
		}
	}
	return entry
}

// A wager is what two dealers have together.
type wager struct {
	copper uint32
	item   uint32 // the lower half of the GUID of the gift
}

func (w wager) String() string { return fmt.Sprintf("%d copper and item %d", w.copper, w.item) }

// dealer brings a dealer into the world, with a new character if it has none.
func (k *keep) dealer(s *served, i int) *dealer {
	k.t.Helper()
	d := deals(visit(k.t, s, accountOf(i)))
	if len(d.list()) == 0 {
		d.create("Dealer" + string(rune('a'+i)))
	}
	d.enter()
	for len(d.fields) == 0 {
		d.next()
	}
	return d
}

// traded is what the two dealers have together, as the next server would find it. There is one gift.
func (k *keep) traded(gift uint32) (w wager) {
	k.t.Helper()
	for _, c := range k.found(2) {
		w.copper += c.MoneyCopper
		for _, it := range c.Items {
			if it.Entry != gift {
				continue
			}
			if w.item != 0 {
				k.t.Errorf("there are two gifts: %d and %d", w.item, uint32(it.GUID))
			}
			w.item = uint32(it.GUID)
		}
	}
	if w.item == 0 {
		k.t.Error("the gift is lost")
	}
	return w
}
