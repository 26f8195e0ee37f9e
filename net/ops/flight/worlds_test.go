package flight

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"muster/net/replication/recording"
	"muster/sched"
	"muster/sched/tickstats"
)

// A bundle has what the log of a world has of the last ten seconds, or since the oldest tick that it has, in place of what the world has read. It is not copied for a bundle that is
// not kept.
func TestBundleHasTheLog(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept")
	for _, c := range []struct {
		name   string
		folder string
		since  []uint64 // with which the log can begin
		cause  Cause
		asked  []uint64 // ticks from which on it was copied
		about  string
	}{
		{"asked", "", []uint64{0, 60}, Cause{Kind: Asked}, []uint64{100}, "those of its log, for muster replay"},
		{"slow", kept, []uint64{0, 60}, Cause{Kind: Slow, Map: 4, Tick: 290}, []uint64{90}, "those of its log, for muster replay"},
		{"slow, and not kept", "", []uint64{0}, Cause{Kind: Slow, Map: 4, Tick: 290}, nil, "none: the bundle is not kept"},
		{"a young log", "", []uint64{270, 280}, Cause{Kind: Asked}, []uint64{100, 270}, "those of its log, for muster replay"},
		{"half", "", []uint64{0}, Cause{Kind: Asked}, []uint64{100}, "none: the rest is not there"},
		{"no log", "", nil, Cause{Kind: Asked}, []uint64{100}, "none: " + (&recording.PurgedError{Tick: 100}).Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := New(Config{Budget: 100 * ms, Folder: c.folder})
			idle := func(sched.Tick) {}
			p := tickstats.New(4, "Here", 50*ms, 50*ms, sched.NewPlan(func() {}, sched.System{Name: "movement", Run: idle}))
			var asked []uint64
			w := fakeWorld{p, r.Watch(p, recording.Header{Map: 4}, func(_ context.Context, folder string, tick uint64, _ int64) error {
				asked = append(asked, tick)
				if c.name == "half" {
					return errors.Join(os.WriteFile(filepath.Join(folder, "map4-1.log"), []byte("lo"), 0o600), errors.New("the rest is not there"))
				}
				if len(c.since) == 0 || tick < c.since[0] {
					return &recording.PurgedError{Tick: tick, Since: c.since}
				}
				within := filepath.Join(folder, "instance7")
				return errors.Join(os.Mkdir(within, 0o700), os.WriteFile(filepath.Join(folder, "map4-1.log"), []byte("log"), 0o600), os.WriteFile(filepath.Join(within, "a"), []byte("b"), 0o600))
			})}
			for n := range uint64(301) {
				w.tick(n, ms, ms)
			}
			var file bytes.Buffer
			b, err := r.Write(t.Context(), &file, c.cause)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(asked, c.asked) || b.Worlds[0].Inboxes != c.about {
				t.Errorf("copied from %v on, and says %q; want %v, %q", asked, b.Worlds[0].Inboxes, c.asked, c.about)
			}
			folder := t.TempDir()
			err = ExtractWorlds(bytes.NewReader(file.Bytes()), int64(file.Len()), folder)
			if !strings.Contains(c.about, "muster replay") {
				if !errors.Is(err, ErrNoWorlds) {
					t.Errorf("it is extracted: %v", err)
				}
				return
			}
			log, failed := os.ReadFile(filepath.Join(folder, "map4-1.log"))
			of, failed2 := os.ReadFile(filepath.Join(folder, "instance7", "a"))
			if err = errors.Join(err, failed, failed2); err != nil || string(log) != "log" || string(of) != "b" {
				t.Errorf("extracted, it is %q and %q, %v", log, of, err)
			}
			if _, err := os.Stat(filepath.Join(folder, "bundle.json")); err == nil {
				t.Error("all of the bundle is extracted")
			}
		})
	}
}

// The log of the world that a bundle is about is copied first, up to the tick that it is about, and those of the others of its map up to their last.
func TestLogOfTheCauseIsFirst(t *testing.T) {
	r := New(Config{Budget: 100 * ms, Folder: filepath.Join(t.TempDir(), "kept")})
	idle := func(sched.Tick) {}
	var asked []string
	for _, instance := range []uint32{0, 6, 7} {
		p := tickstats.New(4, "Here", 50*ms, 50*ms, sched.NewPlan(func() {}, sched.System{Name: "movement", Run: idle}))
		p.Instance = instance
		w := fakeWorld{p, r.Watch(p, recording.Header{Map: 4}, func(_ context.Context, _ string, tick uint64, _ int64) error {
			asked = append(asked, fmt.Sprintf("%d from %d", instance, tick))
			return nil
		})}
		for n := range uint64(301) {
			w.tick(n, ms, ms)
		}
	}
	if _, err := r.Write(t.Context(), io.Discard, Cause{Kind: Slow, Map: 4, Instance: 7, Tick: 290}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"7 from 90", "0 from 100", "6 from 100"}; !slices.Equal(asked, want) {
		t.Errorf("copied are %q, want %q", asked, want)
	}
}

// A bundle without the log of a world needs no disk. One with it has that in the folder of bundles, which is made for it, while it is written; where none can be made,
// the bundle says so, and has all else.
func TestBundleNeedsNoDisk(t *testing.T) {
	within := t.TempDir()
	none := filepath.Join(within, "none")
	if err := os.WriteFile(none, nil, 0o600); err != nil { // no folder can be made in it
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", none)
	kept := filepath.Join(within, "flight")
	const had = "those of its log, for muster replay"
	for _, c := range []struct {
		name, folder string
		log          bool
		cause        Cause
		about        string
	}{
		{"no log", "", false, Cause{Kind: Asked}, "1 items of 1 ticks, from 1 to 1"},
		{"no log, and a folder", none, false, Cause{Kind: Asked}, "1 items of 1 ticks, from 1 to 1"},
		{"a log, and not kept", "", true, Cause{Kind: Slow, Map: 4, Tick: 1}, "none: the bundle is not kept"},
		{"a log", "", true, Cause{Kind: Asked}, "none: "},
		{"a log, and no folder can be made", filepath.Join(none, "flight"), true, Cause{Kind: Asked}, "none: "},
		{"a log, and a folder", kept, true, Cause{Kind: Asked}, had},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := New(Config{Budget: 100 * ms, Folder: c.folder})
			w := newFakeWorld(r)
			if c.log {
				w.excerpt = func(_ context.Context, folder string, _ uint64, _ int64) error {
					if in, err := filepath.Rel(kept, folder); err != nil || !filepath.IsLocal(in) {
						t.Errorf("the log is copied to %s, which is not in %s", folder, kept)
					}
					return os.WriteFile(filepath.Join(folder, "map4-1.log"), []byte("log"), 0o600)
				}
			}
			w.tick(1, ms, ms)
			var file bytes.Buffer
			b, err := r.Write(t.Context(), &file, c.cause)
			if err != nil {
				t.Fatal(err)
			}
			if about := b.Worlds[0].Inboxes; !strings.HasPrefix(about, c.about) {
				t.Errorf("it says %q, want %q", about, c.about)
			}
			if _, err := Read(bytes.NewReader(file.Bytes()), int64(file.Len())); err != nil {
				t.Error(err)
			}
			if left, err := os.ReadDir(kept); err == nil && len(left) > 0 || err == nil && c.about != had {
				t.Errorf("%v is left on the disk", left)
			}
		})
	}
}

// A written is what writes itself, and counts how often.
type written struct{ times int }

func (w *written) WriteTo(to io.Writer) (int64, error) {
	w.times++
	n, err := io.WriteString(to, "a trace")
	return int64(n), err
}

// What has only the last ticks, the statistics of all worlds and the trace, is taken before the first log is copied: that may take long. All logs together have ten seconds,
// after which the bundle has those that are copied, and all else.
func TestLogsAreCopiedLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(Config{Budget: 100 * ms})
		traced := new(written)
		r.trace = traced
		var worlds [4]fakeWorld
		copied := ""
		for i := range worlds {
			worlds[i] = newFakeWorld(r)
			if i == 3 { // has no log
				continue
			}
			worlds[i].excerpt = func(ctx context.Context, folder string, _ uint64, _ int64) error {
				copied += fmt.Sprint(i)
				if traced.times != 1 {
					t.Errorf("the log of world %d is copied after %d traces, want one", i, traced.times)
				}
				for _, w := range worlds { // so many that those of the bundle are gone
					for n := range uint64(300) {
						w.tick(n+2, ms, ms)
					}
				}
				if i == 1 {
					<-ctx.Done()
					return ctx.Err()
				}
				return os.WriteFile(filepath.Join(folder, "map4-1.log"), nil, 0o600)
			}
		}
		for _, w := range worlds {
			w.tick(1, ms, ms)
		}
		began := time.Now()
		var file bytes.Buffer
		b, err := r.Write(t.Context(), &file, Cause{Kind: Asked})
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != excerptsTime || copied != "01" {
			t.Errorf("the logs of the worlds %s are copied in %v", copied, took)
		}
		const late = "none: to copy the logs of worlds took longer than 10s"
		for i, about := range []string{"those of its log, for muster replay", late, late, "1 items of 1 ticks, from 1 to 1"} {
			if o := b.Worlds[i]; len(o.Ticks) != 1 || o.Ticks[0].N != 1 || o.Inboxes != about {
				t.Errorf("world %d has %d ticks, and says %q; want the first, and %q", i, len(o.Ticks), o.Inboxes, about)
			}
		}
		z, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if trace, err := fs.ReadFile(z, "trace.out"); err != nil || string(trace) != "a trace" {
			t.Errorf("the trace is %q, %v", trace, err)
		}
	})
}

// What the logs of a bundle may have together is the room that is given to the first, and what others have left to the next. One that is not copied takes none.
func TestRoomOfLogs(t *testing.T) {
	r := New(Config{Budget: 100 * ms})
	const first, third = 1 << 20, 500
	for _, c := range []struct{ size, room int64 }{{first, maxExcerpts}, {-1, maxExcerpts - first}, {third, maxExcerpts - first}, {0, maxExcerpts - first - third}} {
		w := newFakeWorld(r)
		w.excerpt = func(_ context.Context, folder string, _ uint64, most int64) error {
			if most != c.room {
				t.Errorf("there is room for %d bytes, want %d", most, c.room)
			}
			name := filepath.Join(folder, "map4-1.log")
			if c.size < 0 {
				return errors.Join(os.WriteFile(name, []byte("lo"), 0o600), errors.New("too large"))
			}
			return errors.Join(os.WriteFile(name, nil, 0o600), os.Truncate(name, c.size))
		}
	}
	b, err := r.Write(t.Context(), io.Discard, Cause{Kind: Asked})
	if err != nil {
		t.Fatal(err)
	}
	const has = "those of its log, for muster replay"
	for i, about := range []string{has, "none: too large", has, has} {
		if got := b.Worlds[i].Inboxes; got != about {
			t.Errorf("world %d says %q, want %q", i, got, about)
		}
	}
}

// A recorder removes the excerpts of a process that has ended while it wrote a bundle, and nothing else.
func TestExcerptsAreCleared(t *testing.T) {
	folder := t.TempDir()
	old := filepath.Join(folder, excerptsName+"1")
	left, written, other := filepath.Join(old, "2"), filepath.Join(folder, excerptsName+"3"), filepath.Join(folder, "other")
	before := time.Now().Add(-101 * time.Second)
	if err := errors.Join(os.MkdirAll(left, 0o700), os.Mkdir(other, 0o700), os.Mkdir(written, 0o700), os.WriteFile(filepath.Join(left, "map4-1.log"), nil, 0o600),
		os.Chtimes(old, before, before), os.Chtimes(other, before, before)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := contextOf(t)
	cancel()
	New(Config{Folder: folder, Budget: 100 * ms}).Run(ctx)
	if all, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || !slices.Equal(all, []string{written, other}) {
		t.Errorf("%v are left, %v; want what another process writes, and what is none", all, err)
	}
	New(Config{Folder: filepath.Join(folder, "none"), Budget: 100 * ms}).Run(ctx)
}

// What is extracted stays in its folder, and is of a bundle.
func TestExtractWorlds(t *testing.T) {
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	f, err := z.Create("worlds/../../escaped")
	if err == nil {
		_, err = f.Write([]byte("x"))
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "a", "b")
	if err := ExtractWorlds(bytes.NewReader(file.Bytes()), int64(file.Len()), folder); !errors.Is(err, ErrNoWorlds) {
		t.Errorf("%v, want ErrNoWorlds", err)
	}
	if err := ExtractWorlds(strings.NewReader("no zip"), 6, folder); !errors.Is(err, ErrFormat) {
		t.Errorf("%v, want ErrFormat", err)
	}
}
