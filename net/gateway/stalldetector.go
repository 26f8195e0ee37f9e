package gateway

import "time"

// A stallDetector measures for how long a loop has read nothing, because the machine, the process or the loop stood still. What
// its clients have sent meanwhile arrives all at once, and is no flood. The zero stallDetector has seen no stall.
type stallDetector struct {
	drained time.Time     // the last drain point
	length  time.Duration // of the last stall that counts,
	ended   time.Time     // and when it ended
}

const (
	stallLeast = time.Second // shorter ones are within what a client may send in a second
	// stallEcho is how long after a stall something may still arrive that waited for its end: in what the loop reads
	// next, and in what clients had no room to send.
	stallEcho = 2 * time.Second
)

// drain notes a drain point.
func (g *stallDetector) drain(now time.Time) {
	if d := now.Sub(g.drained); d >= stallLeast && !g.drained.IsZero() {
		g.length, g.ended = d, now
	}
	g.drained = now
}

// lag is how long what is read now may have waited.
func (g *stallDetector) lag(now time.Time) (lag time.Duration) {
	if !g.drained.IsZero() {
		lag = now.Sub(g.drained)
	}
	if g.length > 0 && now.Sub(g.ended) < stallEcho {
		lag = max(lag, g.length)
	}
	return lag
}
