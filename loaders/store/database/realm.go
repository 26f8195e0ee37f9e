package database

import (
	"context"
	"errors"

	"muster/loaders/store"
)

const (
	listRealms = `SELECT id, name, address, kind, locked, flags, category FROM realms ORDER BY id`
	findRealm  = `SELECT id FROM realms WHERE name = $1 AND id <> $2`
	putRealm   = `INSERT INTO realms (id, name, address, kind, locked, flags, category)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO UPDATE SET name = excluded.name,
		address = excluded.address, kind = excluded.kind, locked = excluded.locked, flags = excluded.flags,
		category = excluded.category`
)

// errText is the error of a realm with a text that some database cannot keep.
var errText = errors.New("database: the name or address is no text")

// Realms implements store.Store.
func (s *Store) Realms(ctx context.Context) ([]store.Realm, error) {
	var list []store.Realm
	err := s.read(ctx, func(q Session) (err error) {
		list, err = realms(q)
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

func realms(q Session) (list []store.Realm, err error) {
	err = q.Rows(listRealms, nil, func(scan func(...any) error) error {
		var r store.Realm
		err := scan(&r.ID, &r.Name, &r.Address, &r.Type, &r.Locked, &r.Flags, &r.Category)
		list = append(list, r)
		return err
	})
	return list, err
}

// SaveRealm implements store.Store.
func (s *Store) SaveRealm(ctx context.Context, r store.Realm) error {
	return s.transact(ctx, func(q Session) error { return saveRealm(q, &r) })
}

func saveRealm(q Session, r *store.Realm) error {
	if !store.IsText(r.Name) || !store.IsText(r.Address) {
		return errText
	}
	switch err := q.Row(findRealm, []any{r.Name, r.ID}, new(uint8)); {
	case err == nil:
		return store.ErrNameTaken
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	_, err := q.Exec(putRealm, r.ID, r.Name, r.Address, r.Type, r.Locked, r.Flags, r.Category)
	return err
}
