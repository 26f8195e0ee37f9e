package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"muster/internal/pgtest"
	"muster/loaders/registry"
	"muster/loaders/store/postgres"
	"muster/net/login"
	"muster/net/protocol/msg"
)

// A twoRealms is a cluster of two realms with a gateway and a worker each, and their registry.
type twoRealms struct {
	t        *testing.T
	registry *registry.Registry
	realm    [2]*served
}

func startRealms(t *testing.T) *twoRealms {
	t.Helper()
	url := pgtest.New(t).URL(t)
	bus := startBus(t, 0)
	t.Cleanup(bus.Shutdown)
	r := &twoRealms{t: t}
	for i, name := range []string{"First Realm", "Second"} {
		world := []string{"--bus", bus.ClientURL(), "--creatures", "200", "--start", "one", "--realm-name", name}
		work(t, world...)
		r.realm[i] = serve(t, append(world, "--database", url, "--data", t.TempDir(), "--max-players", "4")...)
	}
	var err error
	if r.registry, err = registry.Open(t.Context(), registry.Config{URL: url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.registry.Close)
	return r
}

// listed is what a login server of one of the realms lists for an account.
func (r *twoRealms) listed(at int, account string) []login.Realm {
	r.t.Helper()
	v := &visitor{t: r.t, name: account}
	v.dial(r.realm[at].auth)
	defer v.socket.Close()
	v.write(login.AppendChallenge(nil, account))
	v.proves(reply(v, login.ParseChallengeReply))
	reply(v, login.ParseProofReply)
	v.write(login.AppendRealmListRequest(nil))
	return reply(v, login.ParseRealmList)
}

// visit logs an account in to a realm, through the login server of the first, as far as the answer of the realm.
func (r *twoRealms) visit(realm int, account string) (*visitor, msg.Result) {
	r.t.Helper()
	v := authenticate(r.t, r.realm[0], account)
	return v, v.greet(r.realm[realm], func(s *msg.AuthSession) { s.Realm = uint32(realm + 1) }).Result
}

// Two realms have accounts in common, each its characters, of which a name is of one in each. Lists of realms say where each is, how full, and whether
// it is locked or offline, and it lets in what they say. An account plays in one of them at a time.
func TestTwoRealms(t *testing.T) {
	waits(t)
	r := startRealms(t)
	eventually(t, "both realms are there", func() bool {
		list := r.listed(1, "ANNA")
		return len(list) == 2 && list[0].Flags|list[1].Flags == 0 && len(r.listed(0, "ANNA")) == 2
	})
	for i, l := range r.listed(1, "ANNA") {
		if want := (login.Realm{ID: uint8(i + 1), Name: []string{"First Realm", "Second"}[i], Address: r.realm[i].world, Category: 1}); l != want {
			t.Errorf("listed is %+v, want %+v", l, want)
		}
	}

	var names []string
	enter := func(realm int) *visitor {
		v, result := r.visit(realm, "ANNA")
		if result != msg.AuthOK {
			t.Fatalf("realm %d answers with %#x", realm+1, result)
		}
		return v
	}
	first := enter(0)
	first.create("Anna")
	first.enter()
	eventually(t, "the first realm has a quarter of its players", func() bool {
		list := r.listed(1, "ANNA")
		return list[0].Population == 0.5 && list[0].Characters == 1 && list[1].Population == 0 && list[1].Characters == 0
	})
	second := enter(1)
	if list := second.list(); len(list) != 0 {
		t.Errorf("the second realm lists %+v", list)
	}
	second.create("Anna")
	at := second.guid
	second.enter() // the first has let the account go by then
	if second.guid == first.guid || at != 0 {
		t.Errorf("both characters have the GUID %d", first.guid)
	}
	if _, err := io.Copy(io.Discard, first.socket); err != nil {
		t.Errorf("the first is not closed: %v", err)
	}
	sessions, err := r.registry.Sessions(t.Context())
	if err != nil || len(sessions) != 1 || sessions[0].GUID != second.guid {
		t.Errorf("the sessions are %+v, %v, want one of %d", sessions, err, second.guid)
	}
	second.socket.Close()
	if v := enter(0); v.list()[0].GUID != first.guid || len(v.list()) != 1 {
		t.Errorf("the first realm lists %+v, want %d alone", v.list(), first.guid)
	} else {
		v.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: second.guid}) // is of the other realm
		v.await(msg.OpCharacterLoginFailed, new(msg.CharResult))
		v.say(msg.OpCharDelete, &msg.CharDelete{GUID: second.guid}) // as well
		var m msg.CharResult
		if v.await(msg.OpCharDeleteResult, &m); m.Result == msg.CharDeleted {
			t.Error("a character of another realm was deleted")
		}
		v.socket.Close()
	}

	if code, said, stderr := execute(t, nil, "ctl", "--socket", r.realm[1].socket, "cluster", "realm", "locked", "2"); code != exitOK {
		t.Fatalf("%s%s", said, stderr)
	}
	eventually(t, "the second realm is locked", func() bool { return r.listed(0, "ANNA")[1].Locked })
	eventually(t, "and lets nobody in", func() bool {
		v, result := r.visit(1, "ANNA")
		v.socket.Close()
		return result == msg.AuthUnavailable
	})
	if err := r.registry.SetRealm(t.Context(), "Second", 0, true); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the second realm is offline", func() bool {
		l := r.listed(0, "ANNA")[1]
		return !l.Locked && l.Flags == login.RealmOffline
	})
	if err := r.registry.SetRealm(t.Context(), "Third", 0, true); !errors.Is(err, registry.ErrNoRealm) {
		t.Errorf("a third realm: %v, want %v", err, registry.ErrNoRealm)
	}
	for i := range 4 {
		v, _ := r.visit(0, fmt.Sprint("FULL", i))
		v.create("Full" + string(rune('a'+i)))
		names = append(names, v.list()[0].Name)
		defer v.socket.Close()
	}
	eventually(t, "the first realm is full", func() bool {
		l := r.listed(1, "ANNA")[0]
		return l.Flags == login.RealmFull && l.Population == 2
	})
	if want := []string{"Fulla", "Fullb", "Fullc", "Fulld"}; !slices.Equal(names, want) {
		t.Errorf("made %q, want %q", names, want)
	}
}

// A server without a registry has the characters of the first realm alone, in a database of several.
func TestServerWithoutRegistryHasTheFirstRealm(t *testing.T) {
	waits(t)
	url := pgtest.New(t).URL(t)
	s := serve(t, "--database", url, "--data", t.TempDir(), "--creatures", "1")
	v := authenticate(t, s, "ANNA")
	if result := v.greet(s, func(*msg.AuthSession) {}).Result; result != msg.AuthOK {
		t.Fatalf("answers with %#x", result)
	}
	v.create("Anna")
	own := v.list()
	db, err := postgres.Open(t.Context(), postgres.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	first, err := db.Character(t.Context(), own[0].GUID)
	if err != nil {
		t.Fatal(err)
	}
	first.GUID, first.Name, first.Realm = 0, "Berta", 1
	other, err := db.CreateCharacter(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	if list := v.list(); len(list) != 1 || list[0].GUID != own[0].GUID {
		t.Errorf("lists %+v, want %d alone", list, own[0].GUID)
	}
	v.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: other.GUID})
	v.await(msg.OpCharacterLoginFailed, new(msg.CharResult))
	v.socket.Close()
}

// All that serve logins of a database answer for a name that no account has with the same salt: asking several tells no more than asking one.
func TestSaltsAreAlike(t *testing.T) {
	waits(t)
	r := startRealms(t)
	var salts [2][32]byte
	for i := range salts {
		v := &visitor{t: t, name: "NOSUCHNAME"}
		v.dial(r.realm[i].auth)
		v.write(login.AppendChallenge(nil, v.name))
		salts[i] = reply(v, login.ParseChallengeReply).Salt
		v.socket.Close()
	}
	if salts[0] != salts[1] {
		t.Errorf("the salts are %x and %x", salts[0], salts[1])
	}
}
