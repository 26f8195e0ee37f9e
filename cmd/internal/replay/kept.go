package replay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/keptworld"
	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
)

// kept is where the worlds are whose logs are to be run, instead of recordings; nil for recordings. Logs are those of serve --durable
// world, in a folder worlds, and of workers, which nats://HOST:PORT/REALM names.
func (v *Config) kept() (*keptworld.Place, error) {
	k := &keptworld.Place{Access: v.Access, WorldDB: v.WorldDB, DBC: v.DBC}
	if v.Map != nil {
		k.Map = []uint32{*v.Map}
	}
	if v.Instance != nil {
		k.Instance = []uint32{*v.Instance}
	}
	realm, err := k.InRealm(v.Dir)
	if err != nil {
		return nil, err
	}
	if realm != nil {
		k = realm
	} else {
		k.From = v.Dir
		if _, err := recording.Maps(v.Dir); err == nil { // with snapshots beside them, perhaps
			return nil, nil
		}
		if maps, err := worldlog.Maps(v.Dir); err != nil || len(maps) == 0 {
			return nil, nil // what looks for recordings says what is wrong with the folder
		}
	}
	if v.Until > 0 || v.From > 0 || v.SnapshotEvery > 0 || v.Bisect != "" || v.Frames || v.Sums || v.Detail > 0 {
		return nil, errors.New("the log of a world is run from its newest snapshot to its end: the other flags are for recordings")
	}
	return k, nil
}

// runKept runs the logs of worlds, and holds the digests in them, if there are any, against the worlds.
func (v *Config) runKept(ctx context.Context, k *keptworld.Place, env *flags.Environment) error {
	k.Compares = true
	began := time.Now()
	return k.Each(ctx, func(w *keptworld.World) error {
		took := time.Since(began)
		of := time.Duration(w.Tick-w.Since) * time.Duration(w.Header.StepMs) * time.Millisecond
		digests := "no digests to compare with"
		if w.Compared > 0 {
			digests = fmt.Sprintf("%d digests, all the same", w.Compared)
		}
		_, err := fmt.Fprintf(env.Stdout, "%v: %d ticks after tick %d, with %d items in %v, %.1f times as fast as they were; %s\n%[1]v: after tick %[8]d the hash of the world is %016[9]x\n",
			w.Shard(), w.Ticks, w.Since, w.Items, took.Round(time.Millisecond), float64(of)/float64(took), digests, w.Tick, w.World.Hash())
		began = time.Now()
		return err
	})
}
