package bench

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
)

// The kernel either counts, twice as much for twice the work, or says in one of these ways that it does not.
//
// Source: perf_event_open(2), ERRORS.
func TestInstructionsCountWork(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := countInstructions()
	if err != nil {
		said := []error{syscall.ENOENT, syscall.EACCES, syscall.EPERM, syscall.ENOSYS, syscall.EOPNOTSUPP, syscall.ENODEV, errNoInstructions}
		if c != nil || !slices.ContainsFunc(said, func(e error) bool { return errors.Is(err, e) }) {
			t.Errorf("%v, %v", c, err)
		}
		return
	}
	defer c.close()
	words := make([]uint64, 2_000_000)
	count := func(n int) float64 { return over(c, 1, func() { runtime.KeepAlive(turn(words[:n])) }) }
	one, two := count(len(words)/2), count(len(words))
	if each := one / float64(len(words)/2); c.missing() == "" && (each < loopInstructions-2 || each > loopInstructions+2 || two/one < 1.9 || two/one > 2.1) {
		t.Errorf("%.0f instructions for %d turns, %.0f for twice as many", one, len(words)/2, two)
	}
}

// What the kernel says is how many instructions there were, unless the counter has not run all the time.
//
// Source: perf_event_open(2), PERF_FORMAT_TOTAL_TIME_ENABLED and PERF_FORMAT_TOTAL_TIME_RUNNING.
func TestInstructionsOfASharedCounter(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := &instructionCounter{file: int(r.Fd())}
	say := func(words ...uint64) {
		var text []byte
		for _, word := range words {
			text = binary.NativeEndian.AppendUint64(text, word)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	say(12_345, 700, 700)
	if n := c.read(); n != 12_345 || c.missing() != "" {
		t.Errorf("%v instructions, and %q", n, c.missing())
	}
	say(12_345, 700, 699)
	if n := c.read(); !math.IsNaN(n) || c.missing() == "" {
		t.Errorf("%v instructions of a counter that was away, and %q", n, c.missing())
	}
	w.Close()
	if n := c.read(); !math.IsNaN(n) {
		t.Errorf("%v instructions of a counter that says nothing", n)
	}
}
