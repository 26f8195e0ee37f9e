package keptworld

import (
	"time"

	"muster/cmd/internal/playback"
	"muster/cmd/internal/release"
	"muster/components/defs"
	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
)

// A World is the world of a map as it was after its last tick that is kept.
type World struct {
	*playback.Playback
	Instance uint32 // 0 for a world that is not of an instance
	Defs     *defs.World
	Bytes    int    // of its snapshot
	Since    uint64 // the tick of that
	Closed   bool   // it ended in order
	comparison
}

// Shard names the world.
func (w *World) Shard() Shard { return Shard{w.Header.Map, w.Instance} }

// Save writes the world, as it is now, into a folder of worlds, for --from.
func (w *World) Save(folder string) (*recording.Snapshot, error) {
	s, err := w.Snapshot()
	if err != nil {
		return nil, err
	}
	return s, worldlog.Save(worldlog.InstanceFolder(folder, w.Instance), s)
}

// Snapshot is the world as it is now.
func (w *World) Snapshot() (*recording.Snapshot, error) {
	state, err := w.World.AppendSnapshot(nil)
	return &recording.Snapshot{
		Log: w.Header, Release: release.Name(), Toolchain: release.Toolchain(), N: w.Tick, Hash: w.World.Hash(), State: state,
	}, err
}

// Leave takes all players out of the world, and returns how many there were.
func (w *World) Leave() (players int, err error) {
	players = w.World.Players()
	err = w.Playback.Leave(w.quantum(), func() error { return nil })
	w.World.ForgetItemGUIDs()
	return players, err
}

// Age is the time of the world.
func (w *World) Age() time.Duration {
	return time.Duration(w.Tick) * w.quantum()
}

// quantum is the time that the number of a tick of the world counts.
func (w *World) quantum() time.Duration { return time.Duration(w.Header.StepMs) * time.Millisecond }
