package worldset

import (
	"fmt"
	"os"

	"muster/net/replication/recording"
	"muster/systems"
)

// record has the ticks of a world recorded, if that is wanted.
func (r *Set) record(live *systems.Live, h recording.Header) error {
	if r.Flags.Record == "" {
		return nil
	}
	if err := os.MkdirAll(r.Flags.Record, 0o700); err != nil {
		return err
	}
	h.Parts = live.World.Parts()
	recorder, err := recording.NewRecorder(recording.Config{
		Folder: r.Flags.Record, Header: h, Limit: int64(r.Flags.RecordLimit) << 20,
		Ended: func(err error) {
			r.Metric.Count("record.ended")
			r.Log.Error("the recording has ended, and the world goes on", "map", h.Map, "err", err)
		},
	})
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	live.Recorder = recorder
	r.recorders[h.Map] = recorder
	r.Log.Info("recording", "map", h.Map, "in", r.Flags.Record)
	return nil
}

// EndRecordings writes what is left of them, and of the logs. Their worlds must have stopped.
func (r *Set) EndRecordings() {
	for _, t := range r.recorders {
		t.Close() // why it ended before is already logged
	}
	if r.Logs != nil {
		r.Logs.close()
	}
}
