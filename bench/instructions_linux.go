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
	file int
	buf  [8]byte
}

// countInstructions begins to count for the calling thread, to which its goroutine must be locked. The error says why
// this machine cannot.
func countInstructions() (*instructionCounter, error) {
	attr := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_INSTRUCTIONS,
		Bits: unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	attr.Size = uint32(unsafe.Sizeof(attr))
	file, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("the kernel counts no instructions: %w", err)
	}
	c := &instructionCounter{file: file}
	if c.read() <= 0 {
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
	return float64(binary.NativeEndian.Uint64(c.buf[:]))
}

func (c *instructionCounter) close() {
	if c != nil {
		unix.Close(c.file)
	}
}
