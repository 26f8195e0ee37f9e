package admin

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"muster/sched/tickstats"
)

// ticksTime is the time whose ticks an answer has, at most.
const ticksTime = 10 * time.Second

func (s *Server) api(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/maps", s.maps)
	mux.HandleFunc("GET /api/sessions", s.sessions)
	mux.HandleFunc("GET /api/ticks", s.ticks)
	if s.config.Traces != nil {
		mux.HandleFunc("GET /api/sessions/{session}/trace", s.trace)
	}
	if s.config.Pacer != nil {
		mux.HandleFunc("GET /api/pace", s.pace)
	}
}

// Pace is the answer to GET /api/pace.
type Pace struct {
	Rung    string             `json:"rung"` // its step, and how many of them are between two flushes of a player
	StepMs  float64            `json:"step_ms"`
	FlushMs float64            `json:"flush_ms"` // between two flushes of a player
	Up      uint64             `json:"up"`       // changes to a longer time
	Down    uint64             `json:"down"`
	Spent   map[string]float64 `json:"seconds"` // on each rung
}

func (s *Server) pace(w http.ResponseWriter, _ *http.Request) {
	p := s.config.Pacer
	answer := Pace{Rung: p.Name(), StepMs: ms(p.Step()), FlushMs: ms(p.Period()), Spent: map[string]float64{}}
	answer.Up, answer.Down = p.Changes()
	p.Spent(func(name string, spent time.Duration) { answer.Spent[name] = spent.Seconds() })
	writeJSON(w, answer)
}

// A Map is the answer to GET /api/maps about one world. One that rests is not stepped, for it has no players and nothing
// that is awake: its tick, and the times of the last ones, are those from before.
type Map struct {
	ID      uint32  `json:"id"`
	Name    string  `json:"name"`
	StepMs  float64 `json:"step_ms"` // the longest
	Tick    uint64  `json:"tick"`    // the last
	Resting bool    `json:"resting"`
	Running string  `json:"running,omitempty"`

	Players   int `json:"players"`
	Creatures int `json:"creatures"`
	Corpses   int `json:"corpses"`
	Awake     int `json:"awake"`
	Asleep    int `json:"asleep"`
	Items     int `json:"inbox_items"`

	Ticks   int     `json:"ticks"` // of the last ten seconds, as the following
	MeanMs  float64 `json:"mean_ms"`
	P95Ms   float64 `json:"p95_ms"`
	P99Ms   float64 `json:"p99_ms"`
	MaxMs   float64 `json:"max_ms"`
	Late    uint64  `json:"late"`
	Skipped uint64  `json:"skipped"`
	Fullest []Cell  `json:"fullest"`
}

// A Cell is one with many things in it.
type Cell struct {
	Cell    string  `json:"cell"`
	X       float32 `json:"x"` // its corner, in yards
	Y       float32 `json:"y"`
	Things  int     `json:"things"`
	Players int     `json:"players"`
}

func (s *Server) maps(w http.ResponseWriter, _ *http.Request) {
	all := []Map{}
	for _, p := range s.config.worlds() {
		m := Map{ID: p.Map, Name: p.Name, StepMs: ms(p.Step), Resting: p.Resting(), Late: p.Late.Load(), Skipped: p.Skipped.Load(), Fullest: []Cell{}}
		if t, ok := p.Latest(); ok {
			m.Tick, m.Items = t.N, t.Load.Items
			m.Players, m.Creatures, m.Corpses = t.Load.Players, t.Load.Creatures, t.Load.Corpses
			m.Awake, m.Asleep = t.Load.Awake, t.Load.Asleep
		}
		if r, ok := p.Running(); ok && r.For > p.Step {
			m.Running = fmt.Sprintf("tick %d for %v, in %s", r.N, r.For, r.System)
		}
		sum := p.Summary(ticksTime)
		m.Ticks, m.MeanMs, m.P95Ms, m.P99Ms, m.MaxMs = sum.N, ms(sum.Mean), ms(sum.P95), ms(sum.P99), ms(sum.Most)
		for _, c := range p.Crowds() {
			x, y := c.Cell.Origin()
			m.Fullest = append(m.Fullest, Cell{c.Cell.String(), x, y, c.Things, c.Players})
		}
		all = append(all, m)
	}
	writeJSON(w, all)
}

// Ticks is the answer to GET /api/ticks?map=0&ms=10000: the ticks in the last ten seconds of a world at most, the oldest first.
type Ticks struct {
	Map     uint32   `json:"map"`
	StepMs  float64  `json:"step_ms"` // the longest
	Systems []string `json:"systems"`
	Ticks   []Tick   `json:"ticks"`
}

// A Tick is one of them.
type Tick struct {
	N       uint64    `json:"n"`
	StepMs  float64   `json:"step_ms"`
	TookMs  float64   `json:"took_ms"`
	Players int       `json:"players"`
	Awake   int       `json:"awake"`
	Items   int       `json:"inbox_items"`
	SpentMs []float64 `json:"spent_ms"` // by each system
}

func (s *Server) ticks(w http.ResponseWriter, r *http.Request) {
	n, ok := number(w, r, "ms", int(ticksTime/time.Millisecond), int(ticksTime/time.Millisecond))
	if !ok {
		return
	}
	var of *tickstats.Stats
	for _, p := range s.config.worlds() {
		if id := r.URL.Query().Get("map"); id == "" || id == strconv.Itoa(int(p.Map)) {
			of = p
			break
		}
	}
	if of == nil {
		http.Error(w, "no such map", http.StatusNotFound)
		return
	}
	answer := Ticks{Map: of.Map, StepMs: ms(of.Step), Systems: []string{}, Ticks: []Tick{}}
	for _, system := range of.Systems() {
		answer.Systems = append(answer.Systems, system.Name)
	}
	for _, t := range of.Last(time.Duration(n) * time.Millisecond) {
		one := Tick{N: t.N, StepMs: ms(t.Step), TookMs: ms(t.Took), Players: t.Load.Players, Awake: t.Load.Awake, Items: t.Load.Items, SpentMs: []float64{}}
		for _, spent := range t.Spent {
			one.SpentMs = append(one.SpentMs, ms(spent))
		}
		answer.Ticks = append(answer.Ticks, one)
	}
	writeJSON(w, answer)
}

// number reads a number from 0 to most out of a query. It answers the request if there is another one.
func number(w http.ResponseWriter, r *http.Request, name string, otherwise, most int) (n int, ok bool) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise, true
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		http.Error(w, fmt.Sprintf("%s is from 0 to %d", name, most), http.StatusBadRequest)
		return 0, false
	}
	return n, true
}
