package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestShare(t *testing.T) {
	for _, c := range []struct {
		n, asked int
		want     seats
	}{
		{400, 0, seats{players: 147, logins: 100}},
		{400, 300, seats{players: 147, logins: 100}},
		{1024, 0, seats{players: 576, logins: 256}},
		{1 << 20, 0, seats{players: 20_000, logins: 8192}},
		{64, 0, seats{players: 1, logins: 16}},
		{20_000, 0, seats{players: 13_622, logins: 5000}},
		{20_000, 13_000, seats{players: 13_622, logins: 5000}},
		{20_000, 17_000, seats{players: 17_000, logins: 1622}},
		{20_000, 19_500, seats{players: 19_500, logins: 256}},
		{20_000, 30_000, seats{players: 19_552, logins: 256}},
	} {
		if got := share(c.n, c.asked); got != c.want {
			t.Errorf("%d descriptors, %d asked for: %+v, want %+v", c.n, c.asked, got, c.want)
		}
	}
}

// TestSilentLogins has more silent connections to the port for logins than the server has descriptors: that for
// players still answers.
func TestSilentLogins(t *testing.T) {
	script := filepath.Join(t.TempDir(), "muster")
	text := fmt.Sprintf("#!/bin/sh\nulimit -n 400\nexec %s \"$@\"\n", binary)
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	whole := binary
	binary = script
	t.Cleanup(func() { binary = whole })
	s := serve(t, "--creatures", "100")
	began := time.Now()
	for range 700 {
		c, err := net.Dial("tcp", s.auth)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	c, err := net.Dial("tcp", s.world)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(began.Add(handshake)) // when the first silent one is closed
	header := make([]byte, 4)
	if _, err := io.ReadFull(c, header); err != nil || string(header) != "\x00\x2a\xec\x01" {
		t.Errorf("the port for players said % x, %v", header, err)
	}
	s.stop(syscall.SIGTERM, 1)
}
