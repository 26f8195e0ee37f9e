package worker

import (
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"muster/loaders/registry"
	"muster/net/replication/natsbus"
)

// A worker is not ready once the registry has been away for the lease of its worlds.
func TestWorkerWithoutRegistry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &shardWorker{bus: new(natsbus.Bus)}
		failed := func() (names string) {
			for _, c := range w.checks() {
				if c.Test(t.Context()) != nil {
					names += c.Name + " "
				}
			}
			return names
		}
		w.away.Note(slog.New(slog.DiscardHandler), nil)
		w.away.Note(slog.New(slog.DiscardHandler), errors.New("away"))
		if names := failed(); names != "" {
			t.Errorf("%sfailed at once", names)
		}
		time.Sleep(registry.ProcessLease + 1)
		if names := failed(); names != "registry " {
			t.Errorf("%sfailed after the lease, want the registry", names)
		}
	})
}
