package login

import (
	"syscall"
	"time"
)

// sleepExactly sleeps as exactly as the kernel can.
func sleepExactly(d time.Duration) {
	if d <= 0 {
		return
	}
	left := syscall.NsecToTimespec(int64(d))
	for syscall.Nanosleep(&left, &left) == syscall.EINTR {
	}
}
