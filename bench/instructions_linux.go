package bench

import (
	"encoding/binary"
	"errors"
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

// errNoInstructions is what a counter says that stands still.
var errNoInstructions = errors.New("the processor counts no instructions")

// countInstructions begins to count for the calling thread, to which its goroutine must be locked. The error says why
// this machine cannot.
func countInstructions() (counter, error) {
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
		return nil, errNoInstructions
	}
	return c, nil
}

// read implements counter.
func (c *instructionCounter) read() float64 {
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

// missing implements counter.
func (c *instructionCounter) missing() string {
	if c.shared {
		return "the processor's counter was another's for a while"
	}
	return ""
}

func (c *instructionCounter) close() { unix.Close(c.file) }
