package remote

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/metric"
	"muster/net/replication/frame"
)

// A stillBus is a bus as a process has it that stands still now and then: it sends nothing, and what comes meanwhile arrives at once when it goes on.
type stillBus struct {
	*faultyBus
	mu    sync.Mutex
	still bool
	kept  []func()
}

func (b *stillBus) Publish(subject string, message []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.still {
		return errors.New("the process stands still")
	}
	return b.faultyBus.Publish(subject, message)
}

func (b *stillBus) Subscribe(subject string, take func([]byte)) (stop func(), err error) {
	return b.faultyBus.Subscribe(subject, func(message []byte) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.still {
			b.kept = append(b.kept, func() { take(message) })
		} else {
			take(message)
		}
	})
}

func (b *stillBus) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.still = true
}

func (b *stillBus) goOn() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, take := range b.kept {
		take()
	}
	b.still, b.kept = false, nil
}

// A gateway whose process stands still for longer than its ring and that of the world have frames, 15 s, takes what has arrived meanwhile no faster than
// its players are flushed, so that none of them loses the stream. What it has no room for meanwhile is sent again while the world has it, and every player
// is sent the same bytes as if its gateway were beside the world; after 45 s the world has it no more, and a keyframe follows.
func TestStandstill(t *testing.T) {
	for _, test := range []struct {
		still     time.Duration
		keyframes uint64
	}{{14 * time.Second, 0}, {20 * time.Second, 0}, {45 * time.Second, 1}} {
		t.Run(test.still.String(), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { standstill(t, test.still, test.keyframes) }) })
	}
}

func standstill(t *testing.T, still time.Duration, keyframes uint64) {
	ctx, cancel := context.WithCancel(t.Context())
	defer synctest.Wait()
	defer cancel()
	const ring = 300
	bus := &stillBus{faultyBus: newBus(3)}
	world := newTestWorld()
	world.exchange.Keep = ring
	go NewWorld(WorldConfig{Bus: bus.faultyBus, Address: testAddress, Exchange: world.exchange, Life: 1, Metric: new(metric.Table)}).Run(ctx)
	var flushed atomic.Uint64
	x := frame.NewExchange()
	x.Keep, x.Flushed = ring, flushed.Load
	g := newTestGatewayWith(ctx, x, bus, 1, 4, 1)
	most := uint64(0) // ticks that are flushed at once
	step := func() {
		time.Sleep(testTick)
		synctest.Wait() // the gateway does all that it can before its players are flushed
		most = max(most, x.Newest()-flushed.Load())
		g.read(t)
		flushed.Store(x.Newest())
		world.step()
	}
	<-g.end.Ready()
	step()
	step()
	g.enter()
	for range 5 {
		step()
	}
	bus.stop()
	for range still / testTick {
		time.Sleep(testTick)
		world.step()
	}
	most = 0
	bus.goOn()
	for range 100 {
		for s := 1; s < len(g.guids); s++ {
			g.say(s)
		}
		step()
	}
	for range 20 {
		step()
	}
	synctest.Wait()
	g.read(t)
	select {
	case err := <-g.failed:
		t.Fatalf("the gateway has ended: %v", err)
	default:
	}
	if got, want := x.Newest(), world.exchange.Newest(); got != want {
		t.Errorf("the gateway has tick %d, the world %d", got, want)
	}
	if keyframes == 0 && most != ring/4 {
		t.Errorf("up to %d ticks were published between two flushes, want a quarter of the %d that are kept", most, ring)
	}
	if n := g.end.config.Metric.Value(Keyframes); n != keyframes {
		t.Errorf("it has gone on with %d keyframes, want %d", n, keyframes)
	}
	if len(world.dropped) != 0 || len(world.cells) != 4 {
		t.Errorf("players were dropped: %v; %d are in the world, want 4", world.dropped, len(world.cells))
	}
	for s := 1; keyframes == 0 && s < len(g.guids); s++ {
		if want := world.got[g.guids[s]]; !bytes.Equal(g.got[s], want) || len(want) == 0 {
			t.Errorf("player %d was sent %d bytes, which differ from the %d beside the world", g.guids[s], len(g.got[s]), len(want))
		}
	}
}
