package database

import (
	"context"
	"errors"
	"time"

	"muster/loaders/store"
)

const (
	characterColumns = `guid, account, name, realm, race, class, gender, skin, face, hair_style, hair_color, facial_hair,
		level, map, zone, x, y, z, o, version,
		begun, xp, money, health, played, level_played, saved, life, items_revision, auras, cooldowns,
		` + rowsOfItems + ` AS items, ` + rowsOfSpells + ` AS spells, ` + rowsOfActions + ` AS actions`
	findCharacter   = `SELECT ` + characterColumns + ` FROM characters WHERE guid = $1`
	listCharacters  = `SELECT ` + characterColumns + ` FROM characters WHERE account = $1 ORDER BY guid`
	countCharacters = `SELECT count(*) FROM characters`

	findOwner    = `SELECT 1 FROM accounts WHERE id = $1`
	countOwned   = `SELECT count(*) FROM characters WHERE account = $1`
	countInRealm = `SELECT count(*), count(*) FILTER (WHERE realm = $2) FROM characters WHERE account = $1`

	dropCharacter = `DELETE FROM characters WHERE guid = $1 AND account = $2`
)

// dropRows delete the rows of a character.
var dropRows = [...]string{
	`DELETE FROM item_instance WHERE owner_guid = $1`,
	`DELETE FROM character_spell WHERE guid = $1`,
	`DELETE FROM character_action WHERE guid = $1`,
}

// The columns of a character's play state, and its life, as values.
const playColumns = `race, class, gender, skin, face, hair_style, hair_color, facial_hair, level, map, zone,
	x real, y real, z real, o real, version, begun boolean, xp, money, health, played, level_played, saved,
	life bytea, items_revision, auras text, cooldowns text`

var (
	makeCharacter = insert("characters", "guid, account, name text, realm, "+playColumns, "ON CONFLICT (realm, lower(name)) DO NOTHING")
	saveCharacter = update("characters", 1, "guid, "+playColumns)
)

// characterInto are where the characterColumns of a character go, and the revision of its rows. Its lists, if they are damaged,
// are errors in torn, as lifeValue has it.
func characterInto(c *store.Character, revision *int64, torn *error) []any {
	var rows rowLists
	into := func(parse func(*rowLists, []byte) error) rowsValue {
		return rowsValue{func(text []byte) error {
			err := parse(&rows, text)
			c.Items, c.Spells, c.Actions = rows.items, rows.spells, rows.actions
			return err
		}, torn}
	}
	return []any{
		&c.GUID, &c.Account, &c.Name, &c.Realm, &c.Race, &c.Class, &c.Gender, &c.Skin, &c.Face, &c.HairStyle, &c.HairColor,
		&c.FacialHair, &c.Level, &c.Map, &c.Zone, &c.X, &c.Y, &c.Z, &c.O, &c.Version,
		&c.Begun, &c.XP, &c.MoneyCopper, &c.Health, &c.PlayedSec, &c.LevelPlayedSec, &c.SavedUnix,
		lifeValue{&c.Life, torn}, revisionValue{revision, torn}, aurasInto(&c.Auras, torn), cooldownsInto(&c.Cooldowns, torn),
		into((*rowLists).parseItems), into((*rowLists).parseSpells), into((*rowLists).parseActions),
	}
}

// characterValues are the arguments of makeCharacter.
func characterValues(c *store.Character) []any {
	values := saveValues(c, newRevision())
	return append([]any{c.GUID, c.Account, c.Name, c.Realm}, values[1:]...)
}

// saveValues are the arguments of saveCharacter.
func saveValues(c *store.Character, revision int64) []any {
	return []any{
		c.GUID, c.Race, c.Class, c.Gender, c.Skin, c.Face, c.HairStyle, c.HairColor,
		c.FacialHair, c.Level, c.Map, c.Zone, c.X, c.Y, c.Z, c.O, c.Version,
		c.Begun, c.XP, c.MoneyCopper, c.Health, c.PlayedSec, c.LevelPlayedSec, c.SavedUnix,
		appendLife(make([]byte, 0, 128), &c.Life), revision, aurasText(c.Auras), cooldownsText(c.Cooldowns),
	}
}

// Characters implements store.Store.
func (s *Store) Characters(ctx context.Context, account uint32) ([]store.Character, error) {
	var list []store.Character
	var revisions []int64
	err := s.read(ctx, func(q Session) error {
		return q.Rows(listCharacters, []any{account}, func(scan func(...any) error) error {
			var c store.Character
			var revision int64
			err := scan(characterInto(&c, &revision, nil)...)
			list, revisions = append(list, c), append(revisions, revision)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	for i := range list {
		s.known.read(list[i].GUID, revisions[i], listsOf(&list[i].Life))
	}
	return list, nil
}

// Character implements store.Store.
func (s *Store) Character(ctx context.Context, guid uint64) (store.Character, error) {
	var c store.Character
	var revision int64
	err := s.read(ctx, func(q Session) error {
		if guid > store.MaxGUID { // and maybe beyond what a column holds
			return store.ErrNotFound
		}
		return q.Row(findCharacter, []any{guid}, characterInto(&c, &revision, nil)...)
	})
	if err != nil {
		return store.Character{}, err
	}
	s.known.read(guid, revision, listsOf(&c.Life))
	return c, nil
}

// CountCharacters implements store.Store.
func (s *Store) CountCharacters(ctx context.Context, account uint32) (int, error) {
	statement, args := countCharacters, []any(nil)
	if account != 0 {
		statement, args = countOwned, []any{account}
	}
	var n int
	err := s.read(ctx, func(q Session) error { return q.Row(statement, args, &n) })
	if err != nil {
		return 0, err
	}
	return n, nil
}

// CreateCharacter implements store.Store.
func (s *Store) CreateCharacter(ctx context.Context, c store.Character) (store.Character, error) {
	c, err := store.NewCharacter(c)
	if err != nil {
		return store.Character{}, err
	}
	err = s.use(ctx, func() (err error) {
		if c.GUID, err = s.guids.take(ctx, s.db); err != nil {
			return err
		}
		err = s.saving(ctx, func(q Session, others []uint64) (*hands, error) { return s.create(q, c, others) })
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

// create stores a new character. The account is locked, so that the number of its characters cannot change. Its rows
// come with a save: items may be another's.
func (s *Store) create(q Session, c store.Character, others []uint64) (*hands, error) {
	var all, here int
	if err := q.Row(findOwner+s.db.ForUpdate(), []any{c.Account}, &all); err != nil {
		return nil, err
	}
	if err := q.Row(countInRealm, []any{c.Account, c.Realm}, &all, &here); err != nil {
		return nil, err
	}
	if all >= store.MaxOfAccount || here >= store.MaxCharacters {
		return nil, store.ErrTooMany
	}
	bare, rows := c, listsOf(&c.Life)
	if !rows.empty() {
		bare.Version = 0
	}
	switch made, err := q.Exec(makeCharacter.One, characterValues(&bare)...); {
	case err != nil:
		return nil, err
	case made == 0:
		return nil, store.ErrNameTaken
	case rows.empty():
		return nil, nil
	}
	h, _, err := s.save(q, []store.Character{c}, others)
	return h, err
}

// refused reports whether it is certain that create has stored nothing.
func refused(err error) bool {
	return errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrTooMany) || errors.Is(err, store.ErrNameTaken)
}

// DeleteCharacter implements store.Store.
func (s *Store) DeleteCharacter(ctx context.Context, account uint32, guid uint64) error {
	return s.transact(ctx, func(q Session) error {
		if guid > store.MaxGUID {
			return store.ErrNotFound
		}
		if err := one(q.Exec(dropCharacter, guid, account)); err != nil {
			return err
		}
		if _, err := q.Exec(goneWith, guid, time.Now().Unix()); err != nil {
			return err
		}
		for _, statement := range dropRows {
			if _, err := q.Exec(statement, guid); err != nil {
				return err
			}
		}
		_, err := q.Exec(dropData, account, guid)
		return err
	})
}
