package swarm

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// rusage is the processor time of this process, as the kernel says it by another way.
func rusage(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// User and system are each cut to a tick of 10 ms.
func TestProcessorTimes(t *testing.T) {
	for rusage(t) < 400*time.Millisecond { // so much that a tick of another length shows
	}
	before := rusage(t)
	user, system, err := ProcessorTimes(os.Getpid())
	precise, err2 := ProcessorTime(os.Getpid())
	after := rusage(t)
	const odds = 20 * time.Millisecond // there are kernels that count the two in different ways
	if err2 != nil || precise < before-odds || precise > after+odds {
		t.Errorf("%v, %v; getrusage says %v before, %v after", precise, err2, before, after)
	}
	if err != nil || user <= 0 || user+system <= before-20*time.Millisecond || user+system > after {
		t.Errorf("%v and %v, %v; getrusage says %v before, %v after", user, system, err, before, after)
	}
}

// A process that has ended has no times, also while its parent has not asked for its end, and whatever its name is.
func TestProcessorTimesOfTheDead(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "x) R 1 (y")
	if err := os.Symlink(self, name); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, "-test.run", "^$")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	for end := time.Now().Add(time.Minute); err == nil && time.Now().Before(end); {
		_, err = ProcessorTime(pid)
	}
	if !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("a zombie: %v", err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if _, _, err := ProcessorTimes(pid); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no process: %v", err)
	}
}

// What has ended by the second reading is left out of both.
func TestPercent(t *testing.T) {
	ms := func(all ...int) (d []time.Duration) {
		for _, n := range all {
			d = append(d, time.Duration(n)*time.Millisecond)
		}
		return d
	}
	for _, c := range []struct {
		before, after []time.Duration
		during        time.Duration
		want          float64
	}{
		{ms(100, 50), ms(600, 70), 4 * time.Second, 13},
		{ms(10, 70), []time.Duration{30 * time.Millisecond, -1}, time.Second, 2},
		{[]time.Duration{-1, 0}, ms(500, 20), time.Second, 2},
		{ms(10), ms(30), 0, 0},
		{nil, nil, time.Second, 0},
	} {
		if got := percent(c.before, c.after, c.during); got != c.want {
			t.Errorf("from %v to %v in %v: %v, want %v", c.before, c.after, c.during, got, c.want)
		}
	}
}

// A run reads the processes that it is given: here this one, twice. The server and its clients are in it.
func TestRunWatchesProcesses(t *testing.T) {
	s := newServer(t, misdeed{})
	config := quick(s, 20)
	config.PIDs = []int{os.Getpid(), os.Getpid()}
	before := rusage(t)
	report, err := Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	all := rusage(t) - before
	taken := time.Duration(report.ServerPercent / 100 * report.MeasureMs * 1e6)
	if taken <= 0 || taken > 2*all+20*time.Millisecond {
		t.Errorf("twice what was taken in the measured time is %v, that in the whole run %v", taken, all)
	}
	one, err := resident(os.Getpid())
	if err != nil || report.Memory.Most < 1.2*one {
		t.Errorf("of two it is %v, of one now %v MB, %v", report.Memory, one, err)
	}
}
