package control

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// WhichHappenings says which happenings are asked for.
type WhichHappenings struct {
	After string `json:"after,omitempty" in:"query" doc:"the number after which they are, as next of an answer has it; without it, those from now on"`
	Type  string `json:"type,omitempty" in:"query" doc:"their types, separated by commas; without it, all"`
	Name  string `json:"name,omitempty" in:"query" doc:"of a character or an account; without it, all"`
	Wait  string `json:"wait,omitempty" in:"query" doc:"how long to wait for the first, as in 10s, at most 1m; without it, not at all"`
	Limit int    `json:"limit,omitempty" in:"query" doc:"how many at most, up to 1000; without it, 100"`
}

// Told is some happenings. Something happens from the first request on: what was before that is not kept.
type Told struct {
	Happenings []Happening `json:"happenings"`
	Next       uint64      `json:"next" doc:"after which the next ones are"`
	Gap        bool        `json:"gap,omitempty" doc:"some of those that were asked for are no longer kept"`
}

// Bounds of requests for happenings.
const (
	maxTold     = 1000
	maxWait     = time.Minute
	maxWatchers = 32               // that wait, or follow a stream
	streamTime  = 5 * time.Second  // to take an event in
	streamPulse = 15 * time.Second // between two signs of life of a stream on which nothing happens
)

// errWatchers is the error of a request while too many wait.
var errWatchers = &Error{Text: fmt.Sprintf("%d requests wait for happenings already", maxWatchers), Reason: "busy", status: http.StatusTooManyRequests}

// happenings answers with happenings, or sends them as they come to a client that accepts text/event-stream.
var happenings = func() Operation {
	o := Listed[WhichHappenings, Told]("happenings", "GET", "/api/happenings",
		"what happens on the server, as JSON, or with Accept: text/event-stream as server-sent events")
	o.serve = func(c *Control, w http.ResponseWriter, r *http.Request) {
		q := new(WhichHappenings)
		err := read(r, q)
		if err == nil {
			err = c.tell(w, r, q)
		}
		if err != nil {
			c.fail(w, err)
		}
	}
	return o
}()

// tell answers a request for happenings. An error is one before the answer has begun.
func (c *Control) tell(w http.ResponseWriter, r *http.Request, q *WhichHappenings) error {
	all := c.config.Happenings
	after, wait, f := all.record(), time.Duration(0), filter{name: q.Name}
	var err error
	text := q.After
	stream := strings.Contains(r.Header.Get("Accept"), "text/event-stream")
	if id := r.Header.Get("Last-Event-ID"); stream && id != "" { // as a client says that continues a stream
		text = id
	}
	if text != "" {
		if after, err = strconv.ParseUint(text, 10, 64); err != nil {
			return malformed("after is a number")
		}
	}
	if q.Wait != "" {
		if wait, err = time.ParseDuration(q.Wait); err != nil || wait < 0 || wait > maxWait {
			return malformed("wait is a time up to 1m, as in 10s")
		}
	}
	if q.Type != "" {
		f.types = strings.Split(q.Type, ",")
	}
	for _, name := range f.types {
		if !knownType(name) {
			return malformed(fmt.Sprintf("there is no type %.40q", name))
		}
	}
	switch {
	case q.Limit < 0 || q.Limit > maxTold:
		return malformed("limit is from 1 to 1000")
	case q.Limit == 0:
		q.Limit = 100
	}
	if stream || wait > 0 {
		if c.watchers.Add(1) > maxWatchers {
			c.watchers.Add(-1)
			return errWatchers
		}
		defer c.watchers.Add(-1)
		unhurried(w)
	}
	if stream {
		return c.stream(w, r, after, &f)
	}
	ctx, cancel := context.WithTimeout(r.Context(), wait)
	defer cancel()
	for {
		p, err := all.passage(after, &f, q.Limit)
		if err != nil {
			return err
		}
		if wait > 0 && len(p.found) == 0 && !p.gap && p.changed != nil {
			select {
			case <-p.changed:
				after = p.next
				continue
			case <-ctx.Done():
			}
			if err := r.Context().Err(); err != nil {
				return err
			}
		}
		writeJSON(w, http.StatusOK, Told{append([]Happening{}, p.found...), p.next, p.gap})
		return nil
	}
}

// passage is after, with its error.
func (r *Happenings) passage(after uint64, f *filter, most int) (passage, error) {
	p, ok := r.after(after, f, most)
	if !ok {
		return p, malformed(fmt.Sprintf("there is no happening %d yet: the world may have begun anew", after))
	}
	return p, nil
}

// unhurried lets an answer take longer than the server lets others.
func unhurried(w http.ResponseWriter) { http.NewResponseController(w).SetWriteDeadline(time.Time{}) }

// stream sends happenings until the client disconnects, or takes too long to take one in.
func (c *Control) stream(w http.ResponseWriter, r *http.Request, after uint64, f *filter) error {
	p, err := c.config.Happenings.passage(after, f, maxTold)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	pulse := time.NewTicker(streamPulse)
	defer pulse.Stop()
	for ok := true; ok; p, ok = c.config.Happenings.after(p.next, f, maxTold) {
		out.SetWriteDeadline(time.Now().Add(streamTime))
		if p.gap {
			fmt.Fprint(w, "event: gap\ndata: {}\n\n")
		}
		for i := range p.found {
			text, err := json.Marshal(&p.found[i])
			if err != nil {
				return nil
			}
			if _, err := fmt.Fprintf(w, "id: %d\nevent: %s\ndata: %s\n\n", p.found[i].Number, p.found[i].Type, text); err != nil {
				return nil
			}
		}
		if out.Flush() != nil {
			return nil
		}
		if p.changed == nil {
			continue
		}
		select {
		case <-p.changed:
		case <-pulse.C:
			fmt.Fprint(w, ":\n\n")
		case <-r.Context().Done():
			return nil
		}
	}
	return nil
}
