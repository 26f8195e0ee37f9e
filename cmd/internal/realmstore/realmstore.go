// Package realmstore opens the store of a server, as its flags name it.
package realmstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/storage"
	"muster/internal/metric"
	"muster/loaders/store"
	"muster/loaders/store/portable"
	"muster/loaders/store/postgres"
	"muster/loaders/store/sqlite"
)

// A Config selects where accounts and characters are kept. Its tags say how that is spelled on a command line.
type Config struct {
	Ephemeral bool   `help:"Keep accounts and characters in memory only; they end with the process."`
	Snapshot  string `placeholder:"FILE" help:"With --ephemeral, begin with the accounts and characters of a file that muster store dump, or GET /api/world/snapshots/NAME, has written."`
	Data      string `placeholder:"DIR" help:"Keep them in a folder, in SQLite, with a journal that bounds what a crash may lose to a second; default: muster in $$XDG_DATA_HOME, or in ~/.local/share."`
	Waits     bool   `kong:"-"` // for PostgreSQL, as storage.Await does
	Database  string `placeholder:"URL" help:"Keep them in PostgreSQL: postgres://USER@HOST/NAME, and the journal in the folder. What the URL does not say, such as a password, the PG* variables do."`
}

// Check refuses flags that do not select exactly one store.
func (v *Config) Check() error {
	switch {
	case v.Data != "" && v.Ephemeral:
		return errors.New("--data and --ephemeral exclude each other")
	case v.Database != "" && v.Ephemeral:
		return errors.New("--database and --ephemeral exclude each other")
	case v.Snapshot != "" && !v.Ephemeral:
		return errors.New("--snapshot needs --ephemeral: what is kept is filled by muster store load")
	case v.Database != "" && !flags.IsDatabase(v.Database):
		return errors.New("--database is a URL, postgres://USER@HOST/NAME, in which signs other than letters and digits " +
			"are spelled as %40 is for @")
	}
	return nil
}

// replayTime bounds how long the journal reads the store when it is opened.
const replayTime = time.Minute

// Open opens what the flags name, with a journal over it, which counts in counters, unless it is ephemeral. The error
// is one line, without passwords.
func (v *Config) Open(ctx context.Context, counters *metric.Table, log *slog.Logger) (store.Store, error) {
	switch {
	case v.Ephemeral:
		return v.openMemory(ctx)
	case v.Data == "":
		return nil, errors.New("neither XDG_DATA_HOME nor HOME says where to keep data: name a folder with --data, " +
			"or keep nothing with --ephemeral")
	}
	var s store.Store
	var err error
	open := func(ctx context.Context) (store.Store, error) {
		return postgres.Open(ctx, postgres.Config{URL: v.Database, Log: log})
	}
	switch {
	case v.Database == "":
		s, err = sqlite.Open(ctx, sqlite.Config{Dir: v.Data, Log: log})
	case v.Waits:
		s, err = storage.Await(ctx, log, open)
	default:
		s, err = open(ctx)
	}
	if err == nil {
		replaying, cancel := context.WithTimeout(ctx, replayTime)
		s, err = v.openJournal(replaying, s, counters, log)
		cancel()
	}
	if err != nil {
		lines := slices.Compact(strings.Split(err.Error(), "\n\t")) // pgx has one for each address and each try
		return nil, errors.New(strings.TrimSpace(lines[0] + " " + strings.Join(lines[1:], ", ")))
	}
	return s, nil
}

// openMemory makes a store in memory, with what the snapshot has if there is one.
func (v *Config) openMemory(ctx context.Context) (store.Store, error) {
	m := store.NewMemory(store.MemoryConfig{})
	if v.Snapshot == "" {
		return m, nil
	}
	f, err := os.Open(v.Snapshot)
	if err != nil {
		return nil, fmt.Errorf("--snapshot: %w", err)
	}
	defer f.Close()
	if err := portable.Load(ctx, f, m, nil); err != nil {
		return nil, fmt.Errorf("--snapshot: %s: %w", v.Snapshot, err)
	}
	return m, nil
}

// Place describes where accounts and characters are.
func (v *Config) Place() string {
	switch {
	case v.Ephemeral:
		return "memory, until this process ends"
	case v.Database != "":
		return flags.Shown(v.Database)
	}
	file := filepath.Join(v.Data, sqlite.File)
	if whole, err := filepath.Abs(file); err == nil {
		file = whole
	}
	return file
}
