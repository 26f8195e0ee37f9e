package storetest

import (
	"errors"
	"math"
	"testing"

	"muster/loaders/store"
)

func testCharacter(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	want := full(ada, "mirella")
	want.GUID, want.Version = 77, 88
	made, err := s.CreateCharacter(ctx, want)
	if err != nil {
		t.Fatal(err)
	}
	want.GUID, want.Version, want.Name = made.GUID, 1, "Mirella"
	if !same(made, want) || made.GUID < 1 || made.GUID > store.MaxGUID {
		t.Errorf("made %+v, want %+v with a GUID", made, want)
	}
	if found, err := s.Character(ctx, made.GUID); err != nil || !same(found, want) {
		t.Errorf("found %+v, %v, want %+v", found, err, want)
	}
	second := newCharacter(t, s, full(ada, "Brann"))
	other := newCharacter(t, s, full(bea, "Corvo"))
	if second.GUID <= made.GUID || other.GUID <= second.GUID {
		t.Errorf("GUIDs %d, %d, %d do not grow", made.GUID, second.GUID, other.GUID)
	}
	expectList(t, s, ada, want, second)
	expectList(t, s, bea, other)
	expectList(t, s, bea+1000)
	expectList(t, s, 0)
	expectCount(t, s, 3)
	if _, err := s.Character(ctx, other.GUID+1000); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a character that was never made: %v, want %v", err, store.ErrNotFound)
	}
	list, _ := s.Characters(ctx, ada)
	list[0].Name = "Scribble"
	expectList(t, s, ada, want, second)
}

func testRefusal(t *testing.T, s store.Store) {
	ada := newAccount(t, s, "ADA")
	for _, c := range []struct {
		change func(*store.Character)
		want   error
	}{
		{func(c *store.Character) { c.Name = "" }, store.ErrNameMissing},
		{func(c *store.Character) { c.Name = "A" }, store.ErrNameShort},
		{func(c *store.Character) { c.Name = "Abcdefghijklm" }, store.ErrNameLong},
		{func(c *store.Character) { c.Name = "Mi rella" }, store.ErrNameLetters},
		{func(c *store.Character) { c.Race = 9 }, store.ErrRaceClass},
		{func(c *store.Character) { c.Class = 6 }, store.ErrRaceClass},
		{func(c *store.Character) { c.Gender = 2 }, store.ErrGender},
		{func(c *store.Character) { c.Account += 1000 }, store.ErrNotFound},
	} {
		bad := full(ada, "Mirella")
		c.change(&bad)
		if _, err := s.CreateCharacter(t.Context(), bad); !errors.Is(err, c.want) {
			t.Errorf("make %+v: %v, want %v", bad, err, c.want)
		}
	}
	expectCount(t, s, 0)
	newCharacter(t, s, full(ada, "Mirella")) // no refused one keeps the name
}

func testName(t *testing.T, s store.Store) {
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	mirella := newCharacter(t, s, full(ada, "mIRELLA"))
	if mirella.Name != "Mirella" {
		t.Errorf("mIRELLA is called %q", mirella.Name)
	}
	for _, account := range []uint32{ada, bea} {
		if _, err := s.CreateCharacter(t.Context(), full(account, "MIRELLA")); !errors.Is(err, store.ErrNameTaken) {
			t.Errorf("a second MIRELLA: %v, want %v", err, store.ErrNameTaken)
		}
	}
	expectList(t, s, ada, mirella)
	expectList(t, s, bea)
}

func testLimit(t *testing.T, s store.Store) {
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	var last store.Character
	for i := range store.MaxCharacters {
		last = newCharacter(t, s, full(ada, name(i)))
	}
	if _, err := s.CreateCharacter(t.Context(), full(ada, "Toomany")); !errors.Is(err, store.ErrTooMany) {
		t.Errorf("one character too many: %v, want %v", err, store.ErrTooMany)
	}
	newCharacter(t, s, full(bea, "Toomany"))
	if err := s.DeleteCharacter(t.Context(), ada, last.GUID); err != nil {
		t.Fatal(err)
	}
	newCharacter(t, s, full(ada, "Fits"))
}

// testRealms has a name in several realms, where an account has room for characters each, but not in all together without end.
func testRealms(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada := newAccount(t, s, "ADA")
	in := func(realm uint8, name string) store.Character {
		c := full(ada, name)
		c.Realm = realm
		return c
	}
	first, second := newCharacter(t, s, in(0, "Mirella")), newCharacter(t, s, in(255, "Mirella"))
	if first.Realm != 0 || second.Realm != 255 {
		t.Errorf("they are in the realms %d and %d", first.Realm, second.Realm)
	}
	if _, err := s.CreateCharacter(ctx, in(255, "mirella")); !errors.Is(err, store.ErrNameTaken) {
		t.Errorf("the name again in that realm: %v, want %v", err, store.ErrNameTaken)
	}
	saved := second
	saved.Realm, saved.Version = 7, second.Version+1 // is not what a save is about
	if err := s.SaveCharacter(ctx, saved); err != nil {
		t.Fatal(err)
	}
	saved.Realm = 255
	expectList(t, s, ada, first, saved)
	if err := s.DeleteCharacter(ctx, ada, first.GUID); err != nil {
		t.Fatal(err)
	}
	newCharacter(t, s, in(0, "Mirella"))
	n := 2
	for realm := uint8(1); n < store.MaxOfAccount; realm++ {
		for i := 0; i < store.MaxCharacters && n < store.MaxOfAccount; i++ {
			newCharacter(t, s, in(realm, name(n)))
			n++
		}
		if _, err := s.CreateCharacter(ctx, in(realm, "Toomany")); !errors.Is(err, store.ErrTooMany) {
			t.Errorf("one character too many in realm %d: %v, want %v", realm, err, store.ErrTooMany)
		}
	}
	if _, err := s.CreateCharacter(ctx, in(100, "Toomany")); !errors.Is(err, store.ErrTooMany) {
		t.Errorf("one character too many in all: %v, want %v", err, store.ErrTooMany)
	}
	expectCount(t, s, store.MaxOfAccount)
}

func testDelete(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	first := newCharacter(t, s, full(ada, "Mirella"))
	middle := newCharacter(t, s, full(ada, "Brann"))
	last := newCharacter(t, s, full(ada, "Corvo"))
	for _, c := range []struct {
		account uint32
		guid    uint64
	}{{bea, middle.GUID}, {ada, last.GUID + 1000}, {ada, 0}, {bea + 1000, middle.GUID}, {0, 0}} {
		if err := s.DeleteCharacter(ctx, c.account, c.guid); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("delete %d of account %d: %v, want %v", c.guid, c.account, err, store.ErrNotFound)
		}
	}
	expectList(t, s, ada, first, middle, last)

	if err := s.DeleteCharacter(ctx, ada, middle.GUID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Character(ctx, middle.GUID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a deleted character: %v, want %v", err, store.ErrNotFound)
	}
	if err := s.DeleteCharacter(ctx, ada, middle.GUID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("delete again: %v, want %v", err, store.ErrNotFound)
	}
	middle.Version++
	if err := s.SaveCharacter(ctx, middle); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("save a deleted character: %v, want %v", err, store.ErrNotFound)
	}
	expectList(t, s, ada, first, last)
	expectCount(t, s, 2)

	if err := s.DeleteCharacter(ctx, ada, last.GUID); err != nil {
		t.Fatal(err)
	}
	again := newCharacter(t, s, full(bea, "Corvo")) // its name is free
	if again.GUID <= last.GUID {
		t.Errorf("GUID %d after %d, want a greater one though that was deleted", again.GUID, last.GUID)
	}
	expectList(t, s, ada, first)
	expectList(t, s, bea, again)
}

func testSave(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada, bea := newAccount(t, s, "ADA"), newAccount(t, s, "BEA")
	made := newCharacter(t, s, full(ada, "Mirella"))
	newCharacter(t, s, full(bea, "Brann"))

	want := store.Character{
		GUID: made.GUID, Account: ada, Name: "Mirella", Race: 11, Class: 8, Gender: 0, Skin: 21, Face: 22,
		HairStyle: 23, HairColor: 24, FacialHair: 25, Level: 80, Map: 571, Zone: 4395,
		X: -17066.5, Y: 0.25, Z: -3, O: 6.25, Version: 7,
	}
	given := want
	given.Account, given.Name = bea, "Brann" // are not what a save is about
	if err := s.SaveCharacter(ctx, given); err != nil {
		t.Fatal(err)
	}
	expectList(t, s, ada, want)
	for _, version := range []uint64{0, 1, 7} {
		stale := made
		stale.Version = version
		if err := s.SaveCharacter(ctx, stale); !errors.Is(err, store.ErrStale) {
			t.Errorf("save version %d over 7: %v, want %v", version, err, store.ErrStale)
		}
	}
	if found, err := s.Character(ctx, made.GUID); err != nil || !same(found, want) {
		t.Errorf("found %+v, %v, want %+v", found, err, want)
	}
	none := want
	none.GUID += 1000
	if err := s.SaveCharacter(ctx, none); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("save a character that was never made: %v, want %v", err, store.ErrNotFound)
	}
	expectCount(t, s, 2)
}

// testExtremes reads and stores numbers that a column may not hold. A client chooses the GUID that it deletes.
func testExtremes(t *testing.T, s store.Store) {
	ctx := t.Context()
	ada := newAccount(t, s, "ADA")
	want := full(ada, "Mirella")
	want.Skin, want.Face, want.HairStyle, want.HairColor, want.FacialHair = 255, 255, 255, 255, 255
	want.Level, want.Map, want.Zone = 255, math.MaxUint32, math.MaxUint32
	want.Life, want.SavedUnix = fullest(1), math.MaxInt64
	want.X, want.Y, want.Z, want.O = math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, 1.0/3
	want = newCharacter(t, s, want)
	want.Version = math.MaxInt64
	if err := s.SaveCharacter(ctx, want); err != nil {
		t.Fatal(err)
	}
	expectList(t, s, ada, want)

	for _, guid := range []uint64{0, store.MaxGUID, store.MaxGUID + 1, 1 << 32, math.MaxInt64, 1 << 63, math.MaxUint64} {
		if _, err := s.Character(ctx, guid); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("character %d: %v, want %v", guid, err, store.ErrNotFound)
		}
		if err := s.DeleteCharacter(ctx, ada, guid); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("delete character %d: %v, want %v", guid, err, store.ErrNotFound)
		}
		other := want
		other.GUID = guid
		if err := s.SaveCharacter(ctx, other); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("save character %d: %v, want %v", guid, err, store.ErrNotFound)
		}
	}
	if err := s.DeleteCharacter(ctx, math.MaxUint32, want.GUID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("delete a character of the last account: %v, want %v", err, store.ErrNotFound)
	}
	if _, _, err := s.SessionKey(ctx, math.MaxUint32); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the key of the last account: %v, want %v", err, store.ErrNotFound)
	}
	expectList(t, s, math.MaxUint32)
	expectList(t, s, ada, want)
}
