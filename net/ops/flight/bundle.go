package flight

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/pprof"
	"slices"
	"time"

	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/sched/tickstats"
)

// A Bundle is what is known of a slow tick. All of it except traces, stacks and inboxes is in the file
// bundle.json.
type Bundle struct {
	Cause   Cause         `json:"cause"`
	Summary string        `json:"summary"` // a paragraph
	At      time.Time     `json:"at"`
	Release string        `json:"release"`
	Budget  time.Duration `json:"budget_ns"`
	Worlds  []Observed    `json:"worlds"`
}

// An Observed world is as its tick statistics have it.
type Observed struct {
	Map      uint32           `json:"map"`
	Instance uint32           `json:"instance,omitempty"` // of the map, where it is one
	Name     string           `json:"name"`
	Step     time.Duration    `json:"step_ns"` // the longest
	Systems  []string         `json:"systems"`
	Ended    int              `json:"ended"` // ticks in ten seconds
	Ticks    []tickstats.Tick `json:"ticks"` // the oldest first; of most worlds, where there are many, the slowest alone
	Crowds   []Crowd          `json:"crowds"`
	Inboxes  string           `json:"inboxes"` // what is in its file
}

// A Crowd is a cell with many awake things in it.
type Crowd struct {
	Cell    string  `json:"cell"`
	X       float32 `json:"x"` // of its corner, in yards
	Y       float32 `json:"y"`
	Things  int     `json:"things"`
	Players int     `json:"players"`
}

// goroutines are the stacks of all, those of a kind as one, with their labels.
func goroutines() []byte {
	var b bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&b, 1)
	return b.Bytes()
}

// bundle gathers a bundle and writes it. The recorder is locked.
func (r *Recorder) bundle(ctx context.Context, w io.Writer, c Cause, stacks []byte) (*Bundle, error) {
	b := &Bundle{Cause: c, At: time.Now().UTC(), Release: r.config.Release, Budget: r.config.Budget}
	inboxes := make(map[string][]byte)
	// The worlds go on meanwhile: what has only their last ticks comes before the logs, which have them for longer and take long to copy.
	worlds := r.watched()
	b.Worlds = observe(worlds, c)
	for i, world := range worlds {
		if o := &b.Worlds[i]; world.excerpt == nil {
			var log []byte
			if log, o.Inboxes = world.log(); log != nil {
				inboxes[o.file()] = log
			}
		}
	}
	var traced bytes.Buffer
	var noTrace error
	if r.trace != nil {
		_, noTrace = r.trace.WriteTo(&traced)
	}
	cut := excerpts{within: r.config.Folder, left: maxExcerpts}
	defer func() {
		if err := cut.remove(); err != nil { // which is no fault of the bundle
			r.config.Log.Warn("flight: the excerpts of a bundle stay", "err", err)
		}
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, excerptsTime, errSlow)
	defer cancel()
	about := b.world()
	for _, first := range []bool{true, false} { // there may be no time, or no room, for those that come last
		for i, world := range worlds {
			o := &b.Worlds[i]
			switch {
			case world.excerpt == nil, (o == about) != first:
			case c.Kind == Asked || r.config.Folder != "":
				o.Inboxes = cut.take(ctx, world, c)
			default:
				o.Inboxes = "none: the bundle is not kept"
			}
		}
	}
	b.Summary = b.summarise()
	z := zip.NewWriter(w)
	add := func(name string, write func(io.Writer) error) error {
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: b.At})
		if err != nil {
			return err
		}
		return write(f)
	}
	bytesOf := func(content []byte) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := w.Write(content)
			return err
		}
	}
	err := errors.Join(noTrace, add("summary.txt", bytesOf([]byte(b.Summary+"\n"))), add(bundleFile, func(w io.Writer) error { return json.NewEncoder(w).Encode(b) }),
		add("goroutines.txt", bytesOf(stacks)))
	if r.trace != nil {
		err = errors.Join(err, add("trace.out", bytesOf(traced.Bytes())))
	}
	for _, o := range b.Worlds {
		if log := inboxes[o.file()]; log != nil {
			err = errors.Join(err, add(o.file(), bytesOf(log)))
		}
	}
	for _, folder := range cut.folders {
		err = errors.Join(err, addWorld(z, b.At, folder))
	}
	return b, errors.Join(err, z.Close())
}

const bundleFile = "bundle.json"

// file is the name of its inboxes.
func (o *Observed) file() string { return fileOf(o.Map, o.Instance) + ".rec" }

// maxWhole is of how many worlds a bundle has all ticks of ten seconds: the one that it is about, and those with the slowest ticks. A tick of 180 systems has some 2 KB of JSON, and there
// may be a thousand worlds, with 2,000 ticks each.
const maxWhole = 8

// maxSlowest is how many ticks a bundle has of each other world, and how many muster flight prints.
const maxSlowest = 10

// observe observes worlds for a bundle with such a cause.
func observe(worlds []*World, c Cause) []Observed {
	all := make([]Observed, len(worlds))
	var whole []int // the worlds that have all of their ticks
	for i, w := range worlds {
		all[i] = w.observe()
		if whole = append(whole, i); len(whole) <= maxWhole {
			continue
		}
		least := -1
		for at, j := range whole {
			if isCause := c.Kind != Asked && worlds[j].of(c); !isCause && (least < 0 || all[j].slowest().Took <= all[whole[least]].slowest().Took) {
				least = at
			}
		}
		all[whole[least]].keepSlowest()
		whole = slices.Delete(whole, least, least+1)
	}
	return all
}

// keepSlowest leaves out all ticks but the slowest.
func (o *Observed) keepSlowest() {
	o.Ticks = bySlowness(o.Ticks)
	o.Ticks = slices.Clone(o.Ticks[:min(maxSlowest, len(o.Ticks))]) // without the memory of the others
	slices.SortFunc(o.Ticks, func(a, b tickstats.Tick) int { return cmp.Compare(a.N, b.N) })
}

// bySlowness are ticks, the slowest first.
func bySlowness(ticks []tickstats.Tick) []tickstats.Tick {
	slow := slices.Clone(ticks)
	slices.SortStableFunc(slow, func(a, b tickstats.Tick) int { return cmp.Compare(b.Took, a.Took) })
	return slow
}

func (w *World) observe() Observed {
	o := Observed{Map: w.stats.Map, Instance: w.stats.Instance, Name: w.stats.Name, Step: w.stats.Step, Ticks: w.stats.Last(Window)}
	o.Ended = len(o.Ticks)
	for _, s := range w.stats.Systems() {
		o.Systems = append(o.Systems, s.Name)
	}
	for _, c := range w.stats.Crowds() {
		x, y := c.Cell.Origin()
		o.Crowds = append(o.Crowds, Crowd{c.Cell.String(), x, y, c.Things, c.Players})
	}
	return o
}

// log is what the last ticks have read, as a log of package recording, and a note about it.
func (w *World) log() (log []byte, about string) {
	all := w.heard.take()
	if len(all) == 0 {
		return nil, "none"
	}
	log = recording.AppendHeader(nil, &w.header)
	var in frame.Inbox
	items := 0
	for _, one := range all {
		if err := in.UnmarshalBinary(one.bytes); err != nil {
			return nil, err.Error()
		}
		items += in.Len()
		log = recording.AppendTick(log, one.tick, &in)
	}
	log = recording.AppendEnd(log, "a part, as a bundle has it")
	return log, fmt.Sprintf("%d items of %d ticks, from %d to %d", items, len(all), all[0].tick, all[len(all)-1].tick)
}

// maxBundle bounds what Read takes for bundle.json, in bytes: what a bundle has of maxWhole worlds is an eighth of that, and what it has of a thousand others less.
const maxBundle = 256 << 20

// ErrFormat is returned for a file that is no bundle.
var ErrFormat = errors.New("flight: not a bundle")

// Read reads a bundle, without its traces, stacks and inboxes. The error wraps ErrFormat, or is one of r.
func Read(r io.ReaderAt, size int64) (*Bundle, error) {
	z, err := zip.NewReader(r, size)
	if errors.Is(err, zip.ErrFormat) {
		return nil, ErrFormat
	}
	if err != nil {
		return nil, err
	}
	f, err := z.Open(bundleFile)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFormat, err)
	}
	defer f.Close()
	b := new(Bundle)
	if err := json.NewDecoder(io.LimitReader(f, maxBundle)).Decode(b); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFormat, err)
	}
	return b, nil
}
