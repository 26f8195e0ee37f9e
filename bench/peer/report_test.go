package peer

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/internal/golden"
)

// sample is a comparison of invented servers: a good row, one with different work, and one with failures of which a
// sample was verified.
func sample() *Report {
	r := &Report{Conditions: Conditions{
		Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Commit: "v1-2-gabcdef0", CPU: "Some CPU", Cores: 2, Kernel: "Linux 6.1",
		Go: "go1.26", Peer: "Other", Auth: "192.0.2.1:3724", Processes: []Process{{812, "worldserver"}, {790, "authserver"}},
		Serve: []string{"serve", "--ephemeral", "--start", "one"}, Behaviour: swarm.Walk, Ramp: 100, Seconds: 20, Repetitions: 2,
	}}
	add := func(clients, repetition int, side Side, f Figures, failures, verified int, violations uint64) {
		run := Run{Turn: Turn{clients, repetition, side}, Figures: f, Violations: violations, Failures: failures, Verified: verified}
		if side == Muster {
			run.PeerIdle = 1.25 * float64(repetition)
		}
		r.Add(run)
	}
	for k := range 2 {
		d := float64(k)
		add(50, k+1, Peer, Figures{4890 + d, 2e5, 16 + d, 5, 37, 68, 120, 2.4, 4.1, 1.1, 2, 0.25}, 0, 50, 0)
		add(50, k+1, Muster, Figures{4900 + d, 2e5, 2 + d, 5, 47, 96, 140, 55, 104, 13, 20, 0.5}, 0, 50, 0)
		add(200, k+1, Peer, Figures{80000, 3e6, 75.4, 40, 47, 189, 300, 4.1, 15.6, 2, 5, 1}, 0, 200, 1)
		add(200, k+1, Muster, Figures{75000, 3e6, 4.7, 40, 60, 99, 300, 57.2, 106, 13, 20, 1}, 0, 200, 0)
		add(1000, k+1, Peer, Figures{2e6, 8e7, 149, 85, 2318, 3052, 9000, 8684, 19595, 900, 1200, 20}, 12, 50, 0)
		add(1000, k+1, Muster, Figures{1.98e6, 8e7, 19.9, 85, 111, 128, 200, 83.8, 176, 20, 40, 59}, 0, 1000, 0)
	}
	return r
}

func TestGoldens(t *testing.T) {
	r := sample()
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	latency, processor, err := r.Charts()
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "testdata/peer.md", r.Markdown())
	golden.Compare(t, "testdata/peer.json", append(text, '\n'))
	golden.Compare(t, "testdata/latency.svg", latency)
	golden.Compare(t, "testdata/processor.svg", processor)
}

func TestErr(t *testing.T) {
	r := sample()
	if err := r.Err(); !errors.Is(err, ErrVoid) || err.Error() != "peer: void: 1 of 3 rows" {
		t.Errorf("%v", err)
	}
	r.Rows = r.Rows[:1]
	if err := r.Err(); err != nil {
		t.Errorf("%v", err)
	}
}

// What is saved can be read. Charts are there as long as a row is good.
func TestSave(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	r := sample()
	if err := r.Save(dir); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var again Report
	if err := json.Unmarshal(read("peer.json"), &again); err != nil || !reflect.DeepEqual(&again, r) {
		t.Errorf("%v, %+v", err, again)
	}
	if !bytes.Equal(read("peer.md"), r.Markdown()) {
		t.Error("peer.md is not the Markdown")
	}
	for name, want := range map[string]string{
		"latency.svg":   "Movement latency clients ms Other, p50 muster, p50 Other, p99 muster, p99",
		"processor.svg": "Processor time of the server clients % of a core Other muster",
	} {
		said := words(t, read(name))
		for _, word := range strings.Fields(want) {
			if !strings.Contains(said, word) {
				t.Errorf("%s does not say %q", name, word)
			}
		}
	}

	for i := range r.Rows {
		r.Rows[i].Void = "because"
	}
	if err := r.Save(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"latency.svg", "processor.svg"} {
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s of the earlier report is still there: %v", name, err)
		}
	}
	if strings.Contains(string(read("peer.md")), ".svg") {
		t.Error("peer.md links charts that are not there")
	}
}

// words is the text of an SVG.
func words(t *testing.T, svg []byte) string {
	t.Helper()
	var said strings.Builder
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return said.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok {
			said.Write(append(text, ' '))
		}
	}
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.256: "0.26", 2.44: "2.4", 16: "16.0", 75.44: "75.4", 121.3: "121", 999.6: "1,000", 3052.4: "3,052", 1978000: "1,978,000",
	} {
		if got := number(v); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
}
