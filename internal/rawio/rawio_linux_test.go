package rawio

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pair returns both ends of a connection over loopback, of which the first is raw.
func pair(t *testing.T) (one *conn, other net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dialed, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if other, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	if one, err = newConn(dialed, dialed.(syscall.Conn)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { one.Close(); other.Close() })
	return one, other
}

// What is written arrives, and what arrives is read, also where neither fits into the buffers of the system.
func TestBothWays(t *testing.T) {
	one, other := pair(t)
	sent := make([]byte, 32<<20)
	for i := range sent {
		sent[i] = byte(i % 251)
	}
	ended := make(chan error, 1)
	go func() { // it sends back what it reads
		_, err := io.Copy(other, io.LimitReader(other, int64(len(sent))))
		ended <- err
	}()
	written := make(chan error, 1)
	go func() {
		n, err := one.Write(sent)
		if err == nil && n != len(sent) {
			err = io.ErrShortWrite
		}
		written <- err
	}()
	got := make([]byte, len(sent))
	if _, err := io.ReadFull(one, got); err != nil || !bytes.Equal(got, sent) {
		t.Errorf("%v, or other bytes", err)
		one.Close()
		other.Close()
	}
	if err := errors.Join(<-written, <-ended); err != nil {
		t.Error(err)
	}
	if n, err := one.Read(nil); n != 0 || err != nil {
		t.Errorf("into nothing: %d bytes, %v", n, err)
	}
	if n, err := one.Write(nil); n != 0 || err != nil {
		t.Errorf("nothing: %d bytes, %v", n, err)
	}
}

// Ends, errors and deadlines are those of the connection.
func TestEnds(t *testing.T) {
	one, other := pair(t)
	if err := one.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := one.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a read after its deadline: %v", err)
	}
	type result struct {
		n   int
		err error
	}
	written := make(chan result)
	go func() { // more than there is room for
		n, err := one.Write(make([]byte, 64<<20))
		written <- result{n, err}
	}()
	if _, err := io.ReadFull(other, make([]byte, 1)); err != nil { // so that it has begun
		t.Fatal(err)
	}
	if err := one.SetWriteDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	w := <-written
	if !errors.Is(w.err, os.ErrDeadlineExceeded) || w.n == 0 {
		t.Errorf("a write that is not read: %d bytes, %v", w.n, w.err)
	}
	if err := one.SetDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	if err := one.Conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if got, err := io.Copy(io.Discard, other); err != nil || got != int64(w.n-1) {
		t.Errorf("of %d bytes %d arrived, %v", w.n, got+1, err)
	}
	if err := other.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if n, err := one.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("at the end: %d bytes, %v", n, err)
	}

	one, other = pair(t)
	if err := other.(*net.TCPConn).SetLinger(0); err != nil { // so that it is reset
		t.Fatal(err)
	}
	other.Close()
	n, err := one.Read(make([]byte, 1))
	if want := "read tcp " + one.LocalAddr().String() + "->" + one.RemoteAddr().String() + ": read: connection reset by peer"; n != 0 || !errors.Is(err, syscall.ECONNRESET) || err.Error() != want {
		t.Errorf("a read of what was reset: %d bytes, %v, want %s", n, err, want)
	}
	if _, ok := err.(net.Error); !ok {
		t.Errorf("its error is a %T, and no net.Error", err)
	}
	if n, err := one.Write([]byte{1}); n != 0 || !errors.Is(err, syscall.EPIPE) {
		t.Errorf("a write to what was reset: %d bytes, %v", n, err)
	}

	waits, _ := pair(t)
	go waits.Close() // before the read, or while it waits
	if _, err := waits.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a read of what is closed: %v", err)
	}
	if _, err := waits.Write([]byte{1}); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a write to what is closed: %v", err)
	}
}

// What has no descriptor stays as it is, and so does all with the race detector.
func TestConn(t *testing.T) {
	_, plain := pair(t)
	if _, raw := Conn(plain).(*conn); raw == raceDetector {
		t.Errorf("a connection of the system is raw: %v", raw)
	}
	one, other := net.Pipe()
	defer one.Close()
	defer other.Close()
	if got := Conn(one); got != one {
		t.Errorf("a pipe becomes a %T", got)
	}
}

// A read and a write allocate nothing.
func TestAllocations(t *testing.T) {
	one, other := pair(t)
	b := []byte{1}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := other.Write(b); err != nil {
			t.Fatal(err)
		}
		if _, err := one.Read(b); err != nil {
			t.Fatal(err)
		}
		if _, err := one.Write(b); err != nil {
			t.Fatal(err)
		}
		if _, err := other.Read(b); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
