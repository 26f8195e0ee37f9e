package storage

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// secretFile has the secret from which the salts of accounts that do not exist are made: if it changed with each
// start, a client could find out which they are.
const (
	secretFile = "secret"
	SecretSize = 32
)

// Secret is what a folder keeps, or a new one if it has none yet. Without a folder it is nil.
func Secret(dir string) ([]byte, error) {
	if dir == "" {
		return nil, nil
	}
	return Drawn(filepath.Join(dir, secretFile))
}

// Drawn is what a file keeps, or a new draw of as many bytes as a secret if there is no file yet.
func Drawn(name string) ([]byte, error) {
	kept, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		kept, err = draw(name)
	}
	switch {
	case err != nil:
		return nil, err
	case len(kept) != SecretSize:
		return nil, fmt.Errorf("%s has %d bytes, not %d: remove it to have another one made", name, len(kept), SecretSize)
	}
	return kept, nil
}

// draw keeps a new one for the user alone, unless another process was faster.
func draw(name string) ([]byte, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	bytes := make([]byte, SecretSize)
	rand.Read(bytes) // never fails
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.part")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(bytes)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(f.Name(), name); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return os.ReadFile(name)
}
