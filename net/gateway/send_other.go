//go:build !linux

package gateway

import "golang.org/x/sys/unix"

// send offers bytes to a socket, which does not block, and returns how many it took: 0 if it has no room.
func send(fd int, b []byte) (n int, err error) {
	if len(b) == 0 {
		return 0, nil
	}
	switch n, err := unix.Write(fd, b); err {
	case nil:
		return n, nil
	case unix.EAGAIN, unix.EINTR, unix.ENOBUFS:
		return 0, nil
	default:
		return 0, err
	}
}
