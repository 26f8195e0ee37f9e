package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Export implements Store. It copies everything first, and calls each afterwards.
func (m *Memory) Export(ctx context.Context, each func(Record) error) error {
	all, err := m.records(ctx)
	if err != nil {
		return err
	}
	for _, r := range all {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := each(r); err != nil {
			return err
		}
	}
	return nil
}

func (m *Memory) records(ctx context.Context) (all []Record, err error) {
	if err := m.read(ctx); err != nil {
		return nil, err
	}
	defer m.mu.RUnlock()
	err = m.export(func(r Record) error {
		all = append(all, r)
		return nil
	})
	return all, err
}

func (m *memories) export(each func(Record) error) error {
	last := m.last
	if err := each(Record{Counters: &last}); err != nil {
		return err
	}
	for _, r := range m.realms {
		if err := each(Record{Realm: &r}); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(m.accounts)) {
		if err := m.exportAccount(m.accounts[id], each); err != nil {
			return err
		}
	}
	return nil
}

func (m *memories) exportAccount(a *account, each func(Record) error) error {
	p := a.Proven
	if err := each(Record{Account: &p}); err != nil {
		return err
	}
	if err := a.exportData(0, each); err != nil {
		return err
	}
	for _, guid := range a.guids {
		c := m.characters[guid].Clone()
		if err := each(Record{Character: &c}); err != nil {
			return err
		}
		if err := a.exportData(guid, each); err != nil {
			return err
		}
	}
	return nil
}

func (a *account) exportData(guid uint64, each func(Record) error) error {
	for _, d := range a.data[guid] {
		d.Body = slices.Clone(d.Body)
		if err := each(Record{Data: &OwnedData{Account: a.ID, GUID: guid, Data: d}}); err != nil {
			return err
		}
	}
	return nil
}

// Import implements store.Store. All other calls wait for it.
func (m *Memory) Import(ctx context.Context, next func() (Record, error)) error {
	if err := m.write(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	if len(m.accounts)+len(m.realms) > 0 {
		return ErrNotEmpty
	}
	fresh := newMemories()
	admission := Admission{Last: m.last}
	for {
		r, err := next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = admission.Admit(r)
		}
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err == nil {
			err = fresh.add(r)
		}
		if err != nil {
			return err
		}
		if len(fresh.accounts) > m.config.MaxAccounts || admission.Last.Character > m.config.MaxGUID {
			return ErrFull
		}
	}
	fresh.last = admission.Last
	m.memories = fresh
	return nil
}

// add stores a record that was admitted.
func (m *memories) add(r Record) error {
	switch {
	case r.Realm != nil:
		return m.saveRealm(*r.Realm)
	case r.Account != nil:
		if _, exists := m.ids[r.Account.Name]; exists {
			return fmt.Errorf("%w: %w: %q", ErrRecord, ErrAccountExists, r.Account.Name)
		}
		m.addAccount(*r.Account)
	case r.Character != nil:
		return m.addAdmitted(r.Character)
	case r.Data != nil && len(r.Data.Body) > 0:
		a, d := m.accounts[r.Data.Account], r.Data.Data
		if list := a.data[r.Data.GUID]; len(list) > 0 && list[len(list)-1].Type >= d.Type {
			return fmt.Errorf("%w: data %d after %d", ErrRecord, d.Type, list[len(list)-1].Type)
		}
		d.Body = slices.Clone(d.Body)
		a.data[r.Data.GUID] = append(a.data[r.Data.GUID], d)
	}
	return nil
}

func (m *memories) addAdmitted(c *Character) error {
	if _, taken := m.names[placeOf(c)]; taken || m.characters[c.GUID] != nil {
		return fmt.Errorf("%w: %w: %q, %d", ErrRecord, ErrNameTaken, c.Name, c.GUID)
	}
	for _, it := range c.Items {
		if other, held := m.holders[it.GUID]; held {
			return fmt.Errorf("%w: %d and %d have item %#x", ErrRecord, other, c.GUID, it.GUID)
		}
	}
	m.addCharacter(m.accounts[c.Account], c.Clone())
	return nil
}

// Check implements Store. It copies everything first.
func (m *Memory) Check(ctx context.Context, report func(Problem)) error {
	checker := NewChecker(report)
	return m.Export(ctx, func(r Record) error {
		checker.Record(r)
		return nil
	})
}
