package main

import "context"

// runClock drives the virtual clock of the worlds until ctx is done. It takes no step before the players have been sent
// what the last one published.
func (r *realm) runClock(ctx context.Context) {
	r.ClockDriver.Settled = r.gate.Settle
	r.ClockDriver.Run(ctx)
}
