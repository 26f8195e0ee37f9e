package store

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// MemoryConfig bounds a Memory. Zero means the default.
type MemoryConfig struct {
	MaxAccounts int    // default 1,000,000
	MaxGUID     uint64 // of the last character; default and most MaxGUID
}

// Memory is a Store without persistence.
type Memory struct {
	config MemoryConfig

	mu     sync.RWMutex
	closed bool
	memories
}

var _ Store = (*Memory)(nil)

// memories are the contents of a Memory.
type memories struct {
	last       Counters
	realms     []Realm // by ID
	accounts   map[uint32]*account
	ids        map[string]uint32 // by account name
	characters map[uint64]*Character
	names      map[place]struct{} // of characters
	holders    map[uint64]uint64  // characters by the GUID of an item of theirs
	gone       map[uint64]uint8   // life.Item.Moves of items that are with none any more, by GUID
	goneOrder  []uint64           // those, the oldest first
}

func newMemories() memories {
	return memories{
		accounts:   make(map[uint32]*account),
		ids:        make(map[string]uint32),
		characters: make(map[uint64]*Character),
		names:      make(map[place]struct{}),
		holders:    make(map[uint64]uint64),
		gone:       make(map[uint64]uint8),
	}
}

type account struct {
	Proven
	guids []uint64          // of its characters, ascending
	data  map[uint64][]Data // by character, and its own by 0; each by type
}

// NewMemory returns an empty store.
func NewMemory(c MemoryConfig) *Memory {
	c.MaxAccounts = cmp.Or(c.MaxAccounts, 1_000_000)
	c.MaxGUID = min(cmp.Or(c.MaxGUID, MaxGUID), MaxGUID)
	return &Memory{config: c, memories: newMemories()}
}

// read begins a method that reads. If it returns no error, the caller unlocks.
func (m *Memory) read(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	m.mu.RLock()
	if m.closed {
		m.mu.RUnlock()
		return ErrClosed
	}
	return nil
}

// write begins a method that changes something. If it returns no error, the caller unlocks.
func (m *Memory) write(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return ErrClosed
	}
	return nil
}

// Realms implements Store.
func (m *Memory) Realms(ctx context.Context) ([]Realm, error) {
	if err := m.read(ctx); err != nil {
		return nil, err
	}
	defer m.mu.RUnlock()
	return slices.Clone(m.realms), nil
}

// SaveRealm implements Store.
func (m *Memory) SaveRealm(ctx context.Context, r Realm) error {
	if err := m.write(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	return m.saveRealm(r)
}

func (m *memories) saveRealm(r Realm) error {
	if slices.ContainsFunc(m.realms, func(o Realm) bool { return o.Name == r.Name && o.ID != r.ID }) {
		return ErrNameTaken
	}
	i, found := slices.BinarySearchFunc(m.realms, r.ID, func(o Realm, id uint8) int { return cmp.Compare(o.ID, id) })
	if !found {
		m.realms = slices.Insert(m.realms, i, r)
	}
	m.realms[i] = r
	return nil
}

// Close implements Store.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	m.closed = true
	return nil
}
