package terminal

import (
	"os"
	"os/signal"
	"syscall"
	"unsafe"
)

// hideTyping has a terminal not show what is typed, until restore is called, or the process is interrupted.
func hideTyping(f *os.File) (restore func(), err error) {
	var before syscall.Termios
	if err := ioctl(f, syscall.TCGETS, &before); err != nil {
		return nil, err
	}
	hidden := before
	hidden.Lflag &^= syscall.ECHO
	if err := ioctl(f, syscall.TCSETS, &hidden); err != nil {
		return nil, err
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		select {
		case <-interrupted:
			ioctl(f, syscall.TCSETS, &before)
			os.Exit(1)
		case <-done:
		}
	}()
	return func() {
		signal.Stop(interrupted)
		close(done)
		ioctl(f, syscall.TCSETS, &before)
	}, nil
}

// ioctl asks for the settings of a terminal, or makes others.
func ioctl(f *os.File, request uintptr, settings *syscall.Termios) error {
	if _, _, failed := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(unsafe.Pointer(settings))); failed != 0 {
		return failed
	}
	return nil
}
