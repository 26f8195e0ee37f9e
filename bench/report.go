package bench

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// WritePage writes the page of one scenario: what was measured, all figures, and what was reached. front is the path of
// BENCHMARKS.md and chart that of the scenario's chart, both from the page; chart may be "".
func WritePage(w io.Writer, r *Result, front, chart string) error {
	_, err := fmt.Fprintf(w, "# %s\n\nMade by `%s` as all of [BENCHMARKS.md](%s), never by hand.\n\n%s",
		r.Title, repeat(r.Name), front, r.details(chart))
	return err
}

// WriteSection writes a result as a part of a page that another one begins.
func WriteSection(w io.Writer, r *Result, chart string) error {
	_, err := fmt.Fprintf(w, "\n## %s\n\nMade by `%s`.\n\n%s", r.Title, repeat(r.Name), r.details(chart))
	return err
}

// pageOf is the page that a scenario is on: its own, or that of another one.
func pageOf(scenario string) string {
	if scenario == "scale" {
		return "cluster"
	}
	return scenario
}

// section is a result as it is logged.
func section(r *Result) string { return fmt.Sprintf("\n## %s\n\n%s", r.Title, r.details("")) }

// details is a result without its title, with its chart, if there is one.
func (r *Result) details(chart string) string {
	var b strings.Builder
	b.WriteString(r.Text + "\n")
	if r.Quick {
		b.WriteString("This was a quick run, to find faults: its times mean nothing, and targets for the reference machine are not judged.\n")
	}
	b.WriteString("\n| figure | median | min … max | baseline | ratio | target |\n|---|--:|--:|--:|--:|---|\n")
	for i := range r.Metrics {
		b.WriteString(r.Metrics[i].line())
	}
	for _, skip := range r.Skipped {
		if skip.Instead != "" {
			fmt.Fprintf(&b, "\nNot counted: %s, because %s. Judged in its place: %s.\n", skip.Name, skip.Because, skip.Instead)
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
	of := ""
	if t.Of == OfWorst || t.Of == OfRatio {
		of = string(t.Of) + " "
	}
	return fmt.Sprintf("%s%s, %s: %s", of, t.amount(m.aspect(t.Of)), t, t.outcome())
}

// outcome says whether a target was met.
func (t *Target) outcome() string {
	switch {
	case t.Unjudged:
		return "not judged"
	case !t.Met:
		return "**missed**"
	case t.Stretched:
		return "met, stretch too"
	}
	return "met"
}

// String says what must be reached, and what would be better.
func (t *Target) String() string {
	s := "must " + t.limit(t.must())
	if t.Stretch != nil {
		s += ", stretch " + t.limit(*t.Stretch)
	}
	if t.Unjudged {
		s += " on the reference machine"
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

// verdict is a sentence on the targets of a result, or on the gates of a quick one.
func (r *Result) verdict() string {
	missed, unjudged := r.shortfalls()
	_, targets := r.targets()
	what := "target"
	if r.Quick {
		what = "gate"
	}
	said := "Missed: " + strings.Join(missed, "; ") + "."
	switch {
	case targets == 0 && len(unjudged) == 0:
		return "There is no " + what + " here."
	case targets == 0:
		said = ""
	case len(missed) == 0:
		said = "All " + what + "s are met."
	}
	if len(unjudged) > 0 {
		said = strings.TrimSpace(said + " Not judged: " + strings.Join(unjudged, "; ") + ".")
	}
	return said
}

// shortfalls lists the targets that a result has missed, with by how much, and the figures that have a target and could
// not be judged; of a quick run, the gates.
func (r *Result) shortfalls() (missed, unjudged []string) {
	for _, skip := range r.Skipped {
		if skip.Target != nil && skip.Instead == "" && !skip.Target.Unjudged {
			unjudged = append(unjudged, skip.Name)
		}
	}
	for i := range r.Metrics {
		if m := &r.Metrics[i]; m.Target != nil && !m.Target.Met && !m.Target.Unjudged {
			missed = append(missed, m.shortfall())
		}
	}
	return missed, unjudged
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
	return fmt.Sprintf("%s%s is %s%s, target %s %s",
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
