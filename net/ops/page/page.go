// Package page shows the worlds of a server in a browser, live: a map with what is on it, how long ticks take, the players, and
// each entity with its components. It is part of what net/ops/admin serves, under its access control.
//
//	GET  /                            the page; its script and its style lie beside it
//	GET  /api/world                   the maps, the step and the clock, as JSON
//	GET  /api/maps/{id}/entities      ?x=&y=&r=: what is at most r yards from a point, by GUID
//	GET  /api/maps/{id}/ground.png    the shape of the land
//	GET  /api/maps/{id}/spawns        where creatures belong: x and y in yards, int16, little endian
//	GET  /api/entity/{guid}           all components of an entity, with the names and values of their fields
//	GET  /api/events                  ?map=&minx=&miny=&maxx=&maxy=&guid=&tick=&second=: server-sent events, four a second
//	GET  /api/clock                   how the clock runs
//	POST /api/clock                   {"do":"pause"}, {"do":"run","speed":2}, {"do":"step","steps":1} or
//	                                  {"do":"until","until_ms":3600000}: the last two answer when the steps are taken
//	GET  /api/cluster                 the processes and worlds of the realm, where it has several
//	GET  /api/cluster/players         ?q=: where its players are whose names begin so, through whichever gateways they play
//
// Each path of maps takes ?instance=, which is 0 for a map that has one world, and can be left out for a copy, or an instance of this process, that is the only one of its map. In a cluster a world of another process is shown by asking that process.
//
// A watcher queries the world between two ticks (net/replication/inspect). A tick pays for that four times a second and watcher
// at most, and nothing without watchers.
package page

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"muster/components/defs"
	"muster/internal/metric"
	"muster/net/ops/admin"
	"muster/net/replication/inspect"
	"muster/sched"
	"muster/sched/ladder"
	"muster/sched/tickstats"
)

// Config is what there is to show.
type Config struct {
	Release     string
	Defs        *defs.World   // nil, in a cluster: the processes that have its worlds are asked
	Step        time.Duration // of all worlds, the longest
	Quantum     time.Duration // that the numbers of their ticks count; needed where there may be none
	Pacer       *ladder.Pacer // has the present one; nil: it is always the same
	Worlds      []World
	Running     func() []World     // those there are at the moment, in place of Worlds; nil: they are always the same
	Cluster     Cluster            // whose worlds are shown, too, wherever they are; nil if there is this process alone
	Token       string             // that the other processes of it ask operators for
	Log         *slog.Logger       // default slog.Default()
	ClockDriver *sched.ClockDriver // turns the clock; nil if that is real
	// Names returns the name of a player, "" for others; nil knows none.
	Names func(guid uint64) string
	// Metric counts watchers that are refused because there are too many, page.full, and those that are too slow,
	// page.slow.
	Metric *metric.Table
	// Copies says that the worlds are copies, each of which has the number of an instance of its own.
	Copies bool
}

// A World is one of those that are shown.
type World struct {
	Map       *defs.Map
	Inspector *inspect.Inspector
	Stats     *tickstats.Stats // has the number of the instance
}

// A Page serves what Config shows. It may be used from any goroutine.
type Page struct {
	config    Config
	grounds   sync.Map      // by ID of the map: func() []byte, made when first asked for
	watchers  chan struct{} // holds a token for each
	transport *http.Transport
}

// MaxWatchers is how many may follow events at a time.
const MaxWatchers = 8

// New returns a page.
func New(c Config) *Page {
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
	c.Log = cmp.Or(c.Log, slog.Default())
	c.Metric.Declare("page.full", "page.slow")
	return &Page{config: c, watchers: make(chan struct{}, MaxWatchers), transport: &http.Transport{
		DisableKeepAlives: true, ResponseHeaderTimeout: 2 * patience,
	}}
}

// Parts are the paths of the package's list.
func (p *Page) Parts() []admin.Part {
	part := func(pattern string, serve http.HandlerFunc) admin.Part {
		return admin.Part{Pattern: pattern, Handler: serve}
	}
	return []admin.Part{
		part("GET /{$}", file("page.html", "text/html; charset=utf-8")),
		part("GET /page.js", file("page.js", "text/javascript; charset=utf-8")),
		part("GET /map.js", file("map.js", "text/javascript; charset=utf-8")),
		part("GET /chart.js", file("chart.js", "text/javascript; charset=utf-8")),
		part("GET /side.js", file("side.js", "text/javascript; charset=utf-8")),
		part("GET /cluster.js", file("cluster.js", "text/javascript; charset=utf-8")),
		part("GET /page.css", file("page.css", "text/css; charset=utf-8")),
		part("GET /api/world", p.known(p.world)),
		part("GET /api/cluster", p.cluster),
		part("GET /api/cluster/players", p.find),
		part("GET /api/maps/{id}/entities", p.local(p.entities)),
		part("GET /api/maps/{id}/ground.png", p.known(p.ground)),
		part("GET /api/maps/{id}/spawns", p.known(p.spawns)),
		part("GET /api/entity/{guid}", p.entity),
		part("GET /api/events", p.watch(p.local(p.events))),
		part("GET /api/clock", p.clock),
		part("POST /api/clock", p.turn),
	}
}

//go:embed static
var static embed.FS

// policy allows a page what this server serves, and no inline code: names of players can never be code.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// file serves one of the page's files.
func file(name, kind string) http.HandlerFunc {
	text, err := static.ReadFile("static/" + name)
	if err != nil {
		panic(fmt.Sprintf("page: %v", err))
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", kind)
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		w.Write(text)
	}
}

// worlds are those of this process.
func (p *Page) worlds() []World {
	if p.config.Running != nil {
		return p.config.Running()
	}
	return p.config.Worlds
}

// named reads which world a request is about: the map of its path or its query, and the instance.
func named(r *http.Request) (id, instance uint32, ok bool) {
	query := r.URL.Query()
	m, err := strconv.ParseUint(cmp.Or(r.PathValue("id"), query.Get("map")), 10, 32)
	if err != nil {
		return 0, 0, false
	}
	n, err := strconv.ParseUint(cmp.Or(query.Get("instance"), "0"), 10, 32)
	return uint32(m), uint32(n), err == nil
}

// numbered reports whether the worlds of a map are known by the numbers of their instances: those of copies, and of instances where the cluster does not have them.
func (p *Page) numbered(m *defs.Map) bool {
	return p.config.Copies || m.Instanced && p.config.Cluster == nil
}

// here is a world of this process, nil if it has not that. One that is numbered, and the only one of its map, has not to be named by its instance.
func (p *Page) here(id, instance uint32) *World {
	var all []World
	for _, w := range p.worlds() {
		switch {
		case w.Map.ID != id:
		case w.Stats.Instance == instance:
			return &w
		case p.numbered(w.Map) && instance == 0:
			all = append(all, w)
		}
	}
	if len(all) == 1 {
		return &all[0]
	}
	return nil
}

// place is the map that a request is about, nil if there is none: one of the worlds here, or of any in a cluster.
func (p *Page) place(r *http.Request) *defs.Map {
	id, _, ok := named(r)
	if !ok {
		return nil
	}
	for _, m := range p.maps() {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// maps are those that can be shown, each once: with Defs those that are instanced, too, whether there is an instance at the moment or not.
func (p *Page) maps() (all []*defs.Map) {
	if p.config.Cluster != nil {
		for i := range p.config.Defs.Maps {
			all = append(all, &p.config.Defs.Maps[i])
		}
		return all
	}
	for _, w := range p.worlds() {
		if !slices.Contains(all, w.Map) {
			all = append(all, w.Map)
		}
	}
	if p.config.Defs == nil {
		return all
	}
	for i := range p.config.Defs.Maps {
		if m := &p.config.Defs.Maps[i]; m.Instanced && !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}

// quantum is the time that the number of a tick counts.
func (p *Page) quantum() time.Duration {
	for _, w := range p.worlds() {
		return w.Stats.Quantum
	}
	return p.config.Quantum
}

// world answers what does not change, and which instances there are.
func (p *Page) world(w http.ResponseWriter, _ *http.Request) {
	type zone struct {
		Name string  `json:"name"`
		MinX float32 `json:"min_x"`
		MinY float32 `json:"min_y"`
		MaxX float32 `json:"max_x"`
		MaxY float32 `json:"max_y"`
	}
	type place struct {
		ID     uint32  `json:"id"`
		Name   string  `json:"name"`
		Half   float32 `json:"half"` // coordinates lie in ±half yards
		Zones  []zone  `json:"zones"`
		Spawns int     `json:"spawns"`
		Many   bool    `json:"instanced,omitempty"` // it has a world for each instance
		// Instances are the numbers of those worlds of this process that are numbered.
		Instances []uint32 `json:"instances,omitempty"`
	}
	all := struct {
		Release string  `json:"release"`
		StepMs  int64   `json:"step_ms"` // the longest
		UnitMs  int64   `json:"unit_ms"` // that the number of a tick counts
		Virtual bool    `json:"virtual"` // the clock can be controlled
		Cluster bool    `json:"cluster"` // /api/cluster has the worlds
		Maps    []place `json:"maps"`
	}{p.config.Release, p.config.Step.Milliseconds(), p.quantum().Milliseconds(), p.config.ClockDriver != nil, p.config.Cluster != nil, []place{}}
	for _, m := range p.maps() {
		of := place{ID: m.ID, Name: m.Name, Half: m.Half, Spawns: len(m.Spawns), Many: m.Instanced, Zones: make([]zone, len(m.Zones))}
		for _, w := range p.worlds() {
			if w.Map == m && p.numbered(m) {
				of.Instances = append(of.Instances, w.Stats.Instance)
			}
		}
		for k, z := range m.Zones {
			of.Zones[k] = zone{z.Name, z.MinX, z.MinY, z.MaxX, z.MaxY}
		}
		all.Maps = append(all.Maps, of)
	}
	answer(w, all)
}

// answer writes a value.
func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}
