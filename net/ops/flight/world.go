package flight

import (
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
}

// Heard remembers what a tick is about to read. It never waits: a tick that begins while a bundle takes what is
// remembered is left out, and the bundle says so.
func (w *World) Heard(n uint64, in *frame.Inbox) { w.heard.add(n, in) }

// Ended checks how long a tick took. The tick statistics must have it already.
func (w *World) Ended(n uint64, took time.Duration) {
	if took <= w.recorder.config.Budget {
		return
	}
	w.over.Count()
	select {
	case w.recorder.slow <- Cause{Kind: Slow, Map: w.stats.Map, Tick: n, Took: took}:
	default: // another is waiting already
	}
}

// ticks is how many ticks a bundle is of.
const ticks = 200

// inboxes are those of the last ticks, one after another in memory that does not grow.
type inboxes struct {
	mu   sync.Mutex // which the world only tries
	buf  []byte
	end  uint64 // where the next begins: bytes so far, with those left free before the end of buf
	rows [ticks]heard
	n    int // rows so far; the last is at n-1 modulo ticks
}

// A heard inbox is at from modulo the size of the buffer.
type heard struct {
	tick, from uint64
	size       int
}

func (h *inboxes) init(size int) { h.buf = make([]byte, size) }

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
	h.rows[h.n%ticks] = heard{n, h.end, size}
	h.n++
	h.end += uint64(size)
}

// take copies those that are still there, the oldest first.
func (h *inboxes) take() (all []inbox) {
	h.mu.Lock()
	defer h.mu.Unlock()
	room := uint64(len(h.buf))
	for i := max(0, h.n-ticks); i < h.n; i++ {
		if row := h.rows[i%ticks]; row.from+room >= h.end {
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
