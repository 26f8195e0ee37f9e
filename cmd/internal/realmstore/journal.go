package realmstore

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"muster/cmd/internal/storage"
	"muster/internal/metric"
	"muster/loaders/store"
	"muster/loaders/store/journal"
)

// openJournal puts a journal over a store, which it closes if it cannot.
func (v *Config) openJournal(ctx context.Context, below store.Store, counters *metric.Table, log *slog.Logger) (store.Store, error) {
	began := time.Now()
	j, found, err := journal.Open(ctx, below, journal.Config{
		Dir: storage.JournalFolder(v.Data, v.Database), Metric: counters, Alarm: func(err error) {
			if err != nil {
				log.Error("journal: what players do is not safe from a crash, and is kept in memory", "err", err)
			} else {
				log.Info("journal: what players do is safe again")
			}
		}, Away: func(a journal.Absence) { logAbsence(log, a) },
	})
	for _, d := range found.Damage {
		log.Error("journal: a file is damaged, and was put aside", "file", d.File, "bytes", d.Bytes, "missing", d.Records)
	}
	if found.Orphans > 0 {
		log.Error("journal: characters stay as they are stored, for a part of what became of them is missing", "records", found.Orphans)
	}
	if err != nil {
		return nil, errors.Join(err, below.Close())
	}
	if found.Records > 0 || found.Torn > 0 {
		log.Info("journal: a process before this one did not end well", "characters", found.Characters,
			"records", found.Records, "torn", found.Torn, "took", time.Since(began).Round(time.Millisecond))
	}
	return j, nil
}

// logAbsence logs that the store is away, that its journal grows, or that it is back.
func logAbsence(log *slog.Logger, a journal.Absence) {
	figures := []any{"for", a.For.Round(time.Millisecond), "records", a.Records, "bytes", a.Bytes}
	switch {
	case a.Err == nil:
		log.Info("store: back, and has what waited", figures...)
	case a.For == 0:
		log.Warn("store: away, its journal keeps what players do", "err", a.Err, "records", a.Records, "bytes", a.Bytes)
	default:
		log.Warn("store: still away, its journal grows", append(figures, "err", a.Err)...)
	}
}

// Close closes what Open has opened.
func Close(s store.Store, log *slog.Logger) error {
	began := time.Now()
	err := s.Close()
	if left := Unstored(s); left > 0 {
		log.Warn("journal: the store is away; the next start gives it what is left", "characters", left,
			"took", time.Since(began).Round(time.Millisecond))
	}
	return err
}

// Unstored is how many characters a journal has saves of that the store below it does not.
func Unstored(s store.Store) int {
	if j, ok := s.(*journal.Journal); ok {
		return j.Stats().Pending
	}
	return 0
}
