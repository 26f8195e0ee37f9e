package main

import "log/slog"

// An outage is whether the registry does not answer, as the log has it: it is said once when it begins, and once when it is over.
type outage struct{ away bool }

// note logs a change, if err, nil if the registry has answered, is one.
func (o *outage) note(log *slog.Logger, err error) {
	if (err != nil) == o.away {
		return
	}
	if o.away = err != nil; o.away {
		log.Warn("the registry is away", "err", oneLine(err))
	} else {
		log.Info("the registry is back")
	}
}
