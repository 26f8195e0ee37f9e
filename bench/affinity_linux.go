package bench

import (
	"math/bits"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"
)

// startOn starts a command whose process has one processor only, unless that is anywhere or the machine has no other.
//
// Source: sched_setaffinity(2): a child inherits the mask of the thread that forks it.
func startOn(cmd *exec.Cmd, processor int) error {
	if processor == anywhere || runtime.NumCPU() < 2 {
		return cmd.Start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, one [16]uint64 // 1,024 processors
	if err := affinity(syscall.SYS_SCHED_GETAFFINITY, &before); err != nil {
		return err
	}
	one[processor/64] = 1 << (processor % 64)
	if err := affinity(syscall.SYS_SCHED_SETAFFINITY, &one); err != nil {
		return err
	}
	err := cmd.Start()
	if failed := affinity(syscall.SYS_SCHED_SETAFFINITY, &before); failed != nil {
		return failed
	}
	return err
}

// pin keeps the calling thread, to which its goroutine is locked, on the last processor that it may have, until it is given
// them all again.
func pin() (free func() error, err error) {
	var before, one [16]uint64
	if err := affinity(syscall.SYS_SCHED_GETAFFINITY, &before); err != nil {
		return nil, err
	}
	last := len(before) - 1
	for last > 0 && before[last] == 0 {
		last--
	}
	one[last] = 1 << (bits.Len64(before[last]) - 1)
	if err := affinity(syscall.SYS_SCHED_SETAFFINITY, &one); err != nil {
		return nil, err
	}
	return func() error { return affinity(syscall.SYS_SCHED_SETAFFINITY, &before) }, nil
}

// affinity reads or sets the mask of the calling thread.
func affinity(call uintptr, mask *[16]uint64) error {
	_, _, errno := syscall.RawSyscall(call, 0, unsafe.Sizeof(*mask), uintptr(unsafe.Pointer(mask)))
	if errno != 0 {
		return errno
	}
	return nil
}
