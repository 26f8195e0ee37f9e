package replica

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"muster/cmd/internal/process"
	"muster/internal/metric"
	"muster/net/replication/frame"
	"muster/net/replication/remote"
	"muster/net/replication/streamlog"
)

// Heartbeats say again and again which worlds a process has. Those of all of its worlds are published together, and with the frame of a world that
// steps where one is published in time: each write of the connection costs as much as all that is in it, and so does a timer that wakes the process.
type Heartbeats struct {
	bus    remote.Bus
	metric *metric.Table

	mu     sync.Mutex
	worlds []*heartbeat
	sent   time.Time   // when they were last
	framed bool        // a frame was published since
	timer  *time.Timer // at which they are sent without a frame
}

// A heartbeat is that of one world.
type heartbeat struct {
	subject string
	message []byte
}

// NewHeartbeats returns the heartbeats of a process that has no world yet.
func NewHeartbeats(bus remote.Bus, table *metric.Table) *Heartbeats {
	h := &Heartbeats{bus: bus, metric: table}
	h.mu.Lock() // alone reads the timer
	defer h.mu.Unlock()
	h.timer = time.AfterFunc(leadEvery, h.alone)
	return h
}

// add adds a world, of which is heard at once.
func (h *Heartbeats) add(world *heartbeat) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.worlds = append(h.worlds, world)
	h.send()
}

// remove removes a world, of which is not heard any more.
func (h *Heartbeats) remove(world *heartbeat) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.worlds = slices.DeleteFunc(h.worlds, func(other *heartbeat) bool { return other == world })
}

// frame is called before a frame is published.
func (h *Heartbeats) frame() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if time.Since(h.sent) >= leadEvery-leadSlack {
		h.send()
	}
	if !h.framed { // the next one may take them along
		h.framed = true
		h.timer.Reset(h.due())
	}
}

// alone sends what is due and was not sent with a frame.
func (h *Heartbeats) alone() {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch due := h.due(); {
	case len(h.worlds) == 0: // the next that is added sends
	case due > 0: // a frame took them along just now
		h.timer.Reset(due)
	default:
		h.send()
	}
}

// due is after what time they are sent alone.
func (h *Heartbeats) due() time.Duration {
	every := leadEvery
	if h.framed {
		every += leadSlack
	}
	return every - time.Since(h.sent)
}

func (h *Heartbeats) send() {
	h.sent, h.framed = time.Now(), false
	h.timer.Reset(leadEvery)
	for _, w := range h.worlds {
		if err := h.bus.Publish(w.subject, w.message); err != nil {
			h.metric.Count(remote.NotSent)
		}
	}
}

// beat has it heard that this process has the world, until ctx is done. The error wraps streamlog.ErrMoved if one with a greater life is heard to
// have it: that has appended after this one, which finds out by its next append only if there is one. It comes goneAfter that was heard.
func (r *Replica) beat(ctx context.Context, life uint64) error {
	world := &heartbeat{r.address.Lead(), process.Heartbeat(life, process.NameOf(os.Getpid()))}
	r.heartbeats.add(world)
	defer r.heartbeats.remove(world)
	for {
		select {
		case <-r.told:
		case <-ctx.Done():
			return nil
		}
		if r.life.Load() <= life {
			continue
		}
		select {
		case <-time.After(goneAfter): // where the world is given to it, offer has its answer meanwhile
		case <-ctx.Done():
			return nil
		}
		name, _ := r.leader.Load().(string)
		return fmt.Errorf("%w: %s", streamlog.ErrMoved, name)
	}
}

// commit is called with what a tick has read when the log has it: its frame is published then.
func (r *Replica) commit(n uint64, in *frame.Inbox) {
	r.heartbeats.frame()
	r.end.Commit(n, in)
}
