package bench

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// openFiles is how many files the process may have open: what `ulimit -Hn` says, to which Go raises it.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return limit.Cur
}

// tryRing says why there is no io_uring, if there is none.
//
// Source: io_uring_setup(2).
func tryRing() error {
	var params [120]byte // struct io_uring_params
	fd, _, errno := syscall.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params)), 0)
	if errno != 0 {
		return errno
	}
	return syscall.Close(int(fd))
}

// sendMicros is the processor time of one send of as many bytes as in S8, over loopback, to one client of some after the
// other, each of which has read what came before: the median of many rounds, in microseconds.
func sendMicros(ctx context.Context) (float64, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	file, err := listener.(*net.TCPListener).File()
	if err != nil {
		return 0, err
	}
	defer file.Close()
	door := int(file.Fd())
	if err := syscall.SetNonblock(door, true); err != nil {
		return 0, err
	}
	poller, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return 0, err
	}
	defer syscall.Close(poller)
	clients, err := greetLoad(ctx, listener.Addr().String(), sendClients, nil)
	if err != nil {
		return 0, err
	}
	defer clients.close()
	s := &sockets{poller: poller, out: make([]byte, fanOutBytes)}
	defer s.close()
	for len(s.all) < sendClients {
		if err := s.accept(door); err != nil {
			return 0, err
		}
		if err := sleep(ctx, time.Millisecond); err != nil {
			return 0, err
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var rounds []float64
	for len(rounds) < sendRounds {
		start := threadTime()
		for range s.all {
			if err := s.sendNext(); err != nil {
				return 0, err
			}
		}
		rounds = append(rounds, micros(threadTime()-start)/sendClients)
		for clients.received.Load() < uint64(len(rounds)*sendClients*fanOutBytes) {
			if err := sleep(ctx, 100*time.Microsecond); err != nil {
				return 0, errors.Join(fmt.Errorf("bench: clients have read %d bytes of %d rounds", clients.received.Load(), len(rounds)), err)
			}
		}
	}
	return middle(rounds), nil
}
