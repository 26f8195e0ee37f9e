package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A file that cannot be written to its end leaves what was there before, and nothing else. One that can has the mode that is wanted.
func TestWriteWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, c := range []struct {
		text string
		mode fs.FileMode
		err  error
		want string
	}{
		{"one", 0o600, nil, "one -rw-------"},
		{"two", 0o644, nil, "two -rw-r--r--"},
		{"three", 0o600, io.ErrShortWrite, "two -rw-r--r--"},
	} {
		err := Write(path, c.mode, func(w io.Writer) error {
			_, err := io.WriteString(w, c.text)
			return errors.Join(err, c.err)
		})
		if !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", c.text, err, c.err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(text) + " " + info.Mode().String(); got != c.want {
			t.Errorf("%s: there is %s, want %s", c.text, got, c.want)
		}
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 1 {
		t.Errorf("%d files are left, %v", len(all), err)
	}
}
