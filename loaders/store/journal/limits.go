package journal

import "muster/internal/limit"

// Limits lists the bounds of a journal.
func Limits() []limit.Limit {
	var c Config
	c.setDefaults()
	return []limit.Limit{
		{Name: "files of the journal", Value: limit.Bytes(c.MaxBytes), Breach: "the newest of each player is kept in memory, and tried again; the log says so", Counter: "journal.full", Test: "loaders/store/journal TestFull"},
		{Name: "time until what is saved is on the disk", Value: c.Interval, Breach: "tried again", Counter: "journal.sync_failed", Test: "loaders/store/journal TestSickDisk"},
	}
}
