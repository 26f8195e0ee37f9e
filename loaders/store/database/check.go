package database

import (
	"context"
	"fmt"

	"muster/loaders/store"
)

const (
	strayCharacters = `SELECT c.account, c.guid, 0 FROM characters c
		WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = c.account) ORDER BY c.guid`
	strayItems = `SELECT 0, i.owner_guid, i.guid FROM item_instance i
		WHERE NOT EXISTS (SELECT 1 FROM characters c WHERE c.guid = i.owner_guid) ORDER BY i.guid`
	straySpells = `SELECT 0, s.guid, count(*) FROM character_spell s
		WHERE NOT EXISTS (SELECT 1 FROM characters c WHERE c.guid = s.guid) GROUP BY s.guid ORDER BY s.guid`
	strayActions = `SELECT 0, a.guid, count(*) FROM character_action a
		WHERE NOT EXISTS (SELECT 1 FROM characters c WHERE c.guid = a.guid) GROUP BY a.guid ORDER BY a.guid`
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
		after = p.last()
	}
	for _, stray := range []struct{ statement, what string }{
		{strayCharacters, "its account is not there"},
		{strayItems, "it has item %#x, and is not there"},
		{straySpells, "it has %d spells, and is not there"},
		{strayActions, "it has %d actions, and is not there"},
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
