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
//
// A watcher queries the world between two ticks (net/replication/inspect). A tick pays for that four times a second and watcher
// at most, and nothing without watchers.
package page

import (
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
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
	Defs        *defs.World
	Step        time.Duration // of all worlds, the longest
	Pacer       *ladder.Pacer // has the present one; nil: it is always the same
	Worlds      []World
	ClockDriver *sched.ClockDriver // turns the clock; nil if that is real
	// Names returns the name of a player, "" for others; nil knows none.
	Names func(guid uint64) string
	// Metric counts watchers that are refused because there are too many, page.full, and those that are too slow,
	// page.slow.
	Metric *metric.Table
}

// A World is one of those that are shown.
type World struct {
	Map       *defs.Map
	Inspector *inspect.Inspector
	Stats     *tickstats.Stats
}

// A Page serves what Config shows. It may be used from any goroutine.
type Page struct {
	config   Config
	grounds  []func() []byte // of each world, made when first asked for
	watchers chan struct{}   // holds a token for each
}

// MaxWatchers is how many may follow events at a time.
const MaxWatchers = 8

// New returns a page.
func New(c Config) *Page {
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
	c.Metric.Declare("page.full", "page.slow")
	p := &Page{config: c, watchers: make(chan struct{}, MaxWatchers)}
	for i := range c.Worlds {
		m := c.Worlds[i].Map
		p.grounds = append(p.grounds, sync.OnceValue(func() []byte { return ground(m) }))
	}
	return p
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
		part("GET /page.css", file("page.css", "text/css; charset=utf-8")),
		part("GET /api/world", p.world),
		part("GET /api/maps/{id}/entities", p.entities),
		part("GET /api/maps/{id}/ground.png", p.ground),
		part("GET /api/maps/{id}/spawns", p.spawns),
		part("GET /api/entity/{guid}", p.entity),
		part("GET /api/events", p.events),
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

// of is the world of a map, nil if there is none.
func (p *Page) of(id string) (w *World, i int) {
	n, err := strconv.ParseUint(id, 10, 32)
	for i := range p.config.Worlds {
		if err == nil && p.config.Worlds[i].Map.ID == uint32(n) {
			return &p.config.Worlds[i], i
		}
	}
	return nil, 0
}

// unit is the time that the number of a tick counts.
func (p *Page) unit() time.Duration {
	if len(p.config.Worlds) == 0 {
		return p.config.Step
	}
	return p.config.Worlds[0].Stats.Unit
}

// world answers what does not change.
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
	}
	all := struct {
		Release string  `json:"release"`
		StepMs  int64   `json:"step_ms"` // the longest
		UnitMs  int64   `json:"unit_ms"` // that the number of a tick counts
		Virtual bool    `json:"virtual"` // the clock can be controlled
		Maps    []place `json:"maps"`
	}{p.config.Release, p.config.Step.Milliseconds(), p.unit().Milliseconds(), p.config.ClockDriver != nil, nil}
	for i := range p.config.Worlds {
		m := p.config.Worlds[i].Map
		of := place{ID: m.ID, Name: m.Name, Half: m.Half, Spawns: len(m.Spawns), Zones: make([]zone, len(m.Zones))}
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
