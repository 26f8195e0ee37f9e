package realmlist

import (
	"log/slog"
	"slices"
	"testing"

	"muster/internal/pgtest"
	"muster/loaders/registry"
	"muster/loaders/store/postgres"
	"muster/net/login"
)

// A gateway that has begun is listed as soon as AskAgain after that, while others are listed too, and clients are sent to both in turn whatever the registry knows of their load by then.
func TestGatewayThatHasBegunIsListed(t *testing.T) {
	url := pgtest.New(t).URL(t)
	s, err := postgres.Open(t.Context(), postgres.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	r, err := registry.Open(t.Context(), registry.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	begins := func(home, address string, load int) {
		m, err := r.Join(t.Context(), home, 1, "First", 100)
		if err == nil {
			_, err = m.Renew(t.Context(), address, load)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	l := New(r, slog.New(slog.DiscardHandler), nil)
	tells := func() string {
		list, err := l.Realms(t.Context(), 1, 0)
		if err != nil || len(list) != 1 {
			t.Fatalf("%v, %v", list, err)
		}
		l.asked = l.asked.Add(-AskAgain) // as if so much time had passed
		return list[0].Address
	}
	begins("one", "10.0.0.1:1", 2)
	if at := tells(); at != "10.0.0.1:1" {
		t.Errorf("the first gateway is listed at %s", at)
	}
	begins("two", "10.0.0.2:1", 0)
	var got [6]string
	for i := range got {
		got[i] = tells()
	}
	if want := [...]string{"10.0.0.2:1", "10.0.0.2:1", "10.0.0.2:1", "10.0.0.1:1", "10.0.0.2:1", "10.0.0.1:1"}; got != want {
		t.Errorf("with another one clients are sent to %q, want %q", got, want)
	}
}

// A gateway lists itself from the moment it accepts players, which is before the registry has its address.
func TestGatewayListsItself(t *testing.T) {
	url := pgtest.New(t).URL(t)
	s, err := postgres.Open(t.Context(), postgres.Config{URL: url}) // has the characters that are counted
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	r, err := registry.Open(t.Context(), registry.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	m, err := r.Join(t.Context(), "home", 1, "First", 4)
	if err != nil {
		t.Fatal(err)
	}
	accepts := true
	l := &List{registry: r, log: slog.New(slog.DiscardHandler), here: func() (registry.Gateway, bool) {
		return registry.Gateway{Number: m.Number(), Address: "10.0.0.1:8085", Load: 1, Realm: m.Realm(), Seats: 4}, accepts
	}}
	for _, c := range []struct {
		accepts bool
		renewed string // what the registry has
		want    login.Realm
	}{
		{true, "", login.Realm{ID: 1, Name: "First", Address: "10.0.0.1:8085", Population: 0.5}},
		{true, "10.0.0.2:8085", login.Realm{ID: 1, Name: "First", Address: "10.0.0.2:8085"}},
		{false, "", login.Realm{ID: 1, Name: "First", Address: noGateway.String(), Flags: login.RealmOffline}},
	} {
		if _, err := m.Renew(t.Context(), c.renewed, 0); err != nil {
			t.Fatal(err)
		}
		accepts = c.accepts
		l.Read(t.Context())
		if list, err := l.Realms(t.Context(), 1, 0); err != nil || !slices.Equal(list, []login.Realm{c.want}) {
			t.Errorf("listed is %+v, %v, want %+v", list, err, c.want)
		}
	}
}

// Gateways of a realm give new characters places in turn, by their numbers.
func TestTurnsOfGateways(t *testing.T) {
	l := &List{live: []registry.Gateway{{Number: 1, Realm: 0}, {Number: 2, Realm: 1}, {Number: 4, Realm: 0}, {Number: 9, Realm: 0}}}
	for _, c := range []struct {
		realm          uint8
		number         uint32
		turn, gateways int
	}{{0, 1, 0, 3}, {0, 4, 1, 3}, {0, 9, 2, 3}, {1, 2, 0, 1}, {1, 7, 1, 2}, {2, 5, 0, 1}} {
		if turn, gateways := l.Turn(c.realm, c.number); turn != c.turn || gateways != c.gateways {
			t.Errorf("gateway %d of realm %d has turn %d of %d, want %d of %d", c.number, c.realm, turn, gateways, c.turn, c.gateways)
		}
	}
}
