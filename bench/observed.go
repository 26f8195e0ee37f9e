package bench

import (
	"context"
	"fmt"
	"math"
	"runtime/trace"
	"time"

	"muster/loaders/synth"
	"muster/net/ops/flight"
	"muster/net/replication/recording"
	"muster/sched/tickstats"
	"muster/systems"
)

// observed measures what it costs a tick to be observed: its metrics, its labels for profiles, and the flight recorder.
func observed(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	players, creatures, ticks, repetitions := 5_000, 20_000, 400, 7
	if c.Quick {
		players, creatures, ticks, repetitions = 1_000, 2_000, 100, 3
	}
	d, err := synth.New(synth.Config{Creatures: creatures})
	if err != nil {
		return "", 0, err
	}
	on := newKept(d, players, true)
	observe(&on.live)
	off := newKept(d, players, true)
	on.around = traced
	err = inTurn(ctx, []*kept{on, off}, ticks, repetitions, func(tolls []toll, n float64) {
		with, without := &tolls[0], &tolls[1]
		s.put("tick, thread time, mean", "µs", micros(with.time)/n).beside("not monitored", micros(without.time)/n).atMost(1.05, OfRatio)
		s.put("allocations per tick", "", math.Floor(float64(with.allocations)/n)).gate(0, OfMedian)
	})
	if err != nil {
		return "", 0, err
	}
	return fmt.Sprintf("%s players walk as in a steady tick, in a world whose ticks are monitored as those of a server are: tick "+
		"statistics, from which /metrics is made, labels for profiles, the flight recorder's copy of each inbox, and an "+
		"execution trace; compared with one that is not monitored. A repetition is %d ticks of each, without sockets. "+
		"The figure is processor time of the world's thread, reading the inbox and publishing the frame included.",
		number(float64(players)), ticks), repetitions, nil
}

// observe has the ticks of a world observed, as a server has.
func observe(live *systems.Live) {
	live.Stats = tickstats.New(0, "", tickMs*time.Millisecond, tickMs*time.Millisecond, live.World.Plan())
	r := flight.New(flight.Config{Budget: time.Hour})
	w := r.Watch(live.Stats, recording.Header{}, nil)
	live.Heard, live.Ended = w.Heard, w.Ended
}

// traced does something while an execution trace is kept.
func traced(do func()) error {
	t := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: 10 * time.Second, MaxBytes: 8 << 20})
	if err := t.Start(); err != nil {
		return err
	}
	defer t.Stop()
	do()
	return nil
}
