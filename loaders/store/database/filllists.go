package database

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"muster/components/life"
)

const (
	lockCharacters = `LOCK TABLE characters IN ACCESS EXCLUSIVE MODE` // PostgreSQL alone

	// A page is that many characters.
	pageLives = `SELECT guid, life FROM characters WHERE guid > $1 ORDER BY guid LIMIT 500`

	analyzeLists = `ANALYZE characters, character_spell, character_action` // PostgreSQL alone
)

var moveLists = update("characters", 1, "guid, life bytea, auras text, cooldowns text")

// fillLists moves the lists of older saves out of the lives of characters, in one transaction: the seventh migration. Before it
// a life had them all but items. A life that cannot be read stays as it is, and its character cannot be read.
func fillLists(ctx context.Context, tx *sql.Tx, d Dialect, log *slog.Logger) error {
	if d == Postgres {
		for _, statement := range []string{fmt.Sprint("SET LOCAL lock_timeout = ", WaitTime.Milliseconds()), lockCharacters} {
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
	torn := 0
	for after, done := int64(0), 0; done < all; {
		page, n, err := readLives(ctx, tx, after)
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
		for _, bad := range page.torn {
			if torn++; torn <= maxNamed {
				log.Error("a life that cannot be read stays as it is", "character", bad)
			}
		}
		if err := page.write(ctx, tx, d); err != nil {
			return err
		}
		after, done = page.last, done+n
		if time.Since(said) > fillProgress {
			said = time.Now()
			log.Info("spells and actions are moved to their tables", "characters", done, "of", all)
		}
	}
	if torn > 0 {
		log.Error("some lists could not be moved to their tables", "characters", torn)
	}
	if all > 0 {
		log.Info("spells and actions were moved to their tables", "characters", all, "took", time.Since(began).Round(time.Millisecond))
	}
	if d == Postgres {
		_, err := tx.ExecContext(ctx, analyzeLists)
		return err
	}
	return nil
}

// A pageOfLives has the lists of some characters, as rows of statements.
type pageOfLives struct {
	last                       int64 // the GUID of the last of them
	torn                       []int64
	spells, actions, remaining [][]any
}

// readLives reads the lives of some characters after a GUID.
func readLives(ctx context.Context, tx *sql.Tx, after int64) (page pageOfLives, n int, err error) {
	rows, err := tx.QueryContext(ctx, pageLives, after)
	if err != nil {
		return page, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var b []byte
		if err := rows.Scan(&page.last, &b); err != nil {
			return page, n, err
		}
		n++
		var l life.Life
		if err := readLists(b, &l); err != nil {
			page.torn = append(page.torn, page.last)
		} else if len(b) > 0 {
			page.add(uint64(page.last), &l)
		}
	}
	return page, n, rows.Err()
}

// add adds the lists of a character. Of spells and buttons that come twice, the last counts.
func (p *pageOfLives) add(guid uint64, l *life.Life) {
	slices.Sort(l.Spells)
	for _, spell := range slices.Compact(l.Spells) {
		p.spells = append(p.spells, []any{guid, spell})
	}
	slices.Reverse(l.Actions)
	slices.SortStableFunc(l.Actions, func(a, b life.Action) int { return cmp.Compare(a.Button, b.Button) })
	for _, a := range slices.CompactFunc(l.Actions, func(a, b life.Action) bool { return a.Button == b.Button }) {
		p.actions = append(p.actions, actionValues(guid, a))
	}
	p.remaining = append(p.remaining, []any{guid, appendLife(nil, l), aurasText(l.Auras), cooldownsText(l.Cooldowns)})
}

func (p *pageOfLives) write(ctx context.Context, tx *sql.Tx, d Dialect) error {
	for _, step := range []struct {
		of   Bulk
		rows [][]any
	}{{makeSpell, p.spells}, {makeAction, p.actions}, {moveLists, p.remaining}} {
		if _, err := each(ctx, tx, d, step.of, step.rows); err != nil {
			return err
		}
	}
	return nil
}
