package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/cmd/internal/realm"
	"muster/net/login"
	"muster/net/protocol/wire"
)

// dialed is a connection that a test has to itself, without a client.
func dialed(t *testing.T, address string) *net.TCPConn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(patience))
	return c.(*net.TCPConn)
}

// ends reads until the other side has closed, and returns how long that took, and what was read.
func ends(t *testing.T, c net.Conn) (took time.Duration, all []byte) {
	t.Helper()
	began := time.Now()
	all, err := io.ReadAll(c)
	if err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("not closed, but %v", err)
	}
	return time.Since(began), all
}

// TestFaultChallenges is fault row 5.
func TestFaultChallenges(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0")
	good := login.AppendChallenge(nil, "DRIP")
	with := func(at int, b ...byte) []byte {
		c := append([]byte(nil), good...)
		copy(c[at:], b)
		return c
	}
	nameLen := len(good) - len("DRIP") - 1
	closed := 0
	for _, c := range []struct {
		name string
		b    []byte
	}{
		{"no size", with(2, 0, 0)},
		{"a size of 65,535", with(2, 0xFF, 0xFF)},
		{"a size of one more", with(2, good[2]+1, 0)},
		{"a name longer than the size has it", with(nameLen, 5)},
		{"a name shorter than that", with(nameLen, 3)},
		{"no name", with(nameLen, 0)},
		{"an unknown command", with(0, 0x55)},
	} {
		conn := dialed(t, s.auth)
		conn.Write(c.b)
		conn.CloseWrite()
		_, said := ends(t, conn)
		if r, _, err := login.ParseChallengeReply(said); len(said) > 0 && (err != nil || r.Result == login.Success) {
			t.Errorf("%s: answered with % x", c.name, said)
		}
		closed++
	}
	drip := dialed(t, s.auth)
	for i := range good {
		drip.Write(good[i : i+1])
	}
	var said []byte
	for {
		b := make([]byte, 256)
		n, err := drip.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, b[:n]...)
		r, _, err := login.ParseChallengeReply(said)
		if errors.Is(err, wire.ErrShort) {
			continue
		}
		if err != nil || r.Result != login.Success {
			t.Errorf("byte by byte: %+v, %v", r, err)
		}
		break
	}
	visit(t, s, "AFTER")
	if n := s.condition().Counters["auth.panic"]; n != 0 {
		t.Errorf("%d panics", n)
	}
	reports(t, 5, "%d closed, 0 panics", closed)
}

// TestFaultHalfOpen is fault rows 7 and 8: connections that say nothing, and some that say too little, while others log
// in. All of the first are closed at the deadlines, which are 10 s from the connection.
func TestFaultHalfOpen(t *testing.T) {
	waits(t)
	silent, slow := size(10_000, 400), 20
	s := serve(t, "--ephemeral", "--creatures", "0", "--max-players", "15000")
	before := resident(t, s)
	type connection struct {
		net.Conn
		began time.Time
	}
	var all []connection
	dial := func(address string) net.Conn {
		c := dialed(t, address)
		all = append(all, connection{c, time.Now()})
		return c
	}
	logins := min(silent/10, 200)
	for range silent - logins {
		dial(s.world)
	}
	for range logins {
		dial(s.auth)
	}
	challenge := login.AppendChallenge(nil, "SLOTH")
	for i := range slow {
		address := s.auth
		if i%2 == 0 {
			address = s.world
		}
		c := dial(address)
		c.Write(challenge[:1])
	}
	after := resident(t, s)

	// The slow clients send another byte every two seconds, which is sooner than any deadline of one packet.
	drip := func(ctx context.Context) {
		every := time.NewTicker(2 * time.Second)
		defer every.Stop()
		for n := 1; n < len(challenge); n++ {
			select {
			case <-every.C:
			case <-ctx.Done():
				return
			}
			for _, c := range all[len(all)-slow:] {
				c.Write(challenge[n : n+1])
			}
		}
	}
	var longest time.Duration
	var loginTimes []time.Duration
	withstands(t, s, 7, func(ctx context.Context) {
		dripping, stop := context.WithCancel(ctx)
		defer stop()
		go drip(dripping)
		for _, c := range all {
			io.Copy(io.Discard, c)
			longest = max(longest, time.Since(c.began))
		}
	})
	for i := range 20 { // later clients are let in as before
		began := time.Now()
		visit(t, s, fmt.Sprint("LATE", i))
		loginTimes = append(loginTimes, time.Since(began))
	}
	counters := s.condition().Counters
	closed := counters["closed.handshake_timeout"] + counters["auth.timeout"] + counters["closed.bad_header"] + counters["auth.bad_packet"]
	if want := uint64(silent + slow); closed != want {
		t.Errorf("%d of %d were closed at a deadline: %v", closed, want, counters)
	}
	if longest > 3*realm.Handshake { // a slow client would take seven times as long
		t.Errorf("the last was closed after %v, and the deadline is %v", longest, realm.Handshake)
	}
	reports(t, 7, "%d connections, all closed within %.1f s; %.1f kB each; login p99 %v",
		len(all), longest.Seconds(), float64(after-before)/1024/float64(len(all)), p99(loginTimes).Round(time.Millisecond))
	reports(t, 8, "closed within %.1f s", longest.Seconds())
}

// resident is how much memory the server has, in bytes.
func resident(t *testing.T, s *served) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	var total, pages int64
	if _, err := fmt.Fscan(strings.NewReader(string(text)), &total, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
