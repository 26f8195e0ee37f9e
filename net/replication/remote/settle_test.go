package remote

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A world that stands still is settled when each gateway has its last frame and has acknowledged all reports, over a bus that loses messages; and
// not while one is cut off, which is named.
func TestSettle(t *testing.T) {
	for seed := range uint64(8) {
		synctest.Test(t, func(t *testing.T) {
			bus := newBus(seed)
			ctx, cancel := context.WithCancel(t.Context())
			defer synctest.Wait()
			defer cancel()
			one := newLoggedWorld(bus)
			one.end.Lead(1, 9)
			go one.end.Run(ctx)
			gateways := []*testGateway{newTestGateway(ctx, bus, 1, 3, 1), newTestGateway(ctx, bus, 2, 20, 1)}
			step := func() {
				time.Sleep(testTick)
				one.end.Commit(one.n+1, inboxOf(one.step()))
			}
			for range 40 {
				step()
			}
			for _, g := range gateways {
				<-g.end.Ready()
				g.enter()
			}
			bus.set(0.2, 0.1, 60, false)
			for range 3 {
				for range 20 {
					for _, g := range gateways {
						g.say(1)
					}
					step()
				}
				settling, done := context.WithTimeout(ctx, 10*time.Second)
				if err := one.end.Settle(settling, one.n); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				done()
				for _, g := range gateways {
					if g.exchange.Newest() != one.n {
						t.Errorf("seed %d: a gateway has tick %d, want %d", seed, g.exchange.Newest(), one.n)
					}
				}
			}
			step()
			bus.set(0, 0, 0, true)
			step()
			settling, done := context.WithTimeout(ctx, time.Second)
			defer done()
			if err := one.end.Settle(settling, one.n); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "gateway ") || strings.Contains(err.Error(), "gateway 0") {
				t.Errorf("seed %d: cut off it is settled with %v", seed, err)
			}
		})
	}
}

// A countedBus counts what is published.
type countedBus struct {
	*faultyBus
	published atomic.Int64
}

func (b *countedBus) Publish(subject string, message []byte) error {
	b.published.Add(1)
	return b.faultyBus.Publish(subject, message)
}

// While a world waits for what a gateway misses, it asks all gateways each time that it looks, and no answer has another one follow: as many messages
// as looks have, however quick the bus is.
func TestSettleAsksOncePerLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus := &countedBus{faultyBus: newBus(1)}
		bus.set(0, 0, 2, false)
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		one := newLoggedWorld(bus)
		one.end.Lead(1, 9)
		go one.end.Run(ctx)
		gateways := []*testGateway{newTestGateway(ctx, bus, 1, 3, 1), newTestGateway(ctx, bus, 2, 3, 1)}
		for range 40 {
			time.Sleep(testTick)
			one.end.Commit(one.n+1, inboxOf(one.step()))
		}
		for _, g := range gateways {
			<-g.end.Ready()
		}
		before := bus.published.Load()
		const waited = time.Second
		settling, done := context.WithTimeout(ctx, waited)
		defer done()
		if err := one.end.Settle(settling, one.n+1); !errors.Is(err, context.DeadlineExceeded) { // a tick that does not come
			t.Errorf("it is settled with %v", err)
		}
		// Of a look: to each gateway a question, its hello, and the answer to that; and twice as many for heartbeats, which are fewer.
		most := int64(2 * 3 * len(gateways) * int(waited/lookEvery+1))
		if n := bus.published.Load() - before; n > most {
			t.Errorf("%d messages in %v, want %d at most", n, waited, most)
		}
	})
}
