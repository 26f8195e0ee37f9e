//go:build long

package main

import (
	"encoding/json"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Five hundred do so for ten minutes, and the server's memory stays what it is.
func TestManyClientsGrindForLong(t *testing.T) {
	const clients = 500
	s := serve(t, "--ephemeral")
	r := grind(t, s, clients, 10*time.Minute, nil)
	h := r.Harvest
	// A quarter seeks danger and dies of it again and again: not all of those have risen by then.
	if h.Kills.Some < clients || h.Bodies.Some < clients || h.Levels.Some < clients*7/10 || h.Deaths.Total == 0 || h.Returns.Total == 0 {
		text, _ := json.Marshal(h)
		t.Errorf("of %d clients: %s", clients, text)
	}
	if r.Memory.Growth > 0.1 {
		t.Errorf("memory grows: %v", r.Memory)
	}
	s.stop(syscall.SIGTERM, 1)
}

// A thousand clients for five minutes are played again bit for bit, on one processor and on two, and at least ten
// times as fast.
func TestReplayOfAThousand(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "recordings")
	s := serve(t, "--record", folder)
	code, stdout, stderr := conclude(t, binary, "swarm", "--auth", s.auth, "--accounts", "REC", "--password", "muster",
		"--clients", "1000", "--behaviour", "grind", "--duration", "5m")
	if code != exitOK {
		t.Fatalf("swarm: exit code %d\n%s%s", code, stdout, stderr)
	}
	stopped(s)
	one := replays(t, []string{"GOMAXPROCS=1"}, folder)
	two := replays(t, []string{"GOMAXPROCS=2"}, folder)
	t.Logf("on one processor %+v, on two %+v", one, two)
	if one.ticks < 290*20 || one.digests != one.ticks || one.ends != "closed" {
		t.Errorf("played %+v", one)
	}
	if one.faster < 10 || two.faster < 10 {
		t.Errorf("%v and %v times as fast", one.faster, two.faster)
	}
	if one.faster, two.faster = 0, 0; one != two {
		t.Errorf("on one processor %+v, on two %+v", one, two)
	}
}
