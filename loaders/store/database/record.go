package database

import (
	"context"
	"errors"
	"fmt"
	"io"

	"muster/loaders/store"
)

const (
	listCounters = `SELECT kind, next - 1 FROM guids`

	// A page is that many accounts and all that they have.
	page         = 200
	pageAccounts = `SELECT ` + provenColumns + ` FROM accounts
		WHERE id > $1 ORDER BY id LIMIT $2`
	pageCharacters = `SELECT ` + characterColumns + ` FROM characters
		WHERE account > $1 AND account <= $2 ORDER BY account, guid`
	pageData = `SELECT account, guid, kind, unix, body FROM account_data
		WHERE account > $1 AND account <= $2 ORDER BY account, guid, kind`

	findAny    = `SELECT 1 FROM accounts UNION ALL SELECT 1 FROM realms LIMIT 1`
	raiseRange = `UPDATE guids SET next = $2 WHERE kind = $1 AND next < $2`
)

// errTwice is the error of a record that exists already.
var errTwice = fmt.Errorf("%w: a name or an item comes twice", store.ErrRecord)

// Export implements store.Store.
func (s *Store) Export(ctx context.Context, each func(store.Record) error) error {
	return s.use(ctx, func() error {
		return s.db.Snapshot(ctx, func(q Session) error { return export(q, each) })
	})
}

func export(q Session, each func(store.Record) error) error {
	if err := exportHead(q, each); err != nil {
		return err
	}
	for after := uint32(0); ; {
		p, err := readPage(q, after, nil)
		if err != nil || len(p.accounts) == 0 {
			return err
		}
		if err := p.export(each); err != nil {
			return err
		}
		after = p.last()
	}
}

// exportHead exports what belongs to no account.
func exportHead(q Session, each func(store.Record) error) error {
	var last store.Counters
	err := q.Rows(listCounters, nil, func(scan func(...any) error) error {
		var kind string
		var n uint64
		err := scan(&kind, &n)
		switch kind {
		case "account":
			last.Account = uint32(n)
		case "character":
			last.Character = n
		case "item":
			last.Item = n
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := each(store.Record{Counters: &last}); err != nil {
		return err
	}
	realms, err := realms(q)
	if err != nil {
		return err
	}
	for i := range realms {
		if err := each(store.Record{Realm: &realms[i]}); err != nil {
			return err
		}
	}
	return nil
}

// A pageful is some accounts by ID, and their characters and data in the order of Export.
type pageful struct {
	accounts   []store.Proven
	characters []store.Character
	data       []store.OwnedData
}

func (p *pageful) last() uint32 { return p.accounts[len(p.accounts)-1].ID }

// readPage reads the page after an account. A character whose life is damaged ends it, unless torn is there to
// receive it.
func readPage(q Session, after uint32, torn func(*store.Character, error)) (p pageful, err error) {
	err = q.Rows(pageAccounts, []any{after, page}, func(scan func(...any) error) error {
		var a store.Proven
		err := scan(provenInto(&a)...)
		p.accounts = append(p.accounts, a)
		return err
	})
	if err != nil || len(p.accounts) == 0 {
		return p, err
	}
	err = q.Rows(pageCharacters, []any{after, p.last()}, func(scan func(...any) error) error {
		var c store.Character
		var revision int64
		var bad error
		var tolerated *error
		if torn != nil {
			tolerated = &bad
		}
		err := scan(characterInto(&c, &revision, tolerated)...)
		if bad != nil {
			torn(&c, bad)
		}
		p.characters = append(p.characters, c)
		return err
	})
	if err != nil {
		return p, err
	}
	return p, q.Rows(pageData, []any{after, p.last()}, func(scan func(...any) error) error {
		var d store.OwnedData
		err := scan(&d.Account, &d.GUID, &d.Type, &d.Unix, &d.Body)
		p.data = append(p.data, d)
		return err
	})
}

// export merges the three lists into one.
func (p *pageful) export(each func(store.Record) error) error {
	characters, data := p.characters, p.data
	for i := range p.accounts {
		id := p.accounts[i].ID
		if err := each(store.Record{Account: &p.accounts[i]}); err != nil {
			return err
		}
		for guid := uint64(0); ; {
			for len(data) > 0 && data[0].Account == id && data[0].GUID == guid {
				if err := each(store.Record{Data: &data[0]}); err != nil {
					return err
				}
				data = data[1:]
			}
			if len(characters) == 0 || characters[0].Account != id {
				break
			}
			if err := each(store.Record{Character: &characters[0]}); err != nil {
				return err
			}
			guid = characters[0].GUID
			characters = characters[1:]
		}
	}
	return nil
}

// Import implements store.Store.
func (s *Store) Import(ctx context.Context, next func() (store.Record, error)) error {
	return s.use(ctx, func() error {
		return s.db.Bulk(ctx, func(q Session) error { return importAll(q, next) })
	})
}

func importAll(q Session, next func() (store.Record, error)) error {
	switch err := q.Row(findAny, nil, new(int)); {
	case err == nil:
		return store.ErrNotEmpty
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	var (
		admission store.Admission
		in        intake
	)
	for {
		r, err := next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = admission.Admit(r)
		}
		if err == nil {
			err = in.add(q, r)
		}
		if err != nil {
			return err
		}
	}
	if err := in.flush(q); err != nil {
		return err
	}
	for kind, last := range map[string]uint64{
		"account": uint64(admission.Last.Account), "character": admission.Last.Character, "item": admission.Last.Item,
	} {
		if _, err := q.Exec(raiseRange, kind, last+1); err != nil {
			return err
		}
	}
	return nil
}

// An intake collects rows, and inserts many at once.
type intake struct {
	accounts, keys, characters, items, spells, actions, data [][]any
	n                                                        int
}

// intakeRows is how many records an intake collects.
const intakeRows = 500

func (in *intake) add(q Session, r store.Record) error {
	switch {
	case r.Realm != nil:
		return saveRealm(q, r.Realm)
	case r.Account != nil:
		in.accounts = append(in.accounts, accountValues(&r.Account.Account))
		if key := r.Account.Key; r.Account.HasKey {
			in.keys = append(in.keys, []any{r.Account.ID, key[:]})
		}
	case r.Character != nil:
		c := r.Character.Clone()
		in.characters = append(in.characters, characterValues(&c))
		for _, it := range c.Items {
			in.items = append(in.items, itemValues(&it, c.GUID))
		}
		for _, spell := range c.Spells {
			in.spells = append(in.spells, []any{c.GUID, spell})
		}
		for _, a := range c.Actions {
			in.actions = append(in.actions, actionValues(c.GUID, a))
		}
	case r.Data != nil && len(r.Data.Body) > 0:
		d := r.Data
		in.data = append(in.data, []any{d.Account, d.GUID, d.Type, d.Unix, append([]byte(nil), d.Body...)})
	}
	if in.n++; in.n < intakeRows {
		return nil
	}
	return in.flush(q)
}

func (in *intake) flush(q Session) error {
	for _, step := range []struct {
		do   func(Bulk, [][]any) (int64, error)
		of   Bulk
		rows [][]any
	}{
		{q.Fill, makeAccount, in.accounts}, {q.Each, setKey, in.keys}, {q.Fill, makeCharacter, in.characters},
		{q.Fill, makeItem, in.items}, {q.Fill, makeSpell, in.spells}, {q.Fill, makeAction, in.actions}, {q.Fill, putData, in.data},
	} {
		made, err := step.do(step.of, step.rows)
		if err != nil {
			return err
		}
		if made != int64(len(step.rows)) {
			return errTwice
		}
	}
	*in = intake{}
	return nil
}
