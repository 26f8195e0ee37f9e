package swarm

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Memory is how much of it a server's processes have had together in the measured time, in megabytes that are resident. It
// is all zero if those are not known.
type Memory struct {
	First    float64    `json:"first_mb"`
	Last     float64    `json:"last_mb"`
	Most     float64    `json:"most_mb"`
	Quarters [4]float64 `json:"quarters_mb"` // medians of the four quarters of the measured time
	Growth   float64    `json:"growth"`      // how much more the last quarter has than the second; 0.1 is a tenth
}

// sampleEvery is the time between two looks at the server.
const sampleEvery = time.Second

// resident reads the resident memory of a process, in megabytes.
//
// Source: proc_pid_statm(5), field 2, in pages.
func resident(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0, fmt.Errorf("swarm: process %d has no memory", pid)
	}
	pages, err := strconv.ParseUint(fields[1], 10, 64)
	return float64(pages) * float64(os.Getpagesize()) / 1e6, err
}

// sample looks at the server's memory, if it is time for that. A process that is gone has none to look at.
func (r *run) sample() {
	if len(r.config.PIDs) == 0 || r.now < r.sampleDue {
		return
	}
	r.sampleDue = r.now + moment(sampleEvery)
	sum := 0.0
	for _, pid := range r.config.PIDs {
		if mb, err := resident(pid); err == nil {
			sum += mb
		}
	}
	if sum > 0 {
		r.samples = append(r.samples, sum)
	}
}

// memory sums the samples up.
func memory(samples []float64) (m Memory) {
	n := len(samples)
	if n == 0 {
		return m
	}
	m.First, m.Last, m.Most = samples[0], samples[n-1], slices.Max(samples)
	for i := range m.Quarters {
		quarter := slices.Clone(samples[i*n/4 : max((i+1)*n/4, i*n/4+1)])
		slices.Sort(quarter)
		m.Quarters[i] = quarter[len(quarter)/2]
	}
	m.Growth = (m.Quarters[3] - m.Quarters[1]) / m.Quarters[1]
	return m
}

// String is the quarters, and the growth.
func (m Memory) String() string {
	q := &m.Quarters
	return fmt.Sprintf("%.0f, %.0f, %.0f, %.0f MB in the quarters of the time, %.0f at most; the last has %+.1f %% on the second",
		q[0], q[1], q[2], q[3], m.Most, 100*m.Growth)
}
