package account

import (
	"context"
	"errors"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"muster/internal/pgtest"
	"muster/loaders/store"
	"muster/loaders/store/postgres"
	"muster/loaders/store/sqlite"
	"muster/net/protocol/crypt"
)

// stores are one of each kind, empty.
func stores(t *testing.T) map[string]store.Store {
	t.Helper()
	lite, err := sqlite.Open(t.Context(), sqlite.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	url := pgtest.New(t).URL(t)
	post, err := postgres.Open(t.Context(), postgres.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]store.Store{"memory": store.NewMemory(store.MemoryConfig{}), "sqlite": lite, "postgres": post}
	t.Cleanup(func() {
		for _, s := range all {
			s.Close()
		}
	})
	return all
}

func TestName(t *testing.T) {
	for text, want := range map[string]string{
		"a": "A", "Anna1": "ANNA1", "0123456789abcdef": "0123456789ABCDEF",
		`a';DROP--"\`: `A';DROP--"\`, "%_*?$1{}": "%_*?$1{}", "a@b.c": "A@B.C", "~!": "~!",
		"": "", "0123456789abcdefg": "", "a b": "", " a": "", "a\x00": "", "a\n": "", "é": "", "a\x7F": "", "a\xFF": "",
	} {
		got, err := Name(text)
		if got != want || (want == "") != errors.Is(err, ErrName) {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}

func TestPassword(t *testing.T) {
	for text, ok := range map[string]bool{
		"a": true, "a b": true, " ": true, "0123456789abcdef": true, `';--"\`: true,
		"": false, "0123456789abcdefg": false, "a\x00": false, "a\t": false, "é": false, "a\xFF": false,
	} {
		if err := CheckPassword(text); (err == nil) != ok || err != nil && !errors.Is(err, ErrPassword) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestAccounts does everything on each kind of store, to an account whose name needs escaping in a statement.
func TestAccounts(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	const name = `a';DROP--"%`
	for kind, s := range stores(t) {
		t.Run(kind, func(t *testing.T) {
			ctx := t.Context()
			all := &Accounts{Store: s, Now: func() time.Time { return now }}
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			is := func(what string, check func(a *store.Account) bool) {
				t.Helper()
				a, err := s.Account(ctx, strings.ToUpper(name))
				if err != nil || !check(&a) {
					t.Errorf("%s: %+v, %v", what, a, err)
				}
			}
			must(all.Create(ctx, name, "Secret"))
			is("made", func(a *store.Account) bool {
				return a.Level == 0 && a.Expansion == 2 && a.Salt != [32]byte{} &&
					a.Verifier == crypt.Verifier(name, "SECRET", a.Salt)
			})
			if err := all.Create(ctx, strings.ToUpper(name), "other"); !errors.Is(err, ErrExists) {
				t.Errorf("made twice: %v", err)
			}
			must(all.SetLevel(ctx, name, 3))
			is("level", func(a *store.Account) bool { return a.Level == 3 })
			first, err := s.Account(ctx, strings.ToUpper(name))
			must(err)
			must(s.SetSessionKey(ctx, first.ID, [40]byte{1}))
			must(all.SetPassword(ctx, name, "x y"))
			is("password", func(a *store.Account) bool {
				return a.Salt != first.Salt && a.Verifier == crypt.Verifier(name, "X Y", a.Salt)
			})
			if _, ok, err := s.SessionKey(ctx, first.ID); ok || err != nil {
				t.Errorf("the session key of the old password is good, %v", err)
			}
			id, err := all.Ban(ctx, name, now.Add(time.Hour), "it's loud")
			must(err)
			is("ban", func(a *store.Account) bool {
				return a.ID == id && a.BanEndUnix == 1_003_600 && a.BanReason == "it's loud" &&
					a.Banned(1_003_599) && !a.Banned(1_003_600)
			})
			_, err = all.Ban(ctx, name, time.Time{}, "")
			must(err)
			is("ban for ever", func(a *store.Account) bool { return a.BanEndUnix == math.MaxInt64 && a.BanReason == "" })
			_, err = s.UpdateAccount(ctx, id, func(a *store.Proven) error { a.FailedLogins++; return nil })
			must(err)
			must(all.Unban(ctx, name))
			is("no ban", func(a *store.Account) bool { return a.BanEndUnix == 0 && a.FailedLogins == 0 })
			_, err = all.Lock(ctx, name, netip.MustParseAddr("::ffff:192.0.2.7"))
			must(err)
			is("lock", func(a *store.Account) bool { return a.Locked && a.LastAddress == "192.0.2.7" })
			must(all.Unlock(ctx, name))
			is("no lock", func(a *store.Account) bool { return !a.Locked && a.LastAddress == "192.0.2.7" })
			must(all.Delete(ctx, name))
			for what, err := range map[string]error{
				"delete": all.Delete(ctx, name), "unban": all.Unban(ctx, name), "level": all.SetLevel(ctx, name, 1),
				"password": all.SetPassword(ctx, name, "x"), "unlock": all.Unlock(ctx, name),
			} {
				if !errors.Is(err, ErrUnknown) {
					t.Errorf("%s an unknown name: %v", what, err)
				}
			}
		})
	}
}

func TestRefused(t *testing.T) {
	all := &Accounts{Store: store.NewMemory(store.MemoryConfig{})}
	ctx := t.Context()
	for _, c := range []struct {
		what string
		err  error
		want error
	}{
		{"level", all.SetLevel(ctx, "A", 4), ErrLevel},
		{"made with a level", second(all.CreateAs(ctx, "A", "A", 4, 0)), ErrLevel},
		{"made with an expansion", second(all.CreateAs(ctx, "A", "A", 0, 3)), ErrExpansion},
		{"no password", all.Create(ctx, "A", ""), ErrPassword},
		{"no name", all.Create(ctx, "", "A"), ErrName},
		{"ban until now", second(all.Ban(ctx, "A", time.Now(), "")), ErrUntil},
		{"no reason", second(all.Ban(ctx, "A", time.Time{}, strings.Repeat("a", 256))), ErrReason},
		{"no text", second(all.Ban(ctx, "A", time.Time{}, "a\xFF")), ErrReason},
		{"broken dice", (&Accounts{Store: all.Store, Rand: strings.NewReader("few")}).Create(ctx, "A", "A"), nil},
	} {
		if c.err == nil || c.want != nil && !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", c.what, c.err, c.want)
		}
	}
	if list, err := all.Store.(*store.Memory).Accounts(context.Background(), "", 10); len(list) != 0 || err != nil {
		t.Errorf("there is %v, %v", list, err)
	}
}

func second[T any](_ T, err error) error { return err }
