package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"muster/internal/golden"
	"muster/net/ops/control"
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
	all := append(control.Operations(), listedOperations()...)
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
	for _, o := range listedOperations() { // those of other packages are there
		if status, text := s.call(o.Method, strings.ReplaceAll(o.Path, "{name}", "none"), ""); strings.Contains(text, "page not found") || status == http.StatusMethodNotAllowed {
			t.Errorf("%s %s: %d %s", o.Method, o.Path, status, text)
		}
	}
	if s.must("GET", "/api/openapi.json", "") != string(control.Document(append(control.Operations(), listedOperations()...))) {
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
