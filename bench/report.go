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

// WriteReport writes BENCHMARKS.md. chart is the path of a scenario's chart, and of that of all ratios under "", or "".
func WriteReport(w io.Writer, results []Result, chart func(scenario string) string) error {
	text := preamble
	if path := chart(""); path != "" {
		text += fmt.Sprintf("\n![How often ours goes into its baselines](%s)\n", path)
	}
	for i := range results {
		text += section(&results[i], chart(results[i].Name))
	}
	_, err := io.WriteString(w, text)
	return err
}

// section is a result as a part of the report, with its chart, if there is one.
func section(r *Result, chart string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n%s\n", r.Title, r.Text)
	if r.Quick {
		b.WriteString("This was a quick run, to find faults: its times say nothing.\n")
	}
	b.WriteString("\n| figure | median | min … max | baseline | ratio | target |\n|---|--:|--:|--:|--:|---|\n")
	for i := range r.Metrics {
		b.WriteString(r.Metrics[i].line())
	}
	for _, skip := range r.Skipped {
		if skip.Instead != "" {
			fmt.Fprintf(&b, "\nNot counted: %s, because %s. Instead of it stands: %s.\n", skip.Name, skip.Because, skip.Instead)
			continue
		}
		fmt.Fprintf(&b, "\nSkipped: %s, because %s.\n", skip.Name, skip.Because)
	}
	if chart != "" {
		fmt.Fprintf(&b, "\n![%s](%s)\n", r.Title, chart)
	}
	b.WriteString("\n" + r.verdict() + "\n\n")
	fmt.Fprintf(&b, "`%s`, %s, commit %s, %s, %d cores, %s, %s, GOMAXPROCS %d, ",
		r.Name, r.Date.Format("2006-01-02"), r.Commit, r.CPU, r.Cores, r.Kernel, r.Go, r.GOMAXPROCS)
	if r.Send > 0 {
		fmt.Fprintf(&b, "a send %s µs, ", number(r.Send))
	}
	b.WriteString(count(r.Repetitions, "repetition") + ".\n")
	return b.String()
}

// line is a metric as a row of the table.
func (m *Metric) line() string {
	baseline, ratio, target := "", "", ""
	if m.Baseline != nil {
		baseline = fmt.Sprintf("%s: %s", m.Baseline.Name, number(m.Baseline.Median))
		ratio = fmt.Sprintf("%s (%s … %s)", number(m.Ratio.Median), number(m.Ratio.Min), number(m.Ratio.Max))
	}
	if m.Times != nil {
		ratio = fmt.Sprintf("%sx (%s … %s)", number(m.Times.Median), number(m.Times.Min), number(m.Times.Max))
	}
	if m.Target != nil {
		target = m.judgement()
	}
	name := m.Name
	if m.Unit != "" {
		name += ", " + m.Unit
	}
	return fmt.Sprintf("| %s | %s | %s … %s | %s | %s | %s |\n",
		name, number(m.Value.Median), number(m.Value.Min), number(m.Value.Max), baseline, ratio, target)
}

// judgement is what a metric has reached of its target, in words.
func (m *Metric) judgement() string {
	t := m.Target
	met := "met"
	switch {
	case !t.Met:
		met = "**missed**"
	case t.Stretched:
		met = "met, stretch too"
	}
	of := ""
	if t.Of == OfWorst || t.Of == OfRatio {
		of = string(t.Of) + " "
	}
	return fmt.Sprintf("%s%s, %s: %s", of, t.amount(m.aspect(t.Of)), t, met)
}

// String says what must be reached, and what would be better.
func (t *Target) String() string {
	s := "must " + t.limit(t.must())
	if t.Stretch != nil {
		s += ", stretch " + t.limit(*t.Stretch)
	}
	return s
}

func (t *Target) limit(v float64) string {
	switch {
	case t.Of == OfTimes:
		return t.amount(v)
	case t.AtLeast != nil:
		return "≥ " + number(v)
	}
	return "≤ " + number(v)
}

// amount is a number as the target counts.
func (t *Target) amount(v float64) string {
	if t.Of == OfTimes {
		return number(v) + "x"
	}
	return number(v)
}

// verdict is a sentence on the targets of a result.
func (r *Result) verdict() string {
	targets := 0
	var missed, unjudged []string
	for _, skip := range r.Skipped {
		if skip.Target != nil && skip.Instead == "" {
			unjudged = append(unjudged, skip.Name)
		}
	}
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
	said := "Not reached: " + strings.Join(missed, "; ") + "."
	switch {
	case targets == 0 && len(unjudged) == 0:
		return "Nothing was to be reached here."
	case targets == 0:
		said = ""
	case len(missed) == 0:
		said = "What was to be reached here is reached."
	}
	if len(unjudged) > 0 {
		said = strings.TrimSpace(said + " Not judged: " + strings.Join(unjudged, "; ") + ".")
	}
	return said
}

// shortfall says by how much a target was missed.
func (m *Metric) shortfall() string {
	t := m.Target
	of, unit, most := "", m.Unit, "at most"
	if t.Of == OfRatio || t.Of == OfTimes {
		of, unit = ", ratio to "+m.Baseline.Name, ""
	}
	if t.Of == OfTimes {
		of = ", beside " + m.Baseline.Name
	}
	if unit != "" {
		unit = " " + unit
	}
	if t.AtLeast != nil {
		most = "at least"
	}
	return fmt.Sprintf("%s%s is %s%s, and was to be %s %s",
		m.Name, of, t.amount(m.aspect(t.Of)), unit, most, t.amount(t.must()))
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
