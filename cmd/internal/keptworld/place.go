// Package keptworld reads worlds that a server or workers keep, or a folder has, as they are after their last tick. What keeps them is not changed.
package keptworld

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/link"
	"muster/cmd/internal/playback"
	"muster/cmd/internal/release"
	"muster/cmd/internal/storage"
	"muster/cmd/internal/worldset"
	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/internal/config"
	"muster/internal/metric"
	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
)

// Place name worlds that are kept: by a server with --durable world, by workers with it, or by muster snapshot save.
type Place struct {
	From      string   `placeholder:"DIR" help:"A folder that muster snapshot save has written."`
	Data      string   `placeholder:"DIR" help:"The folder of muster serve --durable world, which may run; default: as of serve."`
	Database  string   `placeholder:"URL" help:"The database of that server, if it has one."`
	Bus       string   `placeholder:"URL" help:"NATS, where workers with --durable world keep the worlds: nats://HOST:PORT."`
	RealmName string   `default:"muster" placeholder:"NAME" help:"With --bus: name of the realm (${default})."`
	Map       []uint32 `placeholder:"ID" help:"Of all maps, only these. Of a realm, maps without a snapshot are left out without it."`
	DBC       string   `name:"dbc" placeholder:"DIR" help:"As of serve, if the world was served with it."`
	WorldDB   string   `name:"world-db" placeholder:"FILE|URL" help:"The imported world, as of serve, if the worlds are of one."`

	link.Access `embed:""`

	Compares bool `kong:"-"` // with the digests in logs
}

// AfterApply finds the folder if no flag names a place.
func (k *Place) AfterApply(env *flags.Environment) error {
	given := 0
	for _, flag := range []string{k.From, k.Data, k.Bus} {
		if flag != "" {
			given++
		}
	}
	switch {
	case given > 1:
		return errors.New("--from, --data and --bus exclude each other")
	case k.Bus != "":
		return link.CheckURL(k.Bus)
	case given == 0:
		k.Database = cmp.Or(k.Database, storage.Variable(env.Variables, config.Variable("Database")))
		k.Data = cmp.Or(storage.Variable(env.Variables, config.Variable("Data")), storage.DataFolder(env.Variables))
	}
	return nil
}

// Folder is where the worlds are, without --bus.
func (k *Place) Folder() string {
	if k.From != "" {
		return k.From
	}
	return storage.WorldFolder(k.Data, k.Database)
}

// Each visits the worlds that the flags name, as they are kept, by map. What keeps them is not changed.
func (k *Place) Each(ctx context.Context, visit func(w *World) error) error {
	made := make(map[madeOf]*defs.World)
	open := func(h *recording.Header) (*World, error) {
		key := madeOf{h.Seed, h.Creatures, h.Start, h.World}
		d, ok := made[key]
		if !ok {
			var err error
			if d, err = worldspec.RecordedDefs(ctx, h, k.WorldDB, k.DBC); err != nil {
				return nil, err
			}
			made[key] = d
		}
		if err := playback.Playable(h, d); err != nil {
			return nil, err
		}
		return &World{Playback: &playback.Playback{World: worldspec.NewWorld(h, d, new(metric.Table))}, Header: *h, Defs: d}, nil
	}
	if k.Bus != "" {
		return k.eachOfStream(ctx, open, visit)
	}
	maps, err := worldlog.Maps(k.Folder())
	if err == nil {
		maps, err = k.chosen(maps)
	}
	if err != nil {
		return err
	}
	for _, place := range maps {
		w, err := k.read(ctx, place, open)
		if err == nil {
			err = visit(w)
		}
		if err != nil {
			return fmt.Errorf("map %d: %w", place, err)
		}
	}
	return nil
}

// madeOf is what definitions are made of.
type madeOf struct {
	seed         uint64
	creatures    int
	start, world string
}

// chosen are those maps that --map names, all without it.
func (k *Place) chosen(maps []uint32) ([]uint32, error) {
	if len(k.Map) > 0 {
		for _, place := range k.Map {
			if k.Bus == "" && !slices.Contains(maps, place) {
				return nil, fmt.Errorf("nothing is kept of map %d", place)
			}
		}
		return k.Map, nil
	}
	if len(maps) == 0 {
		return nil, fmt.Errorf("no world is kept in %s", k.place())
	}
	return maps, nil
}

func (k *Place) place() string {
	if k.Bus != "" {
		return "realm " + k.RealmName
	}
	return k.Folder()
}

// readAgain is how often a folder is read that changes meanwhile: a server has written a snapshot, and removed what was before it.
const readAgain = 5

// read makes the world of a map as a folder has it.
func (k *Place) read(ctx context.Context, place uint32, open func(*recording.Header) (*World, error)) (*World, error) {
	var err error
	for range readAgain {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var found *worldlog.Found
		if found, err = worldlog.Open(k.Folder(), place); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && found == nil {
			err = errors.New("nothing is kept of it")
		}
		if err != nil {
			return nil, err
		}
		var w *World
		if w, err = open(&found.Header); err != nil {
			return nil, err
		}
		now := found.Header
		now.Release, now.Toolchain = release.Name(), release.Toolchain()
		w.Playback, err = worldset.Rerun(found, &now, w.World, make(map[uint64][]byte))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		w.Since, w.Closed = found.Since(), found.Closed()
		if found.Snapshot != nil {
			w.Bytes = len(found.Snapshot.State)
			if want := found.Snapshot.Hash; want != 0 && w.Ticks == 0 && w.World.Hash() != want {
				return nil, fmt.Errorf("the snapshot after tick %d has a world with the hash %016x, and says %016x", w.Tick, w.World.Hash(), want)
			}
		}
		return w, nil
	}
	return nil, fmt.Errorf("it changes all the time: %w", err)
}
