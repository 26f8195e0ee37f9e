package main

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
	"muster/loaders/store"
	"muster/loaders/store/portable"
	"muster/loaders/store/postgres"
	"muster/loaders/store/sqlite"
)

// checkStore refuses flags that do not select exactly one store.
func (v *serveVerb) checkStore() error {
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

// checkDurable refuses to keep worlds that are not continued.
func (v *serveVerb) checkDurable() error {
	if v.Durable != "world" {
		return nil
	}
	for flag, given := range map[string]bool{
		"--ephemeral": v.Ephemeral, "--record": v.Record != "", "--bus": v.Bus != "", "--clock virtual": v.Clock == "virtual",
	} {
		if given {
			return fmt.Errorf("--durable world and %s exclude each other", flag)
		}
	}
	return nil
}

// replayTime bounds how long the journal reads the store when it is opened.
const replayTime = time.Minute

// openStore opens what the flags name, with a journal over it unless it is ephemeral. The error is one line, without
// passwords.
func (v *serveVerb) openStore(ctx context.Context, log *slog.Logger) (store.Store, error) {
	switch {
	case v.Ephemeral:
		return v.openMemory(ctx)
	case v.Data == "":
		return nil, errors.New("neither XDG_DATA_HOME nor HOME says where to keep data: name a folder with --data, " +
			"or keep nothing with --ephemeral")
	}
	var s store.Store
	var err error
	if v.Database != "" {
		s, err = postgres.Open(ctx, postgres.Config{URL: v.Database, Log: log})
	} else {
		s, err = sqlite.Open(ctx, sqlite.Config{Dir: v.Data, Log: log})
	}
	if err == nil {
		replaying, cancel := context.WithTimeout(ctx, replayTime)
		s, err = v.openJournal(replaying, s, log)
		cancel()
	}
	if err != nil {
		lines := slices.Compact(strings.Split(err.Error(), "\n\t")) // pgx has one for each address and each try
		return nil, errors.New(strings.TrimSpace(lines[0] + " " + strings.Join(lines[1:], ", ")))
	}
	return s, nil
}

// openMemory makes a store in memory, with what the snapshot has if there is one.
func (v *serveVerb) openMemory(ctx context.Context) (store.Store, error) {
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

// workers is how many goroutines of the gateway call the store; 0 is the gateway's default. A store on a disk
// makes one commit of what waits at the same time, so they are many more than it has connections.
func (v *serveVerb) workers() int {
	if v.Ephemeral {
		return 0
	}
	return 32
}

// kept describes where accounts and characters are.
func (v *serveVerb) kept() string {
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
