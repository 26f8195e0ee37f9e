package worldfork

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"muster/components"
	"muster/net/ops/admin"
	"muster/net/ops/control"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/protocol/speech"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/inspect"
	"muster/systems"
)

// Bounds on commands, our own choices.
const (
	maxOrder    = 4 << 10 // bytes of a request
	commandTime = 15 * time.Second
	// A clock that stands takes a step for a command, and others until that is answered: a world that rests begins some time after it was given something. The pause before
	// the next one is twice as long each time.
	firstPause, longestPause = time.Millisecond, time.Second
)

// A console gives commands to copies, as a gateway does to worlds: through their inboxes.
type console struct {
	mu         sync.Mutex
	last       uint64
	open       map[uint64]chan string // commands that are not answered; each has room for its answer
	characters map[string]character   // by name in lower case; not changed while worlds run
}

// A character is one that was in a world when that was copied.
type character struct {
	world   int
	session uint32
}

// know notes the characters of a world that does not run yet.
func (c *console) know(w *systems.World, world int) {
	if c.open == nil {
		c.open, c.characters = make(map[uint64]chan string), make(map[string]character)
	}
	w.Characters(func(session uint32, guid uint64) {
		q := inspect.Query{GUID: guid}
		w.Inspect(&q)
		if !q.Found {
			return
		}
		for _, component := range q.Row.Components() {
			if name, ok := component.Addr().Interface().(*components.Name); ok {
				c.characters[strings.ToLower(name.String())] = character{world, session}
			}
		}
	})
}

// begin begins a command.
func (c *console) begin() (id uint64, answer <-chan string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	said := make(chan string, 1)
	c.open[c.last] = said
	return c.last, said
}

// end ends a command, answered or not.
func (c *console) end(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, id)
}

// take passes answers on.
func (c *console) take(answers []frame.Answered) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range answers {
		if said := c.open[a.ID]; said != nil {
			said <- a.Text
			delete(c.open, a.ID)
		}
	}
}

// errSilent is the error of a world that has not answered.
var errSilent = errors.New("worldfork: a world does not answer")

// part serves commands, as the console of a server does.
func (f *fork) part() admin.Part {
	return admin.Part{Pattern: "POST /api/console", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q control.Line
		d := json.NewDecoder(io.LimitReader(r.Body, maxOrder))
		d.DisallowUnknownFields()
		instance, err := uint64(0), d.Decode(&q)
		if number := r.URL.Query().Get("instance"); number != "" && err == nil {
			instance, err = strconv.ParseUint(number, 10, 32)
		}
		if err != nil {
			http.Error(w, `that is not {"line":…}, or no number of an instance`, http.StatusBadRequest)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), commandTime)
		defer cancel()
		http.NewResponseController(w).SetWriteDeadline(time.Time{})
		said, err := f.run(ctx, q.Line, uint32(instance))
		if err != nil {
			http.Error(w, "a copy does not answer", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(said)
	})}
}

// run has the copies execute a line, one after the other, or the one of an instance, or of the character that it is about.
func (f *fork) run(ctx context.Context, line string, instance uint32) (said control.Said, err error) {
	refused := func(format string, args ...any) (control.Said, error) {
		return control.Said{Lines: []string{fmt.Sprintf(format, args...)}}, nil
	}
	if line = strings.TrimLeft(strings.TrimSpace(line), ".!"); !speech.Shown(line) || len(line) > frame.MaxCommand/2 {
		return refused("That is not text.")
	}
	session, only := frame.NoSession, -1
	if rest, named := strings.CutPrefix(line, "#"); named {
		name, rest, _ := strings.Cut(rest, " ")
		of, ok := f.characters[strings.ToLower(name)]
		if !ok {
			return refused("There is no %s in a copy.", name)
		}
		line, session, only = rest, of.session, of.world
	}
	m := command.Find(strings.TrimPrefix(line, command.OfSelf), command.Console)
	if m.Outcome != command.Found {
		return control.Said{Lines: m.Explain()}, nil
	}
	switch {
	case m.Verb.Scope == command.Server:
		return refused("%s is for a server: this is a copy of worlds.", m.Verb.Path)
	case m.Verb.Scope == command.Worlds:
		session, only = frame.NoSession, -1
	}
	said = control.Said{OK: true, Lines: []string{}}
	asked := 0
	for i, live := range f.lives {
		if only >= 0 && only != i || instance != 0 && live.Stats.Instance != instance {
			continue
		}
		asked++
		text, err := f.ask(ctx, live, session, line)
		if err != nil {
			return said, err
		}
		text, no := strings.CutPrefix(text, command.NotDone)
		said.OK = said.OK && !no
		for line := range strings.Lines(text) {
			if line = strings.TrimSuffix(line, "\n"); !slices.Contains(said.Lines, line) {
				said.Lines = append(said.Lines, line)
			}
		}
	}
	if asked == 0 {
		return refused("There is no such instance here.")
	}
	return said, nil
}

// ask gives a line to a world, and waits for the answer. A clock that stands takes steps for that.
func (f *fork) ask(ctx context.Context, live *systems.Live, session uint32, line string) (string, error) {
	id, answer := f.begin()
	defer f.end(id)
	var in frame.Inbox
	body := msg.Append(nil, wire.V12340, &frame.Command{ID: id, Level: command.Console, Text: line})
	if err := in.Add(frame.Item{Session: session, AtMs: live.Exchange.NowMs(), Op: frame.OpCommand, Body: body}); err != nil {
		return "", err
	}
	if err := live.Exchange.Post(&in); err != nil {
		return "", err
	}
	for pause := firstPause; f.driver.Speed() == 0; pause = min(2*pause, longestPause) {
		order, err := f.driver.Advance(1)
		if err == nil {
			_, err = order.Wait(ctx)
		}
		if err != nil {
			return "", err
		}
		again := time.NewTimer(pause)
		select {
		case text := <-answer:
			again.Stop()
			return text, nil
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return "", errSilent
		}
	}
	select {
	case text := <-answer:
		return text, nil
	case <-ctx.Done():
		return "", errSilent
	}
}
