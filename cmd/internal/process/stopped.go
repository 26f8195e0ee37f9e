package process

import (
	"log/slog"
	"time"
)

// LogEnd logs that a process has ended in order which began at a time, and nothing if err is an error, which is its caller's to log. It is to be deferred
// before anything that its end takes time for.
func LogEnd(log *slog.Logger, began time.Time, err *error) {
	if *err == nil {
		log.Info("stopped", "ran", time.Since(began).Round(time.Millisecond))
	}
}
