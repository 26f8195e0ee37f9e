package bench

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An instructionCounter counts what its thread executes in user mode: the one measure of work that a busy machine
// does not change.
//
// Source: perf_event_open(2).
type instructionCounter struct {
	file   int
	buf    [3 * 8]byte // how many, and the nanoseconds for which it was enabled, and running
	shared bool        // others have had the processor's counter meanwhile
}

// countInstructions begins to count for the calling thread, to which its goroutine must be locked. The error says why
// this machine cannot.
func countInstructions() (*instructionCounter, error) {
	attr := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_INSTRUCTIONS,
		Bits:        unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
	}
	attr.Size = uint32(unsafe.Sizeof(attr))
	file, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("the kernel counts no instructions: %w", err)
	}
	c := &instructionCounter{file: file}
	if !(c.read() > 0) {
		c.close()
		return nil, fmt.Errorf("the processor counts no instructions")
	}
	return c, nil
}

// read is how many instructions there have been so far; not a number if that cannot be said, as of no counter.
func (c *instructionCounter) read() float64 {
	if c == nil {
		return math.NaN()
	}
	if n, err := unix.Read(c.file, c.buf[:]); n != len(c.buf) || err != nil {
		return math.NaN()
	}
	n, enabled, running := c.word(0), c.word(1), c.word(2)
	if running < enabled {
		c.shared = true
		return math.NaN()
	}
	return float64(n)
}

func (c *instructionCounter) word(i int) uint64 { return binary.NativeEndian.Uint64(c.buf[8*i:]) }

// partly reports whether it could not be said once, because the counter was another's for a while.
func (c *instructionCounter) partly() bool { return c != nil && c.shared }

func (c *instructionCounter) close() {
	if c != nil {
		unix.Close(c.file)
	}
}
