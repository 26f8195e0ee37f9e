package worldset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"muster/cmd/internal/release"
	"muster/net/ops/flight"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/sched/tickstats"
	"muster/systems"
)

// FlightSettings are of the flight recorder.
type FlightSettings struct {
	FlightBudget time.Duration `default:"0s" placeholder:"D" help:"A tick that takes longer has a bundle written that says why, for muster flight; 0s: two of the longest steps (${default})."`
	FlightEvery  time.Duration `default:"1m" placeholder:"D" help:"Write one bundle at most in this time (${default})."`
	FlightDir    string        `placeholder:"DIR" help:"Write bundles into this folder, which several processes may have; default: flight in the folder of data. Without either they are only logged, as those of workers are."`
	FlightKeep   int           `default:"10" placeholder:"N" help:"Keep the last N bundles in that folder (${default})."`
	FlightTrace  bool          `help:"Have bundles an execution trace of the last ten seconds, for go tool trace. It takes a sixth more of a worker's processor."`
	FlightOff    bool          `help:"Remember nothing of the last ticks but how long they took."`
}

// Check refuses what no flight recorder can be made with.
func (f *FlightSettings) Check() error {
	switch {
	case f.FlightBudget < 0 || f.FlightBudget > time.Hour:
		return fmt.Errorf("--flight-budget is from 0s to 1h, not %v", f.FlightBudget)
	case f.FlightEvery <= 0:
		return errors.New("--flight-every is more than nothing")
	case f.FlightKeep < 1 || f.FlightKeep > 1000:
		return fmt.Errorf("--flight-keep is from 1 to 1,000, not %d", f.FlightKeep)
	}
	return nil
}

// Recorder makes the flight recorder, nil if there is to be none. Without a folder, of its own or of data, its bundles are only logged.
func (r *Set) Recorder(c *FlightSettings, data string) *flight.Recorder {
	if c.FlightOff {
		return nil
	}
	folder := c.FlightDir
	if folder == "" && data != "" {
		folder = filepath.Join(data, "flight")
	}
	return flight.New(flight.Config{
		Folder: folder, Budget: cmp.Or(c.FlightBudget, 2*r.LongestStep()), Every: c.FlightEvery, Keep: c.FlightKeep, Trace: c.FlightTrace,
		Release: release.Name(), Metric: r.Metric, Log: r.Log,
	})
}

// watch has the ticks of a world observed, by the flight recorder too if there is one, until the set's Forget.
func (r *Set) watch(live *systems.Live, p *tickstats.Stats, header recording.Header) {
	live.Stats = p
	r.forget = append(r.forget, r.Watch(live, header))
}

// Watch has the flight recorder, if there is one, observe the ticks of a world that has its statistics, until forget is called.
func (r *Set) Watch(live *systems.Live, header recording.Header) (forget func()) {
	if r.Flight == nil {
		return func() {}
	}
	w, traced := r.Flight.Watch(live.Stats, header, r.excerpt(header.Map, live.Stats.Instance)), live.Heard
	live.Heard, live.Ended = w.Heard, w.Ended
	if traced != nil {
		live.Heard = func(n uint64, in *frame.Inbox) { w.Heard(n, in); traced(n, in) }
	}
	return func() { r.Flight.Forget(w) }
}

// Forget has the flight recorder observe the worlds of the set no more, which have ended.
func (r *Set) Forget() {
	for _, forget := range r.forget {
		forget()
	}
	r.forget = nil
}

// Bundle writes what the flight recorder remembers.
func (r *Set) Bundle(ctx context.Context, w io.Writer) error {
	if r.Flight == nil {
		return errors.New("the flight recorder is off")
	}
	_, err := r.Flight.Write(ctx, w, flight.Cause{Kind: flight.Asked})
	return err
}
