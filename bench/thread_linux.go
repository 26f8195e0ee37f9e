package bench

import (
	"fmt"
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

// otherTime is the processor time that another process has taken, all its threads.
//
// Source: clock_getcpuclockid(3); the clock of a process is its number, inverted and shifted over the kind of clock, of
// which 2 is what the scheduler counts (MAKE_PROCESS_CPUCLOCK and CPUCLOCK_SCHED of Linux).
func otherTime(pid int) (time.Duration, error) {
	const scheduler = 2
	var t syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, uintptr(^pid<<3|scheduler), uintptr(unsafe.Pointer(&t)), 0)
	if errno != 0 {
		return 0, fmt.Errorf("processor time of process %d: %w", pid, errno)
	}
	return time.Duration(t.Nano()), nil
}

func clockTime(clock uintptr) time.Duration {
	var t syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano())
}
