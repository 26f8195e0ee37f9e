package main

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"muster/loaders/registry"
)

// A history is what was done to processes in the last seconds, and seen of them and of shards.
type history struct {
	mu     sync.Mutex
	seed   uint64 // of what is done
	events []event
}

// An event is of a process, of a shard, or of all.
type event struct {
	at    time.Time
	role  string // of the process, as registry.Process
	pid   int
	shard string
	what  string
}

const leads = "leads"

// historyTime is for how long events are kept: longer than any gap that is to be understood.
const historyTime = time.Minute

// note adds an event, which is now.
func (h *history) note(e event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e.at = time.Now()
	h.events = slices.DeleteFunc(append(h.events, e), func(o event) bool { return e.at.Sub(o.at) > historyTime })
}

// begin says with which seed what follows is done.
func (h *history) begin(seed uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seed = seed
}

// of is a line for each event that concerns a gap of a shard, which began at a moment, from a lease before that on: what happened to workers, and to orchestrators that led.
func (h *history) of(shard string, gap time.Time) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	from := gap.Add(-rotatedPause)
	led := make(map[int]bool)
	for _, e := range h.events {
		led[e.pid] = led[e.pid] || e.what == leads && e.at.After(from.Add(-rotatedPause))
	}
	text := fmt.Sprintf("with seed %d", h.seed)
	for _, e := range h.events {
		if e.at.Before(from) || e.role == registry.RoleOrchestrate && !led[e.pid] || e.shard != "" && e.shard != shard {
			continue
		}
		of := e.shard
		if e.role != "" {
			of = fmt.Sprint(e.role, " ", e.pid)
		}
		text += fmt.Sprintf("\n%+7.2fs %s %s", e.at.Sub(gap).Seconds(), of, e.what)
	}
	return text
}
