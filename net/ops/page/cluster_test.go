package page

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"muster/components/defs"
	"muster/net/ops/admin"
)

// A realm is a Cluster as a test sets it.
type realm struct {
	places []Place
	err    error

	found  Found
	begins string // the last text that was searched for
	most   int
}

func (r *realm) Find(_ context.Context, begins string, most int) (Found, error) {
	r.begins, r.most = begins, most
	return r.found, r.err
}

func (r *realm) Read(context.Context) (any, error) {
	return map[string]int{"shards": len(r.places)}, r.err
}

func (r *realm) Places(context.Context) ([]Place, error) { return r.places, r.err }

// front is the page of another process of the cluster of a page, without worlds.
func front(t *testing.T, behind *fixture, token string, d *defs.World) (*fixture, *realm) {
	t.Helper()
	at, err := url.Parse(behind.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := &realm{places: []Place{{3, 0, at.Host}}}
	p := New(Config{Release: "v2", Defs: d, Cluster: c, Token: token})
	s, err := admin.New(admin.Config{Token: "0123456789abcdef", Parts: p.Parts()})
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{Page: p, metric: p.config.Metric, server: httptest.NewServer(s)}
	t.Cleanup(func() {
		f.server.CloseClientConnections()
		f.server.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return f, c
}

// A process without worlds answers what the one answers that has them.
func TestWorldsOfOtherProcesses(t *testing.T) {
	behind := newFixture(t, nil, some)
	f, c := front(t, behind, "0123456789abcdef", nil)
	for _, path := range []string{
		"/api/world", "/api/maps/3/spawns", "/api/maps/3/ground.png", "/api/maps/3/entities?x=0&y=0&r=9", "/api/maps/3/entities?x=0&y=0&r=1001",
		"/api/entity/0x1", "/api/entity/2",
	} {
		status, text := f.ask(t, "GET", path, "")
		if want, as := behind.ask(t, "GET", path, ""); status != want || text != as {
			t.Errorf("%s: %d %.80s, want %d %.80s", path, status, text, want, as)
		}
	}
	for path, want := range map[string]int{"/api/maps/4/entities?x=0&y=0&r=1": 503, "/api/maps/3/entities?x=0&y=0&r=1&instance=1": 503, "/api/maps/a/entities": 404} {
		if status, text := f.ask(t, "GET", path, ""); status != want {
			t.Errorf("%s: %d %s, want %d", path, status, text, want)
		}
	}
	if status, text := f.ask(t, "GET", "/api/cluster", ""); status != 200 || text != `{"shards":1}`+"\n" {
		t.Errorf("the cluster is %d %s", status, text)
	}
	r := f.request(t, "GET", watch, "")
	defer r.Body.Close()
	lines := bufio.NewScanner(r.Body)
	lines.Buffer(nil, MaxEvent)
	for n := 0; n < 3; {
		if !lines.Scan() {
			t.Fatalf("the events end: %v", lines.Err())
		}
		if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			if n++; !strings.Contains(text, `"things":["0xf130000000000002",4.0,3.0,35,`) {
				t.Errorf("an event is %s", text)
			}
		}
	}
	if a, b := len(f.watchers), len(behind.watchers); a != 1 || b != 1 {
		t.Errorf("%d and %d watch, want one each", a, b)
	}

	c.err = errors.New("away")
	for _, path := range []string{"/api/cluster", "/api/world", "/api/maps/3/entities?x=0&y=0&r=9", "/api/entity/0x1"} {
		if status, text := f.ask(t, "GET", path, ""); status != 503 || strings.Contains(text, "away") {
			t.Errorf("without a registry, %s: %d %s", path, status, text)
		}
	}
}

// A search for players is answered by the registry, with as many as are shown, and one for what can be no name by the page.
func TestPlayersAreFound(t *testing.T) {
	alone := newFixture(t, nil, some)
	if status, text := alone.ask(t, "GET", "/api/cluster/players?q=ann", ""); status != 404 {
		t.Errorf("one process answers %d %s", status, text)
	}
	f, c := front(t, alone, "0123456789abcdef", nil)
	c.found = Found{21, []Player{{"Anna", 1 << 60, 2, &InWorld{3, 12, 7}}, {"Annika", 5, 1, &InWorld{Map: 1}}, {"Annot", 6, 1, nil}}}
	const all = `{"total":21,"players":[{"name":"Anna","guid":"1152921504606846976","gateway":2,"world":{"map":3,"instance":12,"worker":7}},` +
		`{"name":"Annika","guid":"5","gateway":1,"world":{"map":1,"instance":0}},{"name":"Annot","guid":"6","gateway":1,"world":null}]}` + "\n"
	const none = `{"total":0,"players":[]}` + "\n"
	for _, test := range []struct {
		q      string
		status int
		want   string
		begins string
	}{
		{"ann", 200, all, "ann"},
		{"%C3%A4+%25", 200, all, "ä %"},
		{strings.Repeat("a", maxName), 200, all, strings.Repeat("a", maxName)},
		{strings.Repeat("a", maxName+1), 200, none, ""},
		{"a%00", 200, none, ""},
		{"a%ff", 200, none, ""},
		{"", 400, "q is how a name begins\n", ""},
	} {
		c.begins = ""
		status, text := f.ask(t, "GET", "/api/cluster/players?q="+test.q, "")
		if status != test.status || text != test.want || c.begins != test.begins || c.most != maxFound {
			t.Errorf("%.9q: %d %s for %d that begin with %q, want %d %s for %q", test.q, status, text, c.most, c.begins, test.status, test.want, test.begins)
		}
	}
	c.err = errors.New("away")
	if status, text := f.ask(t, "GET", "/api/cluster/players?q=ann", ""); status != 503 || strings.Contains(text, "away") {
		t.Errorf("without a registry: %d %s", status, text)
	}
}

// Where processes have different tokens, none is told of the other's worlds, and the browser is not asked for a password.
func TestOtherToken(t *testing.T) {
	behind := newFixture(t, nil, some)
	f, _ := front(t, behind, "another one of 16", nil)
	r := f.request(t, "GET", "/api/maps/3/entities?x=0&y=0&r=9", "")
	defer r.Body.Close()
	if r.StatusCode != http.StatusBadGateway || r.Header.Get("WWW-Authenticate") != "" {
		t.Errorf("it is answered %d %v", r.StatusCode, r.Header)
	}
	if status, _ := f.ask(t, "GET", "/api/entity/0x1", ""); status != 503 {
		t.Errorf("an entity is answered %d", status)
	}
}

// A process that has not the world any more asks no other for it in turn.
func TestForwardedOnce(t *testing.T) {
	behind := newFixture(t, nil, some)
	middle, _ := front(t, behind, "0123456789abcdef", nil)
	f, _ := front(t, middle, "0123456789abcdef", behind.config.Defs)
	for _, path := range []string{"/api/maps/3/entities?x=0&y=0&r=9", "/api/entity/0x1"} {
		if status, text := f.ask(t, "GET", path, ""); status != 404 {
			t.Errorf("%s: %d %s, want 404", path, status, text)
		}
	}
	if status, text := f.ask(t, "GET", "/api/world", ""); status != 200 || !strings.Contains(text, `"release":"v2"`) || !strings.Contains(text, `"cluster":true`) {
		t.Errorf("a process that knows the maps answers %d %s", status, text)
	}
}

// The processes are asked for an entity beside each other, and no more of them than are allowed: here each answers only when so many are asked.
func TestProcessesAreAskedTogether(t *testing.T) {
	const all = 2*maxAsked + 1
	var mu sync.Mutex
	asked, open, most := 0, 0, 0
	together := make(chan struct{})
	for _, test := range []struct{ has, want int }{{-1, http.StatusNotFound}, {all - 1, http.StatusOK}} {
		c := new(realm)
		for i := range all {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				asked, open = asked+1, open+1
				most = max(most, open)
				if asked == maxAsked {
					close(together)
				}
				mu.Unlock()
				<-together
				mu.Lock()
				open--
				mu.Unlock()
				if i == test.has {
					io.WriteString(w, "{}")
				} else {
					http.NotFound(w, r)
				}
			}))
			t.Cleanup(s.Close)
			c.places = append(c.places, Place{Admin: s.Listener.Addr().String()})
		}
		p := New(Config{Cluster: c})
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/api/entity/1", nil)
		r.SetPathValue("guid", "1")
		p.entity(w, r)
		if w.Code != test.want || test.want == http.StatusOK && w.Body.String() != "{}" {
			t.Errorf("it is answered %d %s, want %d", w.Code, w.Body, test.want)
		}
	}
	if mu.Lock(); asked <= all || most != maxAsked {
		t.Errorf("%d were asked, up to %d at a time; want more than %d, and %d", asked, most, all, maxAsked)
	}
	mu.Unlock()
}
