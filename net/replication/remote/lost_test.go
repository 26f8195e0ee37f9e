package remote

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/metric"
	"muster/net/replication/frame"
)

// A pair is a world and a gateway on a bus without faults, the gateway with players in the world.
func pair(ctx context.Context, bus *faultyBus, players int) (world *testWorld, end *World, g *testGateway) {
	world = newTestWorld()
	end = NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 1, Metric: new(metric.Table)})
	go end.Run(ctx)
	g = newTestGateway(ctx, bus, 1, players, 1)
	<-g.end.Ready()
	world.step()
	g.enter()
	synctest.Wait()
	world.step()
	synctest.Wait()
	return world, end, g
}

// A gateway that falls silent is dropped after silence, and each of its players once; a gateway whose world is silent ends, and
// its exchange with it.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		bus := newBus(1)
		world, _, g := pair(ctx, bus, 3)
		if g.exchange.Newest() != 2 {
			t.Fatalf("the gateway has tick %d, want 2", g.exchange.Newest())
		}
		bus.set(0, 0, 0, true)
		time.Sleep(silence - time.Second)
		if world.step(); len(world.dropped) > 0 || g.exchange.Stopped() {
			t.Errorf("before the time is up: dropped %v, the exchange stopped: %v", world.dropped, g.exchange.Stopped())
		}
		time.Sleep(2 * time.Second)
		world.step()
		for _, guid := range g.guids[1:] {
			if world.dropped[guid] != 1 {
				t.Errorf("player %d was dropped %d times, want once", guid, world.dropped[guid])
			}
		}
		if err := <-g.failed; !errors.Is(err, ErrLost) || !g.exchange.Stopped() {
			t.Errorf("the gateway ended with %v, stopped: %v; want ErrLost", err, g.exchange.Stopped())
		}
	})
}

// A gateway that says goodbye is dropped at once. One that begins anew comes in while the players of its earlier life are there, and
// has none of their sessions.
func TestNextLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		bus := newBus(1)
		first, leave := context.WithCancel(ctx)
		world := newTestWorld()
		end := NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 1, Metric: new(metric.Table)})
		go end.Run(ctx)
		g := newTestGateway(first, bus, 1, 3, 1)
		<-g.end.Ready()
		g.enter()
		synctest.Wait()
		world.step()
		leave()
		<-g.failed
		synctest.Wait()
		world.step()
		if world.dropped[g.guids[1]] != 1 {
			t.Errorf("a player was dropped %d times, want once", world.dropped[g.guids[1]])
		}
		again := newTestGateway(ctx, bus, 1, 3, 2)
		for ready := false; !ready; {
			select {
			case <-again.end.Ready():
				ready = true
			case <-time.After(testTick):
				world.step()
			}
		}
		if len(world.cells) != 3 {
			t.Errorf("%d players of the earlier life of the gateway are in the world, want 3", len(world.cells))
		}
		for i := range again.guids {
			again.guids[i] += 500
		}
		again.enter()
		synctest.Wait()
		world.step()
		for session, guid := range world.guids {
			if old := session/blockSessions == 0; old == (guid >= 1500) {
				t.Errorf("session %d is of player %d: players of the first life are still in the world", session, guid)
			}
		}
	})
}

// A gateway that its world has given up ends, although the bus is back before it has noticed.
func TestGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		bus := newBus(1)
		world, _, g := pair(ctx, bus, 1)
		var m writer
		m.begin(kindBye, 1)
		m.number(1)
		bus.Publish(testAddress.in(), m.b) // as if it were silent
		for range int(silence/testTick) / 2 {
			select {
			case err := <-g.failed:
				if !errors.Is(err, ErrLost) {
					t.Errorf("the gateway ended with %v, want ErrLost", err)
				}
				return
			case <-time.After(testTick):
				world.step()
			}
		}
		t.Error("the gateway goes on")
	})
}

// A gateway whose world begins anew ends, and so does one that missed more than the world has kept.
func TestLostWorld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		bus := newBus(1)
		world, end, g := pair(ctx, bus, 1)
		world.exchange.Keep = 10
		bus.set(0, 0, 0, true)
		for range 20 {
			world.step()
			synctest.Wait()
		}
		end.gateways[1].backlog.since = world.n // as if that had been too much
		bus.set(0, 0, 0, false)
		if err := <-g.failed; !errors.Is(err, ErrLost) {
			t.Errorf("after 20 ticks without a bus, a ring of 10, and no keyframe: %v, want ErrLost", err)
		}
		worldCtx, endFirst := context.WithCancel(ctx)
		other := newTestWorld()
		firstEnd := NewWorld(WorldConfig{Bus: bus, Address: Address{Realm: "test", Map: 2}, Exchange: other.exchange, Life: 5, Metric: new(metric.Table)})
		go firstEnd.Run(worldCtx)
		elsewhere := newGatewayOf(ctx, bus, Address{Realm: "test", Map: 2})
		<-elsewhere.Ready()
		endFirst()
		synctest.Wait()
		anew := newTestWorld()
		second := NewWorld(WorldConfig{Bus: bus, Address: Address{Realm: "test", Map: 2}, Exchange: anew.exchange, Life: 6, Metric: new(metric.Table)})
		go second.Run(ctx)
		for !elsewhere.config.Exchange.Stopped() {
			time.Sleep(heartbeat)
		}
	})
}

// A gateway hears at once that a world has ended in order, and takes only a newer one after it: if it has all reports, and the world had not failed before.
func TestMovedWorld(t *testing.T) {
	for _, c := range []struct {
		name              string
		reports           uint64 // that the gateway has, of 2
		failed, wantMoved bool
	}{{"in order", 2, false, true}, {"without a report", 1, false, false}, {"failed", 2, true, false}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer synctest.Wait()
				defer cancel()
				bus, world := newBus(1), newTestWorld()
				ending, end := context.WithCancel(ctx)
				w := NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 4, Metric: new(metric.Table)})
				go w.Run(ending)
				g := newTestGateway(ctx, bus, 1, 1, 1)
				<-g.end.Ready()
				synctest.Wait()
				w.gateways[1].reports.next, g.end.reports.last = 2, c.reports
				g.end.mail <- nil // which is no message: the gateway reads what was written before it
				if c.failed {
					world.exchange.Stop()
				}
				end()
				began := time.Now()
				err := <-g.failed
				if moved := errors.Is(err, ErrMoved); !errors.Is(err, ErrLost) || moved != c.wantMoved || g.exchange.Moved() != c.wantMoved || !g.exchange.Stopped() {
					t.Errorf("it ended with %v, the exchange moved: %v, stopped: %v; want moved: %v", err, g.exchange.Moved(), g.exchange.Stopped(), c.wantMoved)
				}
				if took := time.Since(began); c.wantMoved && (took > 0 || g.end.Least() != 5) {
					t.Errorf("it ended after %v, and %d may follow; want at once, and 5", took, g.end.Least())
				}
			})
		})
	}
}

// A character that a world has not, although its end believes that it is there through another gateway, stops the input of the one that
// brings it for a few seconds only; and so does one of a gateway that is gone.
func TestNotThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		bus, counters := newBus(1), new(metric.Table)
		world := newTestWorld()
		end := NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 1, Metric: counters})
		go end.Run(ctx)
		one, two := newTestGateway(ctx, bus, 1, 2, 1), newTestGateway(ctx, bus, 2, 1, 1)
		guid := two.guids[1]
		two.op = frame.OpArrive
		<-one.end.Ready()
		<-two.end.Ready()
		synctest.Wait()
		p := end.gateways[1]
		p.players[p.blocks[0]*blockSessions+9], end.owners[guid] = guid, p
		two.enter()
		steps := func(n int) {
			for range n {
				<-time.After(testTick)
				synctest.Wait()
				world.step()
			}
			synctest.Wait() // what follows reads and writes what the world's end has
		}
		steps(int(2 * time.Second / testTick))
		if len(world.cells) != 0 {
			t.Errorf("%d players are in the world, want none yet", len(world.cells))
		}
		steps(int(3 * time.Second / testTick))
		if n := counters.Value(NotThere); len(world.cells) != 1 || n != 1 || end.owners[guid] != end.gateways[2] || len(end.leaving) != 0 {
			t.Errorf("%d players are in the world, and %d were not there; want 1 and 1", len(world.cells), n)
		}
		p.players[p.blocks[0]*blockSessions+10], end.owners[77] = 77, p
		again := newTestGateway(ctx, bus, 1, 1, 2)
		steps(int(time.Second / testTick))
		select {
		case <-again.end.Ready():
		default:
			t.Error("another process with the number of a gateway that is gone is not answered")
		}
		steps(int((goneTime + 4*time.Second) / testTick))
		if n := counters.Value(NotThere); n != 2 || len(end.gone) != 0 {
			t.Errorf("%d were not there, and %d gateways are gone with players; want 2 and none", n, len(end.gone))
		}
	})
}

// A character that another gateway brings from another map is taken out first, where it is in the world through one that has lost its claim. It
// is there once at a time, and what its new gateway sends afterwards arrives in order.
func TestExpelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { bring(t, frame.OpArrive, 1, 2) })
}

// One that enters stays where it is, and gets a session of its new gateway.
func TestTakenOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { bring(t, frame.OpEnter, 0, 0) })
}

// bring has a gateway bring a character that is in the world through another one, which is to be expelled from least to most times.
func bring(t *testing.T, op uint16, least, most uint64) {
	ctx, cancel := context.WithCancel(t.Context())
	defer synctest.Wait()
	defer cancel()
	bus, counters := newBus(1), new(metric.Table)
	world := newTestWorld()
	end := NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 1, Metric: counters})
	go end.Run(ctx)
	one, two := newTestGateway(ctx, bus, 1, 2, 1), newTestGateway(ctx, bus, 2, 1, 1)
	two.guids[1], two.op = one.guids[1], op
	guid := one.guids[1]
	inside := func() (sessions []uint32) {
		for session := range world.cells {
			if world.guids[session] == guid {
				sessions = append(sessions, session)
			}
		}
		return sessions
	}
	<-one.end.Ready()
	<-two.end.Ready()
	one.enter()
	synctest.Wait()
	world.step()
	if got := inside(); len(got) != 1 {
		t.Fatalf("it is in the world as sessions %v, want one", got)
	}
	two.enter()
	for range 3 {
		two.say(1)
	}
	for range 60 {
		<-time.After(testTick)
		synctest.Wait()
		before := inside()
		world.step()
		if after := inside(); len(after) > 1 || op == frame.OpArrive && len(before) > 0 && len(after) > 0 && before[0] != after[0] {
			t.Fatalf("it is in the world as sessions %v a tick after %v", after, before)
		}
	}
	synctest.Wait()
	got := inside()
	if len(got) != 1 || end.owner(got[0]) != end.gateways[2] || len(world.cells) != 2 {
		t.Errorf("it is in the world as sessions %v, and %d players are, want one of the second gateway, and 2", got, len(world.cells))
	}
	if want := []uint32{1, 2, 3}; !slices.Equal(world.heard[guid], want) {
		t.Errorf("it has sent %v, want %v", world.heard[guid], want)
	}
	if n := counters.Value(Expelled); n < least || n > most {
		t.Errorf("it was taken out %d times", n)
	}
	if len(end.gateways[1].players) != 1 {
		t.Errorf("its old gateway has %d players, want the other one", len(end.gateways[1].players))
	}
}

// Snapshots that wait for the next report of snapshots are reported when the process of a world ends, and the exchange of the gateway has them.
func TestSavesAreReportedAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		bus, world := newBus(1), newTestWorld()
		ending, end := context.WithCancel(ctx)
		go NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 1, Metric: new(metric.Table)}).Run(ending)
		g := newTestGateway(ctx, bus, 1, 1, 1)
		<-g.end.Ready()
		world.step()
		g.enter()
		synctest.Wait()
		time.Sleep(saveEvery)
		for range 5 { // the fifth number that a player says is one at which it is saved
			g.say(1)
			synctest.Wait()
			world.step()
			synctest.Wait()
		}
		for g.sent[1] < 10 { // and the tenth
			g.say(1)
		}
		synctest.Wait()
		world.step()
		synctest.Wait()
		end()
		synctest.Wait()
		g.read(t)
		guid := g.guids[1]
		if got, want := g.versions[guid], world.saved[guid]; !slices.Equal(got, want) || len(want) != 2 {
			t.Errorf("the gateway has snapshots of ticks %v, want %v, both", got, want)
		}
	})
}
