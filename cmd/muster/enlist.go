package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"muster/loaders/registry"
)

// stayEnlisted has this process in the registry until ctx ends. It calls end if an operator wants the process to.
func stayEnlisted(ctx context.Context, end func(), r *registry.Registry, realm string, p registry.Process, log *slog.Logger) {
	p.Host, p.PID = hostname(), os.Getpid()
	var place *registry.Enlisted
	var away outage
	renew := time.NewTicker(enlistEvery)
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
			away.note(log, err)
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

// enlistEvery is how often processes other than workers and orchestrators look at the registry.
const enlistEvery = time.Second

// leaveRegistry ends the lease of a process.
func leaveRegistry(e *registry.Enlisted) error {
	if err := e.Leave(context.Background()); err != nil {
		return oneLine(err)
	}
	return nil
}

// hostname is the name of this machine, as others are shown it.
func hostname() string {
	name, _ := os.Hostname()
	return name
}

// reportEvery is how often a worker renews its lease and asks what it is given, and how often an orchestrator looks.
const reportEvery = 250 * time.Millisecond
