package bench

import (
	"context"
	"testing"
	"time"

	"muster/loaders/synth"
	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
)

// BenchmarkWorldLog compares, in turn, ticks of 10,000 players in a world that is kept on a disk with those of one that is
// not, and takes snapshots of the former.
func BenchmarkWorldLog(b *testing.B) {
	const ticks = 200
	d, err := synth.New(synth.Config{Creatures: 20_000})
	if err != nil {
		b.Fatal(err)
	}
	on, off := newKept(d, 10_000, false), newKept(d, 10_000, false)
	log, err := worldlog.Begin(worldlog.Config{
		Folder: b.TempDir(), Header: recording.Header{}, State: on.live.World.CopySnapshot, Every: 1 << 40,
		Failed: func(err error, _ bool) { b.Error(err) },
	}, 0)
	if err != nil {
		b.Fatal(err)
	}
	on.live.Log = log
	var with, without, paused time.Duration
	var state []byte
	n := 0.
	for b.Loop() {
		err := inTurn(context.Background(), []*kept{on, off}, ticks, 1, func(tolls []toll, ticks float64) {
			with, without, n = with+tolls[0].time, without+tolls[1].time, n+ticks
		})
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		if state, err = on.live.World.AppendSnapshot(state[:0]); err != nil {
			b.Fatal(err)
		}
		paused = time.Since(began)
	}
	b.ReportMetric(micros(with)/n, "µs/tick-kept")
	b.ReportMetric(micros(without)/n, "µs/tick-not-kept")
	b.ReportMetric(float64(with)/float64(without), "ratio")
	b.ReportMetric(paused.Seconds()*1000, "ms/snapshot")
	b.ReportMetric(float64(len(state))/1e6, "MB/snapshot")
}
