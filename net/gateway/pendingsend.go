package gateway

import (
	"time"

	"muster/ecs/grid"
)

// A pendingSend is what a flush has for one player: sealed, but not sent yet. So pending sends go out in the order in which
// they are sealed, and nothing else is written to a player that has one.
type pendingSend struct {
	to     *conn
	sealed []byte // in loop.scratch
	taken  int    // by the kernel, once it is sent
	err    error  // why the socket takes no more
}

// Pending sends are gathered until there are so many, or they are so long, and then sent: a call into the kernel
// displaces the caches, and so does gathering. Together they fill no more than half of the first level.
const (
	mostPendingSends = 32
	maxPendingSends  = 16 << 10 // bytes; the last may go beyond
)

// pack gathers all frames due for a player. If it has not taken all of the last flush, it gets nothing, and its cursor
// waits: until the rest is taken, or the frames it would need are overwritten.
func (l *loop) pack(c *conn) {
	defer c.guard()
	if c.gone() {
		return
	}
	if len(c.rest) > 0 {
		if _, ok := l.window.After(c.cursor.Tick); !ok {
			c.markClosing(SlowReader)
		}
		return
	}
	if c.left && c.waitsForSave() {
		return
	}
	start := len(l.scratch)
	scratch, ok := l.replayer.Replay(l.scratch, &l.window, &c.cursor)
	if !ok {
		c.markClosing(SlowReader)
		return
	}
	if len(scratch) > start {
		l.traced.Send(scratch[start:])
		c.session.Seal(scratch[start:], &l.sent)
		l.scratch = scratch
		l.pendingSends = append(l.pendingSends, pendingSend{})
		p := &l.pendingSends[len(l.pendingSends)-1] // written in place: a copy would wait for what was just written
		p.to, p.sealed = c, scratch[start:]
	}
	if c.resuming && c.cursor.View != (grid.View{}) {
		c.resumed()
	}
	if c.cursor.View != (grid.View{}) {
		c.session.Entered()
		c.note()
	}
	if c.left {
		l.dispatch()
		c.comeOut()
	}
	if len(l.pendingSends) >= mostPendingSends || len(l.scratch) >= maxPendingSends {
		l.dispatch()
	}
}

// waitsForSave reports whether the client is not to be told yet that its character has left: it may take that for saved, whatever becomes of this process.
// Where the character goes to another world, no client takes it for that.
func (c *conn) waitsForSave() bool {
	p := c.player
	if c.bound != nil || c.resuming || p.safe.Load() {
		return false
	}
	now := time.Now()
	if c.leftAt.IsZero() {
		c.leftAt = now
		c.loop.after(c.gate.config.SaveWait, func() { c.flushLast(p) })
	}
	return now.Sub(c.leftAt) < c.gate.config.SaveWait
}

// flushLast sends what is left for a player that has left its world.
func (c *conn) flushLast(p *player) {
	if c.gone() || c.player != p || !c.left {
		return
	}
	l := c.loop
	l.window.Open(p.worldLink.port)
	l.pack(c)
	l.dispatch()
	l.window.Close()
}

// dispatch does all pending sends, and keeps what clients do not take.
func (l *loop) dispatch() {
	if len(l.pendingSends) == 0 {
		return
	}
	batched := l.batch != nil
	if batched && !l.batch.send(l.pendingSends) {
		l.gate.config.Metric.Count(BatchFailed)
		l.gate.config.Log.Warn("gateway: io_uring sends no more: each player costs a call again")
		l.batch.close()
		l.batch = nil
	}
	bytes := 0
	for i := range l.pendingSends {
		p := &l.pendingSends[i]
		if !batched {
			p.taken, p.err = send(p.to.fd, p.sealed)
		}
		p.to.sent.Store(p.to.sent.Load() + uint64(p.taken))
		if bytes += p.taken; p.err != nil {
			p.to.markClosing(Peer)
		}
		p.to.keep(p.sealed[p.taken:])
	}
	counters := &l.gate.counters
	counters.flushes.Add(uint64(len(l.pendingSends)))
	counters.bytes.Add(uint64(bytes))
	l.traced.Flushed()
	clear(l.pendingSends)
	l.pendingSends, l.scratch = l.pendingSends[:0], l.scratch[:0]
}

// processBegan has a reading of the monotonic clock: what is counted from it does not jump with the wall clock.
var processBegan = time.Now()

// keep keeps what is sealed and the kernel has no room for.
func (c *conn) keep(sealed []byte) {
	switch {
	case len(sealed) == 0 || c.gone():
		return
	case len(c.rest)+len(sealed) > maxRest:
		c.markClosing(SlowReader)
		return
	case len(c.rest) == 0:
		c.loop.unsent = append(c.loop.unsent, c)
		c.stalled = time.Now()
		c.waits.Store(int64(c.stalled.Sub(processBegan)))
	}
	c.rest = append(c.rest, sealed...)
	c.queued.Store(int32(len(c.rest)))
	c.gate.counters.kept(len(c.rest))
}
