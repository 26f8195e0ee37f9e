package remote

import "time"

// looks is when an end looks after what it must repeat: every lookEvery while it is busy, and else with its heartbeats.
type looks struct {
	timer *time.Timer
	busy  bool
	last  time.Time
}

func newLooks() *looks { return &looks{timer: time.NewTimer(heartbeat), last: time.Now()} }

// done notes a look.
func (l *looks) done() {
	l.last = time.Now()
	l.timer.Reset(l.every())
}

// follow has the next look be as soon as it must.
func (l *looks) follow(busy bool) {
	if busy == l.busy {
		return
	}
	l.busy = busy
	if busy {
		l.timer.Reset(max(l.every()-time.Since(l.last), 0))
	}
}

func (l *looks) every() time.Duration {
	if l.busy {
		return lookEvery
	}
	return heartbeat
}
