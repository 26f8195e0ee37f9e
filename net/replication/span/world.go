package span

import (
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"muster/net/replication/frame"
)

// A World traces the ticks of a world. Its goroutine calls Begin and Publish.
type World struct {
	// Held is set if frames are published later than their ticks: Release is called then, and ends the spans. It is set before the first tick.
	Held bool

	tracer       *Tracer
	id, instance uint32
	began        time.Time // of the tick that is being stepped; zero if Begin was not called for it
	items        []item    // of that, which are movements

	mu   sync.Mutex
	held []heldSpan // by tick

	over []heldSpan // of Release
}

type item struct {
	key  uint64
	atMs uint32
}

// A heldSpan waits until the frame of its tick is published. One whose record has no end ends then.
type heldSpan struct {
	record
	tick  uint64
	about []attribute.KeyValue
}

// World returns what traces the ticks of the world of a map, or of an instance of it; nil if there is no tracer.
func (t *Tracer) World(id, instance uint32) *World {
	if t == nil {
		return nil
	}
	return &World{tracer: t, id: id, instance: instance}
}

// Begin notes what a tick is about to read. A tick without it is not traced: it is one that another process has stepped before, of a log.
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

// Publish makes the spans of a tick whose frame is about to be published, at a time by the clock of the world. Those of a world that is Held wait for
// Release.
func (w *World) Publish(f *frame.Frame, nowMs uint32) {
	if w == nil || w.began.IsZero() {
		return
	}
	w.tracer.each(w.id, f, func(i identity, op uint16, packet []byte) {
		now := time.Now()
		about := []attribute.KeyValue{
			attribute.Int64("map", int64(w.id)), attribute.Int64("instance", int64(w.instance)), attribute.Int64("tick", int64(f.Tick)),
		}
		var spans []record
		if key, ok := moveKey(op, packet[headerBytes:]); ok {
			for _, it := range w.items {
				if it.key == key {
					came := now.Add(-time.Duration(max(int32(nowMs-it.atMs), 0)) * time.Millisecond)
					if came.After(w.began) { // the clock of the world counts milliseconds
						came = w.began
					}
					spans = append(spans, record{i, waited, i.span(waited), i.span(moved), came, w.began})
					break
				}
			}
		}
		spans = append(spans, record{i, stepped, i.span(stepped), i.span(moved), w.began, now})
		w.hold(f.Tick, spans, about)
	})
	w.began = time.Time{}
}

// hold makes the spans of a movement, now or when the frame of its tick is published.
func (w *World) hold(tick uint64, spans []record, about []attribute.KeyValue) {
	if !w.Held {
		for i := range spans {
			w.tracer.emit(&spans[i], about...)
		}
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.held)+len(spans) > maxHeld {
		w.tracer.config.Metric.Count(Dropped)
		return
	}
	for _, r := range spans {
		if r.name == stepped {
			r.end = time.Time{}
		}
		w.held = append(w.held, heldSpan{r, tick, about})
	}
}

// Release makes the spans of a tick whose frame is published now. Those of earlier ticks are lost: their frames were not. It may be called by another
// goroutine than Publish.
func (w *World) Release(tick uint64) {
	if w == nil {
		return
	}
	now := time.Now()
	w.mu.Lock()
	n := 0
	for n < len(w.held) && w.held[n].tick <= tick {
		n++
	}
	w.over = append(w.over[:0], w.held[:n]...)
	w.held = slices.Delete(w.held, 0, n)
	w.mu.Unlock()
	for i := range w.over {
		s := &w.over[i]
		if s.tick < tick {
			continue
		}
		if s.end.IsZero() {
			s.end = now
		}
		w.tracer.emit(&s.record, s.about...)
	}
}

// headerBytes is before the body of a packet for a client.
const headerBytes = 4
