package natsbus

import (
	"errors"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// A write that is not taken ends after 2 s at least, and half a second more at most: the first of a connection, one soon after another, one whose deadline was removed by nats.go, and one
// after the last deadline.
func TestWritesEnd(t *testing.T) {
	for what, before := range map[string]func(t *testing.T, c *conn, write func()){
		"the first":        func(*testing.T, *conn, func()) {},
		"after another":    func(_ *testing.T, _ *conn, write func()) { write() },
		"somewhat later":   func(_ *testing.T, _ *conn, write func()) { write(); time.Sleep(400 * time.Millisecond) },
		"a second later":   func(_ *testing.T, _ *conn, write func()) { write(); time.Sleep(time.Second) },
		"two later":        func(_ *testing.T, _ *conn, write func()) { write(); time.Sleep(2 * time.Second) },
		"after a deadline": func(_ *testing.T, _ *conn, write func()) { write(); time.Sleep(time.Minute); write() },
		"long after":       func(_ *testing.T, _ *conn, write func()) { write(); time.Sleep(time.Minute) },
		"connected": func(t *testing.T, c *conn, write func()) {
			write()
			if err := c.SetDeadline(time.Time{}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				one, other := net.Pipe()
				defer one.Close()
				defer other.Close()
				c := &conn{Conn: one}
				before(t, c, func() {
					done := make(chan error, 1)
					go func() {
						_, err := other.Read(make([]byte, 1))
						done <- err
					}()
					if n, err := c.Write([]byte{1}); n != 1 || err != nil {
						t.Fatalf("%d bytes were written: %v", n, err)
					}
					if err := <-done; err != nil {
						t.Fatal(err)
					}
				})
				began := time.Now()
				_, err := c.Write([]byte{1})
				if took := time.Since(began); !errors.Is(err, os.ErrDeadlineExceeded) || took < 2*time.Second || took > 2500*time.Millisecond {
					t.Errorf("a write that is not taken ends after %v: %v", took, err)
				}
			})
		})
	}
}

// A deadlines is a connection that takes all, and counts the deadlines of writes.
type deadlines struct {
	net.Conn
	set int
}

func (d *deadlines) Write(b []byte) (int, error)        { return len(b), nil }
func (d *deadlines) SetWriteDeadline(t time.Time) error { d.set++; return nil }

// Writes of a second set two deadlines, however many there are.
func TestDeadlinesAreSetSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d deadlines
		c := &conn{Conn: &d}
		for range 1000 {
			if _, err := c.Write([]byte{1}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		if d.set != 2 {
			t.Errorf("%d deadlines were set, want 2", d.set)
		}
	})
}
