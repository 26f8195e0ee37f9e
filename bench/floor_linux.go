package bench

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"
	"unsafe"
)

// Serve listens on a free port of 127.0.0.1, says which, and serves until ctx ends or a client leaves.
func (f Floor) Serve(ctx context.Context, ready func(netip.AddrPort)) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	file, err := listener.(*net.TCPListener).File()
	if err != nil {
		return err
	}
	defer file.Close()
	door := int(file.Fd())
	if err := syscall.SetNonblock(door, true); err != nil {
		return err
	}
	poller, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return err
	}
	defer syscall.Close(poller)
	ready(listener.Addr().(*net.TCPAddr).AddrPort())

	s := &sockets{poller: poller, in: make([]byte, 1<<16), out: make([]byte, f.Bytes)}
	defer s.close()
	due := 0.0
	for next := time.Now(); ctx.Err() == nil; {
		if err := s.accept(door); err != nil {
			return err
		}
		if gone, err := s.drain(); gone || err != nil {
			return err
		}
		if len(s.all) >= f.Clients {
			for due += f.Flushes * step.Seconds(); due >= 1; due-- {
				if err := s.sendNext(); err != nil {
					return err
				}
			}
		}
		next = next.Add(step)
		time.Sleep(time.Until(next))
	}
	return nil
}

// sockets are the connections of a Floor.
type sockets struct {
	poller  int
	all     []int
	next    int // whose turn it is to be sent to
	ready   [256]syscall.EpollEvent
	in, out []byte
}

// accept accepts the connections that wait.
func (s *sockets) accept(door int) error {
	for {
		fd, _, err := syscall.Accept4(door, syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC)
		switch err {
		case nil:
		case syscall.EAGAIN:
			return nil
		case syscall.EINTR, syscall.ECONNABORTED:
			continue
		default:
			return fmt.Errorf("floor: accept: %w", err)
		}
		s.all = append(s.all, fd)
		if err := syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1); err != nil {
			return err
		}
		event := syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(fd)}
		if err := syscall.EpollCtl(s.poller, syscall.EPOLL_CTL_ADD, fd, &event); err != nil {
			return err
		}
	}
}

// drain reads what has come. It is over when a client is gone.
func (s *sockets) drain() (gone bool, err error) {
	for {
		n, err := syscall.EpollWait(s.poller, s.ready[:], 0)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return false, fmt.Errorf("floor: wait: %w", err)
		}
		for _, event := range s.ready[:n] {
			got, _, errno := syscall.RawSyscall6(syscall.SYS_RECVFROM, uintptr(event.Fd),
				uintptr(unsafe.Pointer(&s.in[0])), uintptr(len(s.in)), syscall.MSG_DONTWAIT, 0, 0)
			if errno == syscall.EAGAIN || errno == syscall.EINTR {
				continue
			}
			if errno != 0 || got == 0 {
				return true, nil
			}
		}
		if n < len(s.ready) {
			return false, nil
		}
	}
}

// sendNext sends a flush to the client whose turn it is. What a full socket does not take is not sent.
func (s *sockets) sendNext() error {
	fd := s.all[s.next]
	s.next = (s.next + 1) % len(s.all)
	_, _, errno := syscall.RawSyscall6(syscall.SYS_SENDTO, uintptr(fd),
		uintptr(unsafe.Pointer(&s.out[0])), uintptr(len(s.out)), syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL, 0, 0)
	switch errno {
	case 0, syscall.EAGAIN, syscall.EINTR, syscall.EPIPE, syscall.ECONNRESET:
		return nil
	}
	return fmt.Errorf("floor: send: %w", errno)
}

func (s *sockets) close() {
	for _, fd := range s.all {
		syscall.Close(fd)
	}
}
