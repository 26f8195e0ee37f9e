package storetest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"muster/loaders/store"
)

func testAccounts(t *testing.T, s store.Store) {
	ctx := t.Context()
	expect := func(after string, limit int, want ...string) {
		t.Helper()
		list, err := s.Accounts(ctx, after, limit)
		var got []string
		for _, a := range list {
			got = append(got, a.Name)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("after %q: %q, %v, want %q", after, got, err, want)
		}
	}
	expect("", 10)
	for _, name := range []string{"BEA", "ADA", "É", "A'; --", "ADA2", "日"} {
		newAccount(t, s, name)
	}
	expect("", 10, "A'; --", "ADA", "ADA2", "BEA", "É", "日")
	expect("", 2, "A'; --", "ADA")
	expect("ADA", 2, "ADA2", "BEA")
	expect("ADA1", math.MaxInt, "ADA2", "BEA", "É", "日")
	expect("日", 10)
	expect("", 0)
	expect("", -1)
	ada, err := s.Account(ctx, "ADA")
	if list, err2 := s.Accounts(ctx, "A'; --", 1); err != nil || err2 != nil || len(list) != 1 || list[0] != ada {
		t.Errorf("listed %+v, %v, %v, want %+v", list, err, err2, ada)
	}
}

func testUpdateAccount(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	if err := s.SetSessionKey(ctx, ada, [40]byte{1}); err != nil {
		t.Fatal(err)
	}
	expectKey := func(want bool) {
		t.Helper()
		if _, ok, err := s.SessionKey(ctx, ada); ok != want || err != nil {
			t.Errorf("there is a key: %v, %v, want %v", ok, err, want)
		}
	}
	want := store.Account{
		ID: ada, Name: "ADA", Level: 3, Expansion: 2, Locked: true, BanEndUnix: math.MaxInt64,
		BanReason: "'; DROP TABLE accounts;-- ü", FailedLogins: 9, LastAddress: "2001:db8::1",
	}
	update := func(b store.Account) {
		t.Helper()
		got, err := s.UpdateAccount(ctx, ada, func(a *store.Proven) error {
			b.ID, b.Name = 99, "ROBBER"
			a.Account = b
			return nil
		})
		if err != nil || got != want {
			t.Errorf("changed to %+v, %v, want %+v", got, err, want)
		}
		if found, err := s.Account(ctx, "ADA"); err != nil || found != want {
			t.Errorf("found %+v, %v, want %+v", found, err, want)
		}
	}
	update(want)
	expectKey(true)
	want.Salt, want.Verifier = [32]byte{1}, [32]byte{2}
	update(want)
	expectKey(false)
	for _, c := range []struct {
		has, other bool // password
		want       store.Proven
	}{
		{true, false, store.Proven{Key: [40]byte{7}, HasKey: true}},
		{false, false, store.Proven{}}, // a key that it does not have is none
		{true, true, store.Proven{}},   // nor is one of another password
	} {
		_, err := s.UpdateAccount(ctx, ada, func(a *store.Proven) error {
			if a.Key, a.HasKey = [40]byte{7}, c.has; c.other {
				a.Salt[31]++
				want.Salt[31]++
			}
			return nil
		})
		c.want.Account = want
		if got, err2 := s.Proven(ctx, "ADA"); err != nil || err2 != nil || got != c.want {
			t.Errorf("with a key %v, another password %v: %+v, %v, %v, want %+v", c.has, c.other, got, err, err2, c.want)
		}
	}

	refusal := errors.New("no")
	for what, c := range map[string]struct {
		id     uint32
		change func(*store.Proven) error
		want   error
	}{
		"refused":    {ada, func(a *store.Proven) error { a.Level = 0; return refusal }, refusal},
		"no text":    {ada, func(a *store.Proven) error { a.BanReason = "\x00"; return nil }, store.ErrAccount},
		"long":       {ada, func(a *store.Proven) error { a.BanReason = strings.Repeat("A", 256); return nil }, store.ErrAccount},
		"no account": {bea + 1000, func(*store.Proven) error { return nil }, store.ErrNotFound},
	} {
		if _, err := s.UpdateAccount(ctx, c.id, c.change); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
	}
	if found, err := s.Account(ctx, "ADA"); err != nil || found != want {
		t.Errorf("found %+v, %v, want %+v", found, err, want)
	}

	// No change is lost.
	together(8, func(int) {
		for range 10 {
			_, err := s.UpdateAccount(ctx, bea, func(a *store.Proven) error { a.BanEndUnix++; return nil })
			if err != nil {
				t.Error(err)
			}
		}
	})
	if a, err := s.Account(ctx, "BEA"); err != nil || a.BanEndUnix != 80 {
		t.Errorf("80 changes made %d, %v", a.BanEndUnix, err)
	}
}

func testDeleteAccount(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	var gone []store.Character
	for i := range 3 {
		gone = append(gone, newCharacter(t, s, full(ada, name(i))))
		if err := s.SaveData(ctx, ada, gone[i].GUID, store.Data{Body: []byte{1}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SaveData(ctx, ada, 0, store.Data{Body: []byte{1}}); err != nil {
		t.Fatal(err)
	}
	kept := newCharacter(t, s, full(bea, "Brann"))
	if err := s.DeleteAccount(ctx, ada); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteAccount(ctx, ada); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("delete it again: %v, want %v", err, store.ErrNotFound)
	}
	if _, err := s.Account(ctx, "ADA"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("find it: %v, want %v", err, store.ErrNotFound)
	}
	expectList(t, s, ada)
	expectList(t, s, bea, kept)
	expectCount(t, s, 1)
	for _, guid := range []uint64{0, gone[0].GUID} {
		expectData(t, s, ada, guid)
	}
	if again := newAccount(t, s, "ADA"); again <= bea {
		t.Errorf("account %d after %d", again, bea)
	}
	heir := full(bea, gone[0].Name)
	heir.Items = gone[0].Items
	expectList(t, s, bea, kept, newCharacter(t, s, heir)) // name and items are free

	// Characters are made while the account goes: it goes with all of them, or comes first.
	cleo := newAccount(t, s, "CLEO")
	together(6, func(i int) {
		if i == 3 {
			if err := s.DeleteAccount(ctx, cleo); err != nil {
				t.Error(err)
			}
			return
		}
		if _, err := s.CreateCharacter(ctx, full(cleo, "Cleo"+string(rune('a'+i)))); err != nil && !errors.Is(err, store.ErrNotFound) {
			t.Error(err)
		}
	})
	expectList(t, s, cleo)
	expectCount(t, s, 2)
}

func expectData(t *testing.T, s store.Store, account uint32, guid uint64, want ...store.Data) {
	t.Helper()
	if got, err := s.Data(t.Context(), account, guid); err != nil || !slices.EqualFunc(got, want, same) {
		t.Errorf("account %d, character %d left %s, %v, want %s", account, guid, brief(got), err, brief(want))
	}
}

func brief(list []store.Data) (text string) {
	for _, d := range list {
		text += fmt.Sprintf("{%d %d %.20q… %d bytes} ", d.Type, d.Unix, d.Body, len(d.Body))
	}
	return text
}

func testData(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	mine, other := newCharacter(t, s, full(ada, "Mirella")), newCharacter(t, s, full(bea, "Brann"))
	large := store.Data{Type: 7, Unix: math.MaxUint32, Body: []byte(strings.Repeat("\x00\xff'", store.MaxDataBlock/3))}
	small := store.Data{Type: 0, Unix: 1, Body: []byte{0}}
	for _, d := range []store.Data{large, small} {
		for _, guid := range []uint64{0, mine.GUID} {
			if err := s.SaveData(ctx, ada, guid, d); err != nil {
				t.Fatal(err)
			}
		}
	}
	expectData(t, s, ada, 0, small, large)
	expectData(t, s, ada, mine.GUID, small, large)
	expectData(t, s, bea, 0)
	expectData(t, s, bea, mine.GUID)
	expectData(t, s, bea+1000, 0)
	expectData(t, s, ada, math.MaxUint64)

	for what, c := range map[string]struct {
		account uint32
		guid    uint64
		d       store.Data
		want    error
	}{
		"type":              {ada, 0, store.Data{Type: store.DataTypes, Body: []byte{1}}, store.ErrDataType},
		"length":            {ada, 0, store.Data{Body: make([]byte, store.MaxDataBlock+1)}, store.ErrDataLarge},
		"account":           {bea + 1000, 0, small, store.ErrNotFound},
		"another's":         {ada, other.GUID, small, store.ErrNotFound},
		"no such one":       {ada, math.MaxUint64, small, store.ErrNotFound},
		"erase no such one": {ada, 1 << 40, store.Data{}, store.ErrNotFound},
		"erase another's":   {bea, mine.GUID, store.Data{}, store.ErrNotFound},
		"erase what is not": {bea, 0, store.Data{}, nil},
	} {
		if err := s.SaveData(ctx, c.account, c.guid, c.d); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
	}
	small.Unix, small.Body = 5, []byte("SET a \"1\"")
	for _, d := range []store.Data{small, {Type: 7}} {
		if err := s.SaveData(ctx, ada, 0, d); err != nil {
			t.Fatal(err)
		}
	}
	expectData(t, s, ada, 0, small)
	small.Body[0]++ // is the caller's
	small.Body = []byte("SET a \"1\"")
	expectData(t, s, ada, 0, small)
	got, _ := s.Data(ctx, ada, 0)
	got[0].Body[0]++
	expectData(t, s, ada, 0, small)

	if err := s.DeleteCharacter(ctx, ada, mine.GUID); err != nil {
		t.Fatal(err)
	}
	expectData(t, s, ada, mine.GUID)
	expectData(t, s, ada, 0, small)
}

// testDataQuota fills an account up, one block after the other and then all at once.
func testDataQuota(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada := newAccount(t, s, "ADA")
	d := store.Data{Body: make([]byte, store.MaxDataBlock)}
	var guids []uint64
	for i := range 3 {
		guids = append(guids, newCharacter(t, s, full(ada, name(i))).GUID)
	}
	kept, refused := 0, 0
	var mu sync.Mutex
	together(len(guids), func(i int) {
		for kind := range uint8(store.DataTypes) {
			switch err := s.SaveData(ctx, ada, guids[i], store.Data{Type: kind, Body: d.Body}); {
			case err == nil:
				mu.Lock()
				kept++
				mu.Unlock()
			case errors.Is(err, store.ErrDataQuota):
				mu.Lock()
				refused++
				mu.Unlock()
			default:
				t.Error(err)
			}
		}
	})
	if kept != store.MaxData/store.MaxDataBlock || kept+refused != 3*store.DataTypes {
		t.Errorf("kept %d blocks and refused %d", kept, refused)
	}
	rest := store.Data{Body: make([]byte, store.MaxData%store.MaxDataBlock+1)}
	if err := s.SaveData(ctx, ada, 0, rest); !errors.Is(err, store.ErrDataQuota) {
		t.Errorf("a byte too many: %v, want %v", err, store.ErrDataQuota)
	}
	rest.Body = rest.Body[1:]
	for range 2 { // the second in place of the first
		if err := s.SaveData(ctx, ada, 0, rest); err != nil {
			t.Errorf("the last byte: %v", err)
		}
	}
	if err := s.SaveData(ctx, newAccount(t, s, "BEA"), 0, d); err != nil {
		t.Errorf("another account: %v", err)
	}
}
