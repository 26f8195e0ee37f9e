package membership

import (
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"muster/cmd/internal/storage"
	"muster/loaders/registry"
)

// An Outage is whether the registry does not answer, as the log has it: it is said once when it begins, and once when it is over.
type Outage struct {
	away     bool
	answered atomic.Pointer[time.Time] // when it did last; nil if it has not yet
}

// Note logs a change, if err, nil if the registry has answered, is one.
func (o *Outage) Note(log *slog.Logger, err error) {
	if err == nil {
		o.answered.Store(new(time.Now()))
	}
	if (err != nil) == o.away {
		return
	}
	if o.away = err != nil; o.away {
		log.Warn("the registry is away", "err", storage.OneLine(err))
	} else {
		log.Info("the registry is back")
	}
}

// Check is an error once the registry has not answered for the lease of a process: what this one has been given may be another's by then. It may be
// called from any goroutine, and is nil before the first Note.
func (o *Outage) Check() error {
	last := o.answered.Load()
	if last == nil || time.Since(*last) <= registry.ProcessLease {
		return nil
	}
	return fmt.Errorf("the registry has not answered for %v: the lease of this process is over", time.Since(*last).Truncate(time.Second))
}
