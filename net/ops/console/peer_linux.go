package console

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"syscall"
)

// sameUser refuses peers that are neither the user that runs this process nor root. The socket's mode does the
// same; it is a second lock.
func sameUser(c net.Conn) error {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return errors.New("console: not a local socket")
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return err
	}
	var peer *syscall.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) {
		peer, failed = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	if peer.Uid != 0 && int(peer.Uid) != os.Getuid() {
		return fmt.Errorf("console: user %d is not the one that runs this server", peer.Uid)
	}
	return nil
}

// owned reports whether a file is of the user that runs this process.
func owned(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
