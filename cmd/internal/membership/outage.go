package membership

import (
	"log/slog"

	"muster/cmd/internal/storage"
)

// An Outage is whether the registry does not answer, as the log has it: it is said once when it begins, and once when it is over.
type Outage struct{ away bool }

// Note logs a change, if err, nil if the registry has answered, is one.
func (o *Outage) Note(log *slog.Logger, err error) {
	if (err != nil) == o.away {
		return
	}
	if o.away = err != nil; o.away {
		log.Warn("the registry is away", "err", storage.OneLine(err))
	} else {
		log.Info("the registry is back")
	}
}
