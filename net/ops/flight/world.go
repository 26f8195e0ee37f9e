package flight

import (
	"context"
	"slices"
	"sync"
	"time"

	"muster/internal/metric"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/sched/tickstats"
)

// A World is what a recorder remembers of one, beside its tick statistics. The goroutine that runs it calls Heard
// and Ended.
type World struct {
	recorder *Recorder
	stats    *tickstats.Stats
	header   recording.Header
	over     *metric.Counter
	heard    inboxes
	excerpt  Excerpt // nil: heard has what was read
	stuck    uint64  // the tick that was last found stuck; of the goroutine of the recorder's Run
}

// of reports whether a cause is about the world.
func (w *World) of(c Cause) bool { return c.Map == w.stats.Map && c.Instance == w.stats.Instance }

// An Excerpt copies what the log of a world has, from a tick or an earlier one on, into a folder, as package worldlog has the log of a world on a disk. The goroutine of a recorder
// calls it, or one that requests a bundle. When ctx ends it returns, and when there are more than most bytes: what it has
// copied by then is removed.
type Excerpt func(ctx context.Context, folder string, tick uint64, most int64) error

// Heard remembers what a tick is about to read, unless the world has a log. It never waits: a tick that begins while a bundle takes what is
// remembered is left out, and the bundle says so.
func (w *World) Heard(n uint64, in *frame.Inbox) {
	if w.excerpt == nil {
		w.heard.add(n, in)
	}
}

// Ended checks how long a tick took. The tick statistics must have it already.
func (w *World) Ended(n uint64, took time.Duration) {
	if took <= w.recorder.config.Budget {
		return
	}
	w.over.Count()
	select {
	case w.recorder.slow <- Cause{Kind: Slow, Map: w.stats.Map, Instance: w.stats.Instance, Tick: n, Took: took}:
	default: // another is waiting already
	}
}

// Window is the time of the world whose ticks a bundle has: 200 steps of 50 ms, 2,000 of 5 ms.
const Window = 10 * time.Second

// inboxes are those of the last ticks, one after another in memory that does not grow.
type inboxes struct {
	mu    sync.Mutex // which the world only tries
	buf   []byte
	end   uint64 // where the next begins: bytes so far, with those left free before the end of buf
	rows  []heard
	n     int    // rows so far; the last is at n-1 modulo their number
	units uint64 // in the window
}

// A heard inbox is at from modulo the size of the buffer.
type heard struct {
	tick, from uint64
	size       int
}

// init makes room for some bytes, and for the ticks of a window, of which each is a unit at least.
func (h *inboxes) init(size int, unit time.Duration) {
	h.buf, h.units = make([]byte, size), uint64(Window/unit)
	h.rows = make([]heard, h.units)
}

// add appends an inbox, and forgets those that it overwrites. One that has no room makes all others void: nothing can
// be understood without it.
func (h *inboxes) add(n uint64, in *frame.Inbox) {
	if !h.mu.TryLock() {
		return
	}
	defer h.mu.Unlock()
	room := uint64(len(h.buf))
	size := in.Size()
	if uint64(size) > room {
		h.n = 0
		return
	}
	if at := h.end % room; at+uint64(size) > room {
		h.end += room - at
	}
	at := h.end % room
	in.AppendBinary(h.buf[at:at:room])
	h.rows[h.n%len(h.rows)] = heard{n, h.end, size}
	h.n++
	h.end += uint64(size)
}

// take copies those of the window that are still there, the oldest first.
func (h *inboxes) take() (all []inbox) {
	h.mu.Lock()
	defer h.mu.Unlock()
	room := uint64(len(h.buf))
	for i := max(0, h.n-len(h.rows)); i < h.n; i++ {
		last := h.rows[(h.n-1)%len(h.rows)].tick
		if row := h.rows[i%len(h.rows)]; row.from+room >= h.end && row.tick+h.units > last {
			at := row.from % room
			all = append(all, inbox{row.tick, slices.Clone(h.buf[at : at+uint64(row.size)])})
		}
	}
	return all
}

// An inbox is one that was copied.
type inbox struct {
	tick  uint64
	bytes []byte
}
