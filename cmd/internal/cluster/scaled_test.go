package cluster

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"muster/cmd/internal/realmlist"
	"muster/internal/pgtest"
	"muster/loaders/registry"
)

// A cluster begins with as many workers as its flag says, or an operator has said last.
func TestWorkersAtTheStart(t *testing.T) {
	r, err := registry.Open(t.Context(), registry.Config{URL: pgtest.New(t).URL(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, c := range []struct{ scale, flag, want, kept int }{{0, 0, 3, 0}, {0, 5, 5, 0}, {7, 0, 7, 7}, {0, 2, 2, 2}, {0, 0, 2, 2}} {
		if c.scale != 0 {
			if err := r.SetScale(t.Context(), ClusterRealm, c.scale); err != nil {
				t.Fatal(err)
			}
		}
		n, err := (&Config{Workers: c.flag}).workersOf(t.Context(), r)
		kept, _, failed := r.Scale(t.Context(), ClusterRealm)
		if n != c.want || kept != c.kept || err != nil || failed != nil {
			t.Errorf("%+v: %d workers, and %d are kept: %v, %v", c, n, kept, err, failed)
		}
	}
}

// A cluster whose database has gateways of another realm is ready when its own are listed.
func TestOtherGatewaysAreNotWaitedFor(t *testing.T) {
	url := pgtest.New(t).URL(t)
	r, err := registry.Open(t.Context(), registry.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	join := func(home, realm string) *registry.Member {
		m, err := r.Join(t.Context(), home, 1, realm, 4)
		if err == nil {
			_, err = m.Renew(t.Context(), "10.0.0.1:8085", 0)
		}
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	f := &fleet{log: slog.New(slog.DiscardHandler)}
	join("one", "Other")
	join("two", "Other")
	ctx, cancel := context.WithTimeout(t.Context(), 5*realmlist.AskAgain)
	defer cancel()
	if err := f.listed(ctx, url, ClusterRealm, 1); err != nil || ctx.Err() == nil {
		t.Errorf("with gateways of another realm the cluster is ready, and %v", err)
	}
	mine := join("three", ClusterRealm)
	ended := make(chan error, 1)
	go func() { ended <- f.listed(t.Context(), url, ClusterRealm, 1) }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("with a gateway of its own the cluster is not ready: %v", err)
			}
			return
		case <-time.After(time.Second): // its lease is 4 s
			if _, err := mine.Renew(t.Context(), "10.0.0.1:8085", 0); err != nil {
				t.Fatal(err)
			}
		}
	}
}
