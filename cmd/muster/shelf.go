package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"

	"muster/internal/limit"
	"muster/loaders/store"
	"muster/loaders/store/portable"
)

// Bounds of snapshots.
const (
	maxSnapshots     = 32       // beside that of the start
	maxSnapshotName  = 64       // bytes
	maxSnapshotBytes = 64 << 20 // of all together
)

// snapshotLimits lists them.
func snapshotLimits() []limit.Limit {
	return []limit.Limit{
		{Name: "snapshots of the world", Value: maxSnapshots, Breach: "refused until one is deleted", Test: "cmd/muster TestSnapshots"},
		{Name: "name of a snapshot, in letters", Value: maxSnapshotName, Breach: "refused", Test: "cmd/muster TestSnapshots"},
		{Name: "all snapshots together, in bytes", Value: maxSnapshotBytes, Breach: "refused until one is deleted", Test: "cmd/muster TestShelfIsBounded"},
	}
}

// Errors of a shelf.
var (
	errSnapshotName    = fmt.Errorf("the name of a snapshot has from 1 to %d letters, digits, dots, hyphens and underscores", maxSnapshotName)
	errNoSnapshot      = errors.New("there is no snapshot of that name")
	errSnapshotsFull   = fmt.Errorf("there are %d snapshots, and no more than that: delete one", maxSnapshots)
	errSnapshotsTooBig = fmt.Errorf("snapshots have %d MiB together, and no more than that: delete one", maxSnapshotBytes>>20)
)

// A worldSnapshot is what a store had at a moment.
type worldSnapshot struct {
	Name       string `json:"name"` // "" is the start
	Accounts   int    `json:"accounts"`
	Characters int    `json:"characters"`
	Bytes      int    `json:"bytes"`
	dump       []byte // as package portable writes it
}

// A shelf has the snapshots of a server. They are in memory, and end with it.
type shelf struct {
	busy sync.Mutex // locked during a reset

	mu     sync.Mutex
	byName map[string]*worldSnapshot
}

// newShelf takes what a store has for the start.
func newShelf(ctx context.Context, s store.Store) (*shelf, error) {
	h := &shelf{byName: make(map[string]*worldSnapshot)}
	start, err := takeSnapshot(ctx, "", s)
	if err != nil {
		return nil, err
	}
	h.byName[""] = start
	return h, nil
}

func takeSnapshot(ctx context.Context, name string, s store.Store) (*worldSnapshot, error) {
	var b bytes.Buffer
	taken := &worldSnapshot{Name: name}
	err := portable.Dump(ctx, &b, s, func(p portable.Progress) { taken.Accounts, taken.Characters = p.Accounts, p.Characters })
	taken.dump, taken.Bytes = b.Bytes(), b.Len()
	return taken, err
}

var snapshotName = regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9._-]{1,%d}$`, maxSnapshotName))

// keep stores a snapshot, in place of one of its name.
func (h *shelf) keep(s *worldSnapshot) error {
	if !snapshotName.MatchString(s.Name) {
		return errSnapshotName
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	size := s.Bytes
	for name, other := range h.byName {
		if name != s.Name && name != "" {
			size += other.Bytes
		}
	}
	switch _, replaced := h.byName[s.Name]; {
	case !replaced && len(h.byName) > maxSnapshots:
		return errSnapshotsFull
	case size > maxSnapshotBytes:
		return errSnapshotsTooBig
	}
	h.byName[s.Name] = s
	return nil
}

// find is the snapshot of a name.
func (h *shelf) find(name string) (*worldSnapshot, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.byName[name]; s != nil {
		return s, nil
	}
	return nil, errNoSnapshot
}

// forget deletes a snapshot.
func (h *shelf) forget(name string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.byName[name] == nil || name == "" {
		return errNoSnapshot
	}
	delete(h.byName, name)
	return nil
}

// list is all snapshots by name, without that of the start.
func (h *shelf) list() []*worldSnapshot {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := []*worldSnapshot{}
	for _, name := range slices.Sorted(maps.Keys(h.byName)) {
		if name != "" {
			all = append(all, h.byName[name])
		}
	}
	return all
}

// open makes a store that has what the snapshot has.
func (s *worldSnapshot) open(ctx context.Context) (store.Store, error) {
	m := store.NewMemory(store.MemoryConfig{})
	return m, portable.Load(ctx, bytes.NewReader(s.dump), m, nil)
}
