package main

import (
	"bufio"
	"errors"
	"net"
	"os"
	"time"
)

// An inlet is a connection of which one can wait for the next byte without taking it.
type inlet struct {
	net.Conn
	r *bufio.Reader
}

func (i *inlet) Read(b []byte) (int, error) { return i.r.Read(b) }

// awaits reports whether there is something to read before a time.
func (i *inlet) awaits(until time.Time) (bool, error) {
	if err := i.SetReadDeadline(until); err != nil {
		return false, err
	}
	_, err := i.r.Peek(1)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return false, nil
	}
	return err == nil, err
}

// grinds enters the world with a character, and has a plain grinder speak and listen for it until it is enough.
func (s *speaker) grinds(guid uint64, enough func(*plain) bool) {
	s.t.Helper()
	g := newPlain(guid, 1, s.say)
	s.hears = func(op uint16, body []byte) {
		g.now = time.Now().UnixMilli()
		g.hear(op, body)
	}
	s.login(guid)
	const look = 50 * time.Millisecond
	in := &inlet{s.socket, bufio.NewReader(s.socket)}
	s.socket = in
	began := time.Now()
	for next := began; !enough(g); {
		ready, err := in.awaits(next)
		s.check(err)
		switch now := time.Now(); {
		case ready:
			s.check(in.SetReadDeadline(now.Add(patience)))
			s.next()
		case now.Sub(began) > 4*patience:
			s.t.Fatalf("%s: %d hits, %d kills, %d deaths, %d returns and level %d after %v", s.account, g.dealt, g.kills, g.deaths, g.returns, g.level, now.Sub(began))
		default:
			s.check(in.SetWriteDeadline(now.Add(patience)))
			g.pass(now.UnixMilli())
			next = now.Add(look)
		}
	}
	if len(g.garbled) > 0 {
		s.t.Errorf("%s could not read %#x", s.account, g.garbled)
	}
	s.t.Logf("%s: %d hits, %d kills, %d deaths, %d returns, level %d after %v", s.account, g.dealt, g.kills, g.deaths, g.returns, g.level, time.Since(began))
}
