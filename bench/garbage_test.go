package bench

import (
	"path/filepath"
	"testing"
)

// The longest stop of the world is judged by the longest of all repetitions.
func TestTheLongestStopIsJudged(t *testing.T) {
	dir := t.TempDir()
	if err := Run(t.Context(), Config{Quick: true, Only: []string{"s13"}, Results: dir, Report: filepath.Join(dir, "report.md")}); err != nil {
		t.Fatal(err)
	}
	results, err := Load(dir)
	if err != nil || len(results) != 1 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	for _, m := range results[0].Metrics {
		if m.Name == "longest stop of the world" {
			if m.Target.Of != OfWorst || m.Target.AtMost != 1 || m.aspect(m.Target.Of) != m.Value.Max {
				t.Errorf("%+v, %+v", m, m.Target)
			}
			return
		}
	}
	t.Error("no stop is measured")
}
