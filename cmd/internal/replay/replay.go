// Package replay runs recordings of worlds again, and says whether they went the same way.
package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/link"
	"muster/cmd/internal/playback"
	"muster/cmd/internal/release"
	"muster/net/ops/flight"
	"muster/net/replication/recording"
)

// A Config is what is run again, and what is printed of it. Its tags say how that is spelled on a command line.
type Config struct {
	Dir           string  `arg:"" help:"What serve --record has recorded. Or the log of worlds: the folder worlds of serve --durable world, or nats://HOST:PORT/REALM, or tls://, of workers with it, or a bundle of the flight recorder of either."`
	DBC           string  `name:"dbc" placeholder:"DIR" help:"As of serve, if the world was served with it."`
	WorldDB       string  `name:"world-db" placeholder:"FILE|URL" help:"The imported world that it was recorded with, as of serve."`
	Map           *uint32 `placeholder:"ID" help:"Of all maps, only this."`
	Instance      *uint32 `placeholder:"NUMBER" help:"Of the log of worlds: of all instances, only that of this number; 0 is the world of a map that is in no instance."`
	Until         uint64  `placeholder:"TICK" help:"Stop after a tick, and say what the world's hash is then. A recording or a log that ends earlier is run to its end."`
	From          uint64  `placeholder:"TICK" help:"Begin with the newest snapshot that was taken after this tick or an earlier one."`
	SnapshotEvery uint64  `placeholder:"TICKS" help:"Write a snapshot of each world into the folder of a recording, for --from. Of a map there are 64 at most: if there would be more, every other one goes. Older ones are removed."`
	Bisect        string  `placeholder:"BINARY" help:"Run it with another muster, too, and find the first tick after which the worlds differ."`
	Frames        bool    `help:"Print a hash of all frames, and compare nothing: two builds that print the same send all players the same, byte for byte."`
	Sums          bool    `hidden:"" help:"Print the hashes of every tick, by part."`
	Detail        uint64  `hidden:"" help:"Print every hash of a tick."`
	link.Access   `embed:""`
	Profile       flags.Profile `enum:",cpu,mem,mutex,block,trace" default:"" placeholder:"KIND" help:"Profile the ticks: cpu, mem, mutex, block or trace."`
}

// Run runs the logs of worlds, or the recordings of a folder, one after the other.
func Run(ctx context.Context, v *Config, env *flags.Environment) error {
	if info, err := os.Stat(v.Dir); err == nil && info.Mode().IsRegular() {
		return v.inBundle(func(within *Config) error { return run(ctx, within, env) })
	}
	return run(ctx, v, env)
}

// inBundle calls do with the flags for the worlds that a bundle of the flight recorder has.
func (v *Config) inBundle(do func(within *Config) error) (err error) {
	file, err := os.Open(v.Dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "muster-flight-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := flight.ExtractWorlds(file, info.Size(), folder); err != nil {
		return fmt.Errorf("%s: %w", v.Dir, err)
	}
	within := *v
	within.Dir = folder
	return do(&within)
}

func run(ctx context.Context, v *Config, env *flags.Environment) error {
	if v.SnapshotEvery > 0 && (v.Sums || v.Detail > 0 || v.Bisect != "") {
		return errors.New("--snapshot-every is for a replay that compares with the recording, and does nothing else")
	}
	switch logs, err := v.kept(); {
	case err != nil:
		return err
	case logs != nil:
		return v.runKept(ctx, logs, env)
	}
	if v.Instance != nil {
		return errors.New("--instance is for logs of worlds: a recording has no instances")
	}
	maps, err := recording.Maps(v.Dir)
	if err != nil {
		return err
	}
	if v.Map != nil {
		if !slices.Contains(maps, *v.Map) {
			return fmt.Errorf("%s has no recording of map %d", v.Dir, *v.Map)
		}
		maps = []uint32{*v.Map}
	}
	defer v.Profile.Start()()
	var failed []error
	for _, place := range maps {
		p, err := playback.Open(ctx, v.Dir, place, v.WorldDB, v.DBC)
		if err != nil {
			return err
		}
		p.Until = v.Until
		from := v.From
		if v.Until > 0 {
			from = min(from, v.Until)
		}
		if from > 0 {
			err = p.From(v.Dir, from)
		}
		if err == nil {
			p.Shots, err = playback.NewShots(v.Dir, place, v.SnapshotEvery)
		}
		if err == nil {
			err = v.play(ctx, p, v.recorded(place), env, func() error { return v.compare(ctx, p, env) })
		}
		p.Log.Close()
		if err != nil {
			failed = append(failed, fmt.Errorf("map %d: %w", place, err))
		}
	}
	return errors.Join(failed...)
}

// play runs a world as the flags say. Another muster runs the same with what is given; compare is what is done without such flags.
func (v *Config) play(ctx context.Context, p *playback.Playback, given []string, env *flags.Environment, compare func() error) error {
	switch {
	case v.Frames:
		return playback.PrintFrames(ctx, p, env.Stdout)
	case v.Sums:
		return playback.PrintSums(ctx, p, env.Stdout)
	case v.Detail > 0:
		return playback.PrintDetail(ctx, p, v.Detail, env.Stdout)
	case v.Bisect != "":
		return v.bisect(ctx, p, given, env)
	}
	return compare()
}

// compare runs a recording, and holds each of its digests against the world.
func (v *Config) compare(ctx context.Context, p *playback.Playback, env *flags.Environment) error {
	h := &p.Header
	if h.Toolchain != release.Toolchain() || h.Release != release.Name() {
		fmt.Fprintf(env.Stderr, "recorded by %s, %s; this is %s, %s\n", h.Release, h.Toolchain, release.Name(), release.Toolchain())
	}
	began, compared, end := time.Now(), 0, ""
	for {
		if p.Shots.Due(p.Tick) { // and every digest of the ticks before it was the same
			if err := p.Shoot(); err != nil {
				return err
			}
		}
		err := p.Next(ctx)
		if err == io.EOF {
			break
		}
		if errors.Is(err, recording.ErrTorn) {
			end = err.Error()
			break
		}
		if err != nil {
			return err
		}
		switch {
		case p.Record.End != "":
			end = p.Record.End
		case p.Record.Digest != nil:
			if err := p.Check(p.Record.N, p.Record.Digest); err != nil {
				return err
			}
			compared++
		}
	}
	if p.Ticks == 0 && p.Began == 0 {
		_, err := fmt.Fprintf(env.Stdout, "map %d: no player was there\n", h.Map)
		return err
	}
	took := time.Since(began)
	of := time.Duration(p.Tick-max(p.First, p.Began)) * time.Duration(h.StepMs) * time.Millisecond
	fmt.Fprintf(env.Stdout, "map %d: %d ticks, %d to %d, with %d items in %v, %.1f times as fast as they were; %d digests, all the same",
		h.Map, p.Ticks, p.First, p.Tick, p.Items, took.Round(time.Millisecond), float64(of)/float64(took), compared)
	if end != "" {
		fmt.Fprintf(env.Stdout, "; the recording ends: %s", end)
	}
	if end != "" && v.Until > p.Tick {
		fmt.Fprintf(env.Stdout, "\nmap %d: there is no tick %d, the last is tick %d", h.Map, v.Until, p.Tick)
	}
	switch {
	case p.Began > 0:
		fmt.Fprintf(env.Stdout, "\nmap %d: it began with the snapshot after tick %d", h.Map, p.Began)
	case v.From > 0:
		fmt.Fprintf(env.Stdout, "\nmap %d: it began at its beginning, for there is no snapshot of tick %d or before it", h.Map, v.From)
	}
	if taken := p.Shots.Taken; len(taken) > 0 {
		fmt.Fprintf(env.Stdout, "\nmap %d: %d snapshots, after ticks %d to %d", h.Map, len(taken), taken[0], taken[len(taken)-1])
	}
	_, err := fmt.Fprintf(env.Stdout, "\nmap %d: after tick %d the hash of the world is %016x\n", h.Map, p.Tick, p.World.Hash())
	return err
}
