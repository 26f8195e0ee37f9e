package swarm

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// A behind is how late the swarm itself is: for each read of a client, how long what it read may have lain there at
// most. That is part of every latency that is measured, and not the server's doing.
type behind struct {
	turned moment // when the poller last said what is ready
	since  moment // what is ready now was not before
	most   time.Duration
	times  *hdrhistogram.Histogram // in the measured time
}

// waits is how long the poller takes at least when it has nothing to say at once.
const waits = 100 * time.Microsecond

// turn is called when the poller, asked at a moment, has said what is ready. If it had to wait, that has only just
// come; else it has come since it was asked before.
func (b *behind) turn(asked, now moment) {
	b.since = b.turned
	if time.Duration(now-asked) >= waits {
		b.since = now
	}
	b.turned = now
}

// noteBehind is called after each read.
func (r *run) noteBehind() {
	d := time.Duration(r.now - r.behind.since)
	r.behind.most = max(r.behind.most, d)
	if r.measured.from != 0 {
		record(r.behind.times, d)
	}
}
