package store

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
)

// Account implements Store.
func (m *Memory) Account(ctx context.Context, name string) (Account, error) {
	a, err := m.Proven(ctx, name)
	return a.Account, err
}

// Proven implements Store.
func (m *Memory) Proven(ctx context.Context, name string) (Proven, error) {
	if err := m.read(ctx); err != nil {
		return Proven{}, err
	}
	defer m.mu.RUnlock()
	id, ok := m.ids[name]
	if !ok {
		return Proven{}, ErrNotFound
	}
	return m.accounts[id].Proven, nil
}

// CreateAccount implements Store.
func (m *Memory) CreateAccount(ctx context.Context, a Account) (Account, error) {
	if err := m.write(ctx); err != nil {
		return Account{}, err
	}
	defer m.mu.Unlock()
	if err := CheckAccount(&a); err != nil {
		return Account{}, err
	}
	if _, exists := m.ids[a.Name]; exists {
		return Account{}, ErrAccountExists
	}
	if len(m.accounts) >= m.config.MaxAccounts || m.last.Account == math.MaxUint32 {
		return Account{}, ErrFull
	}
	m.last.Account++
	a.ID = m.last.Account
	m.addAccount(Proven{Account: a})
	return a, nil
}

func (m *memories) addAccount(a Proven) {
	m.accounts[a.ID] = &account{Proven: a, data: make(map[uint64][]Data)}
	m.ids[a.Name] = a.ID
}

// Accounts implements Store. It looks at all accounts.
func (m *Memory) Accounts(ctx context.Context, after string, limit int) ([]Account, error) {
	if err := m.read(ctx); err != nil {
		return nil, err
	}
	defer m.mu.RUnlock()
	names := slices.Sorted(maps.Keys(m.ids))
	i, found := slices.BinarySearch(names, after)
	if found {
		i++
	}
	names = names[i:]
	list := make([]Account, min(max(limit, 0), MaxPage, len(names)))
	for i := range list {
		list[i] = m.accounts[m.ids[names[i]]].Account
	}
	return list, nil
}

// change applies f to an account.
func (m *Memory) change(ctx context.Context, id uint32, f func(*account) error) error {
	if err := m.write(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	a := m.accounts[id]
	if a == nil {
		return ErrNotFound
	}
	return f(a)
}

// UpdateAccount implements Store.
func (m *Memory) UpdateAccount(ctx context.Context, id uint32, change func(*Proven) error) (Account, error) {
	var changed Account
	err := m.change(ctx, id, func(a *account) error {
		b := a.Proven
		if err := change(&b); err != nil {
			return err
		}
		b.ID, b.Name = a.ID, a.Name
		if err := CheckAccount(&b.Account); err != nil {
			return err
		}
		b.Settle(&a.Proven)
		a.Proven, changed = b, b.Account
		return nil
	})
	return changed, err
}

// DeleteAccount implements Store.
func (m *Memory) DeleteAccount(ctx context.Context, id uint32) error {
	return m.change(ctx, id, func(a *account) error {
		for _, guid := range a.guids {
			m.forget(m.characters[guid])
		}
		delete(m.ids, a.Name)
		delete(m.accounts, id)
		return nil
	})
}

// SessionKey implements Store.
func (m *Memory) SessionKey(ctx context.Context, id uint32) (key [40]byte, ok bool, err error) {
	if err := m.read(ctx); err != nil {
		return key, false, err
	}
	defer m.mu.RUnlock()
	a := m.accounts[id]
	if a == nil {
		return key, false, ErrNotFound
	}
	return a.Key, a.HasKey, nil
}

// SetSessionKey implements Store.
func (m *Memory) SetSessionKey(ctx context.Context, id uint32, key [40]byte) error {
	return m.change(ctx, id, func(a *account) error {
		a.Key, a.HasKey = key, true
		return nil
	})
}

// Data implements Store.
func (m *Memory) Data(ctx context.Context, id uint32, guid uint64) ([]Data, error) {
	if err := m.read(ctx); err != nil {
		return nil, err
	}
	defer m.mu.RUnlock()
	a := m.accounts[id]
	if a == nil {
		return nil, nil
	}
	list := slices.Clone(a.data[guid])
	for i := range list {
		list[i].Body = slices.Clone(list[i].Body)
	}
	return list, nil
}

// SaveData implements Store.
func (m *Memory) SaveData(ctx context.Context, id uint32, guid uint64, d Data) error {
	d.Body = slices.Clone(d.Body)
	return m.change(ctx, id, func(a *account) error {
		if err := CheckData(&d); err != nil {
			return err
		}
		if guid != 0 && !slices.Contains(a.guids, guid) {
			return ErrNotFound
		}
		list := a.data[guid]
		i, found := slices.BinarySearchFunc(list, d.Type, func(o Data, t uint8) int { return cmp.Compare(o.Type, t) })
		bytes := len(d.Body)
		for _, list := range a.data {
			for _, o := range list {
				bytes += len(o.Body)
			}
		}
		if found {
			bytes -= len(list[i].Body)
		}
		switch {
		case bytes > MaxData:
			return ErrDataQuota
		case len(d.Body) > 0 && found:
			list[i] = d
		case len(d.Body) > 0:
			list = slices.Insert(list, i, d)
		case found:
			list = slices.Delete(list, i, i+1)
		}
		a.data[guid] = list
		return nil
	})
}
