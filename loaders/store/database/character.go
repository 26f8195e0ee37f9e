package database

import (
	"context"
	"errors"

	"muster/loaders/store"
)

const (
	characterColumns = `guid, account, name, race, class, gender, skin, face, hair_style, hair_color, facial_hair,
		level, map, zone, x, y, z, o, version`
	findCharacter   = `SELECT ` + characterColumns + ` FROM characters WHERE guid = $1`
	listCharacters  = `SELECT ` + characterColumns + ` FROM characters WHERE account = $1 ORDER BY guid`
	countCharacters = `SELECT count(*) FROM characters`

	findOwner  = `SELECT 1 FROM accounts WHERE id = $1`
	countOwned = `SELECT count(*) FROM characters WHERE account = $1`

	makeCharacter = `INSERT INTO characters (` + characterColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
		ON CONFLICT (lower(name)) DO NOTHING`
	dropCharacter = `DELETE FROM characters WHERE guid = $1 AND account = $2`
	saveCharacter = `UPDATE characters SET race = $2, class = $3, gender = $4, skin = $5, face = $6,
		hair_style = $7, hair_color = $8, facial_hair = $9, level = $10, map = $11, zone = $12,
		x = $13, y = $14, z = $15, o = $16, version = $17 WHERE guid = $1 AND version < $17`
	findVersion = `SELECT version FROM characters WHERE guid = $1`
)

// columns are where the characterColumns of a character go.
func columns(c *store.Character) []any {
	return []any{
		&c.GUID, &c.Account, &c.Name, &c.Race, &c.Class, &c.Gender, &c.Skin, &c.Face, &c.HairStyle, &c.HairColor,
		&c.FacialHair, &c.Level, &c.Map, &c.Zone, &c.X, &c.Y, &c.Z, &c.O, &c.Version,
	}
}

// Characters implements store.Store.
func (s *Store) Characters(ctx context.Context, account uint32) ([]store.Character, error) {
	var list []store.Character
	err := s.read(ctx, func(q Session) error {
		return q.Rows(listCharacters, []any{account}, func(scan func(...any) error) error {
			var c store.Character
			err := scan(columns(&c)...)
			list = append(list, c)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Character implements store.Store.
func (s *Store) Character(ctx context.Context, guid uint64) (store.Character, error) {
	var c store.Character
	err := s.read(ctx, func(q Session) error {
		if guid > store.MaxGUID { // and maybe beyond what a column holds
			return store.ErrNotFound
		}
		return q.Row(findCharacter, []any{guid}, columns(&c)...)
	})
	if err != nil {
		return store.Character{}, err
	}
	return c, nil
}

// CountCharacters implements store.Store.
func (s *Store) CountCharacters(ctx context.Context) (int, error) {
	var n int
	err := s.read(ctx, func(q Session) error { return q.Row(countCharacters, nil, &n) })
	if err != nil {
		return 0, err
	}
	return n, nil
}

// CreateCharacter implements store.Store.
func (s *Store) CreateCharacter(ctx context.Context, c store.Character) (store.Character, error) {
	var err error
	if c.Name, err = store.NormalName(c.Name); err != nil {
		return store.Character{}, err
	}
	if err := store.CheckBody(c.Race, c.Class, c.Gender); err != nil {
		return store.Character{}, err
	}
	c.Version = 1
	err = s.use(ctx, func() (err error) {
		if c.GUID, err = s.guids.take(ctx, s.db); err != nil {
			return err
		}
		err = s.db.Transact(ctx, func(q Session) error { return create(q, s.db.ForUpdate(), c) })
		if refused(err) {
			s.guids.put(c.GUID)
		}
		return err
	})
	if err != nil {
		return store.Character{}, err
	}
	return c, nil
}

// create stores a new character. The account is locked: nobody else counts its characters meanwhile.
func create(q Session, forUpdate string, c store.Character) error {
	var n int
	if err := q.Row(findOwner+forUpdate, []any{c.Account}, &n); err != nil {
		return err
	}
	if err := q.Row(countOwned, []any{c.Account}, &n); err != nil {
		return err
	}
	if n >= store.MaxCharacters {
		return store.ErrTooMany
	}
	made, err := q.Exec(makeCharacter, c.GUID, c.Account, c.Name, c.Race, c.Class, c.Gender, c.Skin, c.Face,
		c.HairStyle, c.HairColor, c.FacialHair, c.Level, c.Map, c.Zone, c.X, c.Y, c.Z, c.O, c.Version)
	if err == nil && made == 0 {
		return store.ErrNameTaken
	}
	return err
}

// refused says whether it is certain that create has stored nothing.
func refused(err error) bool {
	return errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrTooMany) || errors.Is(err, store.ErrNameTaken)
}

// DeleteCharacter implements store.Store.
func (s *Store) DeleteCharacter(ctx context.Context, account uint32, guid uint64) error {
	return s.write(ctx, func(q Session) error {
		if guid > store.MaxGUID {
			return store.ErrNotFound
		}
		return one(q.Exec(dropCharacter, guid, account))
	})
}

// SaveCharacter implements store.Store.
func (s *Store) SaveCharacter(ctx context.Context, c store.Character) error {
	return s.write(ctx, func(q Session) error {
		if c.GUID > store.MaxGUID {
			return store.ErrNotFound
		}
		saved, err := q.Exec(saveCharacter, c.GUID, c.Race, c.Class, c.Gender, c.Skin, c.Face, c.HairStyle,
			c.HairColor, c.FacialHair, c.Level, c.Map, c.Zone, c.X, c.Y, c.Z, c.O, c.Version)
		if err != nil || saved == 1 {
			return err
		}
		if err := q.Row(findVersion, []any{c.GUID}, new(uint64)); err != nil {
			return err
		}
		return store.ErrStale
	})
}
