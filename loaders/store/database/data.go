package database

import (
	"context"

	"muster/loaders/store"
)

const (
	listData = `SELECT kind, unix, body FROM account_data WHERE account = $1 AND guid = $2 ORDER BY kind`
	sumData  = `SELECT coalesce(sum(length(body)), 0) FROM account_data
		WHERE account = $1 AND NOT (guid = $2 AND kind = $3)`
	dropBlock = `DELETE FROM account_data WHERE account = $1 AND guid = $2 AND kind = $3`
	dropData  = `DELETE FROM account_data WHERE account = $1 AND guid = $2`

	findOwned = `SELECT 1 FROM characters WHERE guid = $1 AND account = $2`
)

var putData = insert("account_data", "account, guid, kind, unix, body bytea",
	"ON CONFLICT (account, guid, kind) DO UPDATE SET unix = excluded.unix, body = excluded.body")

// Data implements store.Store.
func (s *Store) Data(ctx context.Context, account uint32, guid uint64) ([]store.Data, error) {
	var list []store.Data
	err := s.read(ctx, func(q Session) error {
		if guid > store.MaxGUID {
			return nil
		}
		return q.Rows(listData, []any{account, guid}, func(scan func(...any) error) error {
			var d store.Data
			err := scan(&d.Type, &d.Unix, &d.Body)
			list = append(list, d)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// SaveData implements store.Store.
func (s *Store) SaveData(ctx context.Context, account uint32, guid uint64, d store.Data) error {
	return s.transact(ctx, func(q Session) error {
		if err := store.CheckData(&d); err != nil {
			return err
		}
		if guid > store.MaxGUID {
			return store.ErrNotFound
		}
		// The lock keeps others from adding to the account's data meanwhile, and from deleting the character.
		if err := q.Row(findOwner+s.db.ForUpdate(), []any{account}, new(int)); err != nil {
			return err
		}
		if guid != 0 {
			if err := q.Row(findOwned+s.db.ForUpdate(), []any{guid, account}, new(int)); err != nil {
				return err
			}
		}
		if len(d.Body) == 0 {
			_, err := q.Exec(dropBlock, account, guid, d.Type)
			return err
		}
		var others int
		if err := q.Row(sumData, []any{account, guid, d.Type}, &others); err != nil {
			return err
		}
		if others+len(d.Body) > store.MaxData {
			return store.ErrDataQuota
		}
		_, err := q.Exec(putData.One, account, guid, d.Type, d.Unix, d.Body)
		return err
	})
}
