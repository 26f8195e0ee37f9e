package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"muster/cmd/internal/realm"
	"muster/internal/golden"
	"muster/net/ops/control"
	"muster/net/protocol/msg"
)

// wants calls an operation and compares its answer.
func (s *served) wants(method, path, body string, status int, want string) {
	s.t.Helper()
	got, text := s.call(method, path, body)
	if got != status || strings.TrimSpace(text) != want {
		s.t.Errorf("%s %s %s: %d %s, want %d %s", method, path, body, got, text, status, want)
	}
}

// refuses calls an operation that is refused for a reason.
func (s *served) refuses(method, path, body string, status int, reason string) {
	s.t.Helper()
	got, text := s.call(method, path, body)
	var e control.Error
	if err := json.Unmarshal([]byte(text), &e); err != nil || got != status || e.Reason != reason || e.Text == "" {
		s.t.Errorf("%s %s %s: %d %s, want %d for %s", method, path, body, got, text, status, reason)
	}
}

func TestOpenAPI(t *testing.T) {
	all := append(control.Operations(), realm.ListedOperations()...)
	golden.Compare(t, "../../docs/openapi.json", control.Document(all))
	var names []string
	for _, o := range all {
		if slices.Contains(names, o.Name) {
			t.Errorf("two operations are called %s", o.Name)
		}
		names = append(names, o.Name)
	}
}

// Operations of a server on accounts and characters, without a client.
func TestControlOfAccounts(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0", "--open-accounts", "", "--start", "one")
	for _, o := range realm.ListedOperations() { // those of other packages are there
		if status, text := s.call(o.Method, strings.ReplaceAll(o.Path, "{name}", "none"), ""); strings.Contains(text, "page not found") || status == http.StatusMethodNotAllowed {
			t.Errorf("%s %s: %d %s", o.Method, o.Path, status, text)
		}
	}
	if s.must("GET", "/api/openapi.json", "") != string(control.Document(append(control.Operations(), realm.ListedOperations()...))) {
		t.Error("the document that is served is another one")
	}

	s.wants("POST", "/api/accounts", `{"name":"visitor","password":"`+defaultPassword+`","level":2}`, 200, `{"id":1,"name":"VISITOR","level":2}`)
	s.refuses("POST", "/api/accounts", `{"name":"visitor","password":"x"}`, 409, "account_exists")
	s.refuses("POST", "/api/accounts", `{"name":"other","password":"x","level":4}`, 400, "bad_level")
	s.refuses("POST", "/api/accounts", `{"name":"other"}`, 400, "malformed")
	s.refuses("POST", "/api/accounts", `{"name":"other","password":"x","size":1}`, 400, "malformed")
	s.refuses("POST", "/api/accounts", `{"name":"`+strings.Repeat("a", 16<<10)+`"}`, 400, "malformed")

	var made control.CharacterPlace
	body := `{"account":"visitor","name":"aNNA","race":1,"class":8,"gender":1,"level":12}`
	if err := json.Unmarshal([]byte(s.must("POST", "/api/characters", body)), &made); err != nil || made.Name != "Anna" || made.Level != 12 || made.GUID == 0 || made.X == 0 {
		t.Errorf("created %+v, %v", made, err)
	}
	s.refuses("POST", "/api/characters", body, 409, "name_taken")
	placed := `{"account":"visitor","name":"Bea","race":1,"class":1,"at":{"map":0,"x":50,"y":60.5,"z":40,"o":1}}`
	var there control.CharacterPlace
	if err := json.Unmarshal([]byte(s.must("POST", "/api/characters", placed)), &there); err != nil || there.X != 50 || there.Y != 60.5 || there.Z != 40 || there.O != 1 || there.Map != 0 {
		t.Errorf("created %+v, %v", there, err)
	}
	if c := s.state("bea"); c.X != 50 || c.Y != 60.5 || c.Z != 40 || c.O != 1 || c.Map != 0 {
		t.Errorf("stored at %+v", c)
	}
	s.refuses("POST", "/api/characters", strings.Replace(placed, `"map":0`, `"map":77`, 1), 404, "no_map")
	s.refuses("POST", "/api/characters", strings.Replace(placed, `"x":50`, `"x":50000`, 1), 400, "malformed")
	s.wants("DELETE", "/api/characters/bea", "", 200, "{}")
	s.refuses("POST", "/api/characters", strings.ReplaceAll(body, `:8`, `:11`), 400, "bad_race_class")
	s.refuses("POST", "/api/characters", strings.ReplaceAll(body, `aNNA`, `b`), 400, "bad_name")
	s.refuses("POST", "/api/characters", strings.ReplaceAll(body, `12`, `81`), 400, "malformed")
	s.refuses("POST", "/api/characters", strings.ReplaceAll(body, `visitor`, `nobody`), 404, "no_account")

	v := visit(t, s, "VISITOR")
	list := v.list()
	if len(list) != 1 || list[0].Name != "Anna" || list[0].Level != 12 || list[0].Look.Class != 8 || list[0].Look.Gender != 1 {
		t.Errorf("the client is shown %+v", list)
	}
	v.name, v.guid = "Anna", list[0].GUID
	v.enter()
	s.wants("POST", "/api/console", `{"line":"#Anna levelup 3"}`, 200, `{"ok":true,"lines":["Anna comes from level 12 to level 15."]}`)
	s.wants("POST", "/api/console", `{"line":"dance"}`, 200, `{"ok":false,"lines":["There is no such verb."]}`)
	s.refuses("POST", "/api/characters/bert/kick", "", 404, "offline")
	s.wants("POST", "/api/characters/anna/kick", "", 200, "{}")
	eventually(t, "Anna is out", func() bool { return strings.Contains(s.must("GET", "/api/sessions", ""), `"total":0`) })

	s.wants("POST", "/api/accounts/visitor/ban", `{"reason":"test"}`, 200, "{}")
	s.refuses("POST", "/api/accounts/visitor/ban", `{}`, 400, "malformed")
	s.wants("POST", "/api/accounts/visitor/unban", "", 200, "{}")
	s.wants("POST", "/api/accounts/visitor/level", `{"level":0}`, 200, "{}")
	s.wants("POST", "/api/accounts/visitor/password", `{"password":"another"}`, 200, "{}")
	s.refuses("POST", "/api/accounts/nobody/password", `{"password":"another"}`, 404, "no_account")
	s.refuses("DELETE", "/api/characters/bert", "", 404, "no_character")
	s.wants("DELETE", "/api/characters/anna", "", 200, "{}")
	s.refuses("DELETE", "/api/characters/anna?account=visitor", "", 404, "no_character")
	s.wants("DELETE", "/api/accounts/visitor", "", 200, "{}")
	s.refuses("DELETE", "/api/accounts/visitor", "", 404, "no_account")

	// A page of another site changes nothing.
	r, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+s.admin+"/api/accounts", strings.NewReader(`{"name":"evil","password":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	got, err := alone.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	if got.StatusCode != http.StatusForbidden {
		t.Errorf("another site creates an account: %d", got.StatusCode)
	}
}

// state is the state of a character.
func (s *served) state(name string) (c control.Character) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(s.must("GET", "/api/characters/"+name, "")), &c); err != nil {
		s.t.Fatal(err)
	}
	return c
}

// after is the state of a character after an operation on it.
func (s *served) after(method, path, body string) (c control.Character) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(s.must(method, path, body)), &c); err != nil {
		s.t.Fatal(err)
	}
	return c
}

// Operations on a character in a world, on a clock that stands: they take the steps that they need.
func TestControlOfTheWorld(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0", "--open-level", "3", "--clock", "virtual")
	s.must("POST", "/api/clock", `{"do":"run","speed":1}`)
	v := visit(t, s, "ANNA")
	v.create("Anna")
	v.enter()
	s.must("POST", "/api/clock", `{"do":"pause"}`)
	const anna = "/api/characters/anna"

	began := s.state("anna")
	if !began.Online || !began.Alive || began.Level != 1 || began.Health != began.MaxHealth || began.Health == 0 || len(began.Spells) == 0 {
		t.Errorf("Anna begins as %+v", began)
	}
	if c := s.after("POST", anna+"/level", `{"level":20}`); c.Level != 20 || c.MaxHealth <= began.MaxHealth {
		t.Errorf("after level 20: level %d, health %d", c.Level, c.MaxHealth)
	}
	if c := s.after("POST", anna+"/health", `{"amount":30}`); c.Health != 30 {
		t.Errorf("after health 30: %d", c.Health)
	}
	if c := s.after("POST", anna+"/money", `{"amount":70}`); c.Money != 70 {
		t.Errorf("after money 70: %d", c.Money)
	}
	if c := s.after("POST", anna+"/money", `{"amount":-3}`); c.Money != 67 {
		t.Errorf("after 3 copper less: %d", c.Money)
	}
	has := func(c control.Character) (n uint32) {
		for _, it := range c.Items {
			if it.Entry == 100045 {
				n += it.Count
			}
		}
		return n
	}
	before := has(s.state("anna"))
	if n := has(s.after("POST", anna+"/items", `{"entry":100045,"count":2}`)); n != before+2 {
		t.Errorf("%d of item 100045, before %d", n, before)
	}
	if n := has(s.after("POST", anna+"/items", `{"entry":100045,"count":-1}`)); n != before+1 {
		t.Errorf("%d of item 100045, before %d", n, before)
	}
	s.refuses("POST", anna+"/items", `{"entry":16777215,"count":1}`, 409, "refused")
	forgotten := began.Spells[0]
	path := "/api/characters/anna/spells/" + strconv.Itoa(int(forgotten))
	if c := s.after("DELETE", path, ""); slices.Contains(c.Spells, forgotten) {
		t.Errorf("spell %d is not forgotten", forgotten)
	}
	if c := s.after("POST", anna+"/spells", `{"spell":`+strconv.Itoa(int(forgotten))+`}`); !slices.Contains(c.Spells, forgotten) {
		t.Errorf("spell %d is not learned", forgotten)
	}

	// What she has selected does not matter, and her health is her own.
	place := fmt.Sprintf(`"map":%d,"x":%f,"y":%f,"z":%f`, began.Map, began.X, began.Y, began.Z)
	var there control.Creatures
	if err := json.Unmarshal([]byte(s.must("GET", fmt.Sprintf("/api/creatures?map=%d&limit=2", began.Map), "")), &there); err != nil || len(there.Creatures) != 2 {
		t.Fatalf("two creatures are %+v, %v", there, err)
	}
	circle := fmt.Sprintf("/api/creatures?map=%d&near=%f,%f,20000&limit=", began.Map, began.X, began.Y)
	if text := s.must("GET", circle+"2", ""); !there.More || !strings.Contains(text, `"more":true`) {
		t.Errorf("two creatures of some are said to be all: %+v, and %s", there, text)
	}
	if text := s.must("GET", circle+"1000", ""); !strings.Contains(text, `"more":false`) {
		t.Errorf("all are said to be some: %s", text)
	}
	entry := there.Creatures[0].Entry
	var wolf control.CreatureGUID
	if err := json.Unmarshal([]byte(s.must("POST", "/api/creatures", fmt.Sprintf(`{"entry":%d,`, entry)+place+`}`)), &wolf); err != nil {
		t.Fatal(err)
	}
	guid, err := strconv.ParseUint(wolf.GUID, 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	list := func() string {
		return s.must("GET", fmt.Sprintf("/api/creatures?map=%d&entry=%d&limit=1000", began.Map, entry), "")
	}
	if text := list(); !strings.Contains(text, fmt.Sprintf(`"guid":"%s","entry":%d,`, wolf.GUID, entry)) {
		t.Errorf("%s is not in %s", wolf.GUID, text)
	}
	v.say(msg.OpSetSelection, &msg.SetSelection{GUID: guid})
	eventually(t, "Anna has selected it", func() bool {
		s.must("POST", "/api/clock", `{"do":"step"}`)
		return s.state("anna").Target == guid
	})
	if c := s.after("POST", anna+"/health", `{"amount":300}`); c.Health != 300 || c.Target != guid {
		t.Errorf("health %d, target %#x", c.Health, c.Target)
	}
	s.wants("DELETE", "/api/creatures/"+wolf.GUID, "", 200, "{}")
	if text := list(); strings.Contains(text, wolf.GUID) {
		t.Errorf("%s is still in %s", wolf.GUID, text)
	}
	s.refuses("DELETE", "/api/creatures/"+wolf.GUID, "", 404, "no_creature")
	s.refuses("POST", "/api/creatures", `{"entry":16777215,`+place+`}`, 409, "refused")
	s.refuses("GET", "/api/creatures?map=77", "", 404, "no_map")

	if c := s.after("POST", anna+"/kill", ""); c.Alive || c.Health != 0 {
		t.Errorf("after the kill: %+v", c)
	}
	s.refuses("POST", anna+"/health", `{"amount":5}`, 409, "refused")
	if c := s.after("POST", anna+"/revive", ""); !c.Alive || c.Health != c.MaxHealth {
		t.Errorf("after the revival: %+v", c)
	}
	s.wants("POST", anna+"/teleport", fmt.Sprintf(`{"map":%d,"x":50,"y":60,"z":40}`, began.Map), 200, "{}")
	s.must("POST", "/api/clock", `{"do":"step"}`)
	var to msg.Teleport
	if v.await(msg.OpMoveTeleportAck, &to); to.X != 50 || to.Y != 60 || to.Z != 40 {
		t.Errorf("teleported to %+v", to)
	}
	s.wants("POST", "/api/announce", `{"text":"hear ye"}`, 200, "{}")
	v.hears("[Server] hear ye")
	s.must("POST", "/api/clock", `{"do":"run","speed":1}`)
	s.must("POST", anna+"/kick", "")
	eventually(t, "Anna is stored", func() bool { c := s.state("anna"); return !c.Online && c.Level == 20 && c.Money == 67 })
}
