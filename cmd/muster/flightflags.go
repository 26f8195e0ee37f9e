package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"muster/net/ops/flight"
)

// flightFlags are of the flight recorder.
type flightFlags struct {
	FlightBudget time.Duration `default:"0s" placeholder:"D" help:"A tick that takes longer has a bundle written that says why, for muster flight; 0s: two of the longest steps (${default})."`
	FlightEvery  time.Duration `default:"1m" placeholder:"D" help:"Write one bundle at most in this time (${default})."`
	FlightKeep   int           `default:"10" placeholder:"N" help:"Keep the last N bundles, in flight in the folder; without a folder they are only logged (${default})."`
	FlightOff    bool          `help:"Remember nothing of the last ticks but how long they took."`
}

func (f *flightFlags) check() error {
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

// recorder makes the flight recorder, nil if there is to be none. Without a folder of data its bundles are only logged.
func (r *worldSet) recorder(c *flightFlags, data string) *flight.Recorder {
	if c.FlightOff {
		return nil
	}
	folder := ""
	if data != "" {
		folder = filepath.Join(data, "flight")
	}
	return flight.New(flight.Config{
		Folder: folder, Budget: cmp.Or(c.FlightBudget, 2*r.longestStep()), Every: c.FlightEvery, Keep: c.FlightKeep,
		Release: release(), Metric: r.metric, Log: r.log,
	})
}

// bundle writes what the flight recorder remembers.
func (r *worldSet) bundle(w io.Writer) error {
	if r.flight == nil {
		return errors.New("the flight recorder is off")
	}
	_, err := r.flight.Write(w, flight.Cause{Kind: flight.Asked})
	return err
}
