package peer

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"muster/bench/swarm"
)

// ErrVoid is wrapped by what Report.Err returns.
var ErrVoid = errors.New("peer: void")

// A Report is all that is known of a comparison. Field names of its JSON are stable: fields are added, never renamed.
type Report struct {
	Conditions
	Rows []Row `json:"rows"` // a number of clients each
	Runs []Run `json:"runs"` // in the order in which they were made
}

// Conditions are what was compared, and how and where.
type Conditions struct {
	Date   time.Time `json:"date"`   // of the beginning
	Commit string    `json:"commit"` // of muster, as the build names it
	CPU    string    `json:"cpu"`
	Cores  int       `json:"cores"`
	Kernel string    `json:"kernel"`
	Go     string    `json:"go"`

	Peer      string    `json:"peer"` // its name
	Auth      string    `json:"auth"` // its login server
	Processes []Process `json:"processes"`
	Serve     []string  `json:"serve"` // the flags of muster serve

	Behaviour   swarm.Behaviour `json:"behaviour"`
	Ramp        float64         `json:"ramp"`     // logins begun per second
	Seconds     float64         `json:"duration"` // that are measured, after the ramp, in seconds
	Repetitions int             `json:"repetitions"`
}

// A Process is one of those that are the peer.
type Process struct {
	PID  int    `json:"pid"`
	Name string `json:"name"`
}

// Add takes a run in.
func (r *Report) Add(run Run) {
	r.Runs = append(r.Runs, run)
	r.Rows = Rows(r.Runs)
}

// Err wraps ErrVoid if a row is void.
func (r *Report) Err() error {
	void := 0
	for i := range r.Rows {
		if r.Rows[i].Void != "" {
			void++
		}
	}
	if void > 0 {
		return fmt.Errorf("%w: %d of %d rows", ErrVoid, void, len(r.Rows))
	}
	return nil
}

// The files of a report.
const (
	JSONFile      = "peer.json"
	MarkdownFile  = "peer.md"
	LatencyFile   = "latency.svg"
	ProcessorFile = "processor.svg"
)

// Save writes the report into a folder, which it makes if need be: as JSON, as Markdown, and as charts of the rows that are
// not void. Charts of an earlier report do not stay there.
func (r *Report) Save(dir string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("peer: %w", err)
	}
	latency, processor, err := r.Charts()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, b := range map[string][]byte{
		JSONFile: append(text, '\n'), MarkdownFile: r.Markdown(), LatencyFile: latency, ProcessorFile: processor,
	} {
		path := filepath.Join(dir, name)
		if b == nil {
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
			continue
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			return err
		}
	}
	return nil
}
