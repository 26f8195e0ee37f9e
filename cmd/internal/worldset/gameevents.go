package worldset

import (
	"time"

	"muster/net/replication/change"
	"muster/net/replication/frame"
)

// Date is what gives a world the date: that of the machine, or else --date and the time of the world since its first tick, or that of
// the machine in the first tick that asks and the time of the world since. It is nil for worlds without game events, which do not
// follow it.
func (r *Set) Date() func(n uint64) (unixMs uint64) {
	from := r.Flags.Date
	switch {
	case len(r.Defs.GameEvents) == 0:
		return nil
	case from.IsZero() && r.ClockDriver == nil:
		return func(uint64) uint64 { return uint64(time.Now().UnixMilli()) }
	}
	return steppedDate(from, uint64(r.Pacer.Rungs.Quantum/time.Millisecond), time.Now)
}

// steppedDate is the date of ticks of so many milliseconds: from is that of tick 0; if it is zero, the first tick that asks has that of
// the machine, which is not tick 1 in a world that is continued.
func steppedDate(from time.Time, unit uint64, now func() time.Time) func(n uint64) (unixMs uint64) {
	began, known := uint64(from.UnixMilli()), !from.IsZero()
	return func(n uint64) uint64 {
		if !known {
			began, known = uint64(now().UnixMilli())-n*unit, true
		}
		return began + n*unit
	}
}

// LogEvents logs the game events that have begun or ended on a map.
func (r *Set) LogEvents(mapID uint32, f *frame.Frame) {
	for i := range f.Happenings {
		h := &f.Happenings[i]
		message := "game event begins"
		switch h.Kind {
		case change.HappenedEventBegin:
		case change.HappenedEventEnd:
			message = "game event ends"
		default:
			continue
		}
		if at, ok := r.Defs.GameEvent(h.ID); ok {
			r.Log.Info(message, "event", h.ID, "name", r.Defs.GameEvents[at].Name, "map", mapID)
		}
	}
}
