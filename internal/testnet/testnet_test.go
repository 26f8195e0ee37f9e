//go:build linux

package testnet

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hosts makes two hosts, none where this process may not.
func hosts(t *testing.T) (a, b *Host) {
	t.Helper()
	n, err := New()
	if errors.Is(err, ErrRights) {
		t.Log(err)
		return nil, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	for _, h := range []**Host{&a, &b} {
		if *h, err = n.Host(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { (*h).Close() })
	}
	return a, b
}

// echo listens on a host, and sends back what comes.
func echo(t *testing.T, h *Host) (at string) {
	t.Helper()
	l, err := h.Listen("tcp", net.JoinHostPort(h.Addr().String(), "0"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				io.Copy(c, c)
			}()
		}
	}()
	return l.Addr().String()
}

// TestCut cuts a host off from another one: what is sent over a connection does not arrive, the connection does not end, and all arrives when the host is joined again.
func TestCut(t *testing.T) {
	a, b := hosts(t)
	if a == nil {
		return
	}
	c, err := a.DialContext(t.Context(), "tcp", echo(t, b))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	say := func(text string) {
		t.Helper()
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
	}
	heard := make([]byte, 3)
	hear := func(want string) {
		t.Helper()
		c.SetReadDeadline(time.Now().Add(time.Minute))
		if _, err := io.ReadFull(c, heard); err != nil || string(heard) != want {
			t.Fatalf("%q, %v: want %q", heard, err, want)
		}
	}
	say("one")
	hear("one")
	for _, h := range []*Host{a, b} {
		if err := h.Cut(true); err != nil {
			t.Fatal(err)
		}
		say("two")
		c.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
		if n, err := c.Read(heard); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("a host that is cut off: %q, %v", heard[:n], err)
		}
		if err := h.Cut(false); err != nil {
			t.Fatal(err)
		}
		hear("two")
	}
}

// TestHostsAreApart starts a process on a host: it has the host's address and no other network, while goroutines of this process have this machine's.
func TestHostsAreApart(t *testing.T) {
	_, b := hosts(t)
	if b == nil {
		return
	}
	var out []byte
	var err error
	b.Do(func() { out, err = exec.Command("ip", "-brief", "-4", "address").CombinedOutput() })
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 2 || !strings.Contains(lines[0], "127.0.0.1/8") || !strings.Contains(lines[1], "192.0.2.2/24") {
		t.Errorf("%v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := b.DialContext(t.Context(), "tcp", l.Addr().String()); err == nil {
		t.Error("a host reaches this machine")
	}
	if c, err := new(Host).DialContext(t.Context(), "tcp", l.Addr().String()); err != nil {
		t.Error(err)
	} else {
		c.Close()
	}
}
