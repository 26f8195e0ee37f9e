package realm

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"muster/net/ops/admin"
	"muster/net/replication/natsbus"
)

// A server that begins, as a gateway does while its workers are not there, is alive and not ready, and answers nothing else.
func TestServerThatBegins(t *testing.T) {
	s := new(server)
	s.present.Store(new(Realm))
	for path, want := range map[string]int{
		"/livez": http.StatusOK, "/healthz": http.StatusOK, "/readyz": http.StatusServiceUnavailable, "/metrics": http.StatusServiceUnavailable,
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != want {
			t.Errorf("%s is answered with %d %q, want %d", path, w.Code, w.Body, want)
		}
	}
}

// A gateway needs the bus; a server whose worlds are its own does not.
func TestChecks(t *testing.T) {
	for _, bus := range []*natsbus.Bus{nil, new(natsbus.Bus)} {
		r := new(Realm)
		r.links.bus = bus
		if got := slices.ContainsFunc(r.checks(), func(c admin.Check) bool { return c.Name == "bus" }); got != (bus != nil) {
			t.Errorf("with a bus, %v: that it is checked is %v", bus != nil, got)
		}
	}
}
