package portable_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"muster/components/life"
	"muster/loaders/store"
	"muster/loaders/store/portable"
	"muster/loaders/store/sqlite"
)

var update = flag.Bool("update", false, "write testdata anew")

// known is the dump of a small world.
const known = "testdata/known.jsonl"

// fill makes a small world.
func fill(t testing.TB, s store.Store) {
	t.Helper()
	ctx := t.Context()
	if err := s.SaveRealm(ctx, store.Realm{ID: 1, Name: "O'Muster", Address: "[2001:db8::1]:8085", Type: 1}); err != nil {
		t.Fatal(err)
	}
	if first, err := s.LeaseItems(ctx, 4); err != nil || first != store.FirstItem {
		t.Fatal(first, err)
	}
	for i, name := range []string{"ADA", "BÉA \"<&>\u2028\""} {
		a, err := s.CreateAccount(ctx, store.Account{Name: name, Salt: [32]byte{1, 31: 2}, Verifier: [32]byte{3}, LastAddress: "::1"})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			if err := s.SetSessionKey(ctx, a.ID, [40]byte{39: 9}); err != nil {
				t.Fatal(err)
			}
		}
		c, err := s.CreateCharacter(ctx, store.Character{
			Account: a.ID, Name: []string{"Mirella", "Brann"}[i], Race: 1, Class: 1, Level: 80, X: 1.0 / 3, Y: -8949.95, SavedUnix: 1_700_000_000,
			Life: life.Life{
				Begun: true, MoneyCopper: 7, Power: [7]uint32{1, 2}, Spells: []uint32{5, 78},
				Cooldowns: []life.Cooldown{{Spell: 78, LeftMs: 9}},
				Auras:     []life.Aura{{Spell: 1, Caster: 1<<63 + 1, Amount: [3]int32{-5}}},
				Actions:   []life.Action{{Button: 3, Packed: 78}},
				Items:     []life.Item{{GUID: store.ItemHigh | (store.FirstItem + uint64(i)), Entry: 25, Count: 1, Durability: 20, Bag: life.InBody, Slot: 15}},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, guid := range []uint64{0, c.GUID} {
			if err := s.SaveData(ctx, a.ID, guid, store.Data{Type: 2, Unix: 3, Body: []byte("bind \x00\xff")}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func dump(t testing.TB, s store.Store) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := portable.Dump(t.Context(), &b, s, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func empty() store.Store { return store.NewMemory(store.MemoryConfig{}) }

func TestKnownDump(t *testing.T) {
	s := empty()
	fill(t, s)
	got := dump(t, s)
	if *update {
		if err := os.WriteFile(known, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(known)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("dumped\n%s\nwant\n%s", got, want)
	}
}

// TestThrough passes a world from one kind of store to the next.
func TestThrough(t *testing.T) {
	want, err := os.ReadFile(known)
	if err != nil {
		t.Fatal(err)
	}
	disk, err := sqlite.Open(t.Context(), sqlite.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	text := want
	for _, s := range []store.Store{empty(), disk, empty()} {
		var last portable.Progress
		if err := portable.Load(t.Context(), iotest.OneByteReader(bytes.NewReader(text)), s, func(p portable.Progress) { last = p }); err != nil {
			t.Fatal(err)
		}
		if last != (portable.Progress{Accounts: 2, Characters: 2, Records: 10, Bytes: int64(len(want))}) {
			t.Errorf("it came as far as %+v", last)
		}
		if text = dump(t, s); !bytes.Equal(text, want) {
			t.Errorf("dumped\n%s\nwant\n%s", text, want)
		}
		if err := portable.Load(t.Context(), bytes.NewReader(text), s, nil); !errors.Is(err, store.ErrNotEmpty) {
			t.Errorf("load again: %v, want %v", err, store.ErrNotEmpty)
		}
	}
}

// refused loads an invalid dump, and checks that nothing of it is stored.
func refused(t *testing.T, text []byte, want ...error) {
	t.Helper()
	s := empty()
	err := portable.Load(t.Context(), bytes.NewReader(text), s, nil)
	if err == nil {
		t.Fatalf("loaded %q", text)
	}
	for _, w := range want {
		if !errors.Is(err, w) {
			t.Errorf("%v, want %v", err, w)
		}
	}
	if list, err := s.Accounts(t.Context(), "", 10); err != nil || len(list) > 0 {
		t.Errorf("%d accounts are left, %v", len(list), err)
	}
}

// TestTornDump cuts a dump everywhere, and changes every byte of it.
func TestTornDump(t *testing.T) {
	text, err := os.ReadFile(known)
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(text) - 1 {
		refused(t, text[:i])
		text[i] ^= 0x04
		refused(t, text)
		text[i] ^= 0x04
	}
	refused(t, append(text[:len(text):len(text)], "{}\n"...), portable.ErrCut)
}

func TestBadDump(t *testing.T) {
	for text, want := range map[string]error{
		"":                                  portable.ErrCut,
		"{}":                                portable.ErrFormat,
		"SQLite format 3\x00":               portable.ErrFormat,
		`{"muster":"store","version":2}`:    portable.ErrNewer,
		`{"muster":"store"}`:                portable.ErrFormat,
		`{"muster":"store","version":1} {}`: portable.ErrFormat,
		`{"muster":"store","version":1}` + "\n" + `{"guild":{}}`:     portable.ErrFormat,
		`{"muster":"store","version":1}` + "\n" + `{"account":{}}`:   portable.ErrFormat,
		`{"muster":"store","version":1}` + "\n" + `{}`:               store.ErrRecord,
		`{"muster":"store","version":1}` + "\n" + `{"character":{}}`: store.ErrRecord,
		strings.Repeat("x", 2<<20):                                   portable.ErrFormat,
	} {
		refused(t, []byte(text), want)
	}
	lost := errors.New("the line is lost")
	head := strings.NewReader(`{"muster":"store","version":1}` + "\n")
	if err := portable.Load(t.Context(), iotest.DataErrReader(&broken{head, lost}), empty(), nil); !errors.Is(err, lost) {
		t.Errorf("%v, want %v", err, lost)
	}
	s := empty()
	fill(t, s)
	if err := portable.Dump(t.Context(), brokenWriter{lost}, s, nil); !errors.Is(err, lost) {
		t.Errorf("dump: %v, want %v", err, lost)
	}
}

// broken ends with an error.
type broken struct {
	*strings.Reader
	err error
}

func (b *broken) Read(p []byte) (int, error) {
	if b.Len() == 0 {
		return 0, b.err
	}
	return b.Reader.Read(p)
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func FuzzLoad(f *testing.F) {
	text, err := os.ReadFile(known)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"muster":"store","version":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := empty()
		if err := portable.Load(t.Context(), bytes.NewReader(text), s, nil); err != nil {
			return
		}
		again := empty()
		once := dump(t, s)
		if err := portable.Load(t.Context(), bytes.NewReader(once), again, nil); err != nil {
			t.Fatalf("%v of %s", err, once)
		}
		if twice := dump(t, again); !bytes.Equal(once, twice) {
			t.Errorf("%s\nbecame\n%s", once, twice)
		}
	})
}
