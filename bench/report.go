package bench

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

const preamble = `# Benchmarks

This file is made by ` + "`make bench`" + ` from the files in bench/results, and never by hand. Every scenario takes its
figures and those of its baseline in turn, in one run on one machine. A ratio is that of the two values of one
repetition, so a slow moment hits both; figures are the median of all repetitions, with the least and the greatest
after it.
`

// WriteReport writes BENCHMARKS.md.
func WriteReport(w io.Writer, results []Result) error {
	if _, err := io.WriteString(w, preamble); err != nil {
		return err
	}
	for i := range results {
		if _, err := io.WriteString(w, section(&results[i])); err != nil {
			return err
		}
	}
	return nil
}

// section is a result as a part of the report.
func section(r *Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n%s\n", r.Title, r.Text)
	if r.Quick {
		b.WriteString("This was a quick run, to find faults: its times say nothing.\n")
	}
	b.WriteString("\n| figure | median | min … max | baseline | ratio | target | |\n|---|--:|--:|--:|--:|--:|---|\n")
	for i := range r.Metrics {
		b.WriteString(r.Metrics[i].line())
	}
	b.WriteString("\n" + r.verdict() + "\n\n")
	fmt.Fprintf(&b, "`%s`, %s, commit %s, %s, %d cores, %s, %s, GOMAXPROCS %d, %s.\n",
		r.Name, r.Date.Format("2006-01-02"), r.Commit, r.CPU, r.Cores, r.Kernel, r.Go, r.GOMAXPROCS,
		count(r.Repetitions, "repetition"))
	return b.String()
}

// line is a metric as a row of the table.
func (m *Metric) line() string {
	baseline, ratio, target, met := "", "", "", ""
	if m.Baseline != nil {
		baseline = fmt.Sprintf("%s: %s", m.Baseline.Name, number(m.Baseline.Median))
		ratio = fmt.Sprintf("%s (%s … %s)", number(m.Ratio.Median), number(m.Ratio.Min), number(m.Ratio.Max))
	}
	if m.Target != nil {
		target = m.Target.String()
		met = "met"
		if !m.Target.Met {
			met = "**missed**"
		}
	}
	name := m.Name
	if m.Unit != "" {
		name += ", " + m.Unit
	}
	return fmt.Sprintf("| %s | %s | %s … %s | %s | %s | %s | %s |\n",
		name, number(m.Value.Median), number(m.Value.Min), number(m.Value.Max), baseline, ratio, target, met)
}

// String says what must not be exceeded.
func (t *Target) String() string {
	return fmt.Sprintf("%s ≤ %s", t.Of, number(t.AtMost))
}

// verdict is a sentence on the targets of a result.
func (r *Result) verdict() string {
	targets := 0
	var missed []string
	for i := range r.Metrics {
		m := &r.Metrics[i]
		if m.Target == nil {
			continue
		}
		targets++
		if !m.Target.Met {
			missed = append(missed, m.shortfall())
		}
	}
	switch {
	case targets == 0:
		return "Nothing was to be reached here."
	case len(missed) == 0:
		return "What was to be reached here is reached."
	}
	return "Not reached: " + strings.Join(missed, "; ") + "."
}

// shortfall says by how much a target was missed.
func (m *Metric) shortfall() string {
	of, unit := "", m.Unit
	if m.Target.Of == OfRatio {
		of, unit = ", ratio to "+m.Baseline.Name, ""
	}
	if unit != "" {
		unit = " " + unit
	}
	return fmt.Sprintf("%s%s is %s%s, and was to be at most %s",
		m.Name, of, number(m.aspect(m.Target.Of)), unit, number(m.Target.AtMost))
}

// number is a value with three digits that count, and thousands set apart.
func number(v float64) string {
	if abs := math.Abs(v); abs < 1000 {
		return strconv.FormatFloat(v, 'f', decimals(abs), 64)
	}
	text := strconv.FormatFloat(math.Abs(v), 'f', 0, 64)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	if v < 0 {
		text = "-" + text
	}
	return text
}

func decimals(abs float64) int {
	switch {
	case abs == math.Trunc(abs) || abs >= 100:
		return 0
	case abs >= 10:
		return 1
	case abs >= 1:
		return 2
	}
	return 3
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
