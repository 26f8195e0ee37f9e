package database

import (
	"context"
	"errors"
	"slices"

	"muster/loaders/store"
)

// SaveCharacter implements store.Store.
func (s *Store) SaveCharacter(ctx context.Context, c store.Character) error {
	each, err := s.SaveCharacters(ctx, []store.Character{c})
	if err != nil {
		return err
	}
	return each[0]
}

// SaveCharacters implements store.Store.
func (s *Store) SaveCharacters(ctx context.Context, list []store.Character) (each []error, err error) {
	err = s.use(ctx, func() error {
		return s.reaching(func(others []uint64) error {
			return s.db.Transact(ctx, func(q Session) (err error) {
				each, err = s.save(q, list, others)
				return err
			})
		})
	})
	if err != nil {
		return nil, err
	}
	return each, nil
}

// reaches is how often a transaction begins again because items have moved meanwhile.
const reaches = 20

// reaching runs f as a transaction that saves characters, and that locks others as needed.
func (s *Store) reaching(f func(others []uint64) error) error {
	var others []uint64
	for range reaches {
		err := f(others)
		var r *reach
		if !errors.As(err, &r) {
			return err
		}
		others = append(others, r.guids...)
	}
	return ErrAgain
}

// save saves characters in a transaction: it reads the stored state in two statements, applies the saves in memory,
// and writes what has changed, all at once.
func (s *Store) save(q Session, list []store.Character, others []uint64) ([]error, error) {
	guids := slices.Clone(others)
	for i := range list {
		guids = append(guids, list[i].GUID)
	}
	h := newHands(q, s.db)
	if err := h.hold(guids); err != nil {
		return nil, err
	}
	if err := h.reach(list); err != nil {
		return nil, err
	}
	each := make([]error, len(list))
	for i := range list {
		each[i] = h.save(&list[i])
	}
	return each, h.write()
}

// Trade implements store.Store.
func (s *Store) Trade(ctx context.Context, t store.Trade) error {
	return s.transact(ctx, func(q Session) error {
		if err := newHands(q, s.db).hold([]uint64{t.A.GUID, t.B.GUID}); err != nil {
			return err
		}
		var both [2]store.Character
		for i, guid := range []uint64{t.A.GUID, t.B.GUID} {
			if guid > store.MaxGUID {
				return store.ErrNotFound
			}
			if err := q.Row(findCharacter, []any{guid}, characterInto(&both[i])...); err != nil {
				return err
			}
		}
		if err := t.Apply(&both[0], &both[1]); err != nil {
			return err
		}
		_, err := s.save(q, both[:], nil)
		return err
	})
}
