package remote

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/corrupt"
	"muster/internal/metric"
	"muster/net/replication/frame"
)

// A loggedWorld is a world whose inboxes are logged, with its end.
type loggedWorld struct {
	*testWorld
	end  *World
	sent []uint64 // ticks whose frames Run has published
}

func newLoggedWorld(bus Bus) *loggedWorld {
	w := &loggedWorld{testWorld: newTestWorld()}
	w.end = NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: w.exchange, Logged: true, Kept: 50, Metric: new(metric.Table), Sent: func(tick uint64) { w.sent = append(w.sent, tick) }})
	return w
}

// step runs a tick, which the log is to have: it returns the bytes.
func (w *loggedWorld) step() []byte {
	var in frame.Inbox
	w.exchange.Take(&in)
	b, _ := in.AppendBinary(nil)
	w.run(&in)
	return b
}

func inboxOf(b []byte) *frame.Inbox {
	in := new(frame.Inbox)
	if err := in.UnmarshalBinary(b); err != nil {
		panic(err)
	}
	return in
}

// follow runs a tick as the log has it.
func (w *loggedWorld) follow(t *testing.T, b []byte) {
	t.Helper()
	in := inboxOf(b)
	if err := w.end.Follow(in, w.run(in)); err != nil {
		t.Fatal(err)
	}
}

// A world that another process continues: over a bus that loses, repeats and reorders, each player's input reaches it once and in
// order, all players are sent the same bytes as beside the world, and reports arrive once. What the log does not have when the
// first process ends, although that has run it, is read by the second.
func TestAnotherProcessContinues(t *testing.T) {
	for seed := range uint64(8) {
		synctest.Test(t, func(t *testing.T) { another(t, seed) })
	}
}

// ticks are those from one to another.
func ticks(from, to uint64) (all []uint64) {
	for n := from; n <= to; n++ {
		all = append(all, n)
	}
	return all
}

func another(t *testing.T, seed uint64) {
	bus := newBus(seed)
	ctx, cancel := context.WithCancel(t.Context())
	defer synctest.Wait()
	defer cancel()
	living, kill := context.WithCancel(ctx)
	defer kill()
	one, two := newLoggedWorld(bus), newLoggedWorld(bus)
	one.end.Lead(1, 9)
	go one.end.Run(living)
	gateways := []*testGateway{newTestGateway(ctx, bus, 1, 3, 1), newTestGateway(ctx, bus, 2, 300, 1)}
	step := func() {
		time.Sleep(testTick)
		b := one.step()
		one.end.Commit(one.n, inboxOf(b))
		two.follow(t, b)
	}
	for range 40 {
		step()
	}
	for _, g := range gateways {
		<-g.end.Ready()
		g.enter()
	}
	bus.set(0.1, 0.1, 60, false)
	talk := func() {
		for _, g := range gateways {
			for s := 1; s < len(g.guids); s += 1 + len(g.guids)/20 {
				g.say(s)
			}
		}
	}
	for n := range 100 {
		if n < 80 {
			talk()
		}
		step()
		for _, g := range gateways {
			g.read(t)
		}
	}
	talk()
	for range 20 { // without the log
		time.Sleep(testTick)
		one.step()
	}
	if newest := gateways[0].exchange.Newest(); newest > two.n {
		t.Errorf("a gateway has tick %d, and the log has %d", newest, two.n)
	}
	kill()
	synctest.Wait()
	log := two.n
	two.end.Lead(2, 9)
	go two.end.Run(ctx)
	for n := range 300 {
		if n < 60 {
			talk()
		}
		time.Sleep(testTick)
		two.end.Commit(two.n+1, inboxOf(two.step()))
		for _, g := range gateways {
			g.read(t)
		}
	}
	synctest.Wait()
	if want := ticks(1, log); !slices.Equal(one.sent, want) {
		t.Errorf("the first process has published %v, want the ticks of the log, up to %d", one.sent, log)
	}
	if want := ticks(log+1, two.n); !slices.Equal(two.sent, want) {
		t.Errorf("the second process has published %v, want those after the log, %d to %d", two.sent, log+1, two.n)
	}
	for _, g := range gateways {
		for s, guid := range g.guids[1:] {
			want := make([]uint32, g.sent[s+1])
			for i := range want {
				want[i] = uint32(i + 1)
			}
			if !slices.Equal(two.heard[guid], want) {
				t.Fatalf("seed %d: the world has read %v of player %d, want 1 to %d", seed, two.heard[guid], guid, len(want))
			}
			if !bytes.Equal(g.got[s+1], two.got[guid]) {
				t.Fatalf("seed %d: player %d was sent %d bytes, want %d", seed, guid, len(g.got[s+1]), len(two.got[guid]))
			}
			if !slices.Equal(g.versions[guid], two.saved[guid]) {
				t.Fatalf("seed %d: player %d was saved in %v, want %v", seed, guid, g.versions[guid], two.saved[guid])
			}
		}
		select {
		case err := <-g.failed:
			t.Fatalf("seed %d: the gateway ended with %v", seed, err)
		default:
		}
	}
}

// An end that begins with a snapshot has the gateways, their sessions and players of the one that has taken it. One whose gateway
// had fallen silent before takes its players out, also if it is continued once more before they have left.
func TestRestoredEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus := newBus(1)
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		living, kill := context.WithCancel(ctx)
		defer kill()
		one := newLoggedWorld(bus)
		one.end.Lead(1, 9)
		go one.end.Run(living)
		step := func() {
			time.Sleep(testTick)
			one.end.Commit(one.n+1, inboxOf(one.step()))
		}
		g := newTestGateway(ctx, bus, 1, 2, 1)
		for range 20 {
			step()
		}
		<-g.end.Ready()
		g.enter()
		g.say(1)
		for range 10 {
			step()
		}
		kill()
		synctest.Wait()
		two := newLoggedWorld(bus)
		two.testWorld.n, two.guids, two.cells, two.cursors = one.n, one.guids, one.cells, one.cursors
		if err := two.end.Restore(one.n, one.end.AppendRoster(nil), one.guids); err != nil {
			t.Fatal(err)
		}
		two.exchange.Join(one.n)
		living, kill = context.WithCancel(ctx)
		defer kill()
		two.end.Lead(2, 9)
		go two.end.Run(living)
		g.say(1)
		for range 30 {
			time.Sleep(testTick)
			two.end.Commit(two.testWorld.n+1, inboxOf(two.step()))
		}
		if got := two.heard[g.guids[1]]; !slices.Equal(got, []uint32{2}) || g.exchange.Newest() < one.n+20 {
			t.Errorf("the second process has read %v, want [2]; the gateway has tick %d of %d", got, g.exchange.Newest(), two.testWorld.n)
		}
		later := []*testGateway{newTestGateway(ctx, bus, 2, 1, 1), newTestGateway(ctx, bus, 3, 1, 1)}
		for range 20 {
			time.Sleep(testTick)
			two.end.Commit(two.testWorld.n+1, inboxOf(two.step()))
		}
		for _, g := range later {
			<-g.end.Ready()
		}
		if r, err := readRoster(two.end.AppendRoster(nil)); err != nil || len(r.seats) != 3 {
			t.Errorf("the log has the gateways %+v, %v, want three", r.seats, err)
		}
		bus.set(0, 0, 0, true)
		follower := newLoggedWorld(bus)
		follower.testWorld.n = two.testWorld.n
		if err := follower.end.Restore(two.testWorld.n, two.end.AppendRoster(nil), maps.Clone(two.guids)); err != nil {
			t.Fatal(err)
		}
		for range int(silence/testTick) + 10 {
			time.Sleep(testTick)
			b := two.step()
			two.end.Commit(two.testWorld.n, inboxOf(b))
			follower.follow(t, b)
		}
		for _, guid := range g.guids[1:] {
			if two.dropped[guid] != 1 {
				t.Errorf("player %d was dropped %d times, want once", guid, two.dropped[guid])
			}
		}
		kill()
		synctest.Wait()
		bus.set(0, 0, 0, false)
		three := newLoggedWorld(bus)
		three.testWorld.n, three.guids, three.cells, three.cursors = two.testWorld.n, two.guids, two.cells, two.cursors
		if err := three.end.Restore(three.testWorld.n, two.end.AppendRoster(nil), maps.Clone(two.guids)); err != nil {
			t.Fatal(err)
		}
		for name, end := range map[string]*World{"a follower": follower.end, "one from a snapshot": three.end} {
			if len(end.gateways) != 0 || len(end.gone) != 1 || len(end.gone[0].players) != 2 || len(end.owners) != 2 {
				t.Errorf("%s has %d gateways, and of those that are gone %+v, want one with two players", name, len(end.gateways), end.gone)
			}
		}
		three.exchange.Join(three.testWorld.n)
		three.end.Lead(3, 9)
		go three.end.Run(ctx)
		next := newTestGateway(ctx, bus, 4, 1, 1)
		for range 40 {
			time.Sleep(testTick)
			three.end.Commit(three.testWorld.n+1, inboxOf(three.step()))
		}
		<-next.end.Ready()
		if len(three.cells) != 2 {
			t.Errorf("%d players of a gateway that is gone are in the world when another has come, want two", len(three.cells))
		}
		for range int((goneTime + leaveTime) / testTick) {
			time.Sleep(testTick)
			three.end.Commit(three.testWorld.n+1, inboxOf(three.step()))
		}
		if len(three.cells) != 0 || len(three.end.gone) != 0 {
			t.Errorf("%d of them are there two minutes later, of %d gateways", len(three.cells), len(three.end.gone))
		}
	})
}

// A process that continues a log which lacks what a gateway has seen is not followed.
func TestShorterLogIsNotFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		bus := newBus(1)
		living, kill := context.WithCancel(ctx)
		defer kill()
		one := newLoggedWorld(bus)
		one.end.Lead(1, 9)
		go one.end.Run(living)
		g := newTestGateway(ctx, bus, 1, 1, 1)
		roster, at := []byte(nil), uint64(0)
		for n := range 40 {
			time.Sleep(testTick)
			one.end.Commit(one.n+1, inboxOf(one.step()))
			if n == 30 {
				roster, at = one.end.AppendRoster(nil), one.n
			}
		}
		<-g.end.Ready()
		kill()
		synctest.Wait()
		two := newLoggedWorld(bus)
		two.testWorld.n = at
		if err := two.end.Restore(at, roster, nil); err != nil {
			t.Fatal(err)
		}
		two.exchange.Join(at)
		two.end.Lead(2, 9)
		go two.end.Run(ctx)
		if err := <-g.failed; !errors.Is(err, ErrLost) {
			t.Errorf("the gateway ended with %v, want ErrLost", err)
		}
	})
}

// What a log has of a gateway, written by hand.
const seatBytes = "07" + "0807060504030201" + "09" + "ac02" + "01" + "02" + "00" + "03"

func TestSeatBytes(t *testing.T) {
	s := seat{number: 7, life: 0x0102030405060708, birth: 9, input: 300, gone: true, blocks: []uint32{0, 3}}
	var w writer
	s.append(&w)
	if got := hex.EncodeToString(w.b); got != seatBytes {
		t.Errorf("%s, want %s", got, seatBytes)
	}
	r := roster{}
	r.set(s)
	var all writer
	r.append(&all)
	if got := hex.EncodeToString(all.b); got != "01"+seatBytes {
		t.Errorf("%s, want 01%s", got, seatBytes)
	}
	for b := range corrupt.Bytes(5000, all.b) {
		if r, err := readRoster(b); err == nil {
			for _, s := range r.seats {
				if len(s.blocks) > len(b) {
					t.Fatalf("%x has %d blocks", b, len(s.blocks))
				}
			}
		}
	}
	s.blocks = nil
	if r.set(s); len(r.seats) != 0 {
		t.Errorf("a gateway that is gone, without sessions, is still there: %+v", r.seats)
	}
}
