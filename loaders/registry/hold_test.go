package registry_test

import (
	"errors"
	"testing"
	"time"

	"muster/loaders/registry"
)

// One process holds a realm at a time, for as long as its session lasts. One whose session has ended takes it again, unless another one has.
func TestHold(t *testing.T) {
	r := newRig(t)
	first, err := r.Hold(t.Context(), "muster")
	if err != nil {
		t.Fatal(err)
	}
	taken := func(err error) {
		t.Helper()
		if !errors.Is(err, registry.ErrTaken) {
			t.Errorf("held, or %v, want ErrTaken", err)
		}
	}
	_, err = r.Hold(t.Context(), "muster")
	taken(err)
	other, err := r.Hold(t.Context(), "another")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	end := func() { // that of the database
		t.Helper()
		r.exec("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 1752132708 AND objid::bigint = hashtext('muster')::bigint & 4294967295 AND granted")
		eventually(t, "the session has ended", func() (n int) {
			if err := r.raw.QueryRow(t.Context(), "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid::bigint = hashtext('muster')::bigint & 4294967295").Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		})
	}
	end()
	for range 2 {
		if err := first.Keep(t.Context()); err != nil {
			t.Errorf("taken again: %v", err)
		}
	}
	_, err = r.Hold(t.Context(), "muster")
	taken(err)
	end()
	second, err := r.Hold(t.Context(), "muster")
	if err != nil {
		t.Fatal(err)
	}
	taken(first.Keep(t.Context()))
	second.Close()
	eventually(t, "it is let go", func() int {
		if first.Keep(t.Context()) == nil {
			return 0
		}
		return 1
	})
	first.Close()
	first.Close()
}

// eventually waits until none is left.
func eventually(t *testing.T, what string, left func() int) {
	t.Helper()
	for deadline := time.After(time.Minute); left() > 0; {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-deadline:
			t.Fatal(what)
		}
	}
}
