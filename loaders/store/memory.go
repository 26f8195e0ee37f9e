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

// Memory is a Store that forgets everything when the process ends.
type Memory struct {
	config MemoryConfig

	mu         sync.RWMutex
	closed     bool
	accounts   []account         // by ID - 1
	ids        map[string]uint32 // by account name
	characters map[uint64]Character
	names      map[string]struct{} // of characters
	lastGUID   uint64
	realms     []Realm // by ID
}

var _ Store = (*Memory)(nil)

type account struct {
	Account
	key    [40]byte
	proven bool     // key is set
	guids  []uint64 // of its characters, ascending
}

// NewMemory makes an empty store.
func NewMemory(c MemoryConfig) *Memory {
	c.MaxAccounts = cmp.Or(c.MaxAccounts, 1_000_000)
	c.MaxGUID = min(cmp.Or(c.MaxGUID, MaxGUID), MaxGUID)
	return &Memory{
		config:     c,
		ids:        make(map[string]uint32),
		characters: make(map[uint64]Character),
		names:      make(map[string]struct{}),
	}
}

// read begins a method that changes nothing. If it returns no error, the caller unlocks.
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

// account is nil if there is no such account.
func (m *Memory) account(id uint32) *account {
	if id == 0 || int64(id) > int64(len(m.accounts)) {
		return nil
	}
	return &m.accounts[id-1]
}

// Account implements Store.
func (m *Memory) Account(ctx context.Context, name string) (Account, error) {
	if err := m.read(ctx); err != nil {
		return Account{}, err
	}
	defer m.mu.RUnlock()
	id, ok := m.ids[name]
	if !ok {
		return Account{}, ErrNotFound
	}
	return m.account(id).Account, nil
}

// CreateAccount implements Store.
func (m *Memory) CreateAccount(ctx context.Context, a Account) (Account, error) {
	if err := m.write(ctx); err != nil {
		return Account{}, err
	}
	defer m.mu.Unlock()
	if _, exists := m.ids[a.Name]; exists {
		return Account{}, ErrAccountExists
	}
	if len(m.accounts) >= m.config.MaxAccounts {
		return Account{}, ErrFull
	}
	a.ID = uint32(len(m.accounts)) + 1
	m.accounts = append(m.accounts, account{Account: a})
	m.ids[a.Name] = a.ID
	return a, nil
}

// SessionKey implements Store.
func (m *Memory) SessionKey(ctx context.Context, account uint32) (key [40]byte, ok bool, err error) {
	if err := m.read(ctx); err != nil {
		return key, false, err
	}
	defer m.mu.RUnlock()
	a := m.account(account)
	if a == nil {
		return key, false, ErrNotFound
	}
	return a.key, a.proven, nil
}

// SetSessionKey implements Store.
func (m *Memory) SetSessionKey(ctx context.Context, account uint32, key [40]byte) error {
	if err := m.write(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	a := m.account(account)
	if a == nil {
		return ErrNotFound
	}
	a.key, a.proven = key, true
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

// Characters implements Store.
func (m *Memory) Characters(ctx context.Context, account uint32) ([]Character, error) {
	if err := m.read(ctx); err != nil {
		return nil, err
	}
	defer m.mu.RUnlock()
	a := m.account(account)
	if a == nil {
		return nil, nil
	}
	list := make([]Character, len(a.guids))
	for i, guid := range a.guids {
		list[i] = m.characters[guid]
	}
	return list, nil
}

// Character implements Store.
func (m *Memory) Character(ctx context.Context, guid uint64) (Character, error) {
	if err := m.read(ctx); err != nil {
		return Character{}, err
	}
	defer m.mu.RUnlock()
	c, ok := m.characters[guid]
	if !ok {
		return Character{}, ErrNotFound
	}
	return c, nil
}

// CountCharacters implements Store.
func (m *Memory) CountCharacters(ctx context.Context) (int, error) {
	if err := m.read(ctx); err != nil {
		return 0, err
	}
	defer m.mu.RUnlock()
	return len(m.characters), nil
}

// CreateCharacter implements Store.
func (m *Memory) CreateCharacter(ctx context.Context, c Character) (Character, error) {
	var err error
	if c.Name, err = NormalName(c.Name); err != nil {
		return Character{}, err
	}
	if err := CheckBody(c.Race, c.Class, c.Gender); err != nil {
		return Character{}, err
	}
	if err := m.write(ctx); err != nil {
		return Character{}, err
	}
	defer m.mu.Unlock()
	a := m.account(c.Account)
	switch _, taken := m.names[c.Name]; {
	case a == nil:
		return Character{}, ErrNotFound
	case len(a.guids) >= MaxCharacters:
		return Character{}, ErrTooMany
	case taken:
		return Character{}, ErrNameTaken
	case m.lastGUID >= m.config.MaxGUID:
		return Character{}, ErrFull
	}
	m.lastGUID++
	c.GUID, c.Version = m.lastGUID, 1
	a.guids = append(a.guids, c.GUID)
	m.names[c.Name] = struct{}{}
	m.characters[c.GUID] = c
	return c, nil
}

// DeleteCharacter implements Store.
func (m *Memory) DeleteCharacter(ctx context.Context, account uint32, guid uint64) error {
	if err := m.write(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	a, c := m.account(account), m.characters[guid]
	if a == nil || c.Account != account {
		return ErrNotFound
	}
	a.guids = slices.DeleteFunc(a.guids, func(g uint64) bool { return g == guid })
	delete(m.names, c.Name)
	delete(m.characters, guid)
	return nil
}

// SaveCharacter implements Store.
func (m *Memory) SaveCharacter(ctx context.Context, c Character) error {
	if err := m.write(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	old, ok := m.characters[c.GUID]
	switch {
	case !ok:
		return ErrNotFound
	case c.Version <= old.Version:
		return ErrStale
	}
	c.Account, c.Name = old.Account, old.Name
	m.characters[c.GUID] = c
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
