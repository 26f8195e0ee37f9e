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
		return s.saving(ctx, func(q Session, others []uint64) (h *hands, err error) {
			h, each, err = s.save(q, list, others)
			return h, err
		})
	})
	if err != nil {
		return nil, err
	}
	return each, nil
}

// reaches is how often a transaction begins again because items have moved meanwhile.
const reaches = 20

// saving runs f as a transaction that saves characters, and that locks others as needed. What f returns without an
// error is what the store knows from then on, if it is not nil.
func (s *Store) saving(ctx context.Context, f func(q Session, others []uint64) (*hands, error)) error {
	var others []uint64
	for range reaches {
		var h *hands
		err := s.db.Transact(ctx, func(q Session) (err error) {
			h, err = f(q, others)
			return err
		})
		var r *reach
		switch {
		case err == nil && h != nil:
			h.learn()
			return nil
		case !errors.As(err, &r):
			return err
		}
		s.known.forget(r.changed)
		others = append(others, r.guids...)
	}
	return ErrAgain
}

// save saves characters in a transaction: it reads the stored state in a few statements, applies the saves in memory,
// and writes what has changed, all at once.
func (s *Store) save(q Session, list []store.Character, others []uint64) (*hands, []error, error) {
	guids := slices.Clone(others)
	for i := range list {
		guids = append(guids, list[i].GUID)
	}
	h := s.newHands(q)
	if err := h.hold(guids); err != nil {
		return nil, nil, err
	}
	if err := h.load(list); err != nil {
		return nil, nil, err
	}
	if err := h.reach(list, others); err != nil {
		return nil, nil, err
	}
	each := make([]error, len(list))
	for i := range list {
		each[i] = h.save(&list[i])
	}
	return h, each, h.write()
}

// Trade implements store.Store.
func (s *Store) Trade(ctx context.Context, t store.Trade) error {
	return s.use(ctx, func() error {
		return s.saving(ctx, func(q Session, others []uint64) (*hands, error) { return s.trade(q, &t, others) })
	})
}

func (s *Store) trade(q Session, t *store.Trade, others []uint64) (*hands, error) {
	if err := s.newHands(q).hold(append(slices.Clone(others), t.A.GUID, t.B.GUID)); err != nil {
		return nil, err
	}
	var both [2]store.Character
	for i, guid := range []uint64{t.A.GUID, t.B.GUID} {
		if guid > store.MaxGUID {
			return nil, store.ErrNotFound
		}
		if err := q.Row(findCharacter, []any{guid}, characterInto(&both[i], new(int64), nil)...); err != nil {
			return nil, err
		}
	}
	if err := t.Apply(&both[0], &both[1]); err != nil {
		return nil, err
	}
	h, _, err := s.save(q, both[:], others)
	return h, err
}
