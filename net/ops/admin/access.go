package admin

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"hash/maphash"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Counted refusals.
const (
	badToken    = "admin.bad_token"
	lockedOut   = "admin.locked_out"
	badHost     = "admin.bad_host"
	crossOrigin = "admin.cross_origin"
)

// An address that has sent so many wrong tokens in such a time is refused for the rest of it.
const (
	maxWrong  = 10
	wrongTime = time.Minute
)

// An accessControl admits or refuses requests.
//
// On loopback without a token the danger is a page in a browser of this machine: it could ask under a name that it
// has given this address (so the host must be one of loopback), or send a request whose answer it does not need (so
// what changes anything must come from a page of ours).
type accessControl struct {
	config *Config
	token  [sha256.Size]byte // of the same length whatever was sent, so that comparing reveals nothing
	origin *http.CrossOriginProtection
	inside http.Handler
	wrong  wrongs
}

func newAccessControl(c *Config, inside http.Handler) *accessControl {
	d := &accessControl{config: c, token: sha256.Sum256([]byte(c.Token)), origin: http.NewCrossOriginProtection(), inside: inside}
	d.wrong.seed = maphash.MakeSeed()
	return d
}

// ServeHTTP admits a request, or answers why not.
func (d *accessControl) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if d.origin.Check(r) != nil || d.foreign(r) {
		d.refuse(w, crossOrigin, http.StatusForbidden, "not from another site")
		return
	}
	if r.ContentLength != 0 { // without a deadline it would be waited for, for ever, also when it is not read
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(headerTime))
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	}
	switch {
	case d.config.Token == "" && !loopbackHost(r.Host):
		d.refuse(w, badHost, http.StatusForbidden, "not under this name")
	case d.config.Token == "":
		d.enter(w, r, true)
	case slices.Contains(open, r.URL.Path) && named(r) == "":
		d.enter(w, r, false)
	default:
		d.ask(w, r)
	}
}

// foreign reports whether a page of another site requests work of the server: an image whose address is that of a
// profile or a trace is enough for that.
func (d *accessControl) foreign(r *http.Request) bool {
	if !strings.HasPrefix(r.URL.Path, "/debug/") && !strings.HasSuffix(r.URL.Path, "/trace") {
		return false
	}
	asked := *r
	asked.Method = http.MethodPost // methods that may change something
	return d.origin.Check(&asked) != nil
}

// ask admits requests with the token.
func (d *accessControl) ask(w http.ResponseWriter, r *http.Request) {
	from := address(r.RemoteAddr)
	token := named(r)
	if d.wrong.full(from) {
		d.refuse(w, lockedOut, http.StatusTooManyRequests, "too many wrong tokens")
		return
	}
	if got := sha256.Sum256([]byte(token)); token == "" || subtle.ConstantTimeCompare(got[:], d.token[:]) != 1 {
		w.Header().Set("WWW-Authenticate", `Basic realm="muster", charset="UTF-8"`)
		if token != "" && d.wrong.add(from) {
			d.config.Log.Warn("admin: an address is locked out", "from", from, "for", wrongTime)
		}
		d.refuse(w, badToken, http.StatusUnauthorized, "a token is needed")
		return
	}
	d.enter(w, r, true)
}

func (d *accessControl) refuse(w http.ResponseWriter, reason string, status int, text string) {
	d.config.Metric.Count(reason)
	http.Error(w, text, status)
}

type trustedKey struct{}

func (d *accessControl) enter(w http.ResponseWriter, r *http.Request, trusted bool) {
	d.inside.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), trustedKey{}, trusted)))
}

// trusted reports whether the request came with all that is asked for.
func trusted(r *http.Request) bool {
	t, _ := r.Context().Value(trustedKey{}).(bool)
	return t
}

// named is the token that a request names, "" if it names none.
func named(r *http.Request) string {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return token
	}
	_, password, _ := r.BasicAuth()
	return password
}

// loopbackHost reports whether a Host header names this machine in a way that works only on it.
func loopbackHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// address is what tokens are counted for: an IPv4 address, or the 64 bits of IPv6 that a household has.
func address(remote string) netip.Addr {
	ap, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	addr := ap.Addr().Unmap()
	if addr.Is6() {
		if p, err := addr.Prefix(64); err == nil {
			addr = p.Addr()
		}
	}
	return addr
}

// wrongs counts wrong tokens by address. Addresses share its places: they are so many that collisions are rare,
// and so few that all addresses of the world fit.
type wrongs struct {
	seed maphash.Seed
	mu   sync.Mutex
	at   [1024]struct {
		since time.Time
		n     int
	}
}

func (w *wrongs) place(a netip.Addr) int {
	return int(maphash.Comparable(w.seed, a) % uint64(len(w.at)))
}

// full reports whether an address is locked out.
func (w *wrongs) full(a netip.Addr) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := &w.at[w.place(a)]
	return p.n >= maxWrong && time.Since(p.since) < wrongTime
}

// add counts one, and reports whether it was the last that the address has.
func (w *wrongs) add(a netip.Addr) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := &w.at[w.place(a)]
	if time.Since(p.since) >= wrongTime {
		p.since, p.n = time.Now(), 0
	}
	p.n++
	return p.n == maxWrong
}
