package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"muster/bench/swarm"
)

// With one replica in files a log is there after its server was killed, which syncs it every two minutes: the world stands still until the server is back, and no player is lost.
// A log in memory is not: the worker ends, and the next one begins the world anew. That is what the table of docs/durability.md says.
func TestServerOfLogIsKilled(t *testing.T) {
	waits(t)
	for _, storage := range []string{"file", "memory"} {
		t.Run(storage, func(t *testing.T) {
			at := fmt.Sprintf("127.0.0.1:%d", lasting(t))
			file := filepath.Join(t.TempDir(), "nats.conf")
			if err := os.WriteFile(file, fmt.Appendf(nil, "listen: %q\njetstream { store_dir: %q }\n", at, t.TempDir()), 0o600); err != nil {
				t.Fatal(err)
			}
			start := func() *working {
				ready := make(chan struct{})
				server := startProcess(t, natsProcess, file, func(string) { close(ready) }) // it prints one line
				select {
				case <-ready:
				case err := <-server.ended:
					t.Fatalf("NATS has ended with %v", err)
				}
				return server
			}
			server := start()
			kill := func() {
				if err := server.cmd.Process.Kill(); err != nil {
					t.Error(err)
				}
				for range server.ended {
				}
				server = start()
			}
			world := []string{"--bus", "nats://" + at, "--creatures", "200", "--start", "one"}
			logged := append([]string{"--durable", "world", "--replicas", "1", "--storage", storage}, world...)
			begins := func() *working {
				w := work(t, logged...)
				eventually(t, "the worker begins the world", func() bool { return w.logged(`msg="this process has the world" map=0 tick=0`) })
				return w
			}
			w := begins()
			s := serve(t, append([]string{"--ephemeral"}, world...)...)
			if storage == "memory" {
				ctx, stop := context.WithCancel(t.Context())
				var playing sync.WaitGroup
				defer playing.Wait()
				defer stop()
				playing.Go(func() { // so that there are ticks; what becomes of them is no matter
					swarm.Run(ctx, swarm.Config{Auth: s.auth, Prefix: "walk", Password: defaultPassword, Behaviour: swarm.Walk, Clients: 3, Duration: patience})
				})
				eventually(t, "the clients walk", func() bool { return s.stats().Packets > 100 })
				kill()
				if err := endOf(t, "the worker", w.ended); err == nil || !w.logged("the stream refuses") {
					t.Errorf("without its log the worker ended with %v", err)
				}
				begins()
				return
			}
			inTheMiddle(t, s, kill)
			select {
			case err := <-w.ended:
				t.Errorf("the worker has ended with %v", err)
			default:
			}
		})
	}
}
