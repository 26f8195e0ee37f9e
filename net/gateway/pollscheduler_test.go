package gateway

import (
	"testing"
	"time"

	"muster/net/protocol/msg"
	"muster/net/replication/frame"
	"muster/sched/ladder"
)

// TestNextDrain goes from drain point to drain point: the one before a tick leaves a tenth of the step, the others
// divide the rest, and no clock that is set by a little meanwhile has two of them close together.
func TestNextDrain(t *testing.T) {
	for step, points := range map[time.Duration]int{
		50 * time.Millisecond: 4, 56 * time.Millisecond: 4, 28 * time.Millisecond: 2, 14 * time.Millisecond: 1, 7 * time.Millisecond: 1,
	} {
		period, late := step/time.Duration(points), step/70
		at, want := 40*step, 1%points
		for i := range 400 {
			pause, point := nextDrain(at, step)
			if pause < period/2 || pause > period*3/2 || point != want {
				t.Fatalf("at %v of steps of %v the next is point %d in %v, want point %d", at, step, point, pause, want)
			}
			at += pause + late // as timers are
			due := (time.Duration(point)*period + step - step/10) % step
			if after := (at - due + step) % step; after > 3*late {
				t.Fatalf("point %d is at %v of a step of %v, due at %v", point, at%step, step, due)
			}
			at += time.Duration(i%3-1) * late // the clock is set
			want = (want + 1) % points
		}
		still, _ := nextDrain(7*time.Millisecond, step)
		if still < period/2 || still > period*3/2 {
			t.Errorf("a clock that stands still has a drain point every %v, in steps of %v", still, step)
		}
	}
}

// Drain points go by the clock of the world in which most of the gateway's players are.
func TestDrainPointsGoByTheFullestWorld(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	b := r.dial("BOB").login().character().enter()
	players := func(first, second int32, fullest uint32) {
		t.Helper()
		until(t, "the players are where they are", func() bool {
			return r.gate.linkOf(1).inside.Load() == first && r.gate.linkOf(2).inside.Load() == second && r.gate.fullest().id == fullest
		})
	}
	players(2, 0, 1)
	for _, c := range []*testClient{a, b} {
		c.travel()
		c.say(msg.OpMoveWorldportAck, &msg.Empty{})
		c.expect(msg.OpTimeSyncReq)
	}
	players(0, 2, 2)
	a.travel()
	a.say(msg.OpMoveWorldportAck, &msg.Empty{})
	a.expect(msg.OpTimeSyncReq)
	b.say(msg.OpPlayerLogout, &msg.Empty{})
	b.expect(msg.OpLogoutComplete)
	players(1, 0, 1)
}

// Where the world is in another process, the drain point is as much sooner as a message takes to it, also in the shortest steps.
func TestDrainPointsLeaveTimeForMessages(t *testing.T) {
	const step = 7 * time.Millisecond
	port := frame.NewExchange()
	port.Now = func() time.Duration { return 100 * step }
	g := &Gate{config: Config{Quantum: step, HeldStep: 1, Pace: func() ladder.Rung { return ladder.Rung{Stride: 1, Phases: 1} }}}
	g.links.Store(&[]*worldLink{{port: port}})
	g.pollScheduler.gate = g
	for lead, want := range map[time.Duration]time.Duration{-1: 6300 * time.Microsecond, 0: 6300 * time.Microsecond, time.Millisecond: 5300 * time.Microsecond} {
		if port.Lead = func() time.Duration { return lead }; lead < 0 {
			port.Lead = nil
		}
		if pause, skips := g.pollScheduler.next(); pause != want || skips {
			t.Errorf("with %v for a message the next drain point is in %v, want %v", lead, pause, want)
		}
	}
}

// While all connections are in a world every second drain point is skipped, where there are several of a step, and never the one before the tick.
func TestDrainPointsAreSkipped(t *testing.T) {
	for _, c := range []struct{ step, next, settled time.Duration }{ // from a tick on
		{7 * time.Millisecond, 6300 * time.Microsecond, 6300 * time.Microsecond},
		{14 * time.Millisecond, 12600 * time.Microsecond, 12600 * time.Microsecond},
		{28 * time.Millisecond, 11200 * time.Microsecond, 25200 * time.Microsecond},
		{50 * time.Millisecond, 7500 * time.Microsecond, 20 * time.Millisecond},
		{56 * time.Millisecond, 8400 * time.Microsecond, 22400 * time.Microsecond},
	} {
		port := frame.NewExchange()
		port.Now = func() time.Duration { return 100 * c.step }
		g := &Gate{config: Config{Quantum: c.step, HeldStep: 1, Pace: func() ladder.Rung { return ladder.Rung{Stride: 1, Phases: 1} }}}
		g.links.Store(&[]*worldLink{{port: port}})
		g.pollScheduler.gate = g
		pause, skips := g.pollScheduler.next()
		if pause != c.settled || skips != (c.next != c.settled) {
			t.Errorf("in steps of %v the next drain point is in %v, skipped %v, want %v", c.step, pause, skips, c.settled)
		}
		g.counters.move(0, msg.Select)
		if pause, skips = g.pollScheduler.next(); pause != c.next || skips {
			t.Errorf("in steps of %v the next drain point is in %v, skipped %v, with a connection at the character screen, want %v", c.step, pause, skips, c.next)
		}
	}
}

// In short steps loops are not held while someone is on the way into a world; in long ones they are.
func TestLoopsAreNotHeldForNewcomers(t *testing.T) {
	stride := uint64(1)
	g := &Gate{config: Config{Quantum: 7 * time.Millisecond, HeldStep: 1, Pace: func() ladder.Rung { return ladder.Rung{Stride: stride, Phases: 1} }}}
	for _, c := range []struct {
		from, to    msg.State
		short, long bool
	}{
		{0, msg.Fresh, false, true}, {msg.Fresh, msg.Select, true, true}, {msg.Select, msg.Entering, false, true}, {msg.Entering, msg.World, true, true},
		{msg.World, msg.Transfer, false, true}, {msg.Transfer, msg.World, true, true},
	} {
		g.counters.move(c.from, c.to)
		stride = 1
		short := g.holds()
		stride = 8
		if long := g.holds(); short != c.short || long != c.long {
			t.Errorf("in state %v loops are held: %t in steps of 7 ms, %t in those of 56 ms; want %t and %t", c.to, short, long, c.short, c.long)
		}
	}
}
