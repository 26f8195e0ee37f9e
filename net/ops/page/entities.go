package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"muster/ecs/grid"
	"muster/net/replication/inspect"
)

const (
	// patience is how long a world may take to answer: it may be in the middle of a slow tick, or have ended.
	patience = 2 * time.Second
	// maxRadius bounds the radius of a query, in yards.
	maxRadius = 1000
)

// ask asks a world.
func ask(r *http.Request, of *World, l *inspect.Query) error {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	return of.Inspector.Ask(ctx, l)
}

// unanswered answers why a world gave no answer.
func unanswered(w http.ResponseWriter, err error) {
	if errors.Is(err, inspect.ErrBusy) {
		http.Error(w, "too many ask this map", http.StatusTooManyRequests)
		return
	}
	http.Error(w, "this map does not answer", http.StatusServiceUnavailable)
}

// yards reads a coordinate, or a distance, that is on a map.
func yards(query url.Values, name string) (float32, error) {
	v, err := strconv.ParseFloat(query.Get(name), 32)
	if err != nil || !(v >= -grid.Limit && v <= grid.Limit) {
		return 0, fmt.Errorf("%s is a number of yards within ±%.0f, not %.40q", name, grid.Limit, query.Get(name))
	}
	return float32(v), nil
}

// numbers reads several.
func numbers(query url.Values, names ...string) (all []float32, err error) {
	for _, name := range names {
		v, failed := yards(query, name)
		all, err = append(all, v), errors.Join(err, failed)
	}
	return all, err
}

// A thing is one as JSON.
type thing struct {
	GUID  guid     `json:"guid"`
	X     float32  `json:"x"`
	Y     float32  `json:"y"`
	Kind  string   `json:"kind"`
	State []string `json:"state"`
}

// A guid is written as 0xf130…: it has more digits than a browser's numbers.
type guid uint64

func (g guid) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "0x%x", uint64(g)), nil }

var (
	kinds  = [...]string{inspect.Other: "other", inspect.Player: "player", inspect.Creature: "creature", inspect.Corpse: "corpse"}
	states = [...]string{"asleep", "dead", "fighting", "ghost"} // by bit
)

func newThing(t *inspect.Thing) thing {
	out := thing{guid(t.GUID), t.X, t.Y, kinds[t.Kind], []string{}}
	for bit, name := range states {
		if t.State>>bit&1 != 0 {
			out.State = append(out.State, name)
		}
	}
	return out
}

// entities answers what is near a point.
func (p *Page) entities(w http.ResponseWriter, r *http.Request, of *World) {
	at, err := numbers(r.URL.Query(), "x", "y", "r")
	if err == nil && (at[2] < 0 || at[2] > maxRadius) {
		err = fmt.Errorf("r is from 0 to %d yards", maxRadius)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	x, y, radius := at[0], at[1], at[2]
	l := inspect.Query{Box: inspect.Box{MinX: x - radius, MinY: y - radius, MaxX: x + radius, MaxY: y + radius}}
	if err := ask(r, of, &l); err != nil {
		unanswered(w, err)
		return
	}
	if l.Grain > 0 {
		http.Error(w, fmt.Sprintf("more than %d entities are there: ask for a smaller r", inspect.MaxThings), http.StatusUnprocessableEntity)
		return
	}
	near := make([]thing, 0, len(l.Things))
	for i := range l.Things {
		t := &l.Things[i]
		if dx, dy := t.X-x, t.Y-y; dx*dx+dy*dy <= radius*radius {
			near = append(near, newThing(t))
		}
	}
	slices.SortFunc(near, func(a, b thing) int { return cmp.Compare(a.GUID, b.GUID) })
	answer(w, struct {
		Map      uint32  `json:"map"`
		Tick     uint64  `json:"tick"`
		Entities []thing `json:"entities"` // by GUID
	}{of.Map.ID, l.Tick, near})
}

// entity answers all components of an entity, on whichever map it is.
func (p *Page) entity(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.ParseUint(r.PathValue("guid"), 0, 64)
	if err != nil || n == 0 {
		http.Error(w, "a GUID is a number, as in 0xf130000001000002", http.StatusBadRequest)
		return
	}
	var failed error // of a map, which may be the one
	for _, of := range p.worlds() {
		l := inspect.Query{GUID: n}
		if err := ask(r, &of, &l); err != nil {
			failed = err
		} else if l.Found {
			w.Header().Set("Content-Type", "application/json")
			w.Write(append(p.appendEntity(nil, &of, &l), '\n'))
			return
		}
	}
	if p.forwards(r) {
		found, err := p.entityElsewhere(w, r)
		if found {
			return
		}
		failed = errors.Join(failed, err)
	}
	if failed != nil {
		unanswered(w, failed)
		return
	}
	http.Error(w, "no map has this entity", http.StatusNotFound)
}
