package database

import (
	"context"
	"fmt"
	"slices"

	"muster/loaders/store"
)

const (
	pageItems = `SELECT i.owner, i.guid FROM items i JOIN characters c ON c.guid = i.owner
		WHERE c.account > $1 AND c.account <= $2 ORDER BY i.owner, i.guid`

	strayCharacters = `SELECT c.account, c.guid, 0 FROM characters c
		WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = c.account) ORDER BY c.guid`
	strayItems = `SELECT 0, i.owner, i.guid FROM items i
		WHERE NOT EXISTS (SELECT 1 FROM characters c WHERE c.guid = i.owner) ORDER BY i.guid`
	strayData = `SELECT d.account, d.guid, d.kind FROM account_data d
		WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = d.account) OR d.guid <> 0
			AND NOT EXISTS (SELECT 1 FROM characters c WHERE c.guid = d.guid AND c.account = d.account)
		ORDER BY d.account, d.guid, d.kind`
)

// Check implements store.Store.
func (s *Store) Check(ctx context.Context, report func(store.Problem)) error {
	return s.use(ctx, func() error {
		return s.db.Snapshot(ctx, func(q Session) error { return check(q, report) })
	})
}

// check exports everything to a store.Checker, and checks what an export leaves out.
func check(q Session, report func(store.Problem)) error {
	c := store.NewChecker(report)
	each := func(r store.Record) error {
		c.Record(r)
		return nil
	}
	if err := exportHead(q, each); err != nil {
		return err
	}
	torn := func(c *store.Character, err error) {
		report(store.Problem{Account: c.Account, GUID: c.GUID, What: err.Error()})
	}
	for after := uint32(0); ; {
		p, err := readPage(q, after, torn)
		if err != nil {
			return err
		}
		if len(p.accounts) == 0 {
			break
		}
		if err := p.export(each); err != nil {
			return err
		}
		if err := p.checkItems(q, after, report); err != nil {
			return err
		}
		after = p.last()
	}
	for _, stray := range []struct{ statement, what string }{
		{strayCharacters, "its account is not there"},
		{strayItems, "it has item %#x, and is not there"},
		{strayData, "it has data %d, and is not there"},
	} {
		err := q.Rows(stray.statement, nil, func(scan func(...any) error) error {
			var p store.Problem
			var of uint64
			err := scan(&p.Account, &p.GUID, &of)
			p.What = stray.what
			if of != 0 || stray.statement == strayData {
				p.What = fmt.Sprintf(stray.what, of)
			}
			report(p)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkItems compares the characters' items with the table of items.
func (p *pageful) checkItems(q Session, after uint32, report func(store.Problem)) error {
	table := make(map[uint64][]uint64)
	err := q.Rows(pageItems, []any{after, p.last()}, func(scan func(...any) error) error {
		var owner, guid uint64
		err := scan(&owner, &guid)
		table[owner] = append(table[owner], guid)
		return err
	})
	if err != nil {
		return err
	}
	for i := range p.characters {
		c := &p.characters[i]
		if carried := guidsOf(c.Items); !slices.Equal(carried, table[c.GUID]) {
			report(store.Problem{Account: c.Account, GUID: c.GUID,
				What: fmt.Sprintf("it carries the items %#x, and has %#x", carried, table[c.GUID])})
		}
	}
	return nil
}
