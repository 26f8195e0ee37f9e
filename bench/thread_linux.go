package bench

import (
	"syscall"
	"time"
	"unsafe"
)

// clockThreadCPU is the clock that goes while the calling thread runs. It says what RUSAGE_THREAD says, but to the
// nanosecond, also in the middle of a time slice.
//
// Source: clock_gettime(2), CLOCK_THREAD_CPUTIME_ID.
const clockThreadCPU = 3

// threadTime is the processor time that the calling thread has taken.
func threadTime() time.Duration {
	var t syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockThreadCPU, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano())
}
