package bench

import (
	"context"
	"fmt"
	"os"
	"time"

	"muster/loaders/synth"
	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
)

// loggedScenario measures what --durable world costs a tick of serve: the log of its inboxes, and snapshots.
func loggedScenario(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	const every = 30 * time.Second // as serve has it
	players, creatures, ticks, repetitions := 1_000, 20_000, int(every.Milliseconds()/tickMs), 7
	if c.Quick {
		players, creatures, ticks, repetitions = 500, 2_000, 100, 3
	}
	d, err := synth.New(synth.Config{Creatures: creatures})
	if err != nil {
		return "", 0, err
	}
	folder, err := os.MkdirTemp("", "worlds")
	if err != nil {
		return "", 0, err
	}
	defer os.RemoveAll(folder)
	on, off := newKept(d, players, false), newKept(d, players, false)
	var failed error
	log, err := worldlog.Begin(worldlog.Config{
		Folder: folder, Header: recording.Header{Map: d.Hubs[0].Map, Parts: on.live.World.Parts()}, Every: uint64(ticks),
		State: on.live.World.CopySnapshot, Size: on.live.World.SnapshotBytes, Failed: func(err error, _ bool) { failed = err },
	}, on.tick)
	if err != nil {
		return "", 0, err
	}
	on.live.Log = log
	err = inTurn(ctx, []*kept{on, off}, ticks, repetitions, func(tolls []toll, n float64) {
		with, without := &tolls[0], &tolls[1]
		s.put("tick, thread time, mean", "µs", micros(with.time)/n).beside("without a log", micros(without.time)/n).atMost(1.03, OfRatio)
	})
	if ended := log.Close(); err == nil {
		err = ended
	}
	if err == nil {
		err = failed
	}
	if err != nil {
		return "", 0, err
	}
	return fmt.Sprintf("%s players walk as in a steady tick. One world has a log, as with `--durable world`, in a folder for temporary files, and a snapshot every %d ticks; the other has none. "+
		"A repetition is %d ticks of each, with one snapshot. The figure is processor time of the world's thread: with what it writes of each inbox, and with the copy for the snapshot, "+
		"which it makes alone, but not with the writing of that, which another thread does.", number(float64(players)), ticks, ticks), repetitions, nil
}
