package swarm

import (
	"io"
	"net/netip"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A socket is the descriptor of a non-blocking TCP socket, or noSocket.
type socket int

const noSocket socket = -1

// A readiness is what the poller saw of one socket. Client and generation are those given when it was watched.
type readiness struct {
	client     int32
	generation int32
	readable   bool // or closed, or broken: reading shows which
	writable   bool // or connected
}

// A poller is a level-triggered epoll instance.
type poller struct {
	fd    int
	raw   []unix.EpollEvent
	ready []readiness
	alone bool // see Config.Alone
}

// descriptors is how many files the process may have open.
func descriptors() uint64 {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return limit.Cur
}

// used is the processor time of the process so far.
func used() usage {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return usage{}
	}
	return usage{time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano())}
}

func newPoller(alone bool) (*poller, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, err
	}
	const batch = 1024
	return &poller{fd: fd, raw: make([]unix.EpollEvent, batch), ready: make([]readiness, batch), alone: alone}, nil
}

func (p *poller) close() { _ = unix.Close(p.fd) }

// wait returns what is ready within so many milliseconds, maybe nothing. The slice is valid until the next call.
func (p *poller) wait(ms int) ([]readiness, error) {
	n, err := p.epoll(ms)
	if err == unix.EINTR {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for i, e := range p.raw[:n] {
		p.ready[i] = readiness{
			client: e.Fd, generation: e.Pad,
			readable: e.Events&(unix.EPOLLIN|unix.EPOLLHUP|unix.EPOLLERR|unix.EPOLLRDHUP) != 0,
			writable: e.Events&(unix.EPOLLOUT|unix.EPOLLERR) != 0,
		}
	}
	return p.ready[:n], nil
}

// epoll waits for events, in a system call of which the scheduler does not know if the process is the poller's alone.
func (p *poller) epoll(ms int) (int, error) {
	if !p.alone {
		return unix.EpollWait(p.fd, p.raw, ms)
	}
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(unsafe.Pointer(unsafe.SliceData(p.raw))),
		uintptr(len(p.raw)), uintptr(ms), 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// dial begins to connect; the socket is reported writable when that has succeeded or failed. A valid source is the
// address to connect from.
func (p *poller) dial(to netip.AddrPort, source netip.Addr, client, generation int32) (socket, error) {
	family := unix.AF_INET
	if to.Addr().Unmap().Is6() {
		family = unix.AF_INET6
	}
	fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, unix.IPPROTO_TCP)
	if err != nil {
		return noSocket, err
	}
	s := socket(fd)
	if err := s.connect(to, source); err != nil {
		s.close()
		return noSocket, err
	}
	event := unix.EpollEvent{Events: unix.EPOLLOUT, Fd: client, Pad: generation}
	if err := unix.EpollCtl(p.fd, unix.EPOLL_CTL_ADD, fd, &event); err != nil {
		s.close()
		return noSocket, err
	}
	return s, nil
}

// watch says whether a connected socket is of interest when it can be written to, besides when it can be read.
func (p *poller) watch(s socket, client, generation int32, writes bool) error {
	event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: client, Pad: generation}
	if writes {
		event.Events |= unix.EPOLLOUT
	}
	return unix.EpollCtl(p.fd, unix.EPOLL_CTL_MOD, int(s), &event)
}

func (s socket) connect(to netip.AddrPort, source netip.Addr) error {
	if err := unix.SetsockoptInt(int(s), unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
		return err
	}
	if source.IsValid() {
		// The port is chosen at connect, so that one port serves several destinations.
		if err := unix.SetsockoptInt(int(s), unix.IPPROTO_IP, unix.IP_BIND_ADDRESS_NO_PORT, 1); err != nil {
			return err
		}
		if err := unix.Bind(int(s), sockaddr(netip.AddrPortFrom(source, 0))); err != nil {
			return err
		}
	}
	if err := unix.Connect(int(s), sockaddr(to)); err != nil && err != unix.EINPROGRESS {
		return err
	}
	return nil
}

func sockaddr(a netip.AddrPort) unix.Sockaddr {
	if ip := a.Addr().Unmap(); ip.Is4() {
		return &unix.SockaddrInet4{Port: int(a.Port()), Addr: ip.As4()}
	}
	return &unix.SockaddrInet6{Port: int(a.Port()), Addr: a.Addr().As16()}
}

// connected is the outcome of dial, once the socket was reported writable.
func (s socket) connected() error {
	code, err := unix.GetsockoptInt(int(s), unix.SOL_SOCKET, unix.SO_ERROR)
	if err != nil {
		return err
	}
	if code != 0 {
		return unix.Errno(code)
	}
	return nil
}

// read returns 0 and no error if there is nothing to read now, and io.EOF after the peer's last byte.
//
// Reads and writes are raw system calls: they never block, and telling the scheduler about each would cost as much
// again as a tenth of the call (performance.md, 4.1).
func (s socket) read(b []byte) (int, error) {
	for {
		n, _, errno := unix.RawSyscall(unix.SYS_READ, uintptr(s), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
		switch {
		case errno == unix.EINTR:
		case errno == unix.EAGAIN:
			return 0, nil
		case errno != 0:
			return 0, errno
		case n == 0:
			return 0, io.EOF
		default:
			return int(n), nil
		}
	}
}

// write returns how much the socket took, which may be nothing.
func (s socket) write(b []byte) (int, error) {
	for {
		n, _, errno := unix.RawSyscall(unix.SYS_WRITE, uintptr(s), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
		switch {
		case errno == unix.EINTR:
		case errno == unix.EAGAIN:
			return 0, nil
		case errno != 0:
			return 0, errno
		default:
			return int(n), nil
		}
	}
}

func (s socket) close() { _ = unix.Close(int(s)) }
