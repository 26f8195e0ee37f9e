package page

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A Cluster is the processes of a realm, of which the page's is one.
type Cluster interface {
	// Read returns its processes and worlds, as operators are told of them in JSON.
	Read(ctx context.Context) (any, error)
	// Places returns where its worlds are.
	Places(ctx context.Context) ([]Place, error)
	// Find returns the players at its gateways whose names begin so, whatever the case of the letters, by name: so many at most.
	Find(ctx context.Context, begins string, most int) (Found, error)
}

// Found are players at the gateways of a cluster.
type Found struct {
	Total   int      `json:"total"` // as many there are
	Players []Player `json:"players"`
}

// A Player is where a player of a cluster is.
type Player struct {
	Name    string   `json:"name"`
	GUID    uint64   `json:"guid,string"`
	Gateway uint32   `json:"gateway"` // its number
	World   *InWorld `json:"world"`   // null on the way in, out or to another one
}

// An InWorld is a world, and the process that has it.
type InWorld struct {
	Map      uint32 `json:"map"`
	Instance uint32 `json:"instance"`
	Worker   uint64 `json:"worker,omitempty"` // 0 if none has it
}

// A Place is the address for operators of the process that has a world.
type Place struct {
	Map, Instance uint32
	Admin         string // HOST:PORT
}

// forwarded is the header of a request that comes from the page of another process: it is about a world here, or about none.
const forwarded = "Muster-Forwarded"

var errNowhere = errors.New("page: no process has this world")

// cluster answers the processes and worlds of the realm.
func (p *Page) cluster(w http.ResponseWriter, r *http.Request) {
	if p.config.Cluster == nil {
		http.Error(w, "this server is one process: /api/world has its maps", http.StatusNotFound)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	all, err := p.config.Cluster.Read(ctx)
	if err != nil {
		http.Error(w, "the registry does not answer", http.StatusServiceUnavailable)
		return
	}
	answer(w, all)
}

// Bounds of a search for players, our own choice: what is not shown is counted, and a text that is longer than any name can be is the beginning of none.
const (
	maxFound = 20
	maxName  = 64 // bytes
)

// find answers where the players of the realm are whose names begin with a text.
func (p *Page) find(w http.ResponseWriter, r *http.Request) {
	begins := r.URL.Query().Get("q")
	switch {
	case p.config.Cluster == nil:
		http.Error(w, "this server is one process: /api/sessions has its players", http.StatusNotFound)
		return
	case begins == "":
		http.Error(w, "q is how a name begins", http.StatusBadRequest)
		return
	case len(begins) > maxName || !utf8.ValidString(begins) || strings.Contains(begins, "\x00"): // PostgreSQL has no such text
		answer(w, Found{Players: []Player{}})
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	found, err := p.config.Cluster.Find(ctx, begins, maxFound)
	if err != nil {
		http.Error(w, "the registry does not answer", http.StatusServiceUnavailable)
		return
	}
	answer(w, found)
}

// local has requests about a world of this process answered here, and those about another one of the cluster by the process that has it.
func (p *Page) local(serve func(w http.ResponseWriter, r *http.Request, of *World)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, instance, ok := named(r)
		if !ok {
			http.NotFound(w, r)
		} else if of := p.here(id, instance); of != nil {
			serve(w, r, of)
		} else if p.forwards(r) {
			p.forward(w, r, func(at Place) bool { return at.Map == id && at.Instance == instance })
		} else {
			http.NotFound(w, r)
		}
	}
}

// known has requests about what does not change answered here, or where this process knows no maps, by any that has a world.
func (p *Page) known(serve http.HandlerFunc) http.HandlerFunc {
	if p.config.Cluster == nil || p.config.Defs != nil {
		return serve
	}
	return func(w http.ResponseWriter, r *http.Request) { p.forward(w, r, func(Place) bool { return true }) }
}

// forwards reports whether a request that cannot be answered here is for another process.
func (p *Page) forwards(r *http.Request) bool {
	return p.config.Cluster != nil && r.Header.Get(forwarded) == ""
}

// forward has the process that has a world answer a request: the first of those that are right.
func (p *Page) forward(w http.ResponseWriter, r *http.Request, right func(Place) bool) {
	at, err := p.places(r.Context())
	i := slices.IndexFunc(at, right)
	if err == nil && i < 0 {
		err = errNowhere
	}
	if err != nil {
		http.Error(w, "this map does not answer", http.StatusServiceUnavailable)
		return
	}
	http.NewResponseController(w).SetWriteDeadline(time.Time{}) // events have no end: each write has one
	proxy := httputil.ReverseProxy{
		Rewrite:       func(to *httputil.ProxyRequest) { p.address(to.Out, at[i]) },
		Transport:     p.transport,
		FlushInterval: -1,
		ErrorLog:      slog.NewLogLogger(p.config.Log.Handler(), slog.LevelDebug),
		ModifyResponse: func(answer *http.Response) error {
			if answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden {
				return errors.New("page: a worker has another token for operators")
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			p.config.Log.Debug("a worker does not answer for the live page", "admin", at[i].Admin, "err", err)
			http.Error(w, "the process that has this map does not answer", http.StatusBadGateway)
		},
	}
	proxy.ServeHTTP(timed{w}, r)
}

// places are where the worlds of the cluster are.
func (p *Page) places(ctx context.Context) ([]Place, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return p.config.Cluster.Places(ctx)
}

// address has a request sent to another process, which is told nothing of the one who asked but the question.
func (p *Page) address(r *http.Request, at Place) {
	r.URL.Scheme, r.URL.Host, r.Host = "http", at.Admin, ""
	r.Header = http.Header{forwarded: {"1"}}
	if p.config.Token != "" {
		r.Header.Set("Authorization", "Bearer "+p.config.Token)
	}
}

// maxAsked is how many processes are asked for an entity at a time, our own choice.
const maxAsked = 16

// entityElsewhere answers an entity of a world of another process, and reports whether one has it. The processes are asked beside each other, and
// have patience to answer, all of them together.
func (p *Page) entityElsewhere(w http.ResponseWriter, r *http.Request) (found bool, err error) {
	all, err := p.places(r.Context())
	if err != nil {
		return false, err
	}
	slices.SortFunc(all, func(a, b Place) int { return strings.Compare(a.Admin, b.Admin) })
	all = slices.CompactFunc(all, func(a, b Place) bool { return a.Admin == b.Admin })
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	toAsk, answers := make(chan Place, len(all)), make(chan elsewhere, len(all)) // nothing waits for room, also once one has answered
	for _, at := range all {
		toAsk <- at
	}
	close(toAsk)
	for range min(len(all), maxAsked) {
		go func() {
			for at := range toAsk {
				answers <- p.entityAt(ctx, at, r.URL.Path)
			}
		}()
	}
	for range all {
		one := <-answers
		if one.entity != nil {
			w.Header().Set("Content-Type", "application/json")
			_, err := w.Write(one.entity)
			return true, err
		}
		err = cmp.Or(one.err, err)
	}
	return false, err
}

// An elsewhere is what another process answers to the question for an entity: the entity, nothing, or an error.
type elsewhere struct {
	entity []byte
	err    error
}

// entityAt asks another process for an entity.
func (p *Page) entityAt(ctx context.Context, at Place, path string) (it elsewhere) {
	q := (&http.Request{Method: http.MethodGet, URL: &url.URL{Path: path}}).WithContext(ctx)
	p.address(q, at)
	got, err := p.transport.RoundTrip(q)
	if err != nil {
		return elsewhere{err: err}
	}
	defer got.Body.Close()
	switch got.StatusCode {
	case http.StatusOK:
		it.entity, it.err = io.ReadAll(http.MaxBytesReader(nil, got.Body, MaxEvent)) // all that is in view of a watcher is not longer
		if it.err != nil {
			it.entity = nil
		}
	case http.StatusNotFound:
	default:
		it.err = errNowhere
	}
	return it
}

// A timed gives each write to a watcher writeTime.
type timed struct{ http.ResponseWriter }

// Write implements http.ResponseWriter.
func (t timed) Write(b []byte) (int, error) {
	http.NewResponseController(t.ResponseWriter).SetWriteDeadline(time.Now().Add(writeTime))
	return t.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (t timed) Unwrap() http.ResponseWriter { return t.ResponseWriter }
