package main

import (
	"log/slog"
	"os"
	"testing"
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
		m, err := v.join(t.Context(), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		defer m.registry.Close()
		return m.Number()
	}
	other := &serveVerb{busFlags: v.busFlags, Database: url, Data: t.TempDir()}
	got := [...]uint32{join(v), join(other), join(v)}
	if want := [...]uint32{1, 2, 1}; got != want {
		t.Errorf("numbers %d, want %d", got, want)
	}
	// Another host may have a folder of the same name: what tells them apart is in it.
	first, err := drawn(v.home())
	if err != nil {
		t.Fatal(err)
	}
	second, err := drawn(other.home())
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
