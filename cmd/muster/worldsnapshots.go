package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
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
		{Name: "all snapshots together, in bytes", Value: maxSnapshotBytes, Breach: "refused until one is deleted", Test: "cmd/muster TestWorldSnapshotsAreBounded"},
	}
}

// Errors of snapshots.
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

// The worldSnapshots of a server are those that it can begin anew with. They are in memory, and end with it.
type worldSnapshots struct {
	busy sync.Mutex // locked during a reset

	mu     sync.Mutex
	byName map[string]*worldSnapshot
}

// newWorldSnapshots takes what a store has for the start.
func newWorldSnapshots(ctx context.Context, s store.Store) (*worldSnapshots, error) {
	w := &worldSnapshots{byName: make(map[string]*worldSnapshot)}
	start, err := takeSnapshot(ctx, "", s, math.MaxInt)
	if err != nil {
		return nil, err
	}
	w.byName[""] = start
	return w, nil
}

// takeSnapshot takes one of a store. It returns errSnapshotsTooBig, and stops reading, if that has more than so many bytes.
func takeSnapshot(ctx context.Context, name string, s store.Store, most int) (*worldSnapshot, error) {
	b := bounded{most: most}
	taken := &worldSnapshot{Name: name}
	err := portable.Dump(ctx, &b, s, func(p portable.Progress) { taken.Accounts, taken.Characters = p.Accounts, p.Characters })
	taken.dump, taken.Bytes = b.Bytes(), b.Len()
	return taken, err
}

// A bounded buffer has room for so many bytes.
type bounded struct {
	bytes.Buffer
	most int
}

// Write writes all, or nothing and returns errSnapshotsTooBig.
func (b *bounded) Write(p []byte) (int, error) {
	if len(p) > b.most-b.Len() {
		return 0, errSnapshotsTooBig
	}
	return b.Buffer.Write(p)
}

var snapshotName = regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9._-]{1,%d}$`, maxSnapshotName))

// keep stores a snapshot, in place of one of its name.
func (w *worldSnapshots) keep(s *worldSnapshot) error {
	if !snapshotName.MatchString(s.Name) {
		return errSnapshotName
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	size := s.Bytes
	for name, other := range w.byName {
		if name != s.Name && name != "" {
			size += other.Bytes
		}
	}
	switch _, replaced := w.byName[s.Name]; {
	case !replaced && len(w.byName) > maxSnapshots:
		return errSnapshotsFull
	case size > maxSnapshotBytes:
		return errSnapshotsTooBig
	}
	w.byName[s.Name] = s
	return nil
}

// find is the snapshot of a name.
func (w *worldSnapshots) find(name string) (*worldSnapshot, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.byName[name]; s != nil {
		return s, nil
	}
	return nil, errNoSnapshot
}

// forget deletes a snapshot.
func (w *worldSnapshots) forget(name string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.byName[name] == nil || name == "" {
		return errNoSnapshot
	}
	delete(w.byName, name)
	return nil
}

// list is all snapshots by name, without that of the start.
func (w *worldSnapshots) list() []*worldSnapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := []*worldSnapshot{}
	for _, name := range slices.Sorted(maps.Keys(w.byName)) {
		if name != "" {
			all = append(all, w.byName[name])
		}
	}
	return all
}

// open makes a store that has what the snapshot has.
func (s *worldSnapshot) open(ctx context.Context) (store.Store, error) {
	m := store.NewMemory(store.MemoryConfig{})
	return m, portable.Load(ctx, bytes.NewReader(s.dump), m, nil)
}
