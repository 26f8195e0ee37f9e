package gateway

import (
	"strings"
	"testing"
	"time"

	"muster/net/protocol/msg"
)

// TestTimesAreMeasured: every time that deadlines use has a reading of the monotonic clock, which cannot be set.
// FAULTS.md row 42.
func TestTimesAreMeasured(t *testing.T) {
	r := newRig(t, nil)
	r.dial("ALICE").login()
	r.onLoops(func(l *loop) {
		for _, c := range l.conns {
			heard, _ := c.session.Heard()
			for name, at := range map[string]time.Time{"since": c.since, "heard": heard, "swept": l.swept, "turn": l.turn.Now} {
				if !strings.Contains(at.String(), " m=") {
					t.Errorf("%s is %v", name, at)
				}
			}
		}
	})
}

// TestStandstill has a loop find that twenty seconds have gone by at once: no connection is closed for that, but
// one that sends nothing in the second after it is. FAULTS.md row 42.
func TestStandstill(t *testing.T) {
	r := newRig(t, nil)
	silent, in := r.dial("ALICE"), r.dial("BOB").login()
	silent.expect(msg.OpAuthChallenge)
	until(t, "the loops have looked", func() bool {
		looked := true
		r.onLoops(func(l *loop) { looked = looked && !l.swept.IsZero() })
		return looked
	})
	later := time.Now().Add(20 * time.Second)
	closing := func(at time.Time) (n int) {
		r.onLoops(func(l *loop) {
			l.sweep(at)
			n += len(l.marked)
		})
		return n
	}
	if n := closing(later); n != 0 {
		t.Errorf("%d connections are closed after a standstill", n)
	}
	if n := closing(later.Add(time.Second)); n != 1 {
		t.Errorf("%d connections are closed a second later, want the silent one", n)
	}
	r.closed(HandshakeTimeout, 1)
	in.ping(1)
}
