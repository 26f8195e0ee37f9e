package remote

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/metric"
	"muster/net/replication/frame"
)

// A world hands its players over, over a bus that loses messages: each gateway has the characters of its own, each once, also of one that enters meanwhile. Then
// the world ends, which each gateway is told, and is known to be followed by another one. It is all done in a time that is bounded.
func TestHandOver(t *testing.T) {
	for seed := range uint64(8) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer synctest.Wait()
			defer cancel()
			bus := newBus(seed)
			bus.set(0.2, 0.1, 60, false)
			world := newTestWorld()
			end := NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 7, Metric: new(metric.Table)})
			go end.Run(ctx)
			gateways := []*testGateway{newTestGateway(ctx, bus, 1, 4, 1), newTestGateway(ctx, bus, 2, 9, 1)}
			steps := func(n int) {
				for range n {
					time.Sleep(testTick)
					world.step()
				}
			}
			for _, g := range gateways {
				<-g.end.Ready()
				g.enter()
			}
			for range 2000 { // the bus may lose what they enter with again and again
				if len(world.cells) < 4+9 {
					steps(1)
				}
			}
			if n := len(world.cells); n != 4+9 {
				t.Fatalf("seed %d: %d players are in the world", seed, n)
			}
			late := gateways[1].guids[1] // it has left, and enters again
			gateways[1].post(1, frame.OpLeave, nil)
			for len(world.cells) == 4+9 {
				steps(1)
			}
			steps(1)
			gateways[1].post(1, frame.OpEnter, binary.LittleEndian.AppendUint64(nil, late))
			for world.exchange.Empty() {
				time.Sleep(time.Millisecond)
			}
			over := make(chan error, 1)
			go func() {
				bounded, done := context.WithTimeout(ctx, 10*time.Second)
				defer done()
				over <- end.HandOver(bounded)
			}()
			var err error
			for waits := true; waits; {
				select {
				case err = <-over:
					waits = false
				case <-time.After(testTick):
					world.step()
				}
			}
			if err != nil || len(world.cells) != 0 {
				t.Fatalf("seed %d: %v, and %d players are in the world", seed, err, len(world.cells))
			}
			for i, g := range gateways {
				var got, want []string
				for _, d := range g.exchange.Departed() {
					if !d.Away && string(d.Character) != fmt.Sprintf("character %d", late) {
						t.Errorf("seed %d: %s leaves, and goes nowhere", seed, d.Character)
					}
					if d.Away {
						got = append(got, fmt.Sprint(d.Session, string(d.Character)))
					}
				}
				for s := 1; s < len(g.guids); s++ {
					want = append(want, fmt.Sprint(s, "character ", g.guids[s]))
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Errorf("seed %d: gateway %d has %q, want %q", seed, i+1, got, want)
				}
			}
			released, done := context.WithTimeout(ctx, 5*time.Second)
			defer done()
			if err := end.Release(released); err != nil && !errors.Is(err, context.DeadlineExceeded) { // what a gateway says as it ends may be lost
				t.Errorf("seed %d: %v", seed, err)
			}
			for _, g := range gateways {
				if err := <-g.failed; !errors.Is(err, ErrMoved) || g.end.Least() != 8 {
					t.Errorf("seed %d: the gateway ended with %v, and takes a world of life %d; want ErrMoved, 8", seed, err, g.end.Least())
				}
			}
		})
	}
}

// A world that does not let its players go, or whose gateway is cut off, is waited for no longer than it is said.
func TestHandOverIsBounded(t *testing.T) {
	for _, cut := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer synctest.Wait()
			defer cancel()
			bus := newBus(1)
			world, end, _ := pair(ctx, bus, 3)
			over := make(chan error, 1)
			go func() {
				bounded, done := context.WithTimeout(ctx, time.Second)
				defer done()
				over <- end.HandOver(bounded)
			}()
			if synctest.Wait(); cut {
				bus.set(0, 0, 0, true)
				world.step()
			} // else it ticks no more
			if err := <-over; !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("cut off %v: %v, want that the time is up", cut, err)
			}
		})
	}
}

// Another world has the map while the one before goes on, which has not heard of it yet: the gateway takes that one's frames, until it has ended. If it does not end, the gateway
// goes on with the other after replacedTime, and if it is silent after aliveTime.
func TestReplacedWorld(t *testing.T) {
	for _, how := range []string{"it ends", "it goes on", "it is silent"} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer synctest.Wait()
			defer cancel()
			bus := newBus(1)
			world := newTestWorld()
			first, stop := context.WithCancel(ctx)
			defer stop()
			end := NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 1, Metric: new(metric.Table)})
			go end.Run(first)
			g := newTestGateway(ctx, bus, 1, 3, 1)
			<-g.end.Ready()
			g.enter()
			for range 10 {
				time.Sleep(testTick)
				world.step()
			}
			second := newTestWorld()
			other := NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: second.exchange, Life: 2, Metric: new(metric.Table)})
			go other.Run(ctx)
			began := time.Now()
			if how == "it is silent" {
				world.exchange.Stop() // so that it does not say that it ends
				stop()
			}
			var over chan error
			ended := false
			for at := 0; ; at++ {
				if at == 20 && how != "it is silent" {
					if n := g.exchange.Newest(); n+2 < world.n || len(g.failed) > 0 {
						t.Errorf("%s: the gateway has tick %d of %d", how, n, world.n)
					}
				}
				if at == 20 && how == "it ends" {
					over = make(chan error, 1)
					go func() { over <- end.HandOver(ctx) }()
				}
				select {
				case <-over:
					ended = true
					if err := end.Release(ctx); err != nil {
						t.Error(err)
					}
					over = nil
				case <-time.After(testTick):
					if how != "it is silent" && !ended {
						world.step()
					}
					second.step()
					continue
				case err := <-g.failed:
					took, departed := time.Since(began), g.exchange.Departed()
					if !errors.Is(err, ErrLost) || errors.Is(err, ErrMoved) != (how == "it ends") || g.end.Least() != 2 {
						t.Errorf("%s: %v, and takes a world of life %d; want ErrLost, 2", how, err, g.end.Least())
					}
					least, most, gone := 20*testTick, 30*testTick, 3
					switch how {
					case "it goes on":
						least, most, gone = replacedTime, replacedTime+time.Second, 0
					case "it is silent":
						least, most, gone = 0, aliveTime+2*heartbeat, 0
					}
					if took < least || took > most || len(departed) != gone {
						t.Errorf("%s: after %v with %d players, want %v to %v, %d", how, took, len(departed), least, most, gone)
					}
					return
				}
			}
		})
	}
}
