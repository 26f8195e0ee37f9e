package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A headline is a figure that stands on the front page. Its name is that of a metric of the scenario.
type headline struct {
	scenario, figure string
	says             string // what the figure is, for a reader of the front page alone
}

// headlines lists the figures of the front page in their order.
func headlines() []headline {
	return []headline{
		{"s1", "three components, 1000000 movers, beside objects", "update of one of a million movers, walked by column"},
		{"s2", "spawn and despawn at once, 1000000 movers, beside objects", "spawn and despawn of one of a million entities"},
		{"s3", "a pair, of 100000 players", "visibility of 100,000 players, for a pair of observer and subject"},
		{"s5", "encode and fan out, a pair", "encoding and fan-out, for a pair"},
		{"s6", "whole tick, p50", "tick in which all players move"},
		{"s7", "whole tick, p50", "tick of a crowd"},
		{"fights", "tick up to the finished frame, p50", "tick full of fights"},
		{"s12", "tick, mean, 1,000,000 others", "tick beside a million sleeping creatures"},
		{"s13", "a forced collection, processor time", "garbage collection"},
		{"s8", "processor time per write", "write to a socket"},
		{"s9", "processor time per flush", "flush to one of 10,000 clients"},
		{"s9", "movement latency, p99", "movement seen by another of 10,000 clients"},
		{"ladder", "50 clients: movement latency, p50", "movement seen by another of 50 clients"},
		{"ladder", "1000 clients: movement latency, p50", "movement seen by another of 1,000 clients"},
	}
}

const preamble = `# Benchmarks

This page and those it links to are made by ` + "`make bench`" + ` from the files in bench/results, never by hand;
` + "`bin/muster bench --report`" + ` writes them again without a measurement. A scenario takes its figures and those of its baseline in
turn, in one run on one machine, so that a ratio means more than a time. A ratio is that of the two values of one
repetition: *25x* is the baseline divided by ours, a bare number is ours divided by it. All are medians over the
repetitions, with the least and the greatest after them.

`

// dearer is what a design costs that was chosen although it costs more.
const dearer = `
## What was chosen although it costs more

- Fighting is a pipeline of many small systems, and no longer deep calls in one book of rules: 2,000 fights cost 10 % more in a tick than at commit
  2e53c75, and ticks of 46 to 86 µs, of players who walk, 4 to 8 µs more. Both binaries were run in turn on a quiet machine (medians
  of five; BenchmarkFights of systems, BenchmarkTick of bench; [ADR 22](docs/adr/0022-fighting-is-a-pipeline.md)).
`

// WriteFront writes BENCHMARKS.md: the headlines, what was missed, and a link to each scenario. others are results of
// further machines, chart is the path of the chart of all ratios, or "", and page that of a scenario's page.
func WriteFront(w io.Writer, results, others []Result, chart string, page func(scenario string) string) error {
	var b strings.Builder
	b.WriteString(preamble)
	b.WriteString("| figure | ours | baseline | ratio | range | target | repeat |\n|---|--:|--:|--:|--:|---|---|\n")
	for _, h := range headlines() {
		m := find(results, h)
		if m == nil {
			continue
		}
		fmt.Fprintf(&b, "| [%s](%s) | %s", h.says, page(h.scenario), m.row(h, others))
	}
	if chart != "" {
		fmt.Fprintf(&b, "\n![How many times as fast as its baselines ours is](%s)\n", chart)
	}
	b.WriteString("\n## What was missed\n\n")
	b.WriteString(missed(results, page))
	b.WriteString(dearer)
	b.WriteString("\n## Scenarios\n\n| scenario | targets met | date | commit |\n|---|--:|---|---|\n")
	for i := range results {
		r := &results[i]
		met, all := r.targets()
		fmt.Fprintf(&b, "| [%s](%s) | %d of %d | %s | %s |\n", r.Title, page(r.Name), met, all, r.Date.Format("2006-01-02"), r.build())
	}
	b.WriteString("\n## Machines\n\n")
	b.WriteString(machines(slices.Concat(results, others)))
	_, err := io.WriteString(w, b.String())
	return err
}

// find is the metric of a headline, or nil.
func find(results []Result, h headline) *Metric {
	for i := range results {
		for j := range results[i].Metrics {
			if m := &results[i].Metrics[j]; results[i].Name == h.scenario && m.Name == h.figure {
				return m
			}
		}
	}
	return nil
}

// row is a headline's metric as the rest of its row.
func (m *Metric) row(h headline, others []Result) string {
	baseline, ratio, target := "", "", ""
	if m.Baseline != nil {
		baseline = m.Baseline.Name + ": " + amount(m.Baseline.Median, m.Unit)
		ratio = m.show(m.compared().Median)
	}
	within := m.compared()
	extent := m.show(within.Min) + " … " + m.show(within.Max)
	var medians []float64
	for i := range others {
		if o := find(others[i:i+1], h); o != nil {
			medians = append(medians, o.compared().Median)
		}
	}
	if len(medians) > 0 {
		medians = append(medians, within.Median)
		extent += fmt.Sprintf("; %d machines: %s … %s", len(medians), m.show(slices.Min(medians)), m.show(slices.Max(medians)))
	}
	if m.Target != nil {
		target = m.Target.String() + ": " + m.Target.outcome()
	}
	return fmt.Sprintf("%s | %s | %s | %s | %s | `%s` |\n", amount(m.Value.Median, m.Unit), baseline, ratio, extent, target, repeat(h.scenario))
}

// compared is the spread that the front page gives of a metric: of its ratio, if it has a baseline.
func (m *Metric) compared() Spread {
	switch {
	case m.Times != nil:
		return *m.Times
	case m.Ratio != nil:
		return *m.Ratio
	}
	return m.Value
}

// show is a number of the spread that compared returns.
func (m *Metric) show(v float64) string {
	switch {
	case m.Times != nil:
		return number(v) + "x"
	case m.Ratio != nil:
		return number(v)
	}
	return amount(v, m.Unit)
}

func amount(v float64, unit string) string { return strings.TrimSpace(number(v) + " " + unit) }

// repeat is the command that measures a scenario again.
func repeat(scenario string) string { return "bin/muster bench --only " + scenario }

// targets counts the targets of a result that are judged, and those that it met.
func (r *Result) targets() (met, all int) {
	for i := range r.Metrics {
		if t := r.Metrics[i].Target; t != nil && !t.Unjudged {
			all++
			if t.Met {
				met++
			}
		}
	}
	return met, all
}

// missed lists the targets that were not met, and the figures that were to be judged and could not be.
func missed(results []Result, page func(scenario string) string) string {
	var b strings.Builder
	for i := range results {
		r := &results[i]
		short, unjudged := r.shortfalls()
		for _, text := range short {
			fmt.Fprintf(&b, "- [%s](%s): %s.\n", r.Title, page(r.Name), text)
		}
		for _, name := range unjudged {
			fmt.Fprintf(&b, "- [%s](%s): %s is not judged.\n", r.Title, page(r.Name), name)
		}
	}
	if b.Len() == 0 {
		return "Nothing.\n"
	}
	return b.String()
}

// machines lists what was measured on, with the scenarios that were measured there.
func machines(results []Result) string {
	var names []string
	scenarios := make(map[string][]string)
	for i := range results {
		r := &results[i]
		name := fmt.Sprintf("%s, %d cores, %s, %s", r.CPU, r.Cores, r.Kernel, r.Go)
		if scenarios[name] == nil {
			names = append(names, name)
		}
		scenarios[name] = append(scenarios[name], r.Name)
	}
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "- %s: %s\n", name, strings.Join(scenarios[name], ", "))
	}
	return b.String()
}

// build is the commit of a result, short.
func (r *Result) build() string {
	words := strings.Fields(r.Commit)
	if len(words) == 0 {
		return ""
	}
	last := words[len(words)-1]
	return last[:min(len(last), 7)]
}
