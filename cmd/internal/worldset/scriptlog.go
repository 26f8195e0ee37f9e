package worldset

import (
	"log/slog"
	"time"

	"muster/internal/metric"
	"muster/systems/smartai"
)

// scriptLogEvery is the least time between two lines of a scriptLog.
const scriptLogEvery = 10 * time.Second

// A scriptLog logs that scripts of imported worlds had more to do than they may in a tick. The zero scriptLog has logged nothing.
type scriptLog struct {
	logged        time.Time
	late, dropped uint64 // as of then
}

// look logs what has been counted since the last line, if anything and if that is long enough ago.
func (l *scriptLog) look(now time.Time, counters *metric.Table, log *slog.Logger) {
	late, dropped := counters.Value(smartai.Late), counters.Value(smartai.Dropped)
	if late == l.late && dropped == l.dropped || now.Sub(l.logged) < scriptLogEvery {
		return
	}
	log.Warn("scripts have more to do than they may in a tick", "waited", late-l.late, "dropped", dropped-l.dropped)
	l.logged, l.late, l.dropped = now, late, dropped
}
