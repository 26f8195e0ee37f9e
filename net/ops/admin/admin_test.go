package admin_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"muster/internal/metric"
	"muster/net/ops/admin"
)

const token = "0123456789abcdef"

var (
	loopback = netip.MustParseAddrPort("127.0.0.1:8086")
	anywhere = netip.MustParseAddrPort("0.0.0.0:8086")
)

func server(t *testing.T, c admin.Config) *admin.Server {
	t.Helper()
	if !c.Address.IsValid() {
		c.Address = loopback
	}
	c.Stats = func() any { return map[string]int{"flushes": 7} }
	s, err := admin.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask sends a request with headers, given as name and value in turn, and returns what came of it.
func ask(h http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	r.Host, r.RemoteAddr = "127.0.0.1:8086", "192.0.2.1:4000"
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestPaths(t *testing.T) {
	sick := errors.New("map 1 stands still")
	well := admin.Config{Checks: []admin.Check{{Name: "store", Test: func(context.Context) error { return nil }}}}
	ill := admin.Config{
		Alive:  func() error { return sick },
		Checks: append(well.Checks, admin.Check{Name: "worlds", Test: func(context.Context) error { return sick }}),
		Parts: []admin.Part{{Pattern: "GET /api/near", Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "here")
		})}},
	}
	for _, c := range []struct {
		of           admin.Config
		method, path string
		status       int
		body         string
	}{
		{well, "GET", "/livez", 200, "ok\n"},
		{well, "GET", "/healthz", 200, "ok\n"},
		{well, "GET", "/healthcheck", 200, `{"status":"OK"}`},
		{well, "GET", "/readyz", 200, `{"ready":true,"checks":[{"name":"store","ok":true}]}` + "\n"},
		{well, "GET", "/stats", 200, `{"flushes":7}` + "\n"},
		{well, "POST", "/livez", 405, "Method Not Allowed\n"},
		{well, "GET", "/", 404, "404 page not found\n"},
		{well, "GET", "/../../etc/passwd", 307, `<a href="/etc/passwd">Temporary Redirect</a>.` + "\n\n"},
		{ill, "GET", "/livez", 503, "not alive\n"},
		{ill, "GET", "/healthcheck", 503, "not alive\n"},
		{ill, "GET", "/readyz", 503,
			`{"ready":false,"checks":[{"name":"store","ok":true},{"name":"worlds","ok":false,"error":"map 1 stands still"}]}` + "\n"},
		{ill, "GET", "/api/near", 200, "here"},
	} {
		w := ask(server(t, c.of), c.method, c.path)
		if w.Code != c.status || w.Body.String() != c.body {
			t.Errorf("%s %s: %d %q, want %d %q", c.method, c.path, w.Code, w.Body, c.status, c.body)
		}
	}
}

// However many requests for readiness there are, the checks are made once in a second; and a client that goes
// before the answer does not spoil it for others.
func TestReadyIsCheckedOnceInASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		checks, sick := 0, error(nil)
		s := server(t, admin.Config{Checks: []admin.Check{{Name: "store", Test: func(ctx context.Context) error {
			checks++
			return errors.Join(sick, ctx.Err())
		}}}})
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "http://localhost/readyz", nil).WithContext(gone))
		for range 100 {
			if w := ask(s, "GET", "/readyz"); w.Code != 200 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
		}
		sick = errors.New("away")
		time.Sleep(time.Second)
		if w := ask(s, "GET", "/readyz"); w.Code != 503 || !strings.Contains(w.Body.String(), "away") {
			t.Errorf("a second later: %d %s", w.Code, w.Body)
		}
		if checks != 2 {
			t.Errorf("the store was asked %d times, want 2", checks)
		}
	})
}

func TestAccess(t *testing.T) {
	right, wrong := "Bearer "+token, "Bearer 0123456789abcdeF"
	for _, c := range []struct {
		token, method, path string
		headers             []string
		status              int
	}{
		{"", "GET", "/stats", nil, 200},
		{"", "GET", "/stats", []string{"Host", "localhost:8086"}, 200},
		{"", "GET", "/stats", []string{"Host", "[::1]:8086"}, 200},
		{"", "GET", "/stats", []string{"Host", "evil.example:8086"}, 403},
		{"", "GET", "/stats", []string{"Host", "192.0.2.7:8086"}, 403},
		{"", "GET", "/stats", []string{"Host", ""}, 403},
		{"", "POST", "/act", []string{"Sec-Fetch-Site", "same-origin"}, 200},
		{"", "POST", "/act", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"", "POST", "/act", []string{"Origin", "http://evil.example"}, 403},
		{"", "GET", "/debug/pprof/cmdline", nil, 200},
		{"", "GET", "/debug/pprof/cmdline", []string{"Sec-Fetch-Site", "none"}, 200},
		{"", "GET", "/debug/pprof/cmdline", []string{"Sec-Fetch-Site", "same-origin"}, 200},
		{"", "GET", "/debug/pprof/profile?seconds=0", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"", "GET", "/debug/pprof/trace", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"", "GET", "/debug/pprof/trace", []string{"Origin", "http://evil.example"}, 403},
		{"", "GET", "/api/sessions/ANNA/trace", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"", "GET", "/stats", []string{"Sec-Fetch-Site", "cross-site"}, 200},
		{token, "GET", "/stats", nil, 401},
		{token, "GET", "/stats", []string{"Authorization", wrong}, 401},
		{token, "GET", "/stats", []string{"Authorization", token}, 401},
		{token, "GET", "/stats", []string{"Authorization", right}, 200},
		{token, "GET", "/stats", []string{"Authorization", right, "Host", "muster.example"}, 200},
		{token, "GET", "/stats", []string{"Authorization", "Basic OjAxMjM0NTY3ODlhYmNkZWY="}, 200},
		{token, "GET", "/stats", []string{"Authorization", "Basic OjAxMjM0NTY3ODlhYmNkZUY="}, 401},
		{token, "POST", "/act", []string{"Authorization", right, "Sec-Fetch-Site", "cross-site"}, 403},
		{token, "GET", "/livez", nil, 200},
		{token, "GET", "/readyz", nil, 503},
		{token, "GET", "/livez", []string{"Authorization", wrong}, 401},
		{token, "GET", "/livez/../stats", nil, 401},
	} {
		s := server(t, admin.Config{
			Token:  c.token,
			Checks: []admin.Check{{Name: "store", Test: func(context.Context) error { return errors.New("password of db") }}},
			Parts:  []admin.Part{{Pattern: "POST /act", Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}},
		})
		w := ask(s, c.method, c.path, c.headers...)
		if w.Code != c.status {
			t.Errorf("%s %s %q of token %q: %d, want %d", c.method, c.path, c.headers, c.token, w.Code, c.status)
		}
		if strings.Contains(w.Body.String(), "password of db") {
			t.Errorf("%s %s answers a stranger %q", c.method, c.path, w.Body)
		}
	}
}

// An address that guesses is not listened to for a minute; the others are.
func TestGuessingIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		counters := new(metric.Table)
		s := server(t, admin.Config{Address: anywhere, Token: token, Metric: counters})
		for i := range 12 {
			want := 401
			if i >= 10 {
				want = 429
			}
			if w := ask(s, "GET", "/stats", "Authorization", "Bearer guess"); w.Code != want {
				t.Errorf("guess %d: %d, want %d", i, w.Code, want)
			}
		}
		if w := ask(s, "GET", "/stats", "Authorization", "Bearer "+token); w.Code != 429 {
			t.Errorf("the right token after ten wrong ones: %d", w.Code)
		}
		var shared uint64 // addresses that have the place of this one among 1,024, as one in so many has
		for i := range 4 {
			r := httptest.NewRequest("GET", "/stats", nil)
			r.RemoteAddr = fmt.Sprintf("198.51.100.%d:4000", i)
			r.Header.Set("Authorization", "Bearer "+token)
			w := httptest.NewRecorder()
			if s.ServeHTTP(w, r); w.Code == 429 {
				shared++
			} else if w.Code != 200 {
				t.Errorf("another address: %d", w.Code)
			}
		}
		if shared == 4 {
			t.Error("all addresses are locked out")
		}
		time.Sleep(time.Minute)
		if w := ask(s, "GET", "/stats", "Authorization", "Bearer "+token); w.Code != 200 {
			t.Errorf("a minute later: %d", w.Code)
		}
		if bad, locked := counters.Value("admin.bad_token"), counters.Value("admin.locked_out"); bad != 10 || locked != 3+shared {
			t.Errorf("counted %d wrong tokens and %d refusals, want 10 and %d", bad, locked, 3+shared)
		}
	})
}

func TestOpenAddressesNeedAToken(t *testing.T) {
	for _, c := range []admin.Config{{Address: anywhere}, {Address: anywhere, Token: "short"}, {Address: loopback, Token: "short"}} {
		if _, err := admin.New(c); err == nil {
			t.Errorf("%v with token %q is served", c.Address, c.Token)
		}
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- server(t, admin.Config{}).Serve(ctx, l) }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Get("http://" + l.Addr().String() + "/livez")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err != nil || string(body) != "ok\n" {
		t.Errorf("%q, %v", body, err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
		c.Close()
		t.Error("the listener is still open")
	}
}

func TestServeReportsAListenerThatFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := server(t, admin.Config{}).Serve(t.Context(), l); err == nil {
		t.Error("a closed listener served")
	}
}

// A pipe is a listener with one connection, whose writes block until they are read.
type pipe struct{ conns chan net.Conn }

func (p pipe) Accept() (net.Conn, error) {
	if c, ok := <-p.conns; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (p pipe) Close() error   { close(p.conns); return nil }
func (p pipe) Addr() net.Addr { return &net.TCPAddr{} }

// A client that does not read its answer keeps no place.
func TestAnswersAreTakenIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, peer := net.Pipe()
		l := pipe{make(chan net.Conn, 1)}
		l.conns <- peer
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- server(t, admin.Config{}).Serve(ctx, l) }()
		began := time.Now()
		io.WriteString(client, "GET /stats HTTP/1.1\r\nHost: localhost\r\n\r\n")
		time.Sleep(4 * time.Minute)
		if n, err := client.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("%v after it asked it is still answered: %d bytes, %v", time.Since(began), n, err)
		}
		client.Close()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// A client that holds all places keeps others out; one that closes makes room.
func TestConnectionsAreLimited(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- server(t, admin.Config{}).Serve(ctx, l) }()
	var held []net.Conn
	for range 128 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, c)
		io.WriteString(c, "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if _, err := io.ReadFull(c, make([]byte, 12)); err != nil {
			t.Fatal(err)
		}
	}
	late, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(late, "GET /livez HTTP/1.0\r\nHost: localhost\r\n\r\n")
	late.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, _ := late.Read(make([]byte, 1)); n > 0 {
		t.Error("one more than there are places was served")
	}
	held[0].Close()
	late.SetReadDeadline(time.Now().Add(2 * time.Minute))
	if all, err := io.ReadAll(late); err != nil || !strings.HasPrefix(string(all), "HTTP/1.0 200") {
		t.Errorf("after one has gone: %q, %v", all, err)
	}
	for _, c := range append(held, late) {
		c.Close()
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
