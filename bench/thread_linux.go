package bench

import (
	"syscall"
	"time"
	"unsafe"
)

// clockThreadCPU is the clock that goes while the calling thread runs, clockProcessCPU that of all threads. It says what RUSAGE_THREAD says, but to the
// nanosecond, also in the middle of a time slice.
//
// Source: clock_gettime(2), CLOCK_THREAD_CPUTIME_ID.
const (
	clockProcessCPU = 2
	clockThreadCPU  = 3
)

// threadTime is the processor time that the calling thread has taken.
func threadTime() time.Duration { return clockTime(clockThreadCPU) }

// processTime is the processor time that the whole process has taken, the collector of garbage too.
func processTime() time.Duration { return clockTime(clockProcessCPU) }

func clockTime(clock uintptr) time.Duration {
	var t syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano())
}
