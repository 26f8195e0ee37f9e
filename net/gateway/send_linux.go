package gateway

import (
	"syscall"
	"unsafe"
)

// send offers bytes to a socket and returns how many it took: 0 if it has no room. It does not block, and so need not
// inform the scheduler. docs/adr/0019-beside-gnet.md says why gnet is not asked to write.
func send(fd int, b []byte) (n int, err error) {
	if len(b) == 0 {
		return 0, nil
	}
	r, _, errno := syscall.RawSyscall6(syscall.SYS_SENDTO, uintptr(fd),
		uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL, 0, 0)
	if errno != 0 {
		return 0, refusal(errno)
	}
	return int(r), nil
}

// refusal is why a socket takes nothing, nil if it only has no room.
func refusal(errno syscall.Errno) error {
	switch errno {
	case syscall.EAGAIN, syscall.EINTR, syscall.ENOBUFS:
		return nil
	}
	return errno
}
