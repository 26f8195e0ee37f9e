// Package membership keeps a process in the registry of a realm, and says in its log when that is away.
package membership

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"muster/cmd/internal/storage"
	"muster/loaders/registry"
)

// StayEnlisted has this process in the registry until ctx ends. It calls end if an operator wants the process to.
func StayEnlisted(ctx context.Context, end func(), r *registry.Registry, realm string, p registry.Process, log *slog.Logger) {
	p.Host, p.PID = Hostname(), os.Getpid()
	var place *registry.Enlisted
	var away Outage
	renew := time.NewTicker(EnlistEvery)
	defer renew.Stop()
	for {
		var err error
		if place == nil {
			place, err = r.Enlist(ctx, realm, p)
		} else {
			_, err = place.Renew(ctx, 0)
		}
		if errors.Is(err, registry.ErrReplaced) {
			place, err = nil, nil // it was away for so long that others have forgotten this process
		}
		if ctx.Err() == nil {
			away.Note(log, err)
		}
		if place != nil && place.Ending() {
			log.Info("ends: an operator has said so")
			end()
		}
		select {
		case <-renew.C:
		case <-ctx.Done():
			if place != nil {
				place.Leave(context.Background()) // else its lease ends
			}
			return
		}
	}
}

// EnlistEvery is how often processes other than workers and orchestrators look at the registry.
const EnlistEvery = time.Second

// Leave ends the lease of a process.
func Leave(e *registry.Enlisted) error {
	if err := e.Leave(context.Background()); err != nil {
		return storage.OneLine(err)
	}
	return nil
}

// Hostname is the name of this machine, as others are shown it.
func Hostname() string {
	name, _ := os.Hostname()
	return name
}

// ReportEvery is how often a worker renews its lease and asks what it is given, and how often an orchestrator looks.
const ReportEvery = 250 * time.Millisecond
