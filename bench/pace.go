package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"muster/net/gateway"
)

// A reading is what a server has done so far.
type reading struct {
	at                      time.Time
	cpu                     time.Duration
	user, system            time.Duration // its parts, in ticks of the kernel
	flushes, bytes, packets float64
}

// A pace is what a server does in a second.
type pace struct {
	cpu, flushes, bytes, packets float64
	user                         float64 // the share of cpu in user mode
	seconds                      float64 // that it was measured
}

// measurePace takes two readings.
func measurePace(ctx context.Context, read func() (reading, error), window time.Duration) (pace, error) {
	if err := sleep(ctx, settle); err != nil {
		return pace{}, err
	}
	from, err := read()
	if err != nil {
		return pace{}, err
	}
	if err := sleep(ctx, window); err != nil {
		return pace{}, err
	}
	to, err := read()
	if err != nil {
		return pace{}, err
	}
	if to.flushes == from.flushes {
		return pace{}, errors.New("the server did nothing")
	}
	seconds := to.at.Sub(from.at).Seconds()
	user, system := to.user-from.user, to.system-from.system
	return pace{
		seconds: seconds, user: float64(user) / float64(user+system),
		cpu:     (to.cpu - from.cpu).Seconds() / seconds,
		flushes: (to.flushes - from.flushes) / seconds,
		bytes:   (to.bytes - from.bytes) / seconds,
		packets: (to.packets - from.packets) / seconds,
	}, nil
}

// A meter reads what a server says of itself, and what the kernel says of it.
type meter struct {
	process *process
	url     string
	inWorld int     // as of the last reading
	late    float64 // likewise
	dropped float64

	stats, before gateway.Stats // as of the last reading, and of the one before
	droppedBefore float64
}

func (m *meter) read() (reading, error) {
	r, err := http.Get(m.url)
	if err != nil {
		return reading{}, err
	}
	defer r.Body.Close()
	var stats struct {
		Gate     gateway.Stats
		Counters map[string]uint64
	}
	if err := json.NewDecoder(r.Body).Decode(&stats); err != nil {
		return reading{}, fmt.Errorf("%s: %w", m.url, err)
	}
	m.inWorld, m.late = stats.Gate.World, float64(stats.Counters["tick.overrun"])
	m.before, m.stats = m.stats, stats.Gate
	m.droppedBefore, m.dropped = m.dropped, float64(stats.Counters["tick.dropped"])
	t, err := timesOf(m.process)
	return reading{
		at: time.Now(), cpu: t.all, user: t.user, system: t.system,
		flushes: float64(stats.Gate.Flushes), bytes: float64(stats.Gate.Bytes), packets: float64(stats.Gate.Packets),
	}, err
}

// sleep waits unless ctx ends, and then says why it did.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
