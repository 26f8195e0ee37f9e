package remote

import "time"

// looks is when an end looks after what it must repeat, and sends heartbeats: every lookEvery while it is busy, and else with the heartbeats. A
// look goes with what the end sends anyway if it would be due soon, so that a process that sleeps is not woken for it alone.
type looks struct {
	timer *time.Timer
	every time.Duration
	last  time.Time
}

func newLooks() *looks {
	return &looks{timer: time.NewTimer(heartbeat), every: heartbeat, last: time.Now()}
}

// done notes a look.
func (l *looks) done() {
	l.last = time.Now()
	l.timer.Reset(l.every)
}

// near reports whether a look is due soon.
func (l *looks) near() bool { return time.Since(l.last) >= l.every-lookEvery }

// follow has looks be so often.
func (l *looks) follow(busy bool, rest time.Duration) {
	every := rest
	if busy {
		every = lookEvery
	}
	if every == l.every {
		return
	}
	sooner := every < l.every
	l.every = every
	if sooner {
		l.timer.Reset(max(every-time.Since(l.last), 0))
	}
}
