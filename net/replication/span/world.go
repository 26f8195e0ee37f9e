package span

import (
	"time"

	"go.opentelemetry.io/otel/attribute"

	"muster/net/replication/frame"
)

// A World traces the ticks of a world. Its goroutine owns it.
type World struct {
	tracer       *Tracer
	id, instance uint32
	began        time.Time
	items        []item // of the tick, that are movements
}

type item struct {
	key  uint64
	atMs uint32
}

// World returns what traces the ticks of the world of a map, or of an instance of it; nil if there is no tracer.
func (t *Tracer) World(id, instance uint32) *World {
	if t == nil {
		return nil
	}
	return &World{tracer: t, id: id, instance: instance}
}

// Begin notes what a tick is about to read.
func (w *World) Begin(in *frame.Inbox) {
	if w == nil {
		return
	}
	w.began, w.items = time.Now(), w.items[:0]
	var it frame.Item
	for i := range in.Len() {
		in.Read(i, &it)
		if key, ok := moveKey(it.Op, it.Body); ok {
			w.items = append(w.items, item{key, it.AtMs})
		}
	}
}

// Publish makes the spans of a tick whose frame is about to be published, at a time by the clock of the world.
func (w *World) Publish(f *frame.Frame, nowMs uint32) {
	if w == nil {
		return
	}
	w.tracer.each(w.id, f, func(i identity, op uint16, packet []byte) {
		now := time.Now()
		about := []attribute.KeyValue{
			attribute.Int64("map", int64(w.id)), attribute.Int64("instance", int64(w.instance)), attribute.Int64("tick", int64(f.Tick)),
		}
		if key, ok := moveKey(op, packet[headerBytes:]); ok {
			for _, it := range w.items {
				if it.key == key {
					came := now.Add(-time.Duration(max(int32(nowMs-it.atMs), 0)) * time.Millisecond)
					if came.After(w.began) { // the clock of the world counts milliseconds
						came = w.began
					}
					w.tracer.emit(&record{i, waited, i.span(waited), i.span(moved), came, w.began}, about...)
					break
				}
			}
		}
		w.tracer.emit(&record{i, stepped, i.span(stepped), i.span(moved), w.began, now}, about...)
	})
}

// headerBytes is before the body of a packet for a client.
const headerBytes = 4
