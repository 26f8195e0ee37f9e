package database

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"time"
)

const (
	lockItems = `LOCK TABLE characters, items IN ACCESS EXCLUSIVE MODE` // PostgreSQL alone

	// A page is that many characters.
	pageSaved  = `SELECT guid, items FROM characters WHERE guid > $1 ORDER BY guid LIMIT 500`
	pageOwners = `SELECT owner, guid FROM items WHERE owner IN
		(SELECT guid FROM characters WHERE guid > $1 ORDER BY guid LIMIT 500)`
	countSaved = `SELECT count(*) FROM characters`

	markDamaged = `UPDATE characters SET items_revision = -1 WHERE guid = $1`

	countLeft  = `SELECT count(*) FROM items WHERE NOT EXISTS (SELECT 1 FROM item_instance i WHERE i.guid = items.guid)`
	dropFilled = `DELETE FROM items WHERE EXISTS (SELECT 1 FROM item_instance i WHERE i.guid = items.guid)`
	dropOwners = `DROP TABLE items`
	dropSaved  = `ALTER TABLE characters DROP COLUMN items`
	emptySaved = `UPDATE characters SET items = substr(items, 1, 0) WHERE items_revision <> -1 AND length(items) > 0` // SQLite has NULL for a part of nothing
)

// filledColumns are those that item_instance has at the fourth migration.
const filledColumns = "guid, owner_guid, itemEntry, count, durability, bag, slot"

var fillItem = insert("item_instance", filledColumns, "ON CONFLICT (guid) DO NOTHING")

const (
	maxNamed     = 20              // damaged characters in the log
	fillProgress = 5 * time.Second // between two lines of the log
)

// A filling moves the items of older saves to item_instance: the fourth migration. Before it, a character's row had
// its items alone, and the table items had the owner of each.
type filling struct {
	ctx     context.Context
	tx      *sql.Tx
	dialect Dialect
	log     *slog.Logger
	rows    [][]any // of fillItem, that wait to be inserted
	doubted [][]any // of items whose owner is another by the table of owners, or none
	moved   int     // items
	torn    int     // characters whose items cannot be read
	refused int     // items that another character has as well
}

// fillItems fills item_instance in one transaction, and drops what had the items before. But items that cannot be read
// stay as they are in the row of their character, which can then be neither read nor saved, and what the table of owners
// has of them stays there. An item that two characters have belongs to the one that the table of owners says.
func fillItems(ctx context.Context, tx *sql.Tx, d Dialect, log *slog.Logger) error {
	f := &filling{ctx: ctx, tx: tx, dialect: d, log: log}
	if d == Postgres {
		for _, statement := range []string{fmt.Sprint("SET LOCAL lock_timeout = ", WaitTime.Milliseconds()), lockItems} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
	}
	var all int
	if err := tx.QueryRowContext(ctx, countSaved).Scan(&all); err != nil {
		return err
	}
	began := time.Now()
	said := began
	for after, done := int64(0), 0; done < all; {
		last, n, err := f.page(after)
		if err != nil {
			return err
		}
		after, done = last, done+n
		if n == 0 {
			break
		}
		if time.Since(said) > fillProgress {
			said = time.Now()
			f.log.Info("items are moved to item_instance", "characters", done, "of", all, "items", f.moved)
		}
	}
	f.rows = f.doubted
	if err := f.flush(); err != nil {
		return err
	}
	if err := f.end(); err != nil {
		return err
	}
	if all > 0 {
		f.log.Info("items were moved to item_instance", "characters", all, "items", f.moved,
			"took", time.Since(began).Round(time.Millisecond))
	}
	return nil
}

// page moves the items of some characters after a GUID, and returns the last of these, and how many.
func (f *filling) page(after int64) (last int64, n int, err error) {
	type saved struct {
		guid  int64
		items []byte
	}
	var list []saved
	err = f.each(pageSaved, after, func(scan func(...any) error) error {
		var c saved
		err := scan(&c.guid, &c.items)
		list = append(list, c)
		return err
	})
	if err != nil || len(list) == 0 {
		return after, 0, err
	}
	owners := make(map[uint64]int64)
	err = f.each(pageOwners, after, func(scan func(...any) error) error {
		var owner int64
		var guid uint64
		err := scan(&owner, &guid)
		owners[guid] = owner
		return err
	})
	if err != nil {
		return after, 0, err
	}
	for _, c := range list {
		items, err := readItems(c.items)
		if err != nil {
			if f.torn++; f.torn <= maxNamed {
				f.log.Error("items that cannot be read stay as they are", "character", c.guid, "bytes", len(c.items), "err", err)
			}
			if _, err := f.tx.ExecContext(f.ctx, markDamaged, c.guid); err != nil {
				return after, 0, err
			}
			continue
		}
		for i := range items {
			if row := itemValues(&items[i], uint64(c.guid))[:len(fillItem.Columns)]; owners[items[i].GUID] == c.guid {
				f.rows = append(f.rows, row)
			} else {
				f.doubted = append(f.doubted, row)
			}
		}
	}
	return list[len(list)-1].guid, len(list), f.flush()
}

func (f *filling) each(statement string, arg int64, each func(scan func(...any) error) error) error {
	rows, err := f.tx.QueryContext(f.ctx, statement, arg)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// flush inserts the rows that wait.
func (f *filling) flush() error {
	made, err := each(f.ctx, f.tx, f.dialect, fillItem, f.rows)
	f.moved += int(made)
	f.refused += len(f.rows) - int(made)
	f.rows = f.rows[:0]
	return err
}

// each executes a Bulk for rows of values in a migration, and returns how many rows it changed.
func each(ctx context.Context, tx *sql.Tx, d Dialect, b Bulk, rows [][]any) (made int64, err error) {
	if len(rows) == 0 {
		return 0, nil
	}
	if d == Postgres {
		return changed(tx.ExecContext(ctx, b.Many, arraysOf(rows)...))
	}
	p, err := tx.PrepareContext(ctx, b.One)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	for _, row := range rows {
		n, err := changed(p.ExecContext(ctx, row...))
		if err != nil {
			return made, err
		}
		made += n
	}
	return made, nil
}

// arraysOf returns an array for each column. All rows have the types of the first.
func arraysOf(rows [][]any) []any {
	arrays := make([]any, len(rows[0]))
	for i, v := range rows[0] {
		switch v.(type) {
		case string:
			arrays[i] = arrayOf(rows, i, func(v any) string { return v.(string) })
		case []byte:
			arrays[i] = arrayOf(rows, i, func(v any) []byte { return v.([]byte) })
		default:
			arrays[i] = arrayOf(rows, i, integer)
		}
	}
	return arrays
}

func arrayOf[T any](rows [][]any, i int, of func(any) T) []T {
	array := make([]T, len(rows))
	for n, row := range rows {
		array[n] = of(row[i])
	}
	return array
}

func integer(v any) int64 {
	switch v := v.(type) {
	case uint64:
		return int64(v)
	case uint32:
		return int64(v)
	default:
		return int64(v.(uint8))
	}
}

func changed(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// end drops the table of owners and the column of items, or what was moved from them if something is left.
func (f *filling) end() error {
	var left int
	if err := f.tx.QueryRowContext(f.ctx, countLeft).Scan(&left); err != nil {
		return err
	}
	if f.torn+f.refused+left > 0 {
		f.log.Error("some items could not be moved to item_instance", "characters", f.torn, "twice", f.refused, "unread", left)
	}
	owners, saved := dropOwners, dropSaved
	if left > 0 {
		owners = dropFilled
	}
	if f.torn > 0 {
		saved = emptySaved
	}
	if _, err := f.tx.ExecContext(f.ctx, owners); err != nil {
		return err
	}
	_, err := f.tx.ExecContext(f.ctx, saved)
	return err
}
