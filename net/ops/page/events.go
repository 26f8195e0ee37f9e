package page

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"

	"muster/net/replication/inspect"
)

const (
	// period is the time from one event to the next, and so the least between two queries of a watcher.
	period = 250 * time.Millisecond
	// writeTime is how long a watcher may take to take in an event.
	writeTime = 5 * time.Second
	// MaxEvent is the size of an event at most, in bytes: inspect.MaxThings things of 41 bytes are most of it.
	MaxEvent = 384 << 10
)

// events sends what is in a part of a map, until the watcher disconnects. Each event is queried when the one before it
// has been taken in: there is no queue, and a slow watcher gets fewer.
func (p *Page) events(w http.ResponseWriter, r *http.Request, of *World) {
	query := r.URL.Query()
	box, err := numbers(query, "minx", "miny", "maxx", "maxy")
	if err == nil && (box[0] >= box[2] || box[1] >= box[3]) {
		err = errors.New("the box is empty")
	}
	l := new(inspect.Query)
	if text := query.Get("guid"); text != "" && err == nil {
		if l.GUID, err = strconv.ParseUint(text, 0, 64); err != nil {
			err = errors.New("guid is a number")
		}
	}
	var has *told
	if err == nil {
		has, err = newTold(query)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	l.Box = inspect.Box{MinX: box[0], MinY: box[1], MaxX: box[2], MaxY: box[3]}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	p.follow(w, r, of, l, has)
}

// watch lets so many watch at a time.
func (p *Page) watch(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case p.watchers <- struct{}{}:
			defer func() { <-p.watchers }()
			serve(w, r)
		default:
			p.config.Metric.Count("page.full")
			http.Error(w, "too many watch already", http.StatusServiceUnavailable)
		}
	}
}

// follow sends events until the watcher disconnects, or the world is none of those that run.
func (p *Page) follow(w http.ResponseWriter, r *http.Request, of *World, l *inspect.Query, has *told) {
	out := http.NewResponseController(w)
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	var b []byte
	for p.runs(of) {
		failed := ask(r, of, l)
		b = append(b[:0], "data: "...)
		b = p.appendEvent(b, of, l, failed, has)
		b = append(b, "\n\n"...)
		out.SetWriteDeadline(time.Now().Add(writeTime))
		_, err := w.Write(b)
		if err = errors.Join(err, out.Flush()); err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				p.config.Metric.Count("page.slow")
			}
			return
		}
		select {
		case <-ticker.C:
		case <-r.Context().Done():
			return
		}
	}
}

// runs reports whether a world is one of those of this process.
func (p *Page) runs(of *World) bool {
	return slices.ContainsFunc(p.worlds(), func(w World) bool { return w.Inspector == of.Inspector })
}

// appendEvent writes an event, as one line of JSON. What comes in numbers is flat: a thing is GUID, x, y and kind*16+state,
// a block its index, awake, asleep and players.
func (p *Page) appendEvent(b []byte, of *World, l *inspect.Query, failed error, has *told) []byte {
	field := func(name string) {
		b = append(b, ',', '"')
		b = append(append(b, name...), '"', ':')
	}
	number := func(name string, n int) { field(name); b = strconv.AppendInt(b, int64(n), 10) }
	b = append(b, `{"map":`...)
	b = strconv.AppendUint(b, uint64(of.Map.ID), 10)
	number("instance", int(of.Stats.Instance))
	field("clock")
	dial, _ := json.Marshal(p.dial())
	b = append(b, dial...)
	b = has.appendSystems(b, of.Stats)
	b = has.appendTicks(b, of.Stats)
	b = has.appendSeconds(b, of.Stats)
	if of.Stats.Resting() {
		field("resting")
		b = append(b, "true"...)
	}
	if failed != nil {
		field("failed")
		b = append(b, `"this map does not answer"`...)
		return append(b, '}')
	}
	if pacer := p.config.Pacer; pacer != nil {
		number("step_ms", int(pacer.Step()/time.Millisecond))
		number("flush_ms", int(pacer.Period()/time.Millisecond))
	}
	number("tick", int(l.Tick))
	number("players", l.Players)
	number("awake", l.Awake)
	number("asleep", l.Asleep)
	if l.Grain > 0 {
		number("grain", l.Grain)
		number("columns", l.Columns)
		number("left", int(l.Left))
		number("bottom", int(l.Bottom))
		field("blocks")
		b = appendBlocks(b, l.Blocks)
	} else {
		field("things")
		b = appendThings(b, l.Things)
		b = has.appendNames(b, l.Things, p.config.Names)
	}
	if l.GUID != 0 {
		field("entity")
		if l.Found {
			b = p.appendEntity(b, of, l)
		} else {
			b = append(b, "null"...)
		}
	}
	return append(b, '}')
}

func appendThings(b []byte, things []inspect.Thing) []byte {
	b = append(b, '[')
	for i := range things {
		t := &things[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `"0x`...)
		b = strconv.AppendUint(b, t.GUID, 16)
		b = append(b, '"', ',')
		b = append(strconv.AppendFloat(b, float64(t.X), 'f', 1, 32), ',')
		b = append(strconv.AppendFloat(b, float64(t.Y), 'f', 1, 32), ',')
		b = strconv.AppendUint(b, uint64(t.Kind)<<4|uint64(t.State), 10)
	}
	return append(b, ']')
}

func appendBlocks(b []byte, blocks []inspect.Block) []byte {
	b = append(b, '[')
	first := true
	for i := range blocks {
		k := &blocks[i]
		if *k == (inspect.Block{}) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		for j, n := range [...]uint32{uint32(i), k.Awake, k.Asleep, k.Players} {
			if j > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendUint(b, uint64(n), 10)
		}
	}
	return append(b, ']')
}
