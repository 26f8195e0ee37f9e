package terminal

import (
	"os"
	"syscall"
	"unsafe"
)

// Is reports whether a value is a file, and that a terminal.
func Is(file any) bool {
	f, ok := file.(*os.File)
	if !ok {
		return false
	}
	var settings syscall.Termios
	_, _, failed := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TCGETS, uintptr(unsafe.Pointer(&settings)))
	return failed == 0
}
