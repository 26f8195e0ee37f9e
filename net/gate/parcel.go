package gate

import (
	"time"

	"muster/ecs/grid"
)

// A parcel is what a flush has for one player: sealed, and in loop.scratch until it is sent. So the order in which
// parcels are sealed is the order in which they must be sent, and nothing else is written to a player who has one.
type parcel struct {
	to  *conn
	end int // in the scratch; it begins where the one before ends
}

// Parcels are gathered until there are so many, or they are so long, and then sent: a call into the kernel takes the
// caches for itself, and so does gathering. Together they fill no more than half of the first level.
const (
	mostParcels = 32
	maxParcels  = 16 << 10 // bytes; the last may go beyond
)

// pack gathers for a player everything it is owed. If it has not taken all of the last flush, it gets nothing, and its
// cursor waits: until the rest is taken, or the frames it would need are gone.
func (l *loop) pack(c *conn) {
	defer c.guard()
	if c.gone() {
		return
	}
	if len(c.rest) > 0 {
		if _, ok := l.window.After(c.cursor.Tick); !ok {
			c.doom(SlowReader)
		}
		return
	}
	start := len(l.scratch)
	scratch, ok := l.replayer.Replay(l.scratch, &l.window, &c.cursor)
	if !ok {
		c.doom(SlowReader)
		return
	}
	if len(scratch) > start {
		c.session.Seal(scratch[start:], &l.sent)
		l.scratch = scratch
		l.parcels = append(l.parcels, parcel{c, len(scratch)})
	}
	if c.cursor.View != (grid.View{}) {
		c.session.Entered()
		c.note()
	}
	if c.left {
		l.dispatch()
		c.comeOut()
	}
	if len(l.parcels) >= mostParcels || len(l.scratch) >= maxParcels {
		l.dispatch()
	}
}

// dispatch sends all parcels.
func (l *loop) dispatch() {
	l.gate.counters.flushes.Add(uint64(len(l.parcels)))
	at := 0
	for _, p := range l.parcels {
		p.to.ship(l.scratch[at:p.end])
		at = p.end
	}
	clear(l.parcels)
	l.parcels, l.scratch = l.parcels[:0], l.scratch[:0]
}

// ship sends what is sealed, and keeps what the client does not take.
func (c *conn) ship(sealed []byte) {
	if c.gone() {
		return
	}
	if len(c.rest) == 0 {
		sealed = sealed[c.send(sealed):]
		if len(sealed) == 0 {
			return
		}
		c.loop.unsent = append(c.loop.unsent, c)
		c.stalled = time.Now()
	}
	if len(c.rest)+len(sealed) > maxRest {
		c.doom(SlowReader)
		return
	}
	c.rest = append(c.rest, sealed...)
	c.queued.Store(int32(len(c.rest)))
	c.gate.counters.kept(len(c.rest))
}
