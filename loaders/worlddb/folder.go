package worlddb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"

	"muster/internal/directory"
)

// File is the name of a world in its folder.
const File = "world.db"

// A folderPlace keeps a world in a file of a folder.
type folderPlace string

func (p folderPlace) file() string { return filepath.Join(string(p), File) }

func (p folderPlace) scratch() (string, func(), error) {
	if err := os.MkdirAll(string(p), 0o700); err != nil {
		return "", nil, err
	}
	f, err := os.CreateTemp(string(p), File+".*.part")
	if err != nil {
		return "", nil, err
	}
	remove := func() {
		os.Remove(f.Name())
		os.Remove(f.Name() + "-journal")
		os.Remove(f.Name() + asideSuffix)
	}
	return f.Name(), remove, f.Close()
}

func (p folderPlace) fetch(ctx context.Context, path string) (err error) {
	from, err := os.Open(p.file())
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, &watched{ctx: ctx, from: from})
	return errors.Join(err, to.Close())
}

func (p folderPlace) publish(_ context.Context, path string) error {
	if err := persist(path); err != nil {
		return err
	}
	if err := os.Rename(path, p.file()); err != nil {
		return err
	}
	return directory.Sync(string(p))
}

func (p folderPlace) open(ctx context.Context) (*store, error) {
	if _, err := os.Stat(p.file()); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w in %s: there is no %s", ErrNoWorld, string(p), File)
	} else if err != nil {
		return nil, err
	}
	return openFile(ctx, p.file())
}

// openFile opens the world of a file to be read.
func openFile(ctx context.Context, path string) (s *store, err error) {
	file, err := os.Open(path) // before SQLite does, for direct to tell
	if err != nil {
		return nil, err
	}
	defer func() {
		if s == nil || s.file == nil {
			err = errors.Join(err, file.Close())
		}
	}()
	at, err := location(path, url.Values{"mode": {"ro"}, "_pragma": {"query_only(1)", "cache_size(-65536)"}})
	if err != nil {
		return nil, err
	}
	connector, err := sqlite.NewConnector(at)
	if err != nil {
		return nil, err
	}
	if s, err = newStore(ctx, sql.OpenDB(connector), "BINARY", ""); s != nil {
		s.file = direct(file, path)
	}
	return s, err
}
