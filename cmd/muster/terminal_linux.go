package main

import (
	"os"
	"syscall"
	"unsafe"
)

// isTerminal reports whether somebody types into a file.
func isTerminal(f *os.File) bool {
	var settings syscall.Termios
	_, _, failed := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TCGETS, uintptr(unsafe.Pointer(&settings)))
	return failed == 0
}
