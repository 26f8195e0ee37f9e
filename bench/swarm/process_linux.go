package swarm

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorClock reads the clock of a process, which goes while one of its threads runs.
//
// Source: clock_getcpuclockid(3); the clock of a process is its number, inverted and shifted over the kind of clock, of
// which 2 is what the scheduler counts (MAKE_PROCESS_CPUCLOCK and CPUCLOCK_SCHED of Linux).
func processorClock(pid int) (time.Duration, bool) {
	const scheduler = 2
	var t unix.Timespec
	err := unix.ClockGettime(int32(^pid<<3|scheduler), &t)
	return time.Duration(t.Nano()), err == nil
}
