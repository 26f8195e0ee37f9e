package swarm

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// ProcessorTimes are the processor time that a process has taken in user mode and in the kernel, of all its threads, in
// steps of a tick of the kernel. It is an error if the process has ended, also while its parent has not asked for that.
//
// Source: proc_pid_stat(5), fields 3, 14 and 15; a tick is a hundredth of a second on every Linux.
func ProcessorTimes(pid int) (user, system time.Duration, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // after the name, which is field 2
	if len(fields) < 13 {
		return 0, 0, fmt.Errorf("swarm: cannot read the times of process %d", pid)
	}
	if fields[0] == "Z" || fields[0] == "X" {
		return 0, 0, fmt.Errorf("swarm: process %d: %w", pid, os.ErrProcessDone)
	}
	const tick = 10 * time.Millisecond
	u, err := strconv.ParseUint(fields[14-3], 10, 64)
	s, err2 := strconv.ParseUint(fields[15-3], 10, 64)
	return time.Duration(u) * tick, time.Duration(s) * tick, errors.Join(err, err2)
}

// ProcessorTime is the sum of ProcessorTimes, to the nanosecond where there is a clock of it.
func ProcessorTime(pid int) (time.Duration, error) {
	user, system, err := ProcessorTimes(pid)
	if err != nil {
		return 0, err
	}
	if t, ok := processorClock(pid); ok {
		return t, nil
	}
	return user + system, nil
}

// taken is the processor time of each of the server's processes so far, or -1 of one that has ended.
func (r *run) taken() []time.Duration {
	all := make([]time.Duration, len(r.config.PIDs))
	for i, pid := range r.config.PIDs {
		t, err := ProcessorTime(pid)
		if err != nil {
			t = -1
		}
		all[i] = t
	}
	return all
}

// percent is what processes took from one reading to another, together, of a core. One that ended between is left out.
func percent(before, after []time.Duration, during time.Duration) float64 {
	var sum time.Duration
	for i := range before {
		if before[i] >= 0 && after[i] >= 0 {
			sum += after[i] - before[i]
		}
	}
	if during <= 0 {
		return 0
	}
	return 100 * sum.Seconds() / during.Seconds()
}
