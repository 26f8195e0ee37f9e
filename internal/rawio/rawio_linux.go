package rawio

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"unsafe"
)

// Conn returns a connection whose reads and writes are raw if it is one of the system's, and else the connection itself.
func Conn(c net.Conn) net.Conn {
	s, ok := c.(syscall.Conn)
	if !ok {
		return c
	}
	r, err := NewReader(s)
	if err != nil {
		return c
	}
	w, err := NewWriter(s)
	if err != nil {
		return c
	}
	return &conn{c, r, w}
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

// A Writer writes a descriptor. It waits as that itself does: until its deadline, and until it is closed.
type Writer struct {
	mu    sync.Mutex
	raw   syscall.RawConn
	try   func(fd uintptr) (done bool) // write
	b     []byte                       // what is left
	errno syscall.Errno
}

// NewWriter returns a writer of what does not block. It fails if c is closed.
func NewWriter(c syscall.Conn) (*Writer, error) {
	raw, err := c.SyscallConn()
	w := &Writer{raw: raw}
	w.try = w.write
	return w, err
}

// Write implements io.Writer.
func (w *Writer) Write(b []byte) (n int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.b, w.errno = b, 0
	err = w.raw.Write(w.try)
	n, w.b = len(b)-len(w.b), nil
	if err == nil && w.errno != 0 {
		err = os.NewSyscallError("write", w.errno)
	}
	return n, err
}

func (w *Writer) write(fd uintptr) (done bool) {
	for len(w.b) > 0 {
		n, _, errno := syscall.RawSyscall(syscall.SYS_WRITE, fd, uintptr(unsafe.Pointer(&w.b[0])), uintptr(len(w.b)))
		switch errno {
		case 0:
			w.b = w.b[n:]
		case syscall.EINTR:
		case syscall.EAGAIN:
			return false
		default:
			w.errno = errno
			return true
		}
	}
	return true
}
