package gateway

import (
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"muster/net/gateway/session"
	"muster/net/protocol/msg"
)

// closedFor is the name under which a reason for closing is counted, and logged.
func closedFor(reason string) string { return "closed." + reason }

// refuse counts and logs a connection that is closed at once.
func (g *Gate) refuse(from netip.Addr, reason string) {
	g.config.Metric.Count(reason)
	if line, ok := g.refusals.Admit(reason); ok {
		line.Write("gateway: closed", slog.String("from", from.String()))
	}
}

// ignore counts and logs that something of the client was not used. It runs on the connection's loop.
func (c *conn) ignore(reason string, op uint16, detail any) {
	c.gate.config.Metric.Count(reason)
	c.report(&session.Refusal{Reason: reason, Detail: detail, Op: uint32(op), State: c.session.State()})
}

// report logs what a session did not use.
func (c *conn) report(r *session.Refusal) {
	c.happenRefused(r)
	line, ok := c.gate.refusals.Admit(r.Reason)
	if !ok {
		return
	}
	attrs := append(c.attrs(), slog.String("state", r.State.String()))
	if r.Op != 0 {
		attrs = append(attrs, slog.String("opcode", opcodeName(r.Op)))
	}
	if r.Detail != nil {
		attrs = append(attrs, slog.String("detail", fmt.Sprint(r.Detail)))
	}
	line.Write("gateway: refused", attrs...)
}

// reportEnd counts and logs that the connection is closed, and why.
func (c *conn) reportEnd() {
	reason := closedFor(c.reason)
	c.gate.config.Metric.Count(reason)
	c.happenClosed(reason)
	line, ok := c.gate.refusals.Admit(reason)
	if !ok {
		return
	}
	attrs := append(c.attrs(), slog.String("state", c.session.State().String()))
	if op, ok := c.session.LastOpcode(); ok {
		attrs = append(attrs, slog.String("opcode", opcodeName(op)))
	}
	if n := c.queued.Load(); n > 0 {
		attrs = append(attrs, slog.Int("unsent", int(n)))
	}
	line.Write("gateway: closed", append(attrs, slog.Duration("after", time.Since(c.since).Round(time.Millisecond)))...)
}

// attrs say which client it is. A character is named from when it is chosen on.
func (c *conn) attrs() []slog.Attr {
	attrs := []slog.Attr{slog.Uint64("session", c.id), slog.String("account", c.session.Name()), slog.String("from", c.from.String())}
	if name := c.session.Character().Name; name != "" {
		attrs = append(attrs, slog.String("character", name))
	}
	return attrs
}

// opcodeName is the name of an opcode from a client, or its number if it has none.
func opcodeName(op uint32) string {
	if name := msg.Name(op); name != "" {
		return name
	}
	return fmt.Sprintf("%#x", op)
}
