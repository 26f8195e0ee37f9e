package bench

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"

	"muster/loaders/synth"
	"muster/net/replication/recording"
)

// recording measures what it costs a tick to be recorded, its hash included.
func recordingScenario(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	players, creatures, ticks, repetitions := 10_000, 20_000, 200, 7
	if c.Quick {
		players, creatures, ticks, repetitions = 1_000, 2_000, 100, 3
	}
	d, err := synth.New(synth.Config{Creatures: creatures})
	if err != nil {
		return "", 0, err
	}
	folder, err := os.MkdirTemp("", "recordings")
	if err != nil {
		return "", 0, err
	}
	defer os.RemoveAll(folder)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	counter := c.counter(s)
	defer counter.close()
	on, off := newKept(d, players, false), newKept(d, players, false)
	recorder, err := recording.NewRecorder(recording.Config{Folder: folder, Header: recording.Header{Parts: on.live.World.Parts()}})
	if err != nil {
		return "", 0, err
	}
	on.live.Recorder = recorder
	on.counter, off.counter = counter, counter
	first := on.tick
	err = inTurn(ctx, []*kept{on, off}, ticks, repetitions, func(tolls []toll, n float64) {
		with, without := &tolls[0], &tolls[1]
		s.put("tick, thread time, mean", "µs", micros(with.time)/n).beside("not recorded", micros(without.time)/n).atMost(1.05, OfRatio)
		s.put("the same", "thousand instructions", with.executed/n/1000).
			beside("not recorded", without.executed/n/1000).atMost(1.05, OfRatio).instead("tick, thread time, mean")
		s.put("allocations per tick", "", math.Floor(float64(with.allocations)/n)).gate(0, OfMedian)
	})
	if ended := recorder.Close(); err == nil {
		err = ended
	}
	if err != nil {
		return "", 0, err
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		return "", 0, err
	}
	var written float64
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			return "", 0, err
		}
		written += float64(info.Size())
	}
	s.put("bytes per tick", "", written/float64(on.tick-first))
	return fmt.Sprintf("%s players walk as in a steady tick, and snapshots of them are taken, as by default. One world is recorded, in "+
		"a folder for temporary files; the other is not. A repetition is %d ticks of each. The figure is processor "+
		"time of the world's thread: with the copy of the inbox and the tick's share of the world's hash, but not the "+
		"writing, which another thread does.", number(float64(players)), ticks), repetitions, nil
}
