package main

import (
	"fmt"
	"os"

	"muster/net/replication/recording"
	"muster/systems"
)

// record has the ticks of a world recorded, if that is wanted.
func (r *worldSet) record(live *systems.Live, h recording.Header) error {
	if r.flags.Record == "" {
		return nil
	}
	if err := os.MkdirAll(r.flags.Record, 0o700); err != nil {
		return err
	}
	h.Parts = live.World.Parts()
	recorder, err := recording.NewRecorder(recording.Config{
		Folder: r.flags.Record, Header: h, Limit: int64(r.flags.RecordLimit) << 20,
		Ended: func(err error) {
			r.metric.Count("record.ended")
			r.log.Error("the recording has ended, and the world goes on", "map", h.Map, "err", err)
		},
	})
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	live.Recorder = recorder
	r.recorders[h.Map] = recorder
	r.log.Info("recording", "map", h.Map, "in", r.flags.Record)
	return nil
}

// endRecordings writes what is left of them, and of the logs. Their worlds must have stopped.
func (r *worldSet) endRecordings() {
	for _, t := range r.recorders {
		t.Close() // why it ended before is already logged
	}
	if r.logs != nil {
		r.logs.close()
	}
}
