package realmstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/storage"
	"muster/internal/config"
	"muster/loaders/store"
	"muster/loaders/store/postgres"
	"muster/loaders/store/sqlite"
)

// A Selection selects the store of a command. A server may run on it meanwhile.
type Selection struct {
	Data     string `placeholder:"DIR" help:"The folder of the server; default: as of serve."`
	Database string `placeholder:"URL" help:"The PostgreSQL database of the server: postgres://USER@HOST/NAME."`
}

// AfterApply finds out what serve would use without flags. A database goes before a folder.
func (k *Selection) AfterApply(env *flags.Environment) error {
	if k.Data == "" && k.Database == "" {
		k.Database = storage.Variable(env.Variables, config.Variable("Database"))
		k.Data = storage.Variable(env.Variables, config.Variable("Data"))
	}
	if k.Data == "" && k.Database == "" {
		k.Data = storage.DataFolder(env.Variables)
	}
	switch {
	case k.Data == "" && k.Database == "":
		return errors.New("nothing says where accounts and characters are: name a folder with --data, or a database with --database")
	case k.Database != "" && !flags.IsDatabase(k.Database):
		return errors.New("--database is a URL, postgres://USER@HOST/NAME")
	}
	return nil
}

// patience of verbs with a server that writes at the same time.
const verbTime = 15 * time.Second

// open opens what the flags name. If it is not there it is made, or refused if it must be there already. The error is
// one line, without passwords.
func (k *Selection) open(ctx context.Context, mustExist bool) (store.Store, error) {
	var s store.Store
	var err error
	if k.Database != "" {
		s, err = postgres.Open(ctx, postgres.Config{URL: k.Database, Connections: 2, Timeout: verbTime})
	} else {
		if file := filepath.Join(k.Data, sqlite.File); mustExist {
			if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("nothing is kept in %s: there is no %s", k.Data, sqlite.File)
			}
		}
		s, err = sqlite.Open(ctx, sqlite.Config{Dir: k.Data, Timeout: verbTime})
	}
	if err != nil {
		lines := slices.Compact(strings.Split(err.Error(), "\n\t")) // pgx has one for each address and each try
		return nil, errors.New(strings.TrimSpace(lines[0] + " " + strings.Join(lines[1:], ", ")))
	}
	return s, nil
}

// With opens what the flags name for as long as do takes.
func (k *Selection) With(ctx context.Context, mustExist bool, do func(store.Store) error) (err error) {
	s, err := k.open(ctx, mustExist)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return do(s)
}
