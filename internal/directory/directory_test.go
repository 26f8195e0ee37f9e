package directory

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"
)

func TestSync(t *testing.T) {
	folder := t.TempDir()
	if err := Sync(folder); err != nil {
		t.Error(err)
	}
	if err := Sync(filepath.Join(folder, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
