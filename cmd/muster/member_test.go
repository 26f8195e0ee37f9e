package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"testing"

	"muster/cmd/internal/storage"
	"muster/loaders/registry"
)

// A gateway is told from all others by a file beside its journal, which the next process with that journal finds.
func TestHome(t *testing.T) {
	url, err := startCluster(t).Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v := &serveVerb{busFlags: busFlags{Bus: "nats://127.0.0.1:0"}, Database: url, Data: t.TempDir()}
	s, err := v.openStore(t.Context(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	join := func(v *serveVerb) uint32 {
		t.Helper()
		m, err := v.join(t.Context(), func(error) {}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		defer m.registry.Close()
		defer m.release()
		return m.Number()
	}
	other := &serveVerb{busFlags: v.busFlags, Database: url, Data: t.TempDir()}
	got := [...]uint32{join(v), join(other), join(v)}
	if want := [...]uint32{1, 2, 1}; got != want {
		t.Errorf("numbers %d, want %d", got, want)
	}
	// Another host may have a folder of the same name: what tells them apart is in it.
	first, err := storage.Drawn(v.home())
	if err != nil {
		t.Fatal(err)
	}
	second, err := storage.Drawn(other.home())
	if err != nil || string(first) == string(second) || len(first) != 32 {
		t.Errorf("homes %x and %x, %v, want two of 32 bytes", first, second, err)
	}
	if err := os.Remove(v.home()); err != nil {
		t.Fatal(err)
	}
	if n := join(v); n != 3 {
		t.Errorf("a folder without the file has number %d, want 3, as another one", n)
	}
}

// From when it has joined on the lease is renewed, without an address, and the process ends when another one has its number. It
// leaves only if it was drained and its journal has nothing left.
func TestMembership(t *testing.T) {
	cluster := startCluster(t)
	url, err := cluster.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v := &serveVerb{busFlags: busFlags{Bus: "nats://127.0.0.1:0"}, Database: url, Data: t.TempDir()}
	log := slog.New(slog.DiscardHandler)
	s, err := v.openStore(t.Context(), log)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	there := func(and string) bool {
		return cluster.Do(url, "SELECT 1 / count(*) FROM cluster.gateways WHERE number = 1"+and) == nil // one by none fails
	}
	ctx, end := context.WithCancelCause(t.Context())
	join := func() *memberGateway {
		t.Helper()
		m, err := v.join(t.Context(), end, log)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	first := join()
	if err := cluster.Do(url, "UPDATE cluster.gateways SET heard = 'epoch', address = 'a:1'"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the lease is renewed", func() bool { return there(" AND heard > 'epoch' AND address = ''") })
	second := join()
	<-ctx.Done()
	if err := context.Cause(ctx); !errors.Is(err, registry.ErrReplaced) {
		t.Errorf("the first ended with %v, want ErrReplaced", err)
	}
	first.drained = true
	if first.leave(0, log); !there("") {
		t.Error("the first has left for the second")
	}
	if second.leave(0, log); !there("") {
		t.Error("it has left, with players in worlds")
	}
	third := join()
	third.drained = true
	if third.leave(0, log); there("") {
		t.Error("it has not left")
	}
	fourth := join()
	fourth.drained = true
	if fourth.leave(1, log); !there("") {
		t.Error("it has left, with a character in its journal")
	}
}
