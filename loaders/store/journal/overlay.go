package journal

import (
	"context"
	"errors"
	"time"

	"muster/loaders/store"
)

// Character implements store.Store. It asks the store below in any case: a character may have been deleted there.
func (j *Journal) Character(ctx context.Context, guid uint64) (store.Character, error) {
	j.mu.Lock()
	e := j.pending.all[guid] // before the store is asked: what it is given meanwhile is in one of the two
	var copied entry
	if e != nil {
		copied = *e
	}
	j.mu.Unlock()
	stored, err := j.Store.Character(ctx, guid)
	switch {
	case e == nil:
		return stored, err
	case errors.Is(err, store.ErrNotFound):
		j.forget(guid)
	case err == nil:
		return j.over(&stored, e, copied), nil
	}
	return stored, err
}

// Characters implements store.Store.
func (j *Journal) Characters(ctx context.Context, account uint32) ([]store.Character, error) {
	j.mu.Lock()
	entries := append([]*entry(nil), j.pending.byAccount[account]...)
	copies := make([]entry, len(entries))
	for i, e := range entries {
		copies[i] = *e
	}
	j.mu.Unlock()
	list, err := j.Store.Characters(ctx, account)
	for i := range list {
		for k := range copies {
			if copies[k].now.GUID == list[i].GUID {
				list[i] = j.over(&list[i], entries[k], copies[k])
			}
		}
	}
	return list, err
}

// over returns a stored character with an entry's changes. The caller owns it.
func (j *Journal) over(stored *store.Character, e *entry, copied entry) store.Character {
	c, ok := copied.over(stored)
	if !ok {
		j.orphan(e)
	}
	return c.Clone()
}

// DeleteCharacter implements store.Store.
func (j *Journal) DeleteCharacter(ctx context.Context, account uint32, guid uint64) error {
	err := j.Store.DeleteCharacter(ctx, account, guid)
	if err == nil {
		j.forget(guid)
	}
	return err
}

// forget drops what is pending of a deleted character.
func (j *Journal) forget(guid uint64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if e := j.pending.all[guid]; e != nil {
		j.pending.drop(e)
		signal(j.dirty)
	}
}

// SaveCharacter implements store.Store. Unlike Save, it returns when the store below has the character.
func (j *Journal) SaveCharacter(ctx context.Context, c store.Character) error {
	if err := j.settled(ctx, c.GUID); err != nil {
		return err
	}
	return j.Store.SaveCharacter(ctx, c)
}

// SaveCharacters implements store.Store, as SaveCharacter does.
func (j *Journal) SaveCharacters(ctx context.Context, list []store.Character) ([]error, error) {
	guids := make([]uint64, len(list))
	for i := range list {
		guids[i] = list[i].GUID
	}
	if err := j.settled(ctx, guids...); err != nil {
		return nil, err
	}
	return j.Store.SaveCharacters(ctx, list)
}

// Trade implements store.Store.
func (j *Journal) Trade(ctx context.Context, t store.Trade) error {
	if err := j.settled(ctx, t.A.GUID, t.B.GUID); err != nil {
		return err
	}
	return j.Store.Trade(ctx, t)
}

// Export implements store.Store.
func (j *Journal) Export(ctx context.Context, each func(store.Record) error) error {
	if err := j.settledAll(ctx); err != nil {
		return err
	}
	return j.Store.Export(ctx, each)
}

// Check implements store.Store.
func (j *Journal) Check(ctx context.Context, report func(store.Problem)) error {
	if err := j.settledAll(ctx); err != nil {
		return err
	}
	return j.Store.Check(ctx, report)
}

// deliverPause is between two looks at characters that change while they are written to the store.
const deliverPause = 10 * time.Millisecond

// Deliver returns when the store below has all that was saved of characters before. It writes what is pending of them at once.
func (j *Journal) Deliver(ctx context.Context, guids ...uint64) error {
	for {
		if err := j.settled(ctx, guids...); err != nil {
			return err
		}
		if !j.has(guids) {
			return nil
		}
		t := time.NewTimer(deliverPause)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return context.Cause(ctx)
		}
	}
}

// has reports whether one of some characters is pending.
func (j *Journal) has(guids []uint64) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, guid := range guids {
		if j.pending.all[guid] != nil {
			return true
		}
	}
	return false
}

// settled writes what is pending of characters to the store.
func (j *Journal) settled(ctx context.Context, guids ...uint64) error {
	j.mu.Lock()
	var batch []*entry
	for _, guid := range guids {
		if e := j.pending.all[guid]; e != nil {
			batch = append(batch, e)
		}
	}
	j.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	if err := j.synced(ctx); err != nil {
		return err
	}
	return j.apply(ctx, batch)
}

// synced returns when earlier saves are on the disk, or that was tried and failed.
func (j *Journal) synced(ctx context.Context) error {
	done := make(chan struct{})
	j.Save(nil, func() { close(done) })
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (j *Journal) settledAll(ctx context.Context) error {
	j.mu.Lock()
	guids := make([]uint64, 0, len(j.pending.all))
	for guid := range j.pending.all {
		guids = append(guids, guid)
	}
	j.mu.Unlock()
	for len(guids) > 0 {
		n := min(len(guids), j.config.Batch)
		if err := j.settled(ctx, guids[:n]...); err != nil {
			return err
		}
		guids = guids[n:]
	}
	return nil
}
