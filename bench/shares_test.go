package bench

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A system that executes far more than it last did fails a run, and one that executes less does not. Where nothing is
// counted, that is said.
func TestSharesFailARun(t *testing.T) {
	for _, tt := range []struct {
		last   float64
		missed bool
	}{{1, true}, {1e9, false}} {
		committed, dir := t.TempDir(), t.TempDir()
		last := Result{Name: "shares", Metrics: []Metric{{Name: "movement", Unit: perTick, Value: Spread{Median: tt.last}}}}
		if err := last.Save(committed); err != nil {
			t.Fatal(err)
		}
		list := filepath.Join(dir, "list.json")
		err := Run(t.Context(), Config{
			Quick: true, Only: []string{"shares"}, Committed: committed, Results: dir, Report: filepath.Join(dir, "report.md"), List: list,
		})
		text, readErr := os.ReadFile(list)
		if readErr != nil {
			t.Fatal(readErr)
		}
		if strings.Contains(string(text), `"skipped"`) {
			if err != nil {
				t.Errorf("skipped, and yet %v", err)
			}
			return
		}
		if errors.Is(err, ErrMissed) != tt.missed || err != nil && !strings.Contains(err.Error(), "movement") {
			t.Errorf("movement last took %v: %v", tt.last, err)
		}
	}
}
