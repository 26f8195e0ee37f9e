package gateway

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/panjf2000/gnet/v2"

	"muster/net/gateway/session"
	"muster/net/protocol/msg"
)

// readBuffer is what one read of a socket takes at most, in bytes.
const readBuffer = session.MaxFeed

// events is what gnet calls, always on the event loop of the connection.
type events struct {
	gnet.BuiltinEventEngine
	gate *Gate
}

// OnOpen begins a conversation.
func (e *events) OnOpen(socket gnet.Conn) ([]byte, gnet.Action) {
	c := socket.Context().(*conn)
	l := e.gate.loopOf(socket.EventLoop())
	c.loop, c.socket, c.fd = l, socket, socket.Fd()
	if c.place = len(l.conns); c.place == 0 {
		l.stalls = stallDetector{} // there was no connection that could have waited
	}
	l.conns = append(l.conns, c)
	l.work.Add(1)
	e.gate.counters.move(0, msg.Fresh)
	c.counted = msg.Fresh
	l.after(e.gate.settings.Load().DelayAuthChallenge, c.greet)
	signal(e.gate.pollScheduler.wake)
	return nil, gnet.None
}

// OnTraffic reads what has arrived. The bytes are in the loop's buffer, and are all used before it returns.
func (e *events) OnTraffic(socket gnet.Conn) (action gnet.Action) {
	c := socket.Context().(*conn)
	in, _ := socket.Next(-1)
	if !c.gone() {
		c.read(in)
		if !e.gate.holds() {
			c.loop.post()
		}
	}
	if c.gone() {
		return gnet.Close
	}
	return gnet.None
}

// OnClose counts why a connection was closed, and reports that to its world.
func (e *events) OnClose(socket gnet.Conn, _ error) gnet.Action {
	c := socket.Context().(*conn)
	if c.reason == "" {
		c.reason = Peer
	}
	c.closed = true
	e.gate.roster.unseat(c)
	c.giveUp()
	c.cutOff()
	c.detach()
	c.drop()
	e.gate.channels.leaveAll(c)

	l := c.loop
	last := len(l.conns) - 1
	l.conns[c.place] = l.conns[last]
	l.conns[c.place].place = c.place
	l.conns[last] = nil
	l.conns = l.conns[:last]
	if last == 0 { // no sweep until the next connection
		l.counted.publish(&l.read, &l.sent)
	}
	l.work.Add(-1)
	e.gate.counters.move(c.counted, 0)
	c.reportEnd()
	c.tapEnded()
	e.gate.acceptor.leave(c.from)
	return gnet.None
}

// greet sends what opens the conversation.
func (c *conn) greet() {
	if c.gone() {
		return
	}
	defer c.guard()
	c.loop.turn.Begin(time.Now(), c.loop.drain)
	c.session.Greet(&c.loop.turn)
	c.obey()
}

// read gives the session what has arrived.
func (c *conn) read(in []byte) {
	defer c.guard()
	c.received.Store(c.received.Load() + uint64(len(in)))
	now := time.Now()
	c.loop.turn.Begin(now, c.loop.drain)
	c.loop.turn.Lag = c.loop.stalls.lag(now)
	c.session.Feed(&c.loop.turn, in)
	c.obey()
}

// guard keeps a panic from ending the process. It is to be deferred.
func (g *Gate) guard(doing string) {
	if r := recover(); r != nil {
		g.logPanic(r, "doing", doing)
	}
}

func (g *Gate) logPanic(r any, attrs ...any) {
	g.config.Metric.Count(Panicked)
	g.config.Log.Error("gateway: panic", append(attrs, "panic", r, "stack", string(debug.Stack()))...)
}

// logger passes on what gnet logs.
type logger struct{ log *slog.Logger }

func (l logger) Debugf(string, ...any)          {}
func (l logger) Infof(string, ...any)           {}
func (l logger) Warnf(format string, a ...any)  { l.log.Debug("gnet: " + fmt.Sprintf(format, a...)) }
func (l logger) Errorf(format string, a ...any) { l.log.Error("gnet: " + fmt.Sprintf(format, a...)) }
func (l logger) Fatalf(format string, a ...any) { panic("gnet: " + fmt.Sprintf(format, a...)) }
