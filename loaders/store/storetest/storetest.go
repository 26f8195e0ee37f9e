// Package storetest is the suite that every store.Store passes.
package storetest

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"muster/loaders/store"
)

// A Place is where stores of one kind keep their contents: empty at first, with room for a few hundred accounts.
type Place struct {
	// Open opens a store there. If the place is not Durable, it is called once.
	Open func() (store.Store, error)

	// Durable reports that every other store opened there, later or at the same time, sees what one has done.
	Durable bool

	// Break makes the medium refuse changes, and maybe reads, until mend is called. It is nil if that is impossible.
	Break func() (mend func())

	// SQL runs a statement as another program would. It returns the rows as text: values separated by "|", in the
	// order in which they come. It is nil if there is no SQL.
	SQL func(statement string) []string
}

// Run tests a kind of store against the documentation of store.Store. Each test has a fresh place, and closes what it
// opens there. Tests that do not apply to the places of a kind are not run. Run it under the race detector as well.
func Run(t *testing.T, fresh func(t *testing.T) Place) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, store.Store)
	}{
		{"Account", testAccount},
		{"AccountName", testAccountName},
		{"SessionKey", testSessionKey},
		{"Realm", testRealm},
		{"Character", testCharacter},
		{"Refusal", testRefusal},
		{"Name", testName},
		{"Limit", testLimit},
		{"Realms", testRealms},
		{"Delete", testDelete},
		{"Save", testSave},
		{"Extremes", testExtremes},
		{"Context", testContext},
		{"Close", testClose},
		{"RaceForAccount", testRaceForAccount},
		{"RaceForName", testRaceForName},
		{"RaceForRoom", testRaceForRoom},
		{"RaceOfSaves", testRaceOfSaves},
		{"Accounts", testAccounts},
		{"UpdateAccount", testUpdateAccount},
		{"DeleteAccount", testDeleteAccount},
		{"Life", testLife},
		{"BadLife", testBadLife},
		{"SaveCharacters", testSaveCharacters},
		{"Theft", testTheft},
		{"LateSaves", testLateSaves},
		{"LateSavesOfWhatIsGone", testLateSavesOfWhatIsGone},
		{"Trade", testTrade},
		{"BadTrade", testBadTrade},
		{"ToAndFro", testToAndFro},
		{"RaceForItem", testRaceForItem},
		{"RaceOfTrades", testRaceOfTrades},
		{"LeaseItems", testLeaseItems},
		{"Data", testData},
		{"DataQuota", testDataQuota},
		{"Export", testExport},
		{"Import", testImport},
		{"BadImport", testBadImport},
		{"Check", testCheck},
		{"Crowd", testCrowd},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := open(t, fresh(t))
			defer s.Close()
			test.run(t, s)
		})
	}
	kind := fresh(t) // for what it says of itself alone
	for _, test := range []struct {
		name string
		can  bool
		run  func(*testing.T, Place)
	}{
		{"Reopen", kind.Durable, testReopen},
		{"OpenTogether", kind.Durable, testOpenTogether},
		{"TwoStores", kind.Durable, testTwoStores},
		{"RacesOfStores", kind.Durable, testRacesOfStores},
		{"ItemsOfTwoStores", kind.Durable, testItemsOfTwoStores},
		{"Break", kind.Break != nil, testBreak},
		{"Tables", kind.SQL != nil, testTables},
		{"Lists", kind.SQL != nil, testLists},
		{"OtherHands", kind.SQL != nil, testOtherHands},
		{"StrayItem", kind.SQL != nil, testStrayItem},
	} {
		if test.can {
			t.Run(test.name, func(t *testing.T) { test.run(t, fresh(t)) })
		}
	}
}

func open(t *testing.T, p Place) store.Store {
	t.Helper()
	s, err := p.Open()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func testAccount(t *testing.T, s store.Store) {
	ctx := t.Context()
	if _, err := s.Account(ctx, "ADA"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an account that was never made: %v, want %v", err, store.ErrNotFound)
	}
	want := store.Account{
		ID: 999, Name: "ADA", Salt: [32]byte{1, 31: 2}, Verifier: [32]byte{3, 31: 4}, Level: 3, Expansion: 2,
		Locked: true, BanEndUnix: math.MaxInt64, BanReason: "it's '); DROP--", FailedLogins: math.MaxUint32,
		LastAddress: "fe80:1111:2222:3333:4444:5555:6666:7777%eth0",
	}
	made, err := s.CreateAccount(ctx, want)
	if err != nil {
		t.Fatal(err)
	}
	if want.ID = made.ID; !same(made, want) || made.ID == 0 {
		t.Errorf("made %+v, want %+v with an ID", made, want)
	}
	if found, err := s.Account(ctx, "ADA"); err != nil || !same(found, want) {
		t.Errorf("found %+v, %v, want %+v", found, err, want)
	}
	if _, err := s.Account(ctx, "ada"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an account by another name: %v, want %v", err, store.ErrNotFound)
	}
	if _, err := s.CreateAccount(ctx, store.Account{Name: "ADA", Salt: [32]byte{9}}); !errors.Is(err, store.ErrAccountExists) {
		t.Errorf("the same account again: %v, want %v", err, store.ErrAccountExists)
	}
	if found, err := s.Account(ctx, "ADA"); err != nil || !same(found, want) {
		t.Errorf("found %+v, %v after a refused one, want %+v", found, err, want)
	}
	if other := newAccount(t, s, "BEA"); other == made.ID {
		t.Errorf("two accounts have the ID %d", other)
	}
}

// testAccountName: names are text, and never part of a statement.
func testAccountName(t *testing.T, s store.Store) {
	names := []string{
		"ROBERT'); DROP TABLE accounts;--", `"`, `\`, "%", "_", "$1", "?", " ", " A", "A ", "ÀÉ", "e\u0301", "\u00e9", "K", "\u212a", "日本",
	}
	ids := make(map[string]uint32)
	for _, name := range names {
		ids[name] = newAccount(t, s, name)
	}
	for _, name := range names {
		if a, err := s.Account(t.Context(), name); err != nil || a.Name != name || a.ID != ids[name] {
			t.Errorf("%q is %+v, %v, want ID %d", name, a, err, ids[name])
		}
	}
	for _, bad := range []store.Account{
		{Name: "A\x00"}, {Name: "\xff"}, {Name: strings.Repeat("A", store.MaxAccountName+1)},
		{Name: "A", BanReason: "\x00"}, {Name: "A", LastAddress: strings.Repeat(":", store.MaxText+1)},
	} {
		if _, err := s.CreateAccount(t.Context(), bad); !errors.Is(err, store.ErrAccount) {
			t.Errorf("make %+v: %v, want %v", bad, err, store.ErrAccount)
		}
	}
	for _, name := range []string{"", "A\x00", "\xff", "%%", "__"} {
		if _, err := s.Account(t.Context(), name); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%q: %v, want %v", name, err, store.ErrNotFound)
		}
	}
}

func testRealm(t *testing.T, s store.Store) {
	ctx := t.Context()
	expect := func(want ...store.Realm) {
		t.Helper()
		if got, err := s.Realms(ctx); err != nil || !slices.EqualFunc(got, want, same) {
			t.Errorf("realms are %+v, %v, want %+v", got, err, want)
		}
	}
	expect()
	second := store.Realm{ID: 255, Name: "Second", Address: "[2001:db8::1]:8085", Type: 1, Flags: 2, Locked: true, Category: 3}
	first := store.Realm{ID: 1, Name: "O'First", Address: "127.0.0.1:8085", Category: 1}
	for _, r := range []store.Realm{second, first} {
		if err := s.SaveRealm(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	expect(first, second)
	list, _ := s.Realms(ctx)
	list[0].Name = "Scribble"
	expect(first, second)

	taken := first
	taken.Name = second.Name
	if err := s.SaveRealm(ctx, taken); !errors.Is(err, store.ErrNameTaken) {
		t.Errorf("save a realm of another's name: %v, want %v", err, store.ErrNameTaken)
	}
	expect(first, second)
	second.Address, second.Type = "10.0.0.1:1", 8
	first.Name = "Renamed"
	for _, r := range []store.Realm{first, second} {
		if err := s.SaveRealm(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	expect(first, second)
}

func testSessionKey(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	if key, ok, err := s.SessionKey(ctx, ada); ok || err != nil || key != [40]byte{} {
		t.Errorf("the key of an account without a login is % x, %v, %v", key, ok, err)
	}
	for _, want := range [][40]byte{{1, 39: 2}, {}, {3, 39: 4}} {
		if err := s.SetSessionKey(ctx, ada, want); err != nil {
			t.Fatal(err)
		}
		if key, ok, err := s.SessionKey(ctx, ada); !ok || err != nil || key != want {
			t.Errorf("the key is % x, %v, %v, want % x", key, ok, err, want)
		}
		if a, err := s.Proven(ctx, "ADA"); err != nil || a.ID != ada || !a.HasKey || a.Key != want {
			t.Errorf("the account with its key is %+v, %v, want % x", a, err, want)
		}
	}
	if key, ok, err := s.SessionKey(ctx, bea); ok || err != nil || key != [40]byte{} {
		t.Errorf("the key of another account is % x, %v, %v", key, ok, err)
	}
	if err := s.SetSessionKey(ctx, bea+1000, [40]byte{}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("set the key of no account: %v, want %v", err, store.ErrNotFound)
	}
	if _, _, err := s.SessionKey(ctx, bea+1000); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the key of no account: %v, want %v", err, store.ErrNotFound)
	}
	if _, _, err := s.SessionKey(ctx, 0); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the key of account 0: %v, want %v", err, store.ErrNotFound)
	}
	found, err := s.Account(ctx, "BEA")
	if a, err2 := s.Proven(ctx, "BEA"); err != nil || err2 != nil || a != (store.Proven{Account: found}) {
		t.Errorf("the other account with its key is %+v, %v, want %+v, %v, and no key", a, err2, found, err)
	}
	for _, name := range []string{"", "ada", "CLEO", "\xff", "A\x00"} {
		if _, err := s.Proven(ctx, name); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("an account named %q: %v, want %v", name, err, store.ErrNotFound)
		}
	}
}

func testContext(t *testing.T, s store.Store) {
	ada := newAccount(t, s, "ADA")
	made := newCharacter(t, s, full(ada, "Mirella"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	expectAll(ctx, t, s, made, context.Canceled)
	expectList(t, s, ada, made)
	expectCount(t, s, 1)
}

func testClose(t *testing.T, s store.Store) {
	made := newCharacter(t, s, full(newAccount(t, s, "ADA"), "Mirella"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	expectAll(t.Context(), t, s, made, store.ErrClosed)
	if err := s.Close(); !errors.Is(err, store.ErrClosed) {
		t.Errorf("close again: %v, want %v", err, store.ErrClosed)
	}
}

// expectAll calls every method but Close with valid arguments.
func expectAll(ctx context.Context, t *testing.T, s store.Store, c store.Character, want error) {
	t.Helper()
	for name, call := range reads(ctx, s, c) {
		if err := call(); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	for name, call := range changes(ctx, s, c) {
		if err := call(); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

// reads are calls that find a character of account ADA.
func reads(ctx context.Context, s store.Store, c store.Character) map[string]func() error {
	return map[string]func() error{
		"Account":         func() error { _, err := s.Account(ctx, "ADA"); return err },
		"Proven":          func() error { _, err := s.Proven(ctx, "ADA"); return err },
		"SessionKey":      func() error { _, _, err := s.SessionKey(ctx, c.Account); return err },
		"Realms":          func() error { _, err := s.Realms(ctx); return err },
		"Characters":      func() error { _, err := s.Characters(ctx, c.Account); return err },
		"Character":       func() error { _, err := s.Character(ctx, c.GUID); return err },
		"CountCharacters": func() error { _, err := s.CountCharacters(ctx, 0); return err },
		"Accounts":        func() error { _, err := s.Accounts(ctx, "", 1); return err },
		"Data":            func() error { _, err := s.Data(ctx, c.Account, c.GUID); return err },
		"Export":          func() error { return s.Export(ctx, func(store.Record) error { return nil }) },
		"Check":           func() error { return s.Check(ctx, func(store.Problem) {}) },
	}
}

// changes are calls that change something beside a character, or of it.
func changes(ctx context.Context, s store.Store, c store.Character) map[string]func() error {
	newer := c
	newer.Version++
	return map[string]func() error{
		"CreateAccount":   func() error { _, err := s.CreateAccount(ctx, store.Account{Name: "NEW"}); return err },
		"SetSessionKey":   func() error { return s.SetSessionKey(ctx, c.Account, [40]byte{}) },
		"SaveRealm":       func() error { return s.SaveRealm(ctx, store.Realm{ID: 1}) },
		"CreateCharacter": func() error { _, err := s.CreateCharacter(ctx, full(c.Account, "Newone")); return err },
		"DeleteCharacter": func() error { return s.DeleteCharacter(ctx, c.Account, c.GUID) },
		"SaveCharacter":   func() error { return s.SaveCharacter(ctx, newer) },
		"SaveCharacters":  func() error { _, err := s.SaveCharacters(ctx, []store.Character{newer}); return err },
		"UpdateAccount": func() error {
			_, err := s.UpdateAccount(ctx, c.Account, func(*store.Proven) error { return nil })
			return err
		},
		"SaveData":   func() error { return s.SaveData(ctx, c.Account, c.GUID, store.Data{Body: []byte{1}}) },
		"LeaseItems": func() error { _, err := s.LeaseItems(ctx, 1); return err },
	}
}

// name returns another name for each i.
func name(i int) string {
	return "Walker" + string(rune('a'+i/26%26)) + string(rune('a'+i%26))
}

func newAccount(t *testing.T, s store.Store, name string) uint32 {
	t.Helper()
	a, err := s.CreateAccount(t.Context(), store.Account{Name: name})
	if err != nil {
		t.Errorf("make account %s: %v", name, err)
	}
	return a.ID
}

func newCharacter(t *testing.T, s store.Store, c store.Character) store.Character {
	t.Helper()
	made, err := s.CreateCharacter(t.Context(), c)
	if err != nil {
		t.Errorf("make %s: %v", c.Name, err)
	}
	return made
}

func expectList(t *testing.T, s store.Store, account uint32, want ...store.Character) {
	t.Helper()
	if got, err := s.Characters(t.Context(), account); err != nil || !slices.EqualFunc(got, want, sameCharacter) {
		t.Errorf("account %d has %+v, %v, want %+v", account, got, err, want)
	}
	if n, err := s.CountCharacters(t.Context(), account); account != 0 && (n != len(want) || err != nil) {
		t.Errorf("account %d has %d characters, %v, want %d", account, n, err, len(want))
	}
}

func expectCount(t *testing.T, s store.Store, want int) {
	t.Helper()
	if got, err := s.CountCharacters(t.Context(), 0); err != nil || got != want {
		t.Errorf("%d characters, %v, want %d", got, err, want)
	}
}

// sameCharacter reports whether two characters are equal in everything. One that has given all its items away has none,
// whether its list is nil or empty.
func sameCharacter(a, b store.Character) bool {
	if len(a.Items) == 0 && len(b.Items) == 0 {
		a.Items, b.Items = nil, nil
	}
	return same(a, b)
}

// same reports whether two stored values are equal in everything.
func same[T any](a, b T) bool { return reflect.DeepEqual(a, b) }
