package finetimer

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A kernelSource is a timer of Linux, timerfd_create(2), by the clock that time.Since has.
type kernelSource struct {
	file *os.File
	fd   int
}

func newKernelSource(fired chan<- struct{}) (source, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	s := &kernelSource{os.NewFile(uintptr(fd), "timerfd"), fd}
	if err := s.file.SetReadDeadline(time.Time{}); err != nil { // the poller of the runtime, in which its reads are to wait, has not taken it
		return nil, errors.Join(err, s.file.Close())
	}
	go func() {
		var expirations [8]byte
		for {
			if _, err := s.file.Read(expirations[:]); err != nil {
				return // it is closed
			}
			fire(fired)
		}
	}()
	return s, nil
}

func (s *kernelSource) set(d time.Duration) {
	// It fails for a descriptor that is closed alone.
	if err := unix.TimerfdSettime(s.fd, 0, &unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}, nil); err != nil {
		panic(os.NewSyscallError("timerfd_settime", err))
	}
}

func (s *kernelSource) close() { s.file.Close() }
