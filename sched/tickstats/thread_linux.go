package tickstats

import (
	"syscall"
	"time"
	"unsafe"
)

// clockThreadCPU is the clock that goes while the calling thread runs.
//
// Source: clock_gettime(2), CLOCK_THREAD_CPUTIME_ID.
const clockThreadCPU = 3

// threadTime is the processor time that the calling thread has taken; false if the kernel does not tell.
func threadTime() (spent time.Duration, ok bool) {
	var t syscall.Timespec
	_, _, failed := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockThreadCPU, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano()), failed == 0
}
