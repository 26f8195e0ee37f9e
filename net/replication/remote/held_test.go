package remote

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/metric"
	"muster/net/replication/frame"
)

// Input that comes early in a step waits for more, and leaves shortly before the tick: all of it, in a message or two. So it does in the shortest step of a cluster.
func TestInputIsSentShortlyBeforeItsTick(t *testing.T) {
	for _, c := range []struct {
		step, every time.Duration
		atMost      uint32 // ms before the tick: an eighth and a quarter of the step, and what milliseconds are rounded by
	}{
		{testTick, testTick / 5, 8},
		{7 * time.Millisecond, time.Millisecond, 2},
	} {
		synctest.Test(t, func(t *testing.T) { testHeldInput(t, c.step, c.every, c.atMost) })
	}
}

func testHeldInput(t *testing.T, step, every time.Duration, atMost uint32) {
	ctx, cancel := context.WithCancel(t.Context())
	defer synctest.Wait()
	defer cancel()
	bus, world := newBus(1), newTestWorld()
	go NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 1, Metric: new(metric.Table)}).Run(ctx)
	g := NewGateway(GatewayConfig{Bus: bus, Address: testAddress, Exchange: frame.NewExchange(), Number: 1, Life: 1, Step: step, Metric: new(metric.Table)})
	go g.Run(ctx)
	<-g.Ready()
	time.Sleep(heartbeat)
	messages, items := 0, 0
	ms := uint32(step.Milliseconds())
	bus.Subscribe(testAddress.in(), func(b []byte) {
		m, kind, _ := read(b)
		if m.number(); kind != kindInput {
			return
		}
		m.number()
		m.u64()
		var in frame.Inbox
		if err := in.UnmarshalBinary(m.rest()); err != nil {
			t.Error(err)
		}
		messages++
		items += in.Len()
		if before := ms - world.exchange.NowMs()%ms; before > atMost {
			t.Errorf("a message leaves %d ms before the tick, in steps of %s", before, step)
		}
	})
	const steps = 20
	for range steps * step / every {
		var in frame.Inbox
		in.Add(frame.Item{Session: 1, Op: opTest, Body: []byte{1, 2, 3, 4}})
		g.config.Exchange.Post(&in)
		time.Sleep(every)
	}
	time.Sleep(step)
	synctest.Wait()
	if want := int(steps * step / every); items != want || messages > 2*(steps+1) {
		t.Errorf("%d items arrive in %d messages of %d steps of %s, want %d in at most 2 each", items, messages, steps, step, want)
	}
}

// A heldGateway is a gateway that holds input for a world, far from it.
func heldGateway(ctx context.Context, farMs int) (g *Gateway, world *testWorld, arrived chan uint32) {
	bus := newBus(1)
	bus.farMs = farMs
	world, arrived = newTestWorld(), make(chan uint32, 1000)
	now := world.exchange.Now
	world.exchange.Now = func() time.Duration { return now() + 357*time.Microsecond } // it is asked at moments between two milliseconds
	go NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 1, Metric: new(metric.Table)}).Run(ctx)
	g = NewGateway(GatewayConfig{Bus: bus, Address: testAddress, Exchange: frame.NewExchange(), Number: 1, Life: 1, Step: testTick, Metric: new(metric.Table)})
	go g.Run(ctx)
	<-g.Ready()
	time.Sleep(2 * heartbeat)
	bus.Subscribe(testAddress.in(), func(b []byte) {
		if _, kind, _ := read(b); kind == kindInput {
			arrived <- world.exchange.NowMs()
		}
	})
	return g, world, arrived
}

// press posts what a client has sent.
func press(g *Gateway) {
	var in frame.Inbox
	in.Add(frame.Item{Session: 1, Op: opTest, Body: []byte{1, 2, 3, 4}})
	g.config.Exchange.Post(&in)
}

// Input of a gateway from which a message takes 10 ms is there before its tick, as it is without being held; from one that is farther than a step
// it is not held at all.
func TestHeldInputOfAFarGatewayIsInTime(t *testing.T) {
	for _, far := range []int{0, 10, 30} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer synctest.Wait()
			defer cancel()
			g, world, arrived := heldGateway(ctx, far)
			for range 10 {
				time.Sleep(time.Duration(50+5-world.exchange.NowMs()%50) * time.Millisecond) // 5 ms after a tick
				began := world.exchange.NowMs()
				press(g)
				switch at := <-arrived; {
				case far < 30 && at/50 != began/50:
					t.Errorf("%d ms away: input of %d ms arrives at %d ms, after its tick", far, began, at)
				case far == 30 && at-began > 31:
					t.Errorf("%d ms away: input of %d ms arrives at %d ms: it was held", far, began, at)
				}
			}
		})
	}
}

// A gateway has the clock of the world, to the fraction of a millisecond, and knows how long a message takes to it and back.
func TestGatewayHasTheClockOfTheWorld(t *testing.T) {
	for _, far := range []int{0, 10, 30} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer synctest.Wait()
			defer cancel()
			time.Sleep(321 * time.Microsecond) // that its own clock is not at a whole millisecond
			g, world, _ := heldGateway(ctx, far)
			if got, want := g.config.Exchange.Now(), world.exchange.Now(); got != want {
				t.Errorf("%d ms away: the clock of the gateway is at %v, that of the world at %v", far, got, want)
			}
			if got, want := g.config.Exchange.Lead(), 2*time.Duration(far)*time.Millisecond; got != want {
				t.Errorf("%d ms away: input is posted %v before its tick, want %v", far, got, want)
			}
		})
	}
}

// Input is held for a step at most, also where the clock of the world seems to go back all the time, and more input comes.
func TestInputIsHeldForAStepAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		g, world, arrived := heldGateway(ctx, 0)
		time.Sleep(time.Duration(50+5-world.exchange.NowMs()%50) * time.Millisecond)
		for range 60 {
			press(g)
			time.Sleep(time.Millisecond)
			g.offset.Add(-int64(time.Millisecond))
		}
		if len(arrived) == 0 {
			t.Error("no input has arrived for 60 ms")
		}
	})
}

// A kindsBus notes the kinds of what is published, in order: a faultyBus does not keep that.
type kindsBus struct {
	*faultyBus
	kinds []byte
}

func (b *kindsBus) Publish(subject string, message []byte) error {
	b.kinds = append(b.kinds, message[1])
	return b.faultyBus.Publish(subject, message)
}

// A gateway that ends sends what it holds before it says goodbye.
func TestHeldInputIsSentAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		ending, stop := context.WithCancel(ctx)
		bus, world := newBus(1), newTestWorld()
		kinds := &kindsBus{faultyBus: bus} // of the gateway alone
		go NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 1, Metric: new(metric.Table)}).Run(ctx)
		g := NewGateway(GatewayConfig{Bus: kinds, Address: testAddress, Exchange: frame.NewExchange(), Number: 1, Life: 1, Step: testTick, Metric: new(metric.Table)})
		go g.Run(ending)
		<-g.Ready()
		time.Sleep(2 * heartbeat)
		time.Sleep(time.Duration(50+5-world.exchange.NowMs()%50) * time.Millisecond)
		press(g)
		synctest.Wait()
		if bytes.IndexByte(kinds.kinds, kindInput) >= 0 {
			t.Fatal("the input is not held")
		}
		stop()
		<-g.Ended()
		if !bytes.HasSuffix(kinds.kinds, []byte{kindInput, kindBye}) {
			t.Errorf("the gateway sent messages of kinds %v, want input and then goodbye at last", kinds.kinds)
		}
	})
}
