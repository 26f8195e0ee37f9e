package main

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"muster/cmd/internal/realm"
	"muster/loaders/store"
	"muster/sched"
)

// A brokenMap panics in its first tick, as one does that has a bug in a system.
type brokenMap struct{ sched.Map }

func (brokenMap) Step(uint64) { panic("out of order") }
func (brokenMap) Idle() bool  { return false }

// An awakeMap is stepped without players, too.
type awakeMap struct{ sched.Map }

func (awakeMap) Idle() bool { return false }

// A map that panics is stopped, with a line in the log and a counter, and the server is no longer reported as alive to a
// supervisor; the realm goes on, and ends in order.
func TestMapPanicIsOfOneMap(t *testing.T) {
	v, err := parse(t, strings.Fields("serve --auth 127.0.0.1:0 --world 127.0.0.1:0 --admin 127.0.0.1:0 --creatures 100"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	r, err := realm.New(&v.Serve.Config, store.NewMemory(store.MemoryConfig{}), slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	ticked := make(chan uint64, 1)
	for i, w := range r.Worlds {
		w.Map = awakeMap{w.Map}
		if i == 0 {
			w.Map = brokenMap{w.Map}
		} else {
			w.Map = countedMap{w.Map, ticked}
		}
	}
	if err := r.Alive(); err != nil {
		t.Errorf("before it begins the server is not alive: %v", err)
	}
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	err = r.Serve(ctx, func(realm.Open) error {
		for r.Metric.Value("map.panic") == 0 && ctx.Err() == nil {
			<-ticked
		}
		for range 5 { // the others go on
			<-ticked
		}
		for r.Alive() == nil && ctx.Err() == nil {
			<-ticked
		}
		if err := r.Alive(); err == nil || err.Error() != "a map has been given up" {
			t.Errorf("the server is alive: %v", err)
		}
		stop()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := r.Metric.Value("map.panic"); n != 1 {
		t.Errorf("counted %d panics, want 1", n)
	}
	for _, want := range []string{"map=0", " tick=", " system=", `panic="out of order"`, "brokenMap.Step"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not say %q:\n%s", want, &log)
		}
	}
}

// A countedMap sends the numbers of its ticks, if the channel is read.
type countedMap struct {
	sched.Map
	ticked chan uint64
}

func (m countedMap) Step(n uint64) {
	m.Map.Step(n)
	select {
	case m.ticked <- n:
	default:
	}
}
