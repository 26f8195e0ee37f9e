package remote

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/metric"
	"muster/net/replication/frame"
)

// A gateway that misses more than the ring of its world has, so that both ends hear nothing of each other for 20 s, goes on with a keyframe, which arrives over a
// bus that loses, repeats and delays messages: its players stay in the world, are sent what concerns them alone of each tick once and in order, and then all
// that they see anew.
func TestKeyframe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		bus := newBus(3)
		world, end, g := pair(ctx, bus, 4)
		world.exchange.Keep = 200 // longer than a keyframe takes that is lost a few times: else another follows it
		step := func(n int, meanwhile func()) {
			for range n {
				<-time.After(testTick)
				meanwhile()
				world.step()
				synctest.Wait()
				g.read(t)
			}
		}
		step(5, func() {})
		bus.set(0, 0, 0, true)
		session := end.gateways[1].blocks[0]*blockSessions + 1
		said := 0
		step(400, func() {
			if said < 8 {
				said++
				world.builder.Bytes = append(world.builder.Bytes, packetOf(g.guids[1], string([]byte{'a' + byte(said)}))...)
				world.builder.Send(session, frame.Middle, world.builder.Cut())
			}
		})
		bus.set(0.2, 0.1, 80, false)
		before := len(g.got[1])
		step(200, func() {})
		bus.set(0, 0, 0, false)
		step(20, func() {})
		select {
		case err := <-g.failed:
			t.Fatalf("the gateway has ended: %v", err)
		default:
		}
		if got, want := g.exchange.Newest(), world.exchange.Newest(); got != want {
			t.Errorf("the gateway has tick %d, the world %d", got, want)
		}
		if len(world.dropped) != 0 || len(world.cells) != 4 {
			t.Errorf("players were dropped: %v; %d are in the world, want 4", world.dropped, len(world.cells))
		}
		if n := g.end.config.Metric.Value(Keyframes); n != 1 {
			t.Errorf("it has gone on with %d keyframes, want 1", n)
		}
		for s := 1; s < len(g.guids); s++ {
			if n := bytes.Count(g.got[s], packetOf(g.guids[s], "refreshed")); n != 1 {
				t.Errorf("player %d was sent all anew %d times, want once", g.guids[s], n)
			}
		}
		rest := g.got[1][before:]
		for i := range 8 {
			_, after, ok := bytes.Cut(rest, packetOf(g.guids[1], string([]byte{'b' + byte(i)})))
			if !ok {
				t.Fatalf("player 1 lacks the %d. packet of its own, or has it out of order", i+1)
			}
			rest = after
		}
		if !bytes.Contains(rest, packetOf(g.guids[1], "refreshed")) {
			t.Error("what was its own comes after the keyframe")
		}
	})
}

// A gateway without players that asks for a keyframe is sent the next frame, although its first player enters before that; the player misses nothing.
func TestKeyframeForFirstPlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		bus := newBus(3)
		world := newTestWorld()
		world.exchange.Keep = 40
		end := NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 1, Metric: new(metric.Table)})
		go end.Run(ctx)
		g := newTestGateway(ctx, bus, 1, 1, 1)
		<-g.end.Ready()
		step := func() {
			world.step()
			synctest.Wait()
		}
		bus.set(0, 0, 0, true)
		for range 100 {
			step()
		}
		for end.gateways[1].backlog.wanted.IsZero() {
			bus.set(0, 0, 0, false) // each time, so that what is read here is read before the world's end takes what comes by the bus
			time.Sleep(testTick)
			synctest.Wait()
		}
		g.enter()
		synctest.Wait()
		if len(end.gateways[1].players) != 1 {
			t.Fatal("the world has not been given the player: that is no test")
		}
		step()
		step()
		g.read(t)
		if n := g.end.config.Metric.Value(Keyframes); n != 1 {
			t.Errorf("it has gone on with %d keyframes, want 1", n)
		}
		if got, want := g.exchange.Newest(), world.exchange.Newest(); got != want {
			t.Errorf("the gateway has tick %d, the world %d", got, want)
		}
		if !bytes.Contains(g.got[1], packetOf(g.guids[1], "welcome")) || bytes.Contains(g.got[1], packetOf(g.guids[1], "refreshed")) {
			t.Errorf("the player was sent %q", g.got[1])
		}
	})
}

// A gateway that misses more than the ring of a world that has ended is told that nothing fills the gap: no tick makes a keyframe any more.
func TestNoKeyframeOfEndedWorld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		bus := newBus(3)
		world, _, g := pair(ctx, bus, 1)
		world.exchange.Keep = 40
		bus.set(0, 0, 0, true)
		for range 100 {
			world.step()
			synctest.Wait()
		}
		world.exchange.Stop()
		bus.set(0, 0, 0, false)
		select {
		case err := <-g.failed:
			if !errors.Is(err, ErrLost) {
				t.Errorf("the gateway has ended with %v, want ErrLost", err)
			}
		case <-time.After(10 * time.Second):
			t.Error("the gateway waits on")
		}
	})
}

// What a world keeps for a gateway that does not have it is bounded; what goes beyond is forgotten, and a gap that reaches back so far is not filled.
func TestBacklogIsBounded(t *testing.T) {
	b, half := backlog{since: 7}, make([]byte, 1<<20)
	for tick := range uint64(maxBacklog >> 20) {
		b.add(10+tick, half)
	}
	if b.size != maxBacklog || b.since != 7 {
		t.Errorf("%d bytes are kept since tick %d, want %d since 7", b.size, b.since, maxBacklog)
	}
	b.forget(10)
	if b.size != maxBacklog-1<<20 || b.since != 10 {
		t.Errorf("%d bytes are kept since tick %d when the gateway has tick 10", b.size, b.since)
	}
	b.add(50, half)
	if b.add(51, half); b.size != 0 || len(b.private) != 0 || b.since != 51 {
		t.Errorf("%d bytes are kept since tick %d, want none since 51", b.size, b.since)
	}
}
