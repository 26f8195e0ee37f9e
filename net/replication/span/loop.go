package span

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"muster/net/protocol/msg"
	"muster/net/replication/frame"
)

// A Loop traces what a loop of a gateway receives and sends. The goroutine of the loop owns it.
type Loop struct {
	tracer *Tracer
	heard  [maxHeard]arrival // a ring
	next   int
	found  []found
	sent   bool // some of found has been sent since the last call of Flushed
}

type arrival struct {
	key uint64
	at  time.Time
}

// A found is a movement that is traced, in a frame that the gateway has.
type found struct {
	identity
	id      uint32 // of the map
	tick    uint64
	packet  []byte
	at      time.Time // when the frame was seen
	clients int       // that were sent it since the last call of Flushed
}

// Loop returns what traces a loop; nil if there is no tracer.
func (t *Tracer) Loop() *Loop {
	if t == nil {
		return nil
	}
	return &Loop{tracer: t}
}

// Receive notes a packet of a client that goes to its world.
func (l *Loop) Receive(op uint16, body []byte) {
	if l == nil {
		return
	}
	if key, ok := moveKey(op, body); ok {
		l.heard[l.next%maxHeard] = arrival{key, time.Now()}
		l.next++
	}
}

// Frames looks for movements to follow in new frames of the world of a map.
func (l *Loop) Frames(id uint32, frames []*frame.Frame) {
	if l == nil {
		return
	}
	for _, f := range frames {
		l.tracer.each(id, f, func(i identity, op uint16, packet []byte) { l.follow(i, id, f.Tick, op, packet) })
	}
}

// follow follows a movement: one that this loop has received is over for the one that made it.
func (l *Loop) follow(i identity, id uint32, tick uint64, op uint16, packet []byte) {
	now := time.Now()
	if key, ok := moveKey(op, packet[headerBytes:]); ok {
		if at, ok := l.received(key); ok {
			l.tracer.emit(&record{of: i, name: moved, id: i.span(moved), begin: at, end: now},
				attribute.String("opcode", msg.Name(uint32(op))), attribute.Int64("map", int64(id)), attribute.Int64("tick", int64(tick)))
		}
	}
	l.found = slices.DeleteFunc(l.found, func(f found) bool { return now.Sub(f.at) > followTime })
	if len(l.found) >= maxFound {
		l.tracer.config.Metric.Count(Dropped)
		return
	}
	l.found = append(l.found, found{identity: i, id: id, tick: tick, packet: slices.Clone(packet), at: now})
}

// received is when a movement came that this loop has received; the newest of several.
func (l *Loop) received(key uint64) (at time.Time, ok bool) {
	for n := range min(l.next, maxHeard) {
		if a := &l.heard[(l.next-1-n)%maxHeard]; a.key == key {
			return a.at, true
		}
	}
	return at, false
}

// Send notes what a client is about to be sent: packets with plain headers.
func (l *Loop) Send(packets []byte) {
	if l == nil {
		return
	}
	for i := range l.found {
		if f := &l.found[i]; bytes.Contains(packets, f.packet) {
			f.clients++
			l.sent = true
		}
	}
}

// Flushed makes the spans of what Send was called with, which is sent.
func (l *Loop) Flushed() {
	if l == nil || !l.sent {
		return
	}
	l.sent = false
	now := time.Now()
	for i := range l.found {
		f := &l.found[i]
		if f.clients == 0 {
			continue
		}
		var id trace.SpanID // another for each flush and gateway
		binary.BigEndian.PutUint64(id[:], rand.Uint64()|1)
		l.tracer.emit(&record{f.identity, finished, id, f.span(stepped), f.at, now},
			attribute.Int("clients", f.clients), attribute.Int64("map", int64(f.id)), attribute.Int64("tick", int64(f.tick)))
		f.clients = 0
	}
}
