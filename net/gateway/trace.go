package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"muster/net/gateway/session"
	"muster/net/protocol/msg"
	"muster/net/protocol/trace"
	"muster/net/protocol/wire"
)

// Bounds of traces.
const (
	maxTraces     = 8
	maxTraceBytes = 4 << 20 // that wait for the reader of a trace; more are dropped, and counted in it
	traceOverhead = 128     // of a packet that waits, beside its bytes
)

// Errors of Gate.Trace.
var (
	ErrNoSession = errors.New("gateway: no session of that number")
	ErrTraces    = fmt.Errorf("gateway: %d traces are followed already", maxTraces)
)

// A Trace is the packets of the sessions that it follows. Its methods may be called from any goroutine, Next from one at a
// time.
type Trace struct {
	gate *Gate
	id   uint64 // of the session; 0 for all of a name
	name string // in upper case: of an account, or of a character

	fresh chan struct{} // holds a token after something was added

	mu      sync.Mutex
	queue   []trace.Packet
	bytes   int    // of it
	dropped uint64 // since the last that was added
	ended   bool
}

// traces are those that are followed. They are read where a session logs in and where a character enters, and never while
// packets are read or sent: a session that is not followed has no tap.
type traces struct {
	mu  sync.Mutex
	all []*Trace
}

func (t *traces) list() []*Trace {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.all)
}

// Trace follows the session of a number until it ends, or all sessions of an account or a character of a name, those to
// come among them, until Close. A name that is a number is written as name:123. It fails with ErrNoSession, ErrTraces or the error of ctx.
func (g *Gate) Trace(ctx context.Context, of string) (*Trace, error) {
	name, named := strings.CutPrefix(of, "name:")
	t := &Trace{gate: g, name: strings.ToUpper(name), fresh: make(chan struct{}, 1)}
	if id, err := strconv.ParseUint(of, 10, 64); err == nil && id > 0 && !named {
		t.id, t.name = id, ""
	}
	g.traces.mu.Lock()
	full := len(g.traces.all) >= maxTraces
	if !full {
		g.traces.all = append(g.traces.all, t)
	}
	g.traces.mu.Unlock()
	if full {
		return nil, ErrTraces
	}
	loops := *g.loops.Load()
	found := make(chan bool, len(loops))
	for _, l := range loops {
		l.do(func() {
			any := false
			for _, c := range l.conns {
				any = c.follow(t) || any
			}
			found <- any
		})
	}
	any := false
	for range loops {
		select {
		case one := <-found:
			any = any || one
		case <-ctx.Done():
			t.Close()
			return nil, context.Cause(ctx)
		case <-g.stopped:
			t.Close()
			return nil, ErrNoSession
		}
	}
	if t.id != 0 && !any {
		t.Close()
		return nil, ErrNoSession
	}
	return t, nil
}

// Close ends the trace.
func (t *Trace) Close() {
	g := t.gate
	g.traces.mu.Lock()
	g.traces.all = slices.DeleteFunc(g.traces.all, func(o *Trace) bool { return o == t })
	g.traces.mu.Unlock()
	t.end()
	g.eachLoop(func(l *loop) {
		for _, c := range l.conns {
			c.unfollow(t)
		}
	})
}

// Next waits for packets, and takes all that there are. The error is io.EOF when the session has ended, or that of ctx.
func (t *Trace) Next(ctx context.Context) ([]trace.Packet, error) {
	for {
		t.mu.Lock()
		queue, ended := t.queue, t.ended
		t.queue, t.bytes = nil, 0
		t.mu.Unlock()
		switch {
		case len(queue) > 0:
			return queue, nil
		case ended:
			return nil, io.EOF
		}
		select {
		case <-t.fresh:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// add adds a packet, or counts it as dropped.
func (t *Trace) add(p trace.Packet) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.ended:
		return
	case p.Bytes != nil && t.bytes+len(p.Bytes)+traceOverhead > maxTraceBytes: // a note is never dropped
		t.dropped++
		t.gate.config.Metric.Count(TraceFull)
		return
	}
	p.Dropped, t.dropped = t.dropped, 0
	t.queue = append(t.queue, p)
	t.bytes += len(p.Bytes) + traceOverhead
	signal(t.fresh)
}

func (t *Trace) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	signal(t.fresh)
}

// follows reports whether a trace is of a connection.
func (t *Trace) follows(c *conn) bool {
	if t.id != 0 {
		return t.id == c.id
	}
	return t.name == c.session.Name() || t.name == strings.ToUpper(c.session.Character().Name)
}

// A tap gives the packets of a connection to traces. It is the loop's.
type tap struct {
	conn *conn
	to   []*Trace
}

// follow has a trace follow the connection, if it is of it, and reports whether it does.
func (c *conn) follow(t *Trace) bool {
	if !t.follows(c) {
		return false
	}
	if c.tap != nil && slices.Contains(c.tap.to, t) {
		return true
	}
	if c.tap == nil {
		c.tap = &tap{conn: c}
		c.session.Follow(c.tap)
	}
	c.tap.to = append(c.tap.to, t)
	c.session.ShowLogin(&tap{conn: c, to: []*Trace{t}}) // others have been shown it
	return true
}

// followNow has all traces follow the connection that are of it, now that it has a name.
func (c *conn) followNow() {
	for _, t := range c.gate.traces.list() {
		c.follow(t)
	}
}

// unfollow ends what follow began.
func (c *conn) unfollow(t *Trace) {
	if c.tap == nil {
		return
	}
	if c.tap.to = slices.DeleteFunc(c.tap.to, func(o *Trace) bool { return o == t }); len(c.tap.to) == 0 {
		c.tap = nil
		c.session.Follow(nil)
	}
}

// tapEnded ends the traces of the session, and notes in the others why it has ended.
func (c *conn) tapEnded() {
	if c.tap == nil {
		return
	}
	for _, t := range c.tap.to {
		t.add(trace.Packet{At: time.Now(), Session: c.id, Account: c.session.Name(), Note: closedFor(c.reason)})
		if t.id != 0 {
			t.end()
		}
	}
	c.tap = nil
}

// Read implements session.Tap.
func (t *tap) Read(op uint32, body []byte) {
	body = trace.Scrub(op, body)
	t.give(msg.ToServer, append(wire.AppendClientHeader(make([]byte, 0, wire.ClientHeaderLen+len(body)), op, len(body)), body...))
}

// Sent implements session.Tap.
func (t *tap) Sent(packets []byte) {
	for len(packets) > 0 {
		_, n, header, ok := wire.ServerHeader(packets)
		if !ok || n < 0 || header+n > len(packets) {
			return
		}
		t.give(msg.ToClient, slices.Clone(packets[:header+n]))
		packets = packets[header+n:]
	}
}

func (t *tap) give(d msg.Direction, packet []byte) {
	p := trace.Packet{At: time.Now(), Session: t.conn.id, Account: t.conn.session.Name(), Direction: d, Bytes: packet}
	for _, to := range t.to {
		to.add(p)
	}
}

var _ session.Tap = (*tap)(nil)
