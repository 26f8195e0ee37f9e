// Package storesnapshot keeps what a store had at some moments in memory, so that a server can begin anew with it.
package storesnapshot

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
	maxCount = 32 // beside that of the start
	maxName  = 64 // bytes
)

// MaxBytes bounds all snapshots together, in bytes.
const MaxBytes = 64 << 20

// Limits lists the bounds of snapshots.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "snapshots of the world", Value: maxCount, Breach: "refused until one is deleted", Test: "cmd/muster TestSnapshots"},
		{Name: "name of a snapshot, in letters", Value: maxName, Breach: "refused", Test: "cmd/muster TestSnapshots"},
		{Name: "all snapshots together, in bytes", Value: MaxBytes, Breach: "refused until one is deleted", Test: "cmd/internal/storesnapshot TestWorldSnapshotsAreBounded"},
	}
}

// Errors of snapshots. Requests are answered with their texts.
var (
	ErrName   = fmt.Errorf("the name of a snapshot has from 1 to %d letters, digits, dots, hyphens and underscores", maxName)
	ErrNone   = errors.New("there is no snapshot of that name")
	ErrFull   = fmt.Errorf("there are %d snapshots, and no more than that: delete one", maxCount)
	ErrTooBig = fmt.Errorf("snapshots have %d MiB together, and no more than that: delete one", MaxBytes>>20)
)

// A Snapshot is what a store had at a moment.
type Snapshot struct {
	Name       string `json:"name"` // "" is the start
	Accounts   int    `json:"accounts"`
	Characters int    `json:"characters"`
	Bytes      int    `json:"bytes"`
	Dump       []byte `json:"-"` // as package portable writes it
}

// The Snapshots of a server are those that it can begin anew with. They are in memory, and end with it.
type Snapshots struct {
	Busy sync.Mutex // locked during a reset

	mu     sync.Mutex
	byName map[string]*Snapshot
}

// New takes what a store has for the start.
func New(ctx context.Context, s store.Store) (*Snapshots, error) {
	w := &Snapshots{byName: make(map[string]*Snapshot)}
	start, err := Take(ctx, "", s, math.MaxInt)
	if err != nil {
		return nil, err
	}
	w.byName[""] = start
	return w, nil
}

// Take takes one of a store. It returns ErrTooBig, and stops reading, if that has more than so many bytes.
func Take(ctx context.Context, name string, s store.Store, most int) (*Snapshot, error) {
	b := bounded{most: most}
	taken := &Snapshot{Name: name}
	err := portable.Dump(ctx, &b, s, func(p portable.Progress) { taken.Accounts, taken.Characters = p.Accounts, p.Characters })
	taken.Dump, taken.Bytes = b.Bytes(), b.Len()
	return taken, err
}

// A bounded buffer has room for so many bytes.
type bounded struct {
	bytes.Buffer
	most int
}

// Write writes all, or nothing and returns ErrTooBig.
func (b *bounded) Write(p []byte) (int, error) {
	if len(p) > b.most-b.Len() {
		return 0, ErrTooBig
	}
	return b.Buffer.Write(p)
}

// NamePattern is what the name of a snapshot matches.
var NamePattern = regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9._-]{1,%d}$`, maxName))

// Keep stores a snapshot, in place of one of its name.
func (w *Snapshots) Keep(s *Snapshot) error {
	if !NamePattern.MatchString(s.Name) {
		return ErrName
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
	case !replaced && len(w.byName) > maxCount:
		return ErrFull
	case size > MaxBytes:
		return ErrTooBig
	}
	w.byName[s.Name] = s
	return nil
}

// Find is the snapshot of a name.
func (w *Snapshots) Find(name string) (*Snapshot, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.byName[name]; s != nil {
		return s, nil
	}
	return nil, ErrNone
}

// Forget deletes a snapshot.
func (w *Snapshots) Forget(name string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.byName[name] == nil || name == "" {
		return ErrNone
	}
	delete(w.byName, name)
	return nil
}

// List is all snapshots by name, without that of the start.
func (w *Snapshots) List() []*Snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := []*Snapshot{}
	for _, name := range slices.Sorted(maps.Keys(w.byName)) {
		if name != "" {
			all = append(all, w.byName[name])
		}
	}
	return all
}

// Open makes a store that has what the snapshot has.
func (s *Snapshot) Open(ctx context.Context) (store.Store, error) {
	m := store.NewMemory(store.MemoryConfig{})
	return m, portable.Load(ctx, bytes.NewReader(s.Dump), m, nil)
}
