package realm

import (
	"net/http"
	"net/http/httptest"
	"testing"
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
