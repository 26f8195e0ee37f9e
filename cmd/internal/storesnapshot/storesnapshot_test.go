package storesnapshot

import (
	"errors"
	"testing"

	"muster/loaders/store"
)

// Snapshots have room for 64 MiB beside the start. What takes the place of another needs room for what it has more.
func TestWorldSnapshotsAreBounded(t *testing.T) {
	w, err := New(t.Context(), store.NewMemory(store.MemoryConfig{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		bytes int
		want  error
	}{
		{"half", 32 << 20, nil},
		{"rest", 32 << 20, nil},
		{"more", 1, ErrTooBig},
		{"rest", 32<<20 + 1, ErrTooBig},
		{"rest", 32<<20 - 1, nil},
		{"more", 1, nil},
		{"", 1, ErrName},
	} {
		if err := w.Keep(&Snapshot{Name: c.name, Bytes: c.bytes}); !errors.Is(err, c.want) {
			t.Errorf("%q with %d bytes: %v, want %v", c.name, c.bytes, err, c.want)
		}
	}
	if err := w.Forget(""); !errors.Is(err, ErrNone) {
		t.Errorf("the start is forgotten: %v", err)
	}
}

// A store that has more than there is room for is not read to its end.
func TestBigStoreIsNotRead(t *testing.T) {
	m := store.NewMemory(store.MemoryConfig{})
	small, err := Take(t.Context(), "small", m, 1<<20)
	if err != nil || small.Bytes == 0 {
		t.Fatalf("an empty store has %d bytes, %v", small.Bytes, err)
	}
	if s, err := Take(t.Context(), "same", m, small.Bytes); err != nil || s.Bytes != small.Bytes {
		t.Errorf("with as much room as it needs: %d bytes, %v", s.Bytes, err)
	}
	if s, err := Take(t.Context(), "big", m, small.Bytes-1); !errors.Is(err, ErrTooBig) || s.Bytes != 0 {
		t.Errorf("with less room: %d bytes, %v", s.Bytes, err)
	}
}
