package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"muster/internal/pgtest"
	"muster/loaders/store"
	"muster/loaders/store/database"
	"muster/loaders/store/portable"
	"muster/loaders/store/postgres"
	"muster/loaders/store/storetest"
)

var cluster *pgtest.Cluster

func TestMain(m *testing.M) {
	os.Exit(pgtest.Main(m, &cluster, func() error { return goleak.Find() }))
}

// fresh returns the URL of an empty database.
func fresh(t testing.TB) string {
	t.Helper()
	url := cluster.URL(t)
	return url
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Place {
		c := postgres.Config{URL: fresh(t)}
		return storetest.Place{
			Open:    func() (store.Store, error) { return postgres.Open(t.Context(), c) },
			Durable: true,
			Break: func() (mend func()) {
				if err := cluster.Halt(); err != nil {
					t.Fatal(err)
				}
				return func() {
					if err := cluster.Resume(); err != nil {
						t.Fatal(err)
					}
				}
			},
			SQL: func(statement string) []string { return ask(t, c.URL, statement) },
		}
	})
}

// raw connects as any other program does.
func raw(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// ask returns the rows that a statement returns, as text.
func ask(t *testing.T, url, statement string) (list []string) {
	t.Helper()
	conn := raw(t, url)
	exec(t, conn, "SET search_path = characters, auth")
	rows, err := conn.Query(t.Context(), statement)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	defer rows.Close()
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			t.Fatal(err)
		}
		words := make([]string, len(values))
		for i, v := range values {
			words[i] = fmt.Sprint(v)
		}
		list = append(list, strings.Join(words, "|"))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return list
}

func exec(t *testing.T, conn *pgx.Conn, statement string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func open(t *testing.T, c postgres.Config) *database.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestWaitingEnds has another program lock a row. A call that needs it waits as long as its context and the store
// allow; with one connection, so do all calls.
func TestWaitingEnds(t *testing.T) {
	c := postgres.Config{URL: fresh(t), Connections: 1, Timeout: 300 * time.Millisecond}
	s := open(t, c)
	a, err := s.CreateAccount(t.Context(), store.Account{Name: "ADA"})
	if err != nil {
		t.Fatal(err)
	}
	other := raw(t, c.URL)
	exec(t, other, "BEGIN")
	exec(t, other, "SELECT FROM auth.accounts FOR UPDATE")

	cause := errors.New("the time is up")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 20*time.Millisecond, cause)
	defer cancel()
	if err := s.SetSessionKey(ctx, a.ID, [40]byte{1}); !errors.Is(err, cause) {
		t.Errorf("a context ends: %v, want %v", err, cause)
	}
	if err := s.SetSessionKey(t.Context(), a.ID, [40]byte{1}); !errors.Is(err, store.ErrBusy) {
		t.Errorf("the row stays locked: %v, want %v", err, store.ErrBusy)
	}
	done := make(chan error)
	go func() { done <- s.SetSessionKey(t.Context(), a.ID, [40]byte{1}) }()
	create := store.Character{Account: a.ID, Name: "Mirella", Race: 1, Class: 1}
	if _, err := s.CreateCharacter(t.Context(), create); !errors.Is(err, store.ErrBusy) {
		t.Errorf("the only connection waits: %v, want %v", err, store.ErrBusy)
	}
	if err := <-done; !errors.Is(err, store.ErrBusy) {
		t.Errorf("the row stays locked: %v, want %v", err, store.ErrBusy)
	}
	exec(t, other, "ROLLBACK")
	if _, err := s.CreateCharacter(t.Context(), create); err != nil {
		t.Error(err)
	}
}

func TestSilentServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	url := "postgres://" + l.Addr().String() + "/muster?sslmode=disable"
	if _, err := postgres.Open(t.Context(), postgres.Config{URL: url, Timeout: 50 * time.Millisecond}); !errors.Is(err, store.ErrBusy) {
		t.Errorf("open: %v, want %v", err, store.ErrBusy)
	}
}

// TestMistakesAreNotBusy has errors that a retry meets again.
func TestMistakesAreNotBusy(t *testing.T) {
	url := fresh(t)
	exec(t, raw(t, url), "DROP ROLE IF EXISTS guest, nobody; CREATE ROLE guest LOGIN; CREATE ROLE nobody NOLOGIN")
	for _, c := range []struct{ change, to string }{
		{"/test", "/none"},
		{"user=muster", "user=unknown"},
		{"user=muster", "user=nobody"},
		{"user=muster", "user=guest"}, // may connect, and may not create
		{"postgres://", "postgres://%"},
	} {
		bad := strings.Replace(url, c.change, c.to, 1)
		if _, err := postgres.Open(t.Context(), postgres.Config{URL: bad}); err == nil || errors.Is(err, store.ErrBusy) {
			t.Errorf("open %s: %v", bad, err)
		}
	}
}

func TestNewerSchemaIsRefused(t *testing.T) {
	c := postgres.Config{URL: fresh(t)}
	if err := open(t, c).Close(); err != nil {
		t.Fatal(err)
	}
	exec(t, raw(t, c.URL), "INSERT INTO auth.goose_db_version (version_id, is_applied) VALUES (999, true)")
	if _, err := postgres.Open(t.Context(), c); !errors.Is(err, database.ErrNewer) {
		t.Errorf("%v, want %v", err, database.ErrNewer)
	}
}

// TestMigrationIsWhole has the last table of the first migration fail.
func TestMigrationIsWhole(t *testing.T) {
	c := postgres.Config{URL: fresh(t)}
	conn := raw(t, c.URL)
	exec(t, conn, "CREATE SCHEMA characters; CREATE TABLE characters.guids (other text)")
	if _, err := postgres.Open(t.Context(), c); err == nil || errors.Is(err, store.ErrBusy) {
		t.Errorf("a table of another is taken for ours: %v", err)
	}
	var n int
	err := conn.QueryRow(t.Context(), "SELECT count(*) FROM pg_tables WHERE tablename = 'accounts'").Scan(&n)
	if err != nil || n != 0 {
		t.Errorf("%d tables of the migration that failed are there, %v", n, err)
	}
	exec(t, conn, "DROP TABLE characters.guids")
	s := open(t, c)
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "ADA"}); err != nil {
		t.Error(err)
	}
}

// TestNothingInPublic looks for tables in the schema that other programs use.
func TestNothingInPublic(t *testing.T) {
	c := postgres.Config{URL: fresh(t)}
	open(t, c)
	var n int
	err := raw(t, c.URL).QueryRow(t.Context(), "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").Scan(&n)
	if err != nil || n != 0 {
		t.Errorf("%d tables in schema public, %v", n, err)
	}
}

// TestPortable takes a world from memory to PostgreSQL and back.
func TestPortable(t *testing.T) {
	want, err := os.ReadFile("../portable/testdata/known.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, postgres.Config{URL: fresh(t)})
	if err := portable.Load(t.Context(), bytes.NewReader(want), s, nil); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := portable.Dump(t.Context(), &got, s, nil); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("dumped %v\n%s\nwant\n%s", err, got.Bytes(), want)
	}
}

// TestDeadlock has another program lock two characters against the order of this package, again and again. No save is
// lost; the other transaction is aborted, or the save is repeated.
func TestDeadlock(t *testing.T) {
	c := postgres.Config{URL: fresh(t), Timeout: 30 * time.Second}
	s := open(t, c)
	a, err := s.CreateAccount(t.Context(), store.Account{Name: "ADA"})
	if err != nil {
		t.Fatal(err)
	}
	var made []store.Character
	for _, name := range []string{"Mirella", "Brann"} {
		c, err := s.CreateCharacter(t.Context(), store.Character{Account: a.ID, Name: name, Race: 1, Class: 1})
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, c)
	}
	other := raw(t, c.URL)
	exec(t, other, "SET deadlock_timeout = '10s'") // so that ours is the one to see it, after a second
	for round := range 2 {
		exec(t, other, "BEGIN")
		exec(t, other, "SELECT FROM characters.characters WHERE guid = 2 FOR UPDATE")
		for i := range made {
			made[i].Version++
			made[i].XP++
		}
		saved := make(chan error, 1)
		go func() {
			each, err := s.SaveCharacters(t.Context(), made)
			saved <- errors.Join(append(each, err)...)
		}()
		for waits := 0; waits == 0; { // until it holds 1 and waits for 2
			err := other.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'").Scan(&waits)
			if err != nil {
				t.Fatal(err)
			}
		}
		exec(t, other, "SELECT FROM characters.characters WHERE guid = 1 FOR UPDATE")
		exec(t, other, "COMMIT")
		if err := <-saved; err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
	if got, err := s.Characters(t.Context(), a.ID); err != nil || got[0].XP != 2 || got[1].XP != 2 {
		t.Errorf("found %+v, %v", got, err)
	}
}
