package rawio

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"unsafe"
)

// Conn returns a connection, of a stream, whose reads and writes are raw if it is one of the system's, and else the connection itself. With the race detector it is always that: raw
// calls are no order of memory that it knows of.
func Conn(c net.Conn) net.Conn {
	if s, ok := c.(syscall.Conn); ok && !raceDetector {
		if raw, err := newConn(c, s); err == nil {
			return raw
		}
	}
	return c
}

// WakeMonitor wakes the monitor if it sleeps. It then looks after what runs until nothing does.
func WakeMonitor() { syscall.Syscall(syscall.SYS_GETPID, 0, 0, 0) }

type conn struct {
	net.Conn
	in  *Reader
	out *writer
}

func newConn(c net.Conn, s syscall.Conn) (*conn, error) {
	r, err := NewReader(s)
	if err != nil {
		return nil, err
	}
	w, err := newWriter(s)
	if err != nil {
		return nil, err
	}
	return &conn{c, r, w}, nil
}

func (c *conn) Read(b []byte) (n int, err error) {
	n, err = c.in.Read(b)
	return n, c.named("read", err)
}

func (c *conn) Write(b []byte) (n int, err error) {
	n, err = c.out.Write(b)
	return n, c.named("write", err)
}

// named is an error of the system as package net has it: with the connection's addresses.
func (c *conn) named(op string, err error) error {
	if of, ok := err.(*os.SyscallError); ok {
		return &net.OpError{Op: op, Net: c.LocalAddr().Network(), Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: of}
	}
	return err
}

// A Reader reads a descriptor. It waits as that itself does: until its deadline, and until it is closed.
type Reader struct {
	mu    sync.Mutex
	raw   syscall.RawConn
	try   func(fd uintptr) (done bool) // read
	b     []byte
	n     int
	errno syscall.Errno
}

// NewReader returns a reader of what does not block. It fails if c is closed.
func NewReader(c syscall.Conn) (*Reader, error) {
	raw, err := c.SyscallConn()
	r := &Reader{raw: raw}
	r.try = r.read
	return r, err
}

// Read implements io.Reader.
func (r *Reader) Read(b []byte) (n int, err error) {
	if len(b) == 0 {
		return 0, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.b, r.n, r.errno = b, 0, 0
	err = r.raw.Read(r.try)
	r.b = nil
	switch {
	case err != nil:
		return 0, err
	case r.errno != 0:
		return 0, os.NewSyscallError("read", r.errno)
	case r.n == 0:
		return 0, io.EOF
	}
	return r.n, nil
}

func (r *Reader) read(fd uintptr) (done bool) {
	for {
		n, _, errno := syscall.RawSyscall(syscall.SYS_READ, fd, uintptr(unsafe.Pointer(&r.b[0])), uintptr(len(r.b)))
		switch errno {
		case 0:
			r.n = int(n)
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
			return false
		default:
			r.errno = errno
		}
		return true
	}
}

// A writer writes a descriptor, and waits as a Reader does.
type writer struct {
	mu    sync.Mutex
	raw   syscall.RawConn
	try   func(fd uintptr) (done bool) // write
	b     []byte                       // what is left
	errno syscall.Errno
}

func newWriter(c syscall.Conn) (*writer, error) {
	raw, err := c.SyscallConn()
	w := &writer{raw: raw}
	w.try = w.write
	return w, err
}

// Write implements io.Writer.
func (w *writer) Write(b []byte) (n int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.b, w.errno = b, 0
	err = w.raw.Write(w.try)
	n, w.b = len(b)-len(w.b), nil
	switch {
	case err != nil:
		return n, err
	case w.errno != 0:
		return n, os.NewSyscallError("write", w.errno)
	case n < len(b):
		return n, io.ErrUnexpectedEOF
	}
	return n, nil
}

func (w *writer) write(fd uintptr) (done bool) {
	for len(w.b) > 0 {
		n, _, errno := syscall.RawSyscall(syscall.SYS_WRITE, fd, uintptr(unsafe.Pointer(&w.b[0])), uintptr(len(w.b)))
		switch {
		case errno == syscall.EINTR:
		case errno == syscall.EAGAIN:
			return false
		case errno != 0 || n == 0:
			w.errno = errno
			return true
		default:
			w.b = w.b[n:]
		}
	}
	return true
}
