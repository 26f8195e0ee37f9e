package gateway

import (
	"context"
	"runtime/pprof"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/panjf2000/gnet/v2"

	"muster/net/gateway/session"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/span"
)

// A loop is what the gateway keeps for one event loop of gnet. All of it belongs to the goroutine of that
// event loop, except fields marked otherwise.
type loop struct {
	gate        *Gate
	engine      gnet.EventLoop
	bell        chan struct{} // holds a token if there is something to do; any goroutine's
	end         chan struct{} // holds a token if the loop must poll its sockets; the pollScheduler's
	pollPending bool          // a task of the pollScheduler is on its way or running; the pollScheduler's
	work        atomic.Int32  // connections, and mail that is not read
	roused      atomic.Bool   // a round is on its way
	due         atomic.Bool   // and it is a drain point
	flushing    atomic.Int64  // nanoseconds spent in flushes

	mu   sync.Mutex
	mail []func() // what others want done here

	conns   []*conn       // all; conn.place is the index
	watches []watch       // of each worldLink
	players []*conn       // by session number; nil for those of other loops
	later   []delayed     // what must wait a moment
	unsent  []*conn       // those with a rest
	marked  []*conn       // to be closed at the end of the round
	swept   time.Time     // when deadlines were looked at
	drain   uint64        // drain points so far
	stalls  stallDetector // between drain points

	turn         session.Turn
	steps        []step        // of waiting connections
	now          []uint32      // sessions that a flush does not let wait
	out          []byte        // replies
	batch        *batch        // sends many at a time; nil where there is none
	pendingSends []pendingSend // what a flush sends
	scratch      []byte        // and its bytes
	sent         session.Tally
	read         session.Tally
	counted      tallies // both, as of the last sweep
	window       frame.Window
	replayer     frame.Replayer
	traced       *span.Loop // nil if movements are not followed
}

type delayed struct {
	at time.Time
	do func()
}

// loopOf is the loop of an event loop, on whose goroutine it is called.
func (g *Gate) loopOf(engine gnet.EventLoop) *loop {
	g.newLoop.Lock()
	defer g.newLoop.Unlock()
	old := *g.loops.Load()
	for _, l := range old {
		if l.engine == engine {
			return l
		}
	}
	l := &loop{
		gate: g, engine: engine, bell: make(chan struct{}, 1), end: make(chan struct{}, 1),
		watches: make([]watch, len(g.worldLinks())),
	}
	var err error
	if l.batch, err = newBatch(); err != nil {
		g.config.Log.Info("gateway: no io_uring: each player costs a call", "why", err)
	}
	l.turn.Read, l.traced = &l.read, g.config.Tracer.Loop()
	l.replayer.Updates.Config, l.replayer.Budget = g.config.Update, g.config.Budget
	for i, s := range g.worldLinks() {
		l.watches[i].worldLink = s
		l.watches[i].phases = make([][]*conn, g.config.Pace().Phases)
	}
	all := append(slices.Clip(old), l)
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("loop", strconv.Itoa(len(old)))))
	g.loops.Store(&all)
	return l
}

// do has the loop do something at its next round. Any goroutine may call it.
func (l *loop) do(what func()) {
	l.work.Add(1)
	l.mu.Lock()
	l.mail = append(l.mail, what)
	l.mu.Unlock()
	l.wake()
	signal(l.gate.pollScheduler.wake) // it may not be held
}

// wake has the loop do a round: at once, whether it is held or waits for its sockets. Any goroutine may call it.
func (l *loop) wake() {
	signal(l.bell)
	if l.work.Load() > 0 && !l.gate.holds() && l.roused.CompareAndSwap(false, true) && l.engine.Execute(l.gate.ctx, rouse{l}) != nil {
		l.roused.Store(false)
	}
}

// rouse is the task of a round while the loop is not held. There is one at a time, and the next is sent by the pollScheduler:
// gnet runs all tasks that there are before it polls its sockets.
type rouse struct{ *loop }

// Run implements gnet.Runnable.
func (r rouse) Run(context.Context) error {
	select {
	case <-r.bell:
	default:
	}
	if r.due.Swap(false) {
		r.drain++
		r.stalls.drain(time.Now())
	}
	r.round()
	r.roused.Store(false)
	if len(r.bell) > 0 {
		select {
		case r.gate.pollScheduler.again <- r.loop:
		case <-r.gate.done:
		}
	}
	return nil
}

// after does something after a delay, at a drain point; without a delay it does it at once.
func (l *loop) after(d time.Duration, what func()) {
	if d <= 0 {
		what()
	} else {
		l.later = append(l.later, delayed{time.Now().Add(d), what})
	}
}

// Run is the task of a drain point: all that arrived since the last one has been read. If the worlds have long steps, it
// holds the loop, which goes on flushing, until it is time to poll the sockets again.
func (l *loop) Run(context.Context) error {
	l.drain++
	l.stalls.drain(time.Now())
	for {
		l.round()
		if !l.gate.holds() {
			l.gate.pollScheduler.turned <- l
			return nil
		}
		select {
		case <-l.bell:
		case <-l.end:
			l.gate.pollScheduler.turned <- l
			return nil
		case <-l.gate.done:
			return nil
		}
	}
}

// round does everything that is to be done by now.
func (l *loop) round() {
	now := time.Now()
	l.readMail()
	l.runDelayed(now)
	l.post()
	l.retry()
	l.flushAll()
	if n := l.replayer.Superseded; n > 0 {
		l.gate.config.Metric.Add(Superseded, n)
		l.replayer.Superseded = 0
	}
	l.sweep(now)
	l.closeMarked()
	l.post()
}

func (l *loop) readMail() {
	l.mu.Lock()
	mail := l.mail
	l.mail = nil
	l.mu.Unlock()
	for _, do := range mail {
		do()
	}
	l.work.Add(-int32(len(mail)))
}

func (l *loop) runDelayed(now time.Time) {
	due := l.later
	l.later = nil
	for _, d := range due {
		if now.Before(d.at) {
			l.later = append(l.later, d)
		} else {
			d.do()
		}
	}
}

// post gives the worlds the input that has arrived for them. What they have no room for waits.
func (l *loop) post() {
	for i := range l.watches {
		w := &l.watches[i]
		if w.worldLink.port.Post(&w.inbox) != nil {
			continue
		}
		w.inbox.Reset()
		for _, p := range w.gone {
			l.gate.settle(p, detached)
		}
		clear(w.gone)
		w.gone = w.gone[:0]
	}
}

// retry sends rests.
func (l *loop) retry() {
	l.unsent = slices.DeleteFunc(l.unsent, func(c *conn) bool { return c.gone() || c.resend() })
}

// standstill is the least pause of a loop that means that the process was stopped, or the machine
// suspended.
const standstill = 5 * time.Second

// sweep closes connections that are past a deadline, and sends waiting ones their place. It runs about once a second. A
// waiting client need not send anything. If the process stood still, nothing could be read meanwhile: then it checks the
// next time.
func (l *loop) sweep(now time.Time) {
	config, settings := &l.gate.config, l.gate.settings.Load()
	every := min(time.Second, config.Handshake/4, settings.Idle/4, settings.IdleActive/4, config.Stall/4)
	since := now.Sub(l.swept)
	if since < every {
		return
	}
	l.swept = now
	l.advance()
	l.counted.publish(&l.read, &l.sent)
	if since > standstill {
		return
	}
	for _, c := range l.conns {
		switch {
		case c.session.Account() == 0 && now.Sub(c.since) > config.Handshake:
			c.markClosing(HandshakeTimeout)
		case len(c.rest) > 0 && now.Sub(c.stalled) > config.Stall:
			c.markClosing(SlowReader)
		default:
			c.checkSilence(now)
		}
	}
}

// closeMarked closes the marked connections. gnet calls events.OnClose for each before Close returns.
func (l *loop) closeMarked() {
	for len(l.marked) > 0 {
		c := l.marked[len(l.marked)-1]
		l.marked = l.marked[:len(l.marked)-1]
		if !c.closed {
			l.engine.Close(c.socket)
		}
	}
}

// emptyWorlds takes all players out of their worlds.
func (l *loop) emptyWorlds() {
	for _, c := range l.conns {
		c.takeOut()
		c.drop()
	}
	for _, p := range l.gate.roster.linkDead(l) {
		l.evict(p)
	}
}

func (l *loop) closeAll() {
	reason := Shutdown
	if l.gate.resetting.Load() {
		reason = Reset
	}
	for _, c := range l.conns {
		if c.evicted { // and saved: that is its meaning
			c.write(msg.Packet(nil, wire.V12340, msg.OpLogoutComplete, &msg.Empty{}))
		}
		c.markClosing(reason)
	}
}
