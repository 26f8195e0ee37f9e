package bench

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A Result is what one scenario measured, and what a file below bench/results holds. Names of its JSON are
// stable: fields are added, never renamed.
type Result struct {
	Name  string `json:"name"`  // of the scenario; the file is called Name.json
	Order int    `json:"order"` // its place in the report
	Title string `json:"title"`
	Text  string `json:"text"`  // what was measured and beside what, in a few sentences
	Quick bool   `json:"quick"` // made small, to find faults: its times say nothing

	Host
	Date        time.Time `json:"date"`
	Repetitions int       `json:"repetitions"`

	Metrics []Metric `json:"metrics"`
	Skipped []Skip   `json:"skipped,omitempty"`
}

// A Skip is a figure that could not be had, and why. It has a Target if it should have been judged; one that is a gate
// fails the run, as if it had been missed, unless another gate is judged in its stead.
type Skip struct {
	Name    string  `json:"name"`
	Because string  `json:"because"`
	Target  *Target `json:"target,omitempty"`
	Instead string  `json:"instead,omitempty"` // the figure that is judged in its stead, where nothing can count this one
}

// A Host is what was measured, and on what.
type Host struct {
	Commit     string `json:"commit"` // as the build names it
	CPU        string `json:"cpu"`
	Cores      int    `json:"cores"`
	Kernel     string `json:"kernel"`
	Go         string `json:"go"`
	GOMAXPROCS int    `json:"gomaxprocs"`

	Machine
}

// A Metric is one figure of a scenario over all its repetitions.
type Metric struct {
	Name     string    `json:"name"`
	Unit     string    `json:"unit"` // "" for a bare number
	Value    Spread    `json:"value"`
	Baseline *Baseline `json:"baseline,omitempty"`
	Ratio    *Spread   `json:"ratio,omitempty"` // of value to baseline, repetition by repetition
	Times    *Spread   `json:"times,omitempty"` // of baseline to value, likewise: how often ours goes into it
	Target   *Target   `json:"target,omitempty"`
	Point    *Point    `json:"point,omitempty"`
}

// A Point says that a metric is the value of a curve at some size, for a plot.
type Point struct {
	Curve string  `json:"curve"`
	Of    string  `json:"of"` // what there is so much of, such as players
	Size  float64 `json:"size"`
}

// A Spread is the middle and the ends of one value per repetition.
type Spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// A Baseline is the same figure of something simpler, measured in turn with ours.
type Baseline struct {
	Name string `json:"name"`
	Spread
}

// A Target is what a figure must not exceed, or must reach.
type Target struct {
	Of      Aspect   `json:"of"`
	AtMost  float64  `json:"at_most"`
	AtLeast *float64 `json:"at_least,omitempty"` // instead of AtMost, which says nothing then
	Stretch *float64 `json:"stretch,omitempty"`  // what would be better still, in the same direction
	// Gate is for targets that do not depend on the machine: missing one is a fault of the program, and
	// fails the run, a quick one too.
	Gate bool `json:"gate"`
	Met  bool `json:"met"`
	// Stretched says that Stretch is reached too.
	Stretched bool `json:"stretched,omitempty"`
	// Unjudged targets are those of a quick run that depend on the machine: neither met nor missed.
	Unjudged bool `json:"unjudged,omitempty"`
}

// must is what has to be reached.
func (t *Target) must() float64 {
	if t.AtLeast != nil {
		return *t.AtLeast
	}
	return t.AtMost
}

// holds reports whether a number reaches a limit in the target's direction.
func (t *Target) holds(v, limit float64) bool {
	if t.AtLeast != nil {
		return v >= limit
	}
	return v <= limit
}

// judge says whether the target is reached by a number.
func (t *Target) judge(v float64) {
	if t.Unjudged {
		return
	}
	t.Met = t.holds(v, t.must())
	t.Stretched = t.Stretch != nil && t.holds(v, *t.Stretch)
}

// An Aspect is the one number of a metric that a target speaks of.
type Aspect string

// The aspects.
const (
	OfMedian Aspect = "median"
	OfWorst  Aspect = "max"
	OfLeast  Aspect = "min"
	OfRatio  Aspect = "ratio" // the median of the ratios
	OfTimes  Aspect = "times" // the median of how often ours goes into the baseline
)

// aspect is the number of a metric that an aspect names.
func (m *Metric) aspect(a Aspect) float64 {
	switch {
	case a == OfWorst:
		return m.Value.Max
	case a == OfLeast:
		return m.Value.Min
	case a == OfRatio && m.Ratio != nil:
		return m.Ratio.Median
	case a == OfTimes && m.Times != nil:
		return m.Times.Median
	}
	return m.Value.Median
}

// spread sums values up; there is at least one.
func spread(values []float64) Spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return Spread{Median: (sorted[(n-1)/2] + sorted[n/2]) / 2, Min: sorted[0], Max: sorted[n-1]}
}

// Save writes the result to dir/Name.json; it makes the folder if need be.
func (r *Result) Save(dir string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("bench: %s: %w", r.Name, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, r.Name+".json"), append(text, '\n'), 0o644)
}

// Load reads all results of a folder, in the order of the report. A folder without any gives none. Lists of entries may
// lie beside them.
func Load(dir string) ([]Result, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var results []Result
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(text, []byte("[")) {
			continue
		}
		var r Result
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, fmt.Errorf("bench: %s: %w", file, err)
		}
		results = append(results, r)
	}
	places := Names() // those of an older run may have changed
	slices.SortStableFunc(results, func(a, b Result) int {
		return cmp.Or(slices.Index(places, a.Name)-slices.Index(places, b.Name), a.Order-b.Order)
	})
	return results, nil
}

// loadOthers reads the results of further machines: each has a folder below machines, beside the results, with files of
// the same names.
func loadOthers(dir string) (all []Result, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "machines", "*", "*.json"))
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, file := range files {
		folders = append(folders, filepath.Dir(file))
	}
	for _, folder := range slices.Compact(folders) {
		results, err := Load(folder)
		if err != nil {
			return nil, err
		}
		all = append(all, results...)
	}
	return all, nil
}
