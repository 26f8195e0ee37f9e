package lease

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muster/cmd/internal/storage"
	"muster/internal/pgtest"
	"muster/loaders/registry"
)

// A gateway is told from all others by a file beside its journal, which the next process with that journal finds.
func TestHome(t *testing.T) {
	url := pgtest.New(t).URL(t)
	v := Config{Database: url, Home: filepath.Join(t.TempDir(), "gateway"), Realm: "muster", Number: 1, Seats: 1}
	other := v
	other.Home = filepath.Join(t.TempDir(), "gateway")
	join := func(v Config) uint32 {
		t.Helper()
		m, err := Join(t.Context(), v, func(error) {}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		defer m.Registry.Close()
		defer m.Release()
		return m.Number()
	}
	got := [...]uint32{join(v), join(other), join(v)}
	if want := [...]uint32{1, 2, 1}; got != want {
		t.Errorf("numbers %d, want %d", got, want)
	}
	// Another host may have a folder of the same name: what tells them apart is in it.
	first, err := storage.Drawn(v.Home)
	if err != nil {
		t.Fatal(err)
	}
	second, err := storage.Drawn(other.Home)
	if err != nil || string(first) == string(second) || len(first) != 32 {
		t.Errorf("homes %x and %x, %v, want two of 32 bytes", first, second, err)
	}
	if err := os.Remove(v.Home); err != nil {
		t.Fatal(err)
	}
	if n := join(v); n != 3 {
		t.Errorf("a folder without the file has number %d, want 3, as another one", n)
	}
}

// From when it has joined on the lease is renewed, without an address, and the process ends when another one has its number. It
// leaves only if it was drained and its journal has nothing left.
func TestMembership(t *testing.T) {
	cluster := pgtest.New(t)
	url := cluster.URL(t)
	v := Config{Database: url, Home: filepath.Join(t.TempDir(), "gateway"), Realm: "muster", Number: 1, Seats: 1}
	log := slog.New(slog.DiscardHandler)
	there := func(and string) bool {
		return cluster.Do(url, "SELECT 1 / count(*) FROM cluster.gateways WHERE number = 1"+and) == nil // one by none fails
	}
	ctx, end := context.WithCancelCause(t.Context())
	join := func() *Lease {
		t.Helper()
		m, err := Join(t.Context(), v, end, log)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	isRenewed := func() {
		t.Helper()
		if err := cluster.Do(url, "UPDATE cluster.gateways SET heard = 'epoch', address = 'a:1'"); err != nil {
			t.Fatal(err)
		}
		for !there(" AND heard > 'epoch' AND address = ''") { // the deadline is that of the test
			<-poll.C
		}
	}
	first := join()
	isRenewed()
	second := join()
	<-ctx.Done()
	if err := context.Cause(ctx); !errors.Is(err, registry.ErrReplaced) {
		t.Errorf("the first ended with %v, want ErrReplaced", err)
	}
	first.Drained = true
	if first.Leave(0, log); !there("") {
		t.Error("the first has left for the second")
	}
	second.Release() // to claims
	second.Resume()
	isRenewed()
	if second.Leave(0, log); !there("") {
		t.Error("it has left, with players in worlds")
	}
	third := join()
	third.Drained = true
	if third.Leave(0, log); there("") {
		t.Error("it has not left")
	}
	fourth := join()
	fourth.Drained = true
	if fourth.Leave(1, log); !there("") {
		t.Error("it has left, with a character in its journal")
	}
	// One that ends and is replaced meanwhile says so, and ends as it was told to.
	fifth := join()
	fifth.Resume()
	var said bytes.Buffer
	sixth := join()
	defer sixth.Registry.Close()
	defer sixth.Release()
	if fifth.Leave(1, slog.New(slog.NewTextHandler(&said, nil))); !strings.Contains(said.String(), "another process has the number of this gateway") {
		t.Errorf("one that is replaced logs %s", &said)
	}
}
