package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muster/internal/pgtest"
)

// Every role that is started before PostgreSQL waits for it, says so once, and is ready when it answers.
func TestRolesWaitForDatabase(t *testing.T) {
	waits(t)
	url, bus := pgtest.New(t).URL(t), startStreams(t).ClientURL()
	_, rest, _ := strings.Cut(url, "host=")
	host, _, _ := strings.Cut(rest, "&")
	there := strings.ReplaceAll(host, "%2F", "/")
	absent := filepath.Join(t.TempDir(), "pg") // a folder of a socket, which is none yet
	late := strings.Replace(url, host, strings.ReplaceAll(absent, "/", "%2F"), 1)
	roles := map[string][]string{
		"orchestrate": {"--wait", "1"},
		"worker":      {"--bus", bus, "--creatures", "0"},
		"login":       {"--auth", "127.0.0.1:0"},
		"gateway":     {"--bus", bus, "--creatures", "0", "--world", "127.0.0.1:0", "--data", t.TempDir()},
	}
	started, ready := make(map[string]*working), make(map[string]<-chan string)
	for role, args := range roles {
		started[role], ready[role] = launch(t, binary, append([]string{role, "--admin", "127.0.0.1:0", "--database", late}, args...)...)
	}
	const says = `msg="waits for PostgreSQL to answer" for=30s`
	for role, w := range started {
		eventually(t, role+" says that it waits", func() bool { return w.logged(says) })
	}
	if err := os.Symlink(there, absent); err != nil {
		t.Fatal(err)
	}
	for role, w := range started {
		select {
		case <-ready[role]:
		case err := <-w.ended:
			t.Fatalf("%s ended with %v", role, err)
		case <-time.After(patience):
			t.Fatalf("%s is not ready", role)
		}
		w.mu.Lock()
		if n := strings.Count(w.log.String(), says); n != 1 {
			t.Errorf("%s says %d times that it waits:\n%s", role, n, &w.log)
		}
		w.mu.Unlock()
	}
}
