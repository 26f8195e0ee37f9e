package replica

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/metric"
	"muster/net/replication/remote"
)

// A timedBus notes what is published when, in milliseconds since it was made.
type timedBus struct {
	remote.Bus
	began time.Time
	mu    sync.Mutex
	noted map[int64][]string // subjects
}

func (b *timedBus) Publish(subject string, _ []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := time.Since(b.began).Milliseconds()
	b.noted[at] = append(b.noted[at], subject)
	return nil
}

// take returns what was noted, sorted.
func (b *timedBus) take() (lines []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for at, subjects := range b.noted {
		slices.Sort(subjects)
		lines = append(lines, fmt.Sprintf("%4d %s", at, subjects))
	}
	slices.Sort(lines)
	clear(b.noted)
	return lines
}

// Heartbeats of the worlds of a process are published together, every 100 ms: with a frame if there are frames, and the first without one 25 ms later.
func TestHeartbeatsArePublishedTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bus := &timedBus{began: time.Now(), noted: make(map[int64][]string)}
		h := NewHeartbeats(bus, new(metric.Table))
		h.frame() // of a world that is heard of only then
		ends := make(map[uint32]context.CancelFunc)
		for _, m := range []uint32{1, 2} {
			ctx, end := context.WithCancel(t.Context())
			ends[m] = end
			defer end()
			r := &Replica{address: remote.Address{Realm: "r", Map: m}, heartbeats: h}
			go r.beat(ctx, 7)
			synctest.Wait()
		}
		const one, both = "[muster.r.lead.1.0]", "[muster.r.lead.1.0 muster.r.lead.2.0]"
		want := func(lines ...string) {
			t.Helper()
			synctest.Wait()
			if got := bus.take(); !slices.Equal(got, lines) {
				t.Errorf("heartbeats are %q, want %q", got, lines)
			}
		}
		want("   0 [muster.r.lead.1.0 muster.r.lead.1.0 muster.r.lead.2.0]")
		time.Sleep(210 * time.Millisecond)
		want(" 100 "+both, " 200 "+both)
		for range 10 { // at 260, 310 … 710
			time.Sleep(50 * time.Millisecond)
			h.frame()
		}
		want(" 310 "+both, " 410 "+both, " 510 "+both, " 610 "+both, " 710 "+both)
		time.Sleep(200 * time.Millisecond) // until 910
		want(" 835 " + both)
		ends[2]()
		time.Sleep(100 * time.Millisecond)
		want(" 935 " + one)
		ends[1]()
		time.Sleep(490 * time.Millisecond) // until 1500
		want()
		ctx, end := context.WithCancel(t.Context())
		defer end()
		r := &Replica{address: remote.Address{Realm: "r", Map: 1}, heartbeats: h}
		go r.beat(ctx, 8)
		time.Sleep(110 * time.Millisecond)
		want("1500 "+one, "1600 "+one)
	})
}

// While frames take the heartbeats along, no timer wakes the process for them.
func TestHeartbeatsWakeNoProcessThatSteps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := NewHeartbeats(&timedBus{began: time.Now(), noted: make(map[int64][]string)}, new(metric.Table))
		fired := 0
		h.timer = time.AfterFunc(leadEvery, func() {
			fired++
			h.alone()
		})
		h.add(new(heartbeat))
		for range 100 {
			<-time.After(60 * time.Millisecond)
			h.frame()
		}
		synctest.Wait()
		if fired > 0 {
			t.Errorf("in 6 s of frames the timer has fired %d times", fired)
		}
	})
}
