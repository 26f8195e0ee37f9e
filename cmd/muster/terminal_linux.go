package main

import (
	"os"
	"syscall"
	"unsafe"
)

// isTerminal reports whether a file is a terminal.
func isTerminal(f *os.File) bool {
	var settings syscall.Termios
	_, _, failed := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TCGETS, uintptr(unsafe.Pointer(&settings)))
	return failed == 0
}
