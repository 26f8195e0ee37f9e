package storetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"muster/components/life"
	"muster/loaders/store"
)

// list gives records one by one.
func list(records ...store.Record) func() (store.Record, error) {
	return func() (store.Record, error) {
		if len(records) == 0 {
			return store.Record{}, io.EOF
		}
		r := records[0]
		records = records[1:]
		return r, nil
	}
}

// export collects what a store exports, in memory of its own.
func export(t *testing.T, s store.Store) (all []store.Record) {
	t.Helper()
	err := s.Export(t.Context(), func(r store.Record) error {
		switch {
		case r.Counters != nil:
			r.Counters = new(*r.Counters)
		case r.Realm != nil:
			r.Realm = new(*r.Realm)
		case r.Account != nil:
			r.Account = new(*r.Account)
		case r.Character != nil:
			r.Character = new(r.Character.Clone())
		case r.Data != nil:
			r.Data = new(*r.Data)
			r.Data.Body = slices.Clone(r.Data.Body)
		}
		all = append(all, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// world is a bit of everything, in the order of Export.
func world() []store.Record {
	var all []store.Record
	add := func(r store.Record) { all = append(all, r) }
	add(store.Record{Counters: &store.Counters{Account: 30, Character: 5000, Item: 1 << 30}})
	add(store.Record{Realm: &store.Realm{ID: 1, Name: "O'Muster", Address: "[2001:db8::1]:8085", Type: 1, Flags: 2, Locked: true, Category: 3}})
	add(store.Record{Realm: &store.Realm{ID: 255, Name: "Second", Address: "127.0.0.1:8085"}})
	guid := uint64(0)
	for id := uint32(3); id <= 11; id += 4 {
		a := store.Account{ID: id, Name: fmt.Sprint("ACCOUNT", 20-id), Salt: [32]byte{1}, Verifier: [32]byte{31: 2}, Level: 1, LastAddress: "::1"}
		p := &store.Proven{Account: a}
		if id == 7 {
			p.Key, p.HasKey = [40]byte{39: 1}, true
			p.BanReason, p.BanEndUnix, p.Locked, p.Expansion, p.FailedLogins = "spam", 99, true, 2, 3
		}
		add(store.Record{Account: p})
		own := []byte("own " + p.Name)
		add(store.Record{Data: &store.OwnedData{Account: id, Data: store.Data{Type: 0, Unix: 1, Body: own}}})
		add(store.Record{Data: &store.OwnedData{Account: id, Data: store.Data{Type: 7, Unix: 2, Body: own}}})
		for range (id - 3) / 2 {
			guid += 3
			c := full(id, name(int(guid)))
			c.GUID, c.Version = guid, guid
			add(store.Record{Character: &c})
			add(store.Record{Data: &store.OwnedData{Account: id, GUID: guid, Data: store.Data{Type: 1, Unix: 3, Body: own}}})
		}
	}
	return all
}

func testExport(t *testing.T, s store.Store) {
	if all := export(t, s); len(all) != 1 || all[0].Counters == nil || *all[0].Counters != (store.Counters{}) {
		t.Errorf("an empty store exports %+v", all)
	}
	enough := errors.New("enough")
	for _, want := range []error{enough, context.Canceled} {
		if err := s.Export(t.Context(), func(store.Record) error { return want }); !errors.Is(err, want) {
			t.Errorf("export: %v, want %v", err, want)
		}
	}
	ada := newAccount(t, s, "ADA")
	c := newCharacter(t, s, full(ada, "Mirella"))
	first, err := s.LeaseItems(t.Context(), 7)
	if err != nil {
		t.Fatal(err)
	}
	all := export(t, s)
	if len(all) != 3 || all[1].Account.Name != "ADA" || !same(*all[2].Character, c) {
		t.Errorf("a store of one character exports %+v", all)
	}
	if last := *all[0].Counters; last.Account != ada || last.Character < c.GUID || last.Item != first+6 {
		t.Errorf("the counters are %+v", last)
	}
}

// testImport fills a store, and continues where the other left off.
func testImport(t *testing.T, s store.Store) {
	ctx := t.Context()
	all := world()
	if err := s.Import(ctx, list(all...)); err != nil {
		t.Fatal(err)
	}
	if got := export(t, s); !slices.EqualFunc(got, all, same) {
		t.Errorf("exported %d records, want the %d that were imported", len(got), len(all))
		for i := range min(len(got), len(all)) {
			if !same(got[i], all[i]) {
				t.Fatalf("record %d is %+v, want %+v", i, got[i], all[i])
			}
		}
	}
	if err := s.Import(ctx, list(all...)); !errors.Is(err, store.ErrNotEmpty) {
		t.Errorf("import again: %v, want %v", err, store.ErrNotEmpty)
	}
	if id := newAccount(t, s, "NEXT"); id != 31 {
		t.Errorf("the next account has ID %d, want 31", id)
	}
	if c := newCharacter(t, s, full(31, "Next")); c.GUID <= 5000 {
		t.Errorf("the next character has GUID %d", c.GUID)
	}
	if first, err := s.LeaseItems(ctx, 1); first != 1<<30+1 || err != nil {
		t.Errorf("the next item is %d, %v", first, err)
	}
	for _, r := range all {
		if r.Character == nil {
			continue
		}
		c := r.Character.Clone()
		c.Version++
		c.Items = c.Items[1:]
		if err := s.SaveCharacter(ctx, c); err != nil {
			t.Error(err)
		}
	}
	var problems []store.Problem
	if err := s.Check(ctx, func(p store.Problem) { problems = append(problems, p) }); err != nil || problems != nil {
		t.Errorf("problems are %v, %v", problems, err)
	}
}

// testBadImport makes one record after the other invalid. Nothing is left of those before it.
func testBadImport(t *testing.T, s store.Store) {
	ctx := t.Context()
	stop := errors.New("the line is cut")
	for what, spoil := range map[string]func([]store.Record) []store.Record{
		"nothing":           func(r []store.Record) []store.Record { return append(r, store.Record{}) },
		"account twice":     func(r []store.Record) []store.Record { return append(r, r[3]) },
		"name twice":        func(r []store.Record) []store.Record { return append(r, renumbered(r[3], 100)) },
		"another's":         func(r []store.Record) []store.Record { return append(r[:4], r[10]) },
		"ownerless data":    func(r []store.Record) []store.Record { return append(r, r[4]) },
		"character twice":   func(r []store.Record) []store.Record { return append(r, r[len(r)-2]) },
		"an item elsewhere": func(r []store.Record) []store.Record { return append(r, thief(r)) },
		"a taken name":      func(r []store.Record) []store.Record { return append(r, namesake(r)) },
		"a realm's name":    func(r []store.Record) []store.Record { r[2].Realm.Name = r[1].Realm.Name; return r },
	} {
		next := list(spoil(world())...)
		if err := s.Import(ctx, next); err == nil {
			t.Errorf("%s: was imported", what)
		} else if !errors.Is(err, store.ErrRecord) && !errors.Is(err, store.ErrNameTaken) {
			t.Errorf("%s: %v, want %v", what, err, store.ErrRecord)
		}
		if all := export(t, s); len(all) != 1 {
			t.Fatalf("%s: %d records are left", what, len(all))
		}
	}
	n := 0
	err := s.Import(ctx, func() (store.Record, error) {
		if n++; n > 10 {
			return store.Record{}, stop
		}
		return world()[n-1], nil
	})
	if !errors.Is(err, stop) {
		t.Errorf("import: %v, want %v", err, stop)
	}
	if all := export(t, s); len(all) != 1 {
		t.Fatalf("%d records are left", len(all))
	}
	if err := s.Import(ctx, list(world()...)); err != nil {
		t.Errorf("when all is well: %v", err)
	}
}

func renumbered(r store.Record, id uint32) store.Record {
	a := *r.Account
	a.ID = id
	return store.Record{Account: &a}
}

// another is one more character of the last account.
func another(all []store.Record) *store.Character {
	last := all[len(all)-2].Character
	c := full(last.Account, "Another")
	c.GUID, c.Version = last.GUID+1, 1
	return &c
}

func thief(all []store.Record) store.Record {
	c := another(all)
	c.Items[0].GUID = all[len(all)-2].Character.Items[0].GUID
	return store.Record{Character: c}
}

func namesake(all []store.Record) store.Record {
	c := another(all)
	c.Name = all[len(all)-2].Character.Name
	return store.Record{Character: c}
}

// testCheck has characters that a store keeps and play does not make.
func testCheck(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada := newAccount(t, s, "ADA")
	check := func() (text string) {
		t.Helper()
		err := s.Check(ctx, func(p store.Problem) {
			if p.Account != ada || p.GUID == 0 {
				t.Errorf("a problem of account %d, character %d", p.Account, p.GUID)
			}
			text += p.String() + "\n"
		})
		if err != nil {
			t.Error(err)
		}
		return text
	}
	first, err := s.LeaseItems(ctx, 3)
	if err != nil {
		t.Fatal(err)
	}
	good := full(ada, "Mirella")
	for i := range good.Items {
		good.Items[i].GUID = store.ItemHigh | (first + uint64(i))
	}
	good = newCharacter(t, s, good)
	if text := check(); text != "" {
		t.Errorf("all is well, and it finds\n%s", text)
	}
	for _, c := range []struct {
		spoil func(*store.Character)
		want  string
	}{
		{func(c *store.Character) { c.Level = 0 }, "level 0"},
		{func(c *store.Character) { c.Level = 81 }, "level 81"},
		{func(c *store.Character) { c.Class = 11 }, "class 11"},
		{func(c *store.Character) { c.Death.State = 3 }, "death is 3"},
		{func(c *store.Character) { c.Items[0].GUID = store.ItemHigh | (first + 3) }, "was never given out"},
		{func(c *store.Character) { c.Items[0].GUID = 5 }, "item 0x5 was never given out"},
		{func(c *store.Character) { c.Items[1].Bag = life.InBody - 1 }, "in bag 254, which is not there"},
	} {
		good.Version++
		bad := good.Clone()
		c.spoil(&bad)
		if err := s.SaveCharacter(ctx, bad); err != nil {
			t.Fatal(err)
		}
		if text := check(); !strings.Contains(text, c.want) {
			t.Errorf("it finds %q, want %q", text, c.want)
		}
	}
	good.Version++
	if err := s.SaveCharacter(ctx, good); err != nil {
		t.Fatal(err)
	}
	if text := check(); text != "" {
		t.Errorf("all is well again, and it finds\n%s", text)
	}
}
