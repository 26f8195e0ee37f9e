package registry_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"muster/loaders/registry"
	"muster/loaders/store"
)

// The registry has in which world each character is, as the gateway says that has claimed it, and no other says it: not by an older claim, nor one that has lost its number.
func TestLocations(t *testing.T) {
	r := newRig(t)
	account, err := r.store.CreateAccount(t.Context(), store.Account{Name: "ANNA"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := r.store.CreateCharacter(t.Context(), store.Character{Account: account.ID, Name: "Anna", Race: 1, Class: 1})
	if err != nil {
		t.Fatal(err)
	}
	one, two := r.join("one", 1), r.join("two", 2)
	first, err := one.Claim(t.Context(), account.ID, c.GUID, r.login(one))
	if err != nil {
		t.Fatal(err)
	}
	other := r.claim(two, 1000, r.login(two))
	locate := func(m *registry.Member, want []uint32, all ...registry.Location) {
		t.Helper()
		noted, err := m.Locate(t.Context(), all)
		if slices.Sort(noted); err != nil || !slices.Equal(noted, want) {
			t.Errorf("of accounts %v it was noted, %v; want %v", noted, err, want)
		}
	}
	anna := registry.PlayerSession{Account: account.ID, AccountName: "ANNA", GUID: c.GUID, Character: "Anna", Gateway: 1}
	none := registry.PlayerSession{Account: 1000, GUID: 7, Gateway: 2}
	lists := func(character string, most, total int, want ...registry.PlayerSession) {
		t.Helper()
		list, n, err := r.Players(t.Context(), "muster", character, most)
		if err != nil || n != total || !slices.Equal(list, want) {
			t.Errorf("there are %d of %d, %v: %+v\nwant %+v", len(list), n, err, list, want)
		}
	}
	lists("", 10, 2, anna, none)
	locate(one, []uint32{account.ID}, registry.Location{Account: account.ID, Fence: first, Map: 3, Instance: 12}, registry.Location{Account: 1000, Fence: other, Map: 1})
	anna.InWorld, anna.Map, anna.Instance = true, 3, 12
	lists("", 10, 2, anna, none) // the second is of another gateway
	lists("", 1, 2, anna)
	lists("aNNa", 10, 1, anna)
	lists("Bert", 10, 0)
	if list, n, err := r.Players(t.Context(), "another", "", 10); err != nil || n != 0 || len(list) != 0 {
		t.Errorf("another realm has %d, %v: %+v", n, err, list)
	}
	locate(one, []uint32{account.ID}, registry.Location{Account: account.ID, Fence: first, Map: 3, Instance: 12, Out: true})
	anna.InWorld, anna.Map, anna.Instance = false, 0, 0
	lists("Anna", 10, 1, anna)
	locate(one, []uint32{account.ID}, registry.Location{Account: account.ID, Fence: first})
	anna.InWorld = true
	lists("Anna", 10, 1, anna)

	r.giveBack(one, account.ID, first)
	locate(one, nil, registry.Location{Account: account.ID, Fence: first, Map: 1})
	second, err := two.Claim(t.Context(), account.ID, c.GUID, r.login(two))
	if err != nil {
		t.Fatal(err)
	}
	anna.Gateway, anna.InWorld = 2, false
	lists("Anna", 10, 1, anna) // what an older claim has said does not count
	locate(two, nil, registry.Location{Account: account.ID, Fence: first, Map: 1})
	locate(two, []uint32{1000}, registry.Location{Account: 1000, Fence: other, Map: 1}, registry.Location{Account: account.ID, Fence: second + 1, Map: 1})
	next := r.join("two", 0)
	locate(two, nil, registry.Location{Account: account.ID, Fence: second, Map: 1}) // it has lost its number
	locate(next, []uint32{account.ID}, registry.Location{Account: account.ID, Fence: second, Map: 1})
	anna.InWorld, anna.Map = true, 1
	lists("Anna", 10, 1, anna)
	r.expire(2)
	lists("", 10, 0)
}

// Players are found by how their names begin, at all gateways of the realm and at none of another.
func TestFindPlayers(t *testing.T) {
	r := newRig(t)
	other, err := r.Join(t.Context(), "three", 3, "another", 10)
	if err != nil {
		t.Fatal(err)
	}
	gateways := []*registry.Member{r.join("one", 1), r.join("two", 2), other}
	found := make(map[string]registry.PlayerSession)
	for i, name := range []string{"Annika", "Edith", "Anna", "Annabell", "Berta"} { // accounts are in another order than names
		a, err := r.store.CreateAccount(t.Context(), store.Account{Name: strings.ToUpper(name)})
		if err != nil {
			t.Fatal(err)
		}
		c, err := r.store.CreateCharacter(t.Context(), store.Character{Account: a.ID, Name: name, Race: 1, Class: 1})
		if err != nil {
			t.Fatal(err)
		}
		if name == "Berta" { // who is not online
			continue
		}
		m := gateways[i%len(gateways)] // Anna is in the other realm
		fence, err := m.Claim(t.Context(), a.ID, c.GUID, r.login(m))
		if err != nil {
			t.Fatal(err)
		}
		at := registry.Location{Account: a.ID, Fence: fence, Map: 2, Instance: uint32(i)}
		if noted, err := m.Locate(t.Context(), []registry.Location{at}); err != nil || len(noted) != 1 {
			t.Fatal(noted, err)
		}
		found[name] = registry.PlayerSession{
			Account: a.ID, AccountName: a.Name, GUID: c.GUID, Character: name, Gateway: m.Number(), InWorld: true, Map: 2, Instance: uint32(i),
		}
	}
	for _, test := range []struct {
		realm, begins string
		most, total   int
		want          []string
	}{
		{"muster", "ann", 10, 2, []string{"Annabell", "Annika"}},
		{"muster", "Ann", 1, 2, []string{"Annabell"}},
		{"muster", "ANNIKA", 10, 1, []string{"Annika"}},
		{"muster", "eD", 10, 1, []string{"Edith"}},
		{"another", "Ann", 10, 1, []string{"Anna"}},
		{"muster", "Annikas", 10, 0, nil},
		{"muster", "nnika", 10, 0, nil},
		{"muster", "A%", 10, 0, nil},
		{"muster", "_nnika", 10, 0, nil},
		{"muster", "Berta", 10, 0, nil},
		{"a third", "Ann", 10, 0, nil},
	} {
		var want []registry.PlayerSession
		for _, name := range test.want {
			want = append(want, found[name])
		}
		list, n, err := r.FindPlayers(t.Context(), test.realm, test.begins, test.most)
		if err != nil || n != test.total || !slices.Equal(list, want) {
			t.Errorf("%q begins %d of %d names in %s, %v: %+v\nwant %+v", test.begins, len(list), n, test.realm, err, list, want)
		}
	}
}

// Neither the sessions nor the characters are read one by one when some of 10,000 players are searched for by the first three letters of their names, also when the
// statement was prepared and executed before.
func TestFindPlayersUsesIndexes(t *testing.T) {
	r := newRig(t)
	m := r.join("one", 1)
	a, err := r.store.CreateAccount(t.Context(), store.Account{Name: "ANNA"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.store.CreateCharacter(t.Context(), store.Character{Account: a.ID, Name: "Anna", Race: 1, Class: 1}); err != nil {
		t.Fatal(err)
	}
	const name = `SELECT string_agg(chr(97 + (i * 7919 / p) % 26), '') FROM unnest('{1,26,676,17576}'::int[]) AS p` // of four letters
	r.exec(`INSERT INTO auth.accounts SELECT n.*
		FROM auth.accounts a, generate_series(1, 10000) AS i, jsonb_populate_record(a, jsonb_build_object('id', 1000 + i, 'name', 'A' || i)) AS n`)
	r.exec(`INSERT INTO characters.characters SELECT n.*
		FROM characters.characters c, generate_series(1, 10000) AS i, jsonb_populate_record(c, jsonb_build_object('guid', 1000 + i, 'account', 1000 + i, 'name', (` + name + `))) AS n`)
	r.exec(`INSERT INTO cluster.sessions (account, login, gateway, guid, fence, since) SELECT 1000 + i, i, $1, 1000 + i, i, now() FROM generate_series(1, 10000) AS i`, int64(m.Number()))
	r.exec(`ANALYZE auth.accounts, characters.characters, cluster.sessions, cluster.gateways, cluster.realms`)
	r.exec(`SET search_path = cluster`)
	r.exec(`PREPARE find (text, text, bigint) AS ` + registry.FindPlayersQuery)
	for range 10 { // after five PostgreSQL may plan for any text
		r.exec(`EXECUTE find('muster', 'abc', 20)`)
	}
	rows, err := r.raw.Query(t.Context(), `EXPLAIN EXECUTE find('muster', 'abc', 20)`)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(plan, "\n")
	if strings.Contains(text, "Seq Scan on sessions") || strings.Contains(text, "Seq Scan on characters") || !strings.Contains(text, "characters_name") {
		t.Errorf("the plan is\n%s", text)
	}
	if list, n, err := r.FindPlayers(t.Context(), "muster", "abc", 20); err != nil || n != len(list) || n == 0 {
		t.Errorf("%d of %d players are found, %v", len(list), n, err)
	}
}
