package recording

import (
	"errors"
	"syscall"
	"testing"
)

// A medium that takes half of what it is given leaves whole records, and the record of why nothing follows
// them.
//
// Source: setrlimit(2); a write beyond RLIMIT_FSIZE is cut there, and the rest of it is EFBIG.
func TestFullMedium(t *testing.T) {
	const fileSize = 1 // RLIMIT_FSIZE
	var before syscall.Rlimit
	if err := syscall.Getrlimit(fileSize, &before); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(fileSize, &syscall.Rlimit{Cur: 3000, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	r, err := NewRecorder(Config{Folder: folder, Header: header})
	if err != nil {
		t.Fatal(err)
	}
	r.Digest(1, make([]byte, 8000)) // is begun, and does not fit
	err = r.Close()
	if err := syscall.Setrlimit(fileSize, &before); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, syscall.EFBIG) {
		t.Errorf("closed with %v", err)
	}
	l, failed := Open(folder, 530)
	if failed != nil {
		t.Fatal(failed)
	}
	defer l.Close()
	if lines := records(l); len(lines) != 1 || lines[0] != "end "+err.Error() {
		_, err := l.Next()
		t.Errorf("records %q, and then %v", lines, err)
	}
}
