package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// An Entry is one figure of a run in a list for other programs. Baseline and ratio are null if there is none, target if
// there is none, and met if it is not judged: of a quick run gates alone are. A ratio is that of value to baseline, or of
// baseline to value where the target is to be many times faster.
type Entry struct {
	Scenario      string   `json:"scenario"`
	Figure        string   `json:"figure"`
	Unit          string   `json:"unit"`
	Value         *float64 `json:"value"` // null if it was skipped
	Min           *float64 `json:"min"`
	Max           *float64 `json:"max"`
	Baseline      *string  `json:"baseline"`
	BaselineValue *float64 `json:"baseline_value"`
	Ratio         *float64 `json:"ratio"`
	Target        *string  `json:"target"`    // in words: which number, must, and stretch
	Met           *bool    `json:"met"`       // false for a gate that was skipped, unless another is judged instead
	Stretched     *bool    `json:"stretched"` // null if there is no stretch
	Quick         bool     `json:"quick"`
	Skipped       string   `json:"skipped,omitempty"` // why there is no value
	Instead       string   `json:"instead,omitempty"` // the figure that is judged in the stead of a skipped one
}

// Entries lists the figures of a result.
func (r *Result) Entries() []Entry {
	var all []Entry
	for i := range r.Metrics {
		m := &r.Metrics[i]
		e := Entry{
			Scenario: r.Name, Figure: m.Name, Unit: m.Unit, Quick: r.Quick,
			Value: &m.Value.Median, Min: &m.Value.Min, Max: &m.Value.Max,
		}
		if m.Baseline != nil {
			e.Baseline, e.BaselineValue, e.Ratio = &m.Baseline.Name, &m.Baseline.Median, &m.Ratio.Median
		}
		if m.Times != nil {
			e.Ratio = &m.Times.Median
		}
		if t := m.Target; t != nil {
			e.target(t)
			if t.Stretch != nil && !t.Unjudged {
				e.Stretched = &t.Stretched
			}
		}
		all = append(all, e)
	}
	for _, skip := range r.Skipped {
		e := Entry{Scenario: r.Name, Figure: skip.Name, Quick: r.Quick, Skipped: skip.Because, Instead: skip.Instead}
		if t := skip.Target; t != nil {
			e.target(t)
			if !t.Gate || skip.Instead != "" {
				e.Met = nil
			}
		}
		all = append(all, e)
	}
	return all
}

// target notes what was to be reached, and whether it is.
func (e *Entry) target(t *Target) {
	words := fmt.Sprintf("%s %s", t.Of, t)
	if e.Target = &words; !t.Unjudged {
		e.Met = &t.Met
	}
}

// saveEntries writes a list to a file; it makes its folder if need be.
func saveEntries(file string, entries []Entry) error {
	text, err := json.MarshalIndent(entries, "", "  ")
	if err != nil {
		return fmt.Errorf("bench: %s: %w", file, err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
