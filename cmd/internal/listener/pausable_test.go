package listener

import (
	"errors"
	"io"
	"net"
	"testing"
)

// A connection that comes between two pausable listeners of a socket waits for the second.
func TestPausable(t *testing.T) {
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	first := NewPausable(l)
	ended := make(chan error)
	go func() {
		_, err := first.Accept()
		ended <- err
	}()
	first.Close()
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("the first ends with %v", err)
	}
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := client.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	c, err := NewPausable(l).Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	b := make([]byte, 1)
	if _, err := io.ReadFull(c, b); err != nil || b[0] != 'x' {
		t.Errorf("it reads %q, %v", b, err)
	}
}
