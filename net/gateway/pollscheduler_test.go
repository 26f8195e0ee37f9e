package gateway

import (
	"testing"
	"time"

	"muster/net/protocol/msg"
)

// TestNextDrain goes from drain point to drain point: the one before a tick leaves a tenth of the step, the others
// divide the rest, and no rounding of the clock has two of them close together.
func TestNextDrain(t *testing.T) {
	const step, period = 50 * time.Millisecond, 12500 * time.Microsecond
	at, want := 2*time.Second, 1
	for range 400 {
		pause, point := nextDrain(at.Truncate(time.Millisecond), step)
		if pause < period/2 || pause > period*3/2 || point != want {
			t.Fatalf("at %v the next is point %d in %v, want point %d", at, point, pause, want)
		}
		at += pause + 700*time.Microsecond // as late as timers are
		due := (time.Duration(point)*period + step - step/readingShare) % step
		if late := (at - due + step) % step; late > 2*time.Millisecond {
			t.Fatalf("point %d is at %v of the step, due at %v", point, at%step, due)
		}
		want = (want + 1) % drainsPerStep
	}
	still, _ := nextDrain(7*time.Millisecond, step)
	if again, _ := nextDrain(7*time.Millisecond, step); still != again || still < period/2 || still > period*3/2 {
		t.Errorf("a clock that stands still has a drain point every %v", still)
	}
}

// A thread sleeps for the whole milliseconds of a delay, and has reached it then.
func TestTimerDelay(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{
		0: 100 * time.Microsecond, time.Microsecond: 100 * time.Microsecond, 100 * time.Microsecond: 100 * time.Microsecond,
		101 * time.Microsecond: 1100 * time.Microsecond, time.Millisecond: 1100 * time.Microsecond, 12500 * time.Microsecond: 13100 * time.Microsecond,
		25 * time.Millisecond: 25100 * time.Microsecond, 25101 * time.Microsecond: 26100 * time.Microsecond,
	} {
		if got := timerDelay(d); got != want {
			t.Errorf("a delay of %v becomes %v, want %v", d, got, want)
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
