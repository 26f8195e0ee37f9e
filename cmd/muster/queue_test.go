package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/bench/swarm"
)

// TestQueue has fifty clients where twenty may play: twenty play, twenty wait, and ten behind those. All get in,
// those that wait as others leave, and none waits too long.
func TestQueue(t *testing.T) {
	waits(t)
	dir := t.TempDir()
	s := serve(t, "--creatures", "100", "--max-players", "20", "--data", dir)
	type outcome struct {
		Report swarm.Report
		err    error
	}
	begin := func(ctx context.Context, prefix string, clients int, d time.Duration) <-chan outcome {
		c := make(chan outcome, 1)
		go func() {
			report, err := swarm.Run(ctx, swarm.Config{
				Auth: s.auth, Prefix: prefix, Password: "muster", Strict: true, Clients: clients, Ramp: 200, Duration: d, Login: 2 * patience, Longer: relayed(1),
			})
			c <- outcome{report, err}
		}()
		return c
	}
	says := func(want string) {
		t.Helper()
		var said string
		for end := time.Now().Add(patience); time.Now().Before(end); {
			if _, said, _ = execute(t, nil, "ctl", "--data", dir, "server", "info"); strings.HasPrefix(said, want+"\n") {
				return
			}
		}
		t.Fatalf("the server says %q, want %q", said, want)
	}
	ctx, leave := context.WithCancel(t.Context())
	first := begin(ctx, "ANN", 20, time.Hour)
	says("Connected players: 20. Characters in world: 20.")
	second := begin(t.Context(), "BOB", 20, 2*time.Second)
	says("Connected players: 20. Characters in world: 20. Queue: 20.")
	third := begin(t.Context(), "CID", 10, 2*time.Second)
	says("Connected players: 20. Characters in world: 20. Queue: 30.")
	leave()
	if o := <-first; !errors.Is(o.err, context.Canceled) || o.Report.Logins.OK != 20 || o.Report.Logins.Queued != 0 {
		t.Errorf("the first: %+v, %v", o.Report.Logins, o.err)
	}
	for i, c := range []<-chan outcome{second, third} {
		o := <-c
		if want := 20 - 10*i; o.err != nil || o.Report.Logins.OK != want || o.Report.Logins.Queued != want {
			t.Errorf("of those that waited: %+v, %v", o.Report.Logins, o.err)
		}
	}
	s.stop(syscall.SIGTERM, 1)
	if want := fmt.Sprintf("%s=30", "queue.waited"); !strings.Contains(s.stderr(), want) || strings.Contains(s.stderr(), "timeout") {
		t.Errorf("the log does not say %s, or has a timeout:\n%s", want, s.stderr())
	}
}
