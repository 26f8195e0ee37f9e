package bench

import (
	"cmp"
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

// segments is how many segments with data have come to the sockets of clients, all together. A write that finds the
// socket of its client ready is one; two that the sender or its kernel put together are one, too.
//
// Source: RFC 4898, tcpEStatsPerfDataSegsIn, as tcp(7) has it in TCP_INFO.
func segments(conns []net.Conn) (all uint64, err error) {
	for _, c := range conns {
		raw, err := c.(*net.TCPConn).SyscallConn()
		if err != nil {
			return 0, err
		}
		var info *unix.TCPInfo
		failed := raw.Control(func(fd uintptr) { info, err = unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO) })
		if failed != nil || err != nil {
			return 0, fmt.Errorf("load: segments of a client: %w", cmp.Or(failed, err))
		}
		all += uint64(info.Data_segs_in)
	}
	return all, nil
}
