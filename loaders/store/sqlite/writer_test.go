package sqlite

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"muster/loaders/store"
	"muster/loaders/store/database"
)

// TestFullDisk writes until the file may not grow. What was confirmed is there, what was not is not, and with more
// room all goes on.
func TestFullDisk(t *testing.T) {
	d, err := open(t.Context(), Config{Dir: t.TempDir(), Timeout: 5e9, Readers: 2})
	if err != nil {
		t.Fatal(err)
	}
	s := database.New(d)
	defer s.Close()
	limit := func(pages int) {
		var got int
		err := d.writer.conn.QueryRowContext(t.Context(), fmt.Sprint("PRAGMA max_page_count = ", pages)).Scan(&got)
		if err != nil || got != pages {
			t.Fatalf("the limit is %d pages, %v, want %d", got, err, pages)
		}
	}
	limit(40)

	const crowd, each = 8, 200
	var made, failed [crowd][]string
	var wg sync.WaitGroup
	for i := range crowd {
		wg.Go(func() {
			for n := range each {
				name := fmt.Sprintf("%d WITH A LONG NAME AND NUMBER %d", i, n)
				switch _, err := s.CreateAccount(t.Context(), store.Account{Name: name}); {
				case err == nil:
					made[i] = append(made[i], name)
				case errors.Is(err, store.ErrBusy):
					failed[i] = append(failed[i], name)
				default:
					t.Errorf("make %q: %v", name, err)
				}
			}
		})
	}
	wg.Wait()
	some := 0
	for i := range crowd {
		for _, name := range made[i] {
			if _, err := s.Account(t.Context(), name); err != nil {
				t.Errorf("%q was made: %v", name, err)
			}
		}
		for _, name := range failed[i] {
			if _, err := s.Account(t.Context(), name); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%q was not made: %v", name, err)
			}
		}
		some += len(made[i])
	}
	if some == 0 || some == crowd*each {
		t.Errorf("%d accounts fit, want some and not all", some)
	}
	limit(10_000)
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "LAST"}); err != nil {
		t.Error(err)
	}
}

// TestRefusedWork shares a transaction with work that is kept.
func TestRefusedWork(t *testing.T) {
	d, err := open(t.Context(), Config{Dir: filepath.Join(t.TempDir(), "new"), Timeout: 5e9, Readers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	refusal := errors.New("no")
	batch := make([]*work, 9)
	for i := range batch {
		batch[i] = &work{ctx: t.Context(), f: func(s database.Session) error {
			if _, err := s.Exec("INSERT INTO guids VALUES ($1, $2)", fmt.Sprint("kind ", i), i); err != nil {
				return err
			}
			if i%3 == 1 {
				return refusal
			}
			return nil
		}}
	}
	d.writer.commit(batch)
	for i, w := range batch {
		var next int
		err := d.Read(t.Context(), func(s database.Session) error {
			return s.Row("SELECT next FROM guids WHERE kind = $1", []any{fmt.Sprint("kind ", i)}, &next)
		})
		switch {
		case i%3 == 1 && (w.err != refusal || !errors.Is(err, store.ErrNotFound)):
			t.Errorf("refused work %d: %v, and finds %d, %v", i, w.err, next, err)
		case i%3 != 1 && (w.err != nil || err != nil || next != i):
			t.Errorf("work %d: %v, and finds %d, %v", i, w.err, next, err)
		}
	}
}

// TestWriterWaitsForTheDisk checks the pragmas that make a commit outlast a power cut.
func TestWriterWaitsForTheDisk(t *testing.T) {
	d, err := open(t.Context(), Config{Dir: t.TempDir(), Timeout: 5e9, Readers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000"} {
		var got string
		if err := d.writer.conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q, %v, want %q", pragma, got, err, want)
		}
	}
	err = d.Read(t.Context(), func(s database.Session) error {
		_, err := s.Exec("DELETE FROM accounts")
		return err
	})
	if err == nil {
		t.Error("a reader wrote")
	}
}
