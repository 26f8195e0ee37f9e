package membership

import (
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"muster/loaders/registry"
)

// A process is well while the registry is away for less than its lease, and not after it until that answers again.
func TestOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var o Outage
		log, away := slog.New(slog.DiscardHandler), errors.New("away")
		check := func(well bool) {
			t.Helper()
			if err := o.Check(); (err == nil) != well {
				t.Errorf("%v, want well: %v", err, well)
			}
		}
		check(true)
		o.Note(log, nil)
		time.Sleep(registry.ProcessLease)
		o.Note(log, away)
		check(true)
		time.Sleep(time.Millisecond)
		check(false)
		o.Note(log, away)
		check(false)
		o.Note(log, nil)
		check(true)
		time.Sleep(registry.ProcessLease + 1) // the loop that is to note it hangs
		check(false)
	})
}
