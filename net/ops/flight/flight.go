// Package flight finds where the time of a slow tick went. It always remembers the last ticks; when one takes longer
// than its budget, or does not end, it writes a bundle: one file with what every system took, where the entities were,
// what had arrived, an execution trace if it is to have one, and a paragraph that names the cause.
//
// A tick pays for it with a copy of its inbox into memory that is there already; of a world that has a log with nothing, as bundles have what is
// in that. All else is done by a goroutine of the recorder's own.
package flight

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"time"

	"muster/internal/metric"
	"muster/net/replication/recording"
	"muster/sched/tickstats"
)

// Config is what a recorder is made with. Zero means the documented default.
type Config struct {
	// Folder is where bundles are written; it is made when there is one. Without a folder they are written only on
	// request. It has the excerpts of a bundle while that is written. Recorders of several processes may have the same.
	Folder string
	Budget time.Duration // a tick may take so long. Required
	Every  time.Duration // one bundle at most in this time; default a minute
	Keep   int           // bundles in the folder, of which the oldest is removed; default 10
	// Inbox is how much of what arrived is remembered for the world of a map, in bytes; default 4 MiB. Of an instance it is the part that instancePart says.
	Inbox int
	// Trace has bundles have an execution trace. It costs what the whole process does: each turn of a goroutine and each system call is noted.
	Trace bool

	Release string // of the program
	// Metric counts flight.slow, ticks over the budget; flight.stuck, those that were seen running after five times
	// that; flight.bundle and flight.failed.
	Metric *metric.Table
	Log    *slog.Logger // default none
}

// traceAge is how far back an execution trace reaches, about, and traceBytes how much of it is remembered, about.
const (
	traceAge   = Window
	traceBytes = 8 << 20
)

// instancePart is by how much less is remembered of what has arrived for an instance, our own choice: it is of 40 players at most, of which each sends 10 packets of 50 bytes in a second, of
// which ten seconds are 200 KB.
const instancePart = 16

// stuckTimes is how many times its budget a tick may run before it counts as stuck.
const stuckTimes = 5

// A Recorder writes bundles. Its methods may be called from any goroutine.
type Recorder struct {
	config Config
	slow   chan Cause  // has room for one
	trace  io.WriterTo // the execution trace; nil without one

	mu   sync.Mutex // one bundle at a time
	last time.Time  // when one was written

	watching sync.Mutex // of worlds, which begin and end
	worlds   []*World   // in the order of their beginnings
}

// A Cause is why a bundle is written.
type Cause struct {
	Kind     string        `json:"kind"` // Slow, Stuck or Asked
	Map      uint32        `json:"map"`
	Instance uint32        `json:"instance,omitempty"` // of the map, where it is one
	Tick     uint64        `json:"tick"`
	Took     time.Duration `json:"took_ns"` // so far, if it is stuck
	// System is where a tick is stuck.
	System string `json:"system,omitempty"`
}

// The kinds of causes.
const (
	Slow  = "slow"  // a tick took longer than its budget
	Stuck = "stuck" // a tick does not end
	Asked = "asked" // a bundle is requested
)

// New returns a recorder that has no worlds yet. If it is to trace, it begins that when Run is called.
func New(c Config) *Recorder {
	c.Every = cmp.Or(c.Every, time.Minute)
	c.Keep = cmp.Or(c.Keep, 10)
	c.Inbox = cmp.Or(c.Inbox, 4<<20)
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Metric.Declare("flight.slow", "flight.stuck", "flight.bundle", "flight.failed")
	return &Recorder{config: c, slow: make(chan Cause, 1)}
}

// Watch adds a world, before it runs, until it is forgotten. The header has what it is made of. Of a world that has a log bundles have an excerpt of that, with a snapshot, and nothing
// is remembered of what it reads; excerpt is nil for another one.
func (r *Recorder) Watch(p *tickstats.Stats, header recording.Header, excerpt Excerpt) *World {
	w := &World{recorder: r, stats: p, header: header, over: r.config.Metric.Counter("flight.slow"), excerpt: excerpt}
	if excerpt == nil {
		room := r.config.Inbox
		if p.Instance != 0 {
			room /= instancePart
		}
		w.heard.init(room, p.Quantum)
	}
	r.watching.Lock()
	defer r.watching.Unlock()
	r.worlds = append(r.worlds, w)
	return w
}

// Forget removes a world, which has ended. One that is forgotten already is no error.
func (r *Recorder) Forget(w *World) {
	r.watching.Lock()
	defer r.watching.Unlock()
	r.worlds = slices.DeleteFunc(r.worlds, func(one *World) bool { return one == w })
}

// watched are the worlds that there are.
func (r *Recorder) watched() []*World {
	r.watching.Lock()
	defer r.watching.Unlock()
	return slices.Clone(r.worlds)
}

// Run writes bundles, and traces if it is to, until ctx ends.
func (r *Recorder) Run(ctx context.Context) {
	if r.config.Trace {
		t := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: traceAge, MaxBytes: traceBytes})
		if err := t.Start(); err != nil {
			r.config.Log.Warn("flight: bundles have no execution trace", "err", err)
		} else {
			r.mu.Lock()
			r.trace = t
			r.mu.Unlock()
			defer t.Stop()
		}
	}
	if err := r.clear(); err != nil {
		r.config.Log.Warn("flight: the excerpts of a bundle that was not written stay", "err", err)
	}
	look := time.NewTicker(max(10*time.Millisecond, r.config.Budget*stuckTimes/2))
	defer look.Stop()
	for {
		select {
		case c := <-r.slow:
			r.write(ctx, c)
		case <-look.C:
			for _, w := range r.watched() {
				now, ok := w.stats.Running()
				if !ok || now.For < stuckTimes*r.config.Budget || w.stuck == now.N {
					continue
				}
				w.stuck = now.N
				r.config.Metric.Count("flight.stuck")
				r.write(ctx, Cause{Kind: Stuck, Map: w.stats.Map, Instance: w.stats.Instance, Tick: now.N, Took: now.For, System: now.System})
			}
		case <-ctx.Done():
			return
		}
	}
}

// write writes a bundle into the folder, unless the last is too recent, and logs its summary.
func (r *Recorder) write(ctx context.Context, c Cause) {
	if !r.last.IsZero() && time.Since(r.last) < r.config.Every {
		return
	}
	r.last = time.Now()
	var b bytes.Buffer
	bundle, err := r.Write(ctx, &b, c)
	if err == nil && r.config.Folder != "" {
		name := filepath.Join(r.config.Folder, fmt.Sprintf("%s%s-%s-tick%d%s", prefix, r.last.UTC().Format("20060102T150405.000000"),
			fileOf(c.Map, c.Instance), c.Tick, suffix))
		if err = save(name, b.Bytes()); err == nil {
			err = r.prune()
		}
		r.config.Log.Warn("flight: "+bundle.Summary, "bundle", name)
	} else if err == nil {
		r.config.Log.Warn("flight: " + bundle.Summary)
	}
	if err != nil {
		r.config.Metric.Count("flight.failed")
		r.config.Log.Error("flight: cannot write a bundle", "err", err)
		return
	}
	r.config.Metric.Count("flight.bundle")
}

// Bundles are called so.
const (
	prefix = "flight-"
	suffix = ".zip"
)

// fileOf is what the names of files say of a world.
func fileOf(id, instance uint32) string {
	if instance == 0 {
		return fmt.Sprintf("map%d", id)
	}
	return fmt.Sprintf("map%d-instance%d", id, instance)
}

// save writes a file, whole or not at all.
func save(name string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	part := name + ".part"
	if err := os.WriteFile(part, b, 0o600); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return os.Rename(part, name)
}

// excerptsAge is how old the excerpts of a bundle are, at the least, that is not being written any more: they are copied in excerptsTime.
const excerptsAge = 10 * excerptsTime

// clear removes the excerpts of bundles that a process before this one has not written to the end.
func (r *Recorder) clear() (err error) {
	if r.config.Folder == "" {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	all, err := os.ReadDir(r.config.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range all {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), excerptsName) {
			continue
		}
		if info, failed := e.Info(); failed != nil || time.Since(info.ModTime()) < excerptsAge {
			continue // it is removed meanwhile, or another process is writing it
		}
		err = errors.Join(err, os.RemoveAll(filepath.Join(r.config.Folder, e.Name())))
	}
	return err
}

// prune removes the oldest bundles, beyond those that are kept. Their names are in the order of time.
func (r *Recorder) prune() error {
	all, err := os.ReadDir(r.config.Folder)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range all {
		if n := e.Name(); e.Type().IsRegular() && strings.HasPrefix(n, prefix) &&
			(strings.HasSuffix(n, suffix) || strings.HasSuffix(n, suffix+".part")) {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	for _, n := range names[:max(0, len(names)-r.config.Keep)] {
		if failed := os.Remove(filepath.Join(r.config.Folder, n)); !errors.Is(failed, fs.ErrNotExist) { // another process may have removed it
			err = errors.Join(err, failed)
		}
	}
	return err
}

// Write writes a bundle. It takes a moment, in which no other is written; the logs of worlds take ten seconds at most, together. When ctx ends the bundle has
// those that are copied, and all else.
func (r *Recorder) Write(ctx context.Context, w io.Writer, c Cause) (*Bundle, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	stacks := goroutines() // first: a tick that is stuck may still be
	return r.bundle(ctx, w, c, stacks)
}
