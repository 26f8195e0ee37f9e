package recording

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func snapshot(n uint64, state []byte) *Snapshot {
	return &Snapshot{Log: header, Release: "muster 2", Toolchain: "go1.27 arm64", N: n, Sum: 1<<32 - 1, Hash: 1<<64 - 1, State: state}
}

// A snapshot comes back as it was, of one piece or of several.
func TestSnapshots(t *testing.T) {
	folder := t.TempDir()
	all := []*Snapshot{
		snapshot(9, []byte("state")), snapshot(12345678901, bytes.Repeat([]byte("piece"), snapshotPiece/5*2+7)), snapshot(10, nil),
	}
	for _, s := range append(all, all[0]) { // the last in place of the first
		if err := s.Write(folder); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range all {
		got, err := OpenSnapshot(folder, 530, s.N)
		if err != nil || !reflect.DeepEqual(got, s) {
			t.Errorf("tick %d: %v, %d bytes of %d", s.N, err, len(got.State), len(s.State))
		}
	}
	other := filepath.Join(folder, "map530-9.snapshot")
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if ticks, err := Snapshots(folder, 530); fmt.Sprint(ticks) != "[9 10 12345678901]" || err != nil {
		t.Errorf("snapshots of ticks %v, %v", ticks, err)
	}
	if ticks, err := Snapshots(folder, 53); len(ticks) != 0 || err != nil {
		t.Errorf("of another map: %v, %v", ticks, err)
	}
	if files, _ := filepath.Glob(filepath.Join(folder, "*.new")); len(files) > 0 {
		t.Errorf("%v are left", files)
	}
	if err := RemoveSnapshot(folder, 530, 10); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenSnapshot(folder, 530, 10); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("one that was removed: %v", err)
	}
}

// Wherever a snapshot is torn off or changed, it is refused.
func TestBadSnapshots(t *testing.T) {
	folder := t.TempDir()
	if err := snapshot(9, []byte("state")).Write(folder); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, snapshotName(530, 9))
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read := func(b []byte) error {
		_, err := readSnapshot(bytes.NewReader(b))
		return err
	}
	for n := range good {
		if err := read(good[:n]); !errors.Is(err, ErrTorn) {
			t.Fatalf("%d of %d bytes: %v", n, len(good), err)
		}
		bad := bytes.Clone(good)
		bad[n] ^= 0x20
		if err := read(bad); !errors.Is(err, ErrDamaged) && (n >= len(snapshotMagic) || !errors.Is(err, ErrFormat)) {
			t.Fatalf("byte %d of %d: %v", n, len(good), err)
		}
	}
	if err := read(append(bytes.Clone(good), 0)); !errors.Is(err, ErrDamaged) {
		t.Errorf("a byte after the end: %v", err)
	}
	log, _ := log()
	if err := read(log); !errors.Is(err, ErrFormat) {
		t.Errorf("a log: %v", err)
	}
	unknown := AppendEnd(appendRecord([]byte(snapshotMagic), kindHeader, []byte(`{"N":1,"Moon":2}`)), "complete")
	if err := read(unknown); !errors.Is(err, ErrFormat) {
		t.Errorf("a header of another muster: %v", err)
	}
	if err := os.Rename(path, filepath.Join(folder, snapshotName(530, 8))); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenSnapshot(folder, 530, 8); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "tick 9") {
		t.Errorf("under another name: %v", err)
	}
}

// A state that is larger than one may be is not written.
func TestLargeSnapshot(t *testing.T) {
	folder := t.TempDir()
	s := snapshot(9, make([]byte, MaxSnapshot+1)) // which is never accessed, so that it takes no memory
	if err := s.Write(folder); !errors.Is(err, ErrLarge) {
		t.Error(err)
	}
	if names, _ := os.ReadDir(folder); len(names) > 0 {
		t.Errorf("%v are there", names)
	}
}

// A sum is of numbers, inboxes and their order.
func TestSum(t *testing.T) {
	of := func(parts ...any) (sum uint32) {
		for i := 0; i < len(parts); i += 2 {
			sum = Sum(sum, uint64(parts[i].(int)), []byte(parts[i+1].(string)))
		}
		return sum
	}
	sums := map[uint32]bool{}
	for _, sum := range []uint32{of(), of(1, ""), of(2, ""), of(1, "a"), of(1, "a", 2, "b"), of(1, "b", 2, "a"), of(2, "a", 1, "b")} {
		sums[sum] = true
	}
	if len(sums) != 7 {
		t.Errorf("%d sums of 7 logs", len(sums))
	}
}
