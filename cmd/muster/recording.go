package main

import (
	"fmt"
	"math"
	"os"
	"time"

	"muster/components/defs"
	"muster/internal/metric"
	"muster/loaders/synth"
	"muster/net/replication/recording"
	"muster/net/replication/streamlog"
	"muster/systems"
	"muster/systems/death"
)

// header is what the world of a map is made of: all of it, for newWorld has no other input.
func (v *worldFlags) header(m *defs.Map, ephemeral bool) recording.Header {
	return recording.Header{
		Release: release(), Toolchain: toolchain(),
		Seed: v.Seed, Creatures: v.Creatures, Start: v.Start, Map: m.ID, StepMs: uint32(v.rungs().Unit / time.Millisecond),
		Strikes: v.strikes(), Reclaim: v.DeathReclaim, XPRate: v.RateXP, Ephemeral: ephemeral,
	}
}

// strikes is that of the worlds. On a virtual clock it is never reached: a client can answer a change of its movement no
// sooner than the machine's clock lets it, which is too late by a clock that runs faster.
func (v *worldFlags) strikes() uint32 {
	if v.Clock == "virtual" {
		return math.MaxUint32
	}
	return v.Strikes
}

// newDefs makes what all worlds of one seed have in common.
func newDefs(seed uint64, creatures int, start string) (*defs.World, error) {
	if creatures == 0 {
		creatures = -1 // none, where 0 is the default
	}
	return synth.New(synth.Config{Seed: seed, Creatures: creatures, Start: synth.Start(start)})
}

// reclaims are the ways in which dead players are resurrected.
var reclaims = map[string]death.Reclaim{"anywhere": death.Anywhere, "corpse": death.AtCorpse}

// newWorld makes the world of a header.
func newWorld(h *recording.Header, d *defs.World, counters *metric.Table) *systems.World {
	return systems.New(worldConfig(h, d, counters))
}

// worldConfig is the configuration of the world of a log.
func worldConfig(h *recording.Header, d *defs.World, counters *metric.Table) systems.Config {
	return systems.Config{
		Defs: d, Map: d.Map(h.Map), Seed: h.Seed, Unit: time.Duration(h.StepMs) * time.Millisecond, Metric: counters,
		Strikes: h.Strikes, Reclaim: reclaims[h.Reclaim], XPRate: h.XPRate, Ephemeral: h.Ephemeral,
	}
}

// restoreWorld restores a snapshot of a log in a world of that, which goes on by another header perhaps.
func restoreWorld(w *systems.World, s *streamlog.Snapshot) error {
	if err := w.Restore(s.State); err != nil {
		return err
	}
	if s.Before != nil {
		w.Adopt(worldConfig(s.Before, &defs.World{}, nil))
	}
	return nil
}

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
