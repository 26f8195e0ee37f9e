package journal

import (
	"io"
	"os"
	"path/filepath"

	"muster/internal/directory"
)

// An FS is the folder of a journal. Names are those of files in it.
type FS interface {
	// Lock keeps the folder from every other journal, of this process or another, until release.
	Lock() (release func() error, err error)
	// List returns the names of all files, in any order.
	List() ([]string, error)
	// Read returns all of a file.
	Read(name string) ([]byte, error)
	// Create creates a file that does not exist.
	Create(name string) (File, error)
	// Truncate cuts a file off.
	Truncate(name string, size int64) error
	// Rename renames a file.
	Rename(from, to string) error
	// Remove deletes a file.
	Remove(name string) error
	// Sync returns when the names of files are on the disk.
	Sync() error
}

// A File is written from its beginning to its end. What was written is on the disk when Sync has returned.
type File interface {
	io.Writer
	Sync() error
	Close() error
}

// folder is an FS on the disk, for this user alone.
type folder string

// newFolder creates a folder if there is none.
func newFolder(dir string) (folder, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return folder(dir), os.MkdirAll(dir, 0o700)
}

// Hold locks the folder of a journal, so that no server uses it until release is called. The error wraps ErrInUse if one does.
func Hold(dir string) (release func() error, err error) {
	d, err := newFolder(dir)
	if err != nil {
		return nil, err
	}
	return d.Lock()
}

func (d folder) path(name string) string { return filepath.Join(string(d), name) }

func (d folder) List() ([]string, error) {
	entries, err := os.ReadDir(string(d))
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

func (d folder) Read(name string) ([]byte, error) { return os.ReadFile(d.path(name)) }

func (d folder) Create(name string) (File, error) {
	return os.OpenFile(d.path(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

func (d folder) Truncate(name string, size int64) error { return os.Truncate(d.path(name), size) }

func (d folder) Rename(from, to string) error { return os.Rename(d.path(from), d.path(to)) }

func (d folder) Remove(name string) error { return os.Remove(d.path(name)) }

func (d folder) Sync() error { return directory.Sync(string(d)) }
