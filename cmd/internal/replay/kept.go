package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/keptworld"
	"muster/cmd/internal/playback"
	"muster/cmd/internal/release"
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
		if all, err := k.InFolder(); err != nil || len(all) == 0 {
			return nil, nil // what looks for recordings says what is wrong with the folder
		}
	}
	return k, nil
}

// begin is the tick from whose newest snapshot on the log of a world is run: of the newest of all without flags.
func (v *Config) begin() uint64 {
	tick := uint64(math.MaxUint64)
	for _, flag := range []uint64{v.From, v.Until, v.Detail} {
		if flag > 0 {
			tick = min(tick, flag)
		}
	}
	return tick
}

// runKept runs the logs of worlds, as copies of what is needed of them.
func (v *Config) runKept(ctx context.Context, k *keptworld.Place, env *flags.Environment) error {
	if v.SnapshotEvery > 0 {
		return errors.New("--snapshot-every is for recordings: --from begins with a snapshot that the world has taken itself")
	}
	defer v.Profile.Start()()
	var failed []error // of each world its own: one that differs does not hide the others
	err := k.Excerpts(ctx, v.begin(), func(w *keptworld.World, folder string) error {
		w.Until = v.Until
		given := []string{worldlog.InstanceFolder(folder, w.Instance), "--map", fmt.Sprint(w.Header.Map)}
		if err := v.play(ctx, w.Playback, given, env, func() error { return v.compareKept(ctx, w, env) }); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", w.Name, err))
		}
		return ctx.Err()
	})
	return errors.Join(append(failed, err)...)
}

// compareKept runs the log of a world, and holds the digests in it, if there are any, against the world.
func (v *Config) compareKept(ctx context.Context, w *keptworld.World, env *flags.Environment) error {
	other := w.Header.Release != release.Name() || w.Header.Toolchain != release.Toolchain()
	if other && w.Header.World == "" {
		return playback.ErrOtherRelease(&w.Header)
	}
	next := w.Compare
	if other { // of an imported world its snapshot can be read, and no tick after that
		next = func(context.Context) error {
			record, err := w.Log.Next()
			if err == nil && record.Inbox != nil {
				err = playback.ErrOtherRelease(&w.Header)
			}
			return err
		}
	}
	began := time.Now()
	for {
		err := next(ctx)
		if err == io.EOF || errors.Is(err, recording.ErrTorn) {
			break
		}
		if err != nil {
			return err
		}
	}
	took := time.Since(began)
	of := time.Duration(w.Tick-w.Since) * time.Duration(w.Header.StepMs) * time.Millisecond
	digests := "no digests to compare with"
	if w.Compared > 0 {
		digests = fmt.Sprintf("%d digests, all the same", w.Compared)
	}
	_, err := fmt.Fprintf(env.Stdout, "%s: %d ticks after tick %d, with %d items in %v, %.1f times as fast as they were; %s\n",
		w.Name, w.Ticks, w.Since, w.Items, took.Round(time.Millisecond), float64(of)/float64(took), digests)
	if err == nil && v.Until > w.Tick && w.Record.Inbox == nil { // the log has ended
		_, err = fmt.Fprintf(env.Stdout, "%s: there is no tick %d, the last is tick %d\n", w.Name, v.Until, w.Tick)
	}
	if err == nil {
		_, err = fmt.Fprintf(env.Stdout, "%s: after tick %d the hash of the world is %016x\n", w.Name, w.Tick, w.World.Hash())
	}
	return err
}
