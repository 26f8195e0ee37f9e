package finetimer

import (
	"errors"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"muster/internal/rawio"
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
	reader, err := rawio.NewReader(s.file)
	if err != nil {
		return nil, errors.Join(err, s.file.Close())
	}
	go func() {
		var expirations [8]byte
		for {
			if _, err := reader.Read(expirations[:]); err != nil {
				return // it is closed
			}
			fire(fired)
		}
	}()
	return s, nil
}

func (s *kernelSource) set(d time.Duration) {
	// It does not block, and fails for a descriptor that is closed alone.
	to := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
	if _, _, errno := unix.RawSyscall6(unix.SYS_TIMERFD_SETTIME, uintptr(s.fd), 0, uintptr(unsafe.Pointer(&to)), 0, 0, 0); errno != 0 {
		panic(os.NewSyscallError("timerfd_settime", errno))
	}
}

func (s *kernelSource) close() { s.file.Close() }
