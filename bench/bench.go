// Package bench measures worlds and servers. Each figure stands beside a baseline that was taken in turn
// with it in the same run, so that what is said is a ratio and not a machine: scenarios write results as
// JSON, and BENCHMARKS.md and the pages in docs/bench are made from those and from nothing else.
package bench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Config says what to measure. The zero Config, with Muster set, runs everything.
type Config struct {
	Muster  string   // the binary whose verbs serve, swarm and floor are started
	Commit  string   // what it was built from
	Quick   bool     // small worlds and few repetitions: finds faults, its times say nothing, and of its targets gates alone are judged
	Only    []string // names of scenarios; default all
	Results string   // folder of the JSON; default bench/results
	// Committed is the folder with the last committed results, with which shares of instructions are compared; default
	// bench/results.
	Committed string
	Report    string    // front page of all results in that folder, with a page for each in docs/bench beside it; default BENCHMARKS.md
	List      string    // file for the figures of this run as one list (Entry); default none
	Log       io.Writer // gets each result as it is had; default nowhere

	// How work is measured; tests have others. The default counts instructions as the kernel does, and takes the
	// processor time of the thread.
	count func() (counter, error)
	clock func() time.Duration
}

// A scenario measures one thing and says in words what that was.
type scenario struct {
	name, title string
	long        bool // not run by a quick run, unless by name
	run         func(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error)
}

// scenarios has all of them, in the order of the report. Those that performance.md 9 numbers are named by it.
func scenarios() []scenario {
	return []scenario{
		{name: "s1", title: "S1: stores, iteration", run: columns},
		{name: "s2", title: "S2: stores, spawn and despawn", run: churn},
		{name: "s3", title: "S3: visibility, spread out", run: spreadOut},
		{name: "s4", title: "S4: visibility, in a crowd", run: crowded},
		{name: "s5", title: "S5: encode and fan out", run: encode},
		{name: "s6", title: "S6: a whole tick in which all players move", run: allMove},
		{name: "s7", title: "S7: a whole tick of a crowd", run: crowdMoves},
		{name: "s12", title: "S12: a million creatures without observers", run: resident},
		{name: "s13", title: "S13: garbage collection", run: garbage},
		{name: "s14", title: "S14: a burst of creates", run: createStorm},
		{name: "shares", title: "Shares of instructions", run: shares},
		{name: "steady-tick", title: "A steady tick", run: steadyTick},
		{name: "keeping", title: "A tick that saves players", run: keeping},
		{name: "watched", title: "A tick that is watched on the page", run: watched},
		{name: "observed", title: "A tick that is monitored", run: observed},
		{name: "idle", title: "A server without players", run: idle},
		{name: "recording", title: "A tick that is recorded", run: recordingScenario},
		{name: "logged", title: "A tick that is kept in a log", run: loggedScenario},
		{name: "observers", title: "Observers per cell", run: observers},
		{name: "fights", title: "Fights", run: fights},
		{name: "growth", title: "Growth", run: growths},
		{name: "asleep", title: "Creatures without observers", run: asleep},
		{name: "ladder", title: "Latency over clients", run: pacedClients},
		{name: "walk", title: "Clients walk", run: walk},
		{name: "roam", title: "Clients roam", long: true, run: roam},
		{name: "s8", title: "S8: fan-out over sockets", run: fanOut},
		{name: "s9", title: "S9: 10,000 clients on one core", long: true, run: flagship},
		{name: "s10", title: "S10: 19,500 clients on one core", long: true, run: fullHouse},
		{name: "s11", title: "S11: a crowd on the wire", long: true, run: crowd},
		{name: "login", title: "Clients log in", run: loginScenario},
		{name: "saves", title: "Saves to PostgreSQL", run: saves},
		{name: "import", title: "Dumps into databases", run: imports},
		{name: "world", title: "An imported world starts", run: worldStarts},
		{name: "cluster", title: "A cluster beside one process", long: true, run: cluster},
		{name: "replicated", title: "A cluster whose worlds are in a log", long: true, run: replicated},
		{name: "scale", title: "A cluster by maps and gateways", run: scale},
	}
}

// Names are those of the scenarios, as Config.Only takes them.
func Names() []string {
	var names []string
	for _, s := range scenarios() {
		names = append(names, s.name)
	}
	return names
}

// ErrMissed is wrapped by what Run returns if a target that holds on any machine was missed. All results
// are written nevertheless.
var ErrMissed = errors.New("bench: missed")

// Run runs the scenarios one after the other, writes their results, and then the report of all results in
// the folder. A scenario that cannot be run does not keep the others from it.
func Run(ctx context.Context, c Config) error {
	c.Committed = cmp.Or(c.Committed, filepath.Join("bench", "results"))
	c.settle()
	if c.Log == nil {
		c.Log = io.Discard
	}
	host := thisHost(c.Commit)
	host.Machine = c.look(ctx)
	if _, err := fmt.Fprintln(c.Log, head(&host, recordedSend(c.Committed), os.Geteuid())); err != nil {
		return err
	}
	var failed []error
	entries := []Entry{}
	for i, s := range scenarios() {
		if !c.wants(&s) || ctx.Err() != nil {
			continue
		}
		r, err := s.measure(ctx, &c, host)
		if err != nil {
			failed = append(failed, fmt.Errorf("bench: %s: %w", s.name, err))
			continue
		}
		r.Order = i + 1
		if err := r.Save(c.Results); err != nil {
			return err
		}
		if _, err := io.WriteString(c.Log, section(r)); err != nil {
			return err
		}
		entries = append(entries, r.Entries()...)
		failed = append(failed, r.gates())
	}
	if c.List != "" {
		failed = append(failed, saveEntries(c.List, entries))
	}
	return errors.Join(errors.Join(failed...), Report(c))
}

// settle gives the places of results and report their defaults.
func (c *Config) settle() {
	c.Results = cmp.Or(c.Results, filepath.Join("bench", "results"))
	c.Report = cmp.Or(c.Report, "BENCHMARKS.md")
}

// Report writes the report of all results in the folder, and the charts beside them. It measures nothing.
func Report(c Config) error {
	c.settle()
	results, err := Load(c.Results)
	if err != nil {
		return err
	}
	others, err := loadOthers(c.Results)
	if err != nil {
		return err
	}
	drawn, err := charts(results, c.Results)
	if err != nil {
		return err
	}
	// chart is the path of a drawing from the folder of a page, or "".
	chart := func(from, scenario string) string {
		if drawn[scenario] == "" {
			return ""
		}
		return beside(from, filepath.Join(c.Results, drawn[scenario]))
	}
	front := filepath.Dir(c.Report)
	pages := filepath.Join(front, "docs", "bench")
	var b bytes.Buffer
	page := func(scenario string) string { return beside(front, filepath.Join(pages, pageOf(scenario)+".md")) }
	WriteFront(&b, results, others, chart(front, ""), page)
	if err := os.WriteFile(c.Report, b.Bytes(), 0o644); err != nil {
		return err
	}
	if err := os.MkdirAll(pages, 0o755); err != nil {
		return err
	}
	texts := make(map[string]*bytes.Buffer)
	for i := range results {
		r := &results[i]
		b, begun := texts[pageOf(r.Name)]
		if begun {
			WriteSection(b, r, chart(pages, r.Name))
		} else {
			b = new(bytes.Buffer)
			texts[pageOf(r.Name)] = b
			WritePage(b, r, beside(pages, c.Report), chart(pages, r.Name))
		}
		if err := os.WriteFile(filepath.Join(pages, pageOf(r.Name)+".md"), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// beside is a path as it is linked from a folder; both are relative or both absolute.
func beside(folder, file string) string {
	path, err := filepath.Rel(folder, file)
	if err != nil {
		path = file
	}
	return filepath.ToSlash(path)
}

// wants reports whether a scenario is to be run.
func (c *Config) wants(s *scenario) bool {
	if len(c.Only) > 0 {
		return slices.Contains(c.Only, s.name)
	}
	return !c.Quick || !s.long
}

func (s *scenario) measure(ctx context.Context, c *Config, host Host) (*Result, error) {
	figures := sheet{quick: c.Quick}
	start := time.Now()
	text, repetitions, err := s.run(ctx, c, &figures)
	if err != nil {
		return nil, err
	}
	metrics := figures.metrics()
	return &Result{
		Name: s.name, Title: s.title, Text: text, Quick: c.Quick, Host: host,
		Date: start.UTC().Truncate(time.Second), Repetitions: repetitions, Metrics: metrics,
		Skipped: figures.skipped,
	}, nil
}

// gates is an error for each target that was missed, or not judged, and holds on any machine.
func (r *Result) gates() error {
	var missed []error
	for i := range r.Metrics {
		if m := &r.Metrics[i]; m.Target != nil && m.Target.Gate && !m.Target.Met {
			missed = append(missed, fmt.Errorf("%w: %s: %s", ErrMissed, r.Name, m.shortfall()))
		}
	}
	for _, skip := range r.Skipped {
		if skip.Target != nil && skip.Target.Gate && !r.judges(skip.Instead) {
			missed = append(missed, fmt.Errorf("%w: %s: %s is not judged: %s", ErrMissed, r.Name, skip.Name, skip.Because))
		}
	}
	return errors.Join(missed...)
}

// judges reports whether a gate of that name is judged.
func (r *Result) judges(gate string) bool {
	return slices.ContainsFunc(r.Metrics, func(m Metric) bool { return m.Name == gate && m.Target != nil && m.Target.Gate })
}
