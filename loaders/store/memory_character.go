package store

import (
	"context"
	"muster/components/life"
	"slices"
)

// Characters implements Store.
func (m *Memory) Characters(ctx context.Context, id uint32) ([]Character, error) {
	if err := m.read(ctx); err != nil {
		return nil, err
	}
	defer m.mu.RUnlock()
	a := m.accounts[id]
	if a == nil {
		return nil, nil
	}
	list := make([]Character, len(a.guids))
	for i, guid := range a.guids {
		list[i] = m.characters[guid].Clone()
	}
	return list, nil
}

// Character implements Store.
func (m *Memory) Character(ctx context.Context, guid uint64) (Character, error) {
	if err := m.read(ctx); err != nil {
		return Character{}, err
	}
	defer m.mu.RUnlock()
	c := m.characters[guid]
	if c == nil {
		return Character{}, ErrNotFound
	}
	return c.Clone(), nil
}

// CountCharacters implements Store.
func (m *Memory) CountCharacters(ctx context.Context, account uint32) (int, error) {
	if err := m.read(ctx); err != nil {
		return 0, err
	}
	defer m.mu.RUnlock()
	if a := m.accounts[account]; a != nil {
		return len(a.guids), nil
	}
	if account != 0 {
		return 0, nil
	}
	return len(m.characters), nil
}

// CreateCharacter implements Store.
func (m *Memory) CreateCharacter(ctx context.Context, c Character) (Character, error) {
	c, err := NewCharacter(c)
	if err != nil {
		return Character{}, err
	}
	if err := m.write(ctx); err != nil {
		return Character{}, err
	}
	defer m.mu.Unlock()
	a := m.accounts[c.Account]
	switch _, taken := m.names[placeOf(&c)]; {
	case a == nil:
		return Character{}, ErrNotFound
	case len(a.guids) >= MaxOfAccount, m.countIn(a, c.Realm) >= MaxCharacters:
		return Character{}, ErrTooMany
	case taken:
		return Character{}, ErrNameTaken
	case m.last.Character >= m.config.MaxGUID:
		return Character{}, ErrFull
	}
	m.last.Character++
	c.GUID = m.last.Character
	m.addCharacter(a, c.Clone())
	return c, nil
}

// A place is what one character has at a time: a name in a realm.
type place struct {
	realm uint8
	name  string
}

func placeOf(c *Character) place { return place{c.Realm, c.Name} }

// countIn is how many characters an account has in a realm.
func (m *memories) countIn(a *account, realm uint8) (n int) {
	for _, guid := range a.guids {
		if m.characters[guid].Realm == realm {
			n++
		}
	}
	return n
}

func (m *memories) addCharacter(a *account, c Character) {
	a.guids = append(a.guids, c.GUID)
	m.names[placeOf(&c)] = struct{}{}
	m.characters[c.GUID] = &Character{GUID: c.GUID, Account: c.Account, Name: c.Name, Realm: c.Realm}
	m.replace(c)
}

// DeleteCharacter implements Store.
func (m *Memory) DeleteCharacter(ctx context.Context, id uint32, guid uint64) error {
	return m.change(ctx, id, func(a *account) error {
		i := slices.Index(a.guids, guid)
		if i < 0 {
			return ErrNotFound
		}
		a.guids = slices.Delete(a.guids, i, i+1)
		delete(a.data, guid)
		m.forget(m.characters[guid])
		return nil
	})
}

func (m *memories) forget(c *Character) {
	for _, it := range c.Items {
		delete(m.holders, it.GUID)
		m.goes(it)
	}
	delete(m.names, placeOf(c))
	delete(m.characters, c.GUID)
}

// SaveCharacter implements Store.
func (m *Memory) SaveCharacter(ctx context.Context, c Character) error {
	return one(m.SaveCharacters(ctx, []Character{c}))
}

// one returns the result of the only character of a batch.
func one(each []error, err error) error {
	if err != nil {
		return err
	}
	return each[0]
}

// SaveCharacters implements Store.
func (m *Memory) SaveCharacters(ctx context.Context, list []Character) (each []error, err error) {
	if err := m.write(ctx); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	each = make([]error, len(list))
	for i := range list {
		each[i] = m.save(&list[i])
	}
	return each, nil
}

func (m *memories) save(c *Character) error {
	old := m.characters[c.GUID]
	switch {
	case old == nil:
		return ErrNotFound
	case c.Version <= old.Version:
		return ErrStale
	}
	if err := CheckLife(c); err != nil {
		return err
	}
	m.replace(c.Clone())
	return nil
}

// replace stores a character, and takes its items from the characters that had them before it. Of those that have one
// since, it does not get it.
func (m *memories) replace(c Character) {
	old := m.characters[c.GUID]
	for _, it := range old.Items {
		delete(m.holders, it.GUID)
	}
	c.Items = slices.DeleteFunc(c.Items, func(it life.Item) bool {
		if other := m.characters[m.holders[it.GUID]]; other != nil {
			at := slices.IndexFunc(other.Items, func(o life.Item) bool { return o.GUID == it.GUID })
			if it.OlderThan(other.Items[at].Moves) {
				return true
			}
			other.Items = DropItem(other.Items, it.GUID)
		} else if moves, gone := m.gone[it.GUID]; gone && it.OlderThan(moves) {
			return true
		}
		m.holders[it.GUID] = c.GUID
		return false
	})
	for _, it := range old.Items {
		if _, held := m.holders[it.GUID]; !held {
			m.goes(it)
		}
	}
	c.Account, c.Name, c.Realm = old.Account, old.Name, old.Realm
	*old = c
}

// maxGone is how many items a Memory knows that are with none any more.
const maxGone = 10_000

// goes notes that an item is with none any more, if another had it before.
func (m *memories) goes(it life.Item) {
	if it.Moves == 0 {
		return
	}
	if _, known := m.gone[it.GUID]; !known {
		if len(m.goneOrder) == maxGone {
			delete(m.gone, m.goneOrder[0])
			m.goneOrder = m.goneOrder[1:]
		}
		m.goneOrder = append(m.goneOrder, it.GUID)
	}
	m.gone[it.GUID] = it.Moves
}

// Trade implements Store.
func (m *Memory) Trade(ctx context.Context, t Trade) error {
	if err := m.write(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	a, b := m.characters[t.A.GUID], m.characters[t.B.GUID]
	if a == nil || b == nil {
		return ErrNotFound
	}
	newA, newB := *a, *b
	if err := t.Apply(&newA, &newB); err != nil {
		return err
	}
	m.replace(newA)
	m.replace(newB)
	return nil
}

// LeaseItems implements Store.
func (m *Memory) LeaseItems(ctx context.Context, n int) (first uint64, err error) {
	if err := m.write(ctx); err != nil {
		return 0, err
	}
	defer m.mu.Unlock()
	first = max(m.last.Item+1, FirstItem)
	if n < 1 || n > MaxLease || first+uint64(n)-1 > MaxItem {
		return 0, ErrFull
	}
	m.last.Item = first + uint64(n) - 1
	return first, nil
}
