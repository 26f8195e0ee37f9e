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

	"muster/cmd/internal/realm"
)

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
	c.SetDeadline(began.Add(realm.Handshake)) // when the first silent one is closed
	header := make([]byte, 4)
	if _, err := io.ReadFull(c, header); err != nil || string(header) != "\x00\x2a\xec\x01" {
		t.Errorf("the port for players said % x, %v", header, err)
	}
	s.stop(syscall.SIGTERM, 1)
}
