// Package keptworld reads worlds that a server or workers keep, or a folder has, as they are after their last tick. What keeps them is not changed.
package keptworld

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strings"

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
	Map       []uint32 `placeholder:"ID" help:"Of all maps, only these."`
	Instance  []uint32 `placeholder:"NUMBER" help:"Of all instances of maps, only those of these numbers; 0 is the world of a map that is in no instance."`
	DBC       string   `name:"dbc" placeholder:"DIR" help:"As of serve, if the world was served with it."`
	WorldDB   string   `name:"world-db" placeholder:"FILE|URL" help:"The imported world, as of serve, if the worlds are of one."`

	link.Access `embed:""`
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

// InRealm is the same of a realm that is named nats://HOST:PORT/REALM, or tls://; nil if the name is another one, as of a folder.
func (k *Place) InRealm(name string) (*Place, error) {
	if !strings.HasPrefix(name, "nats://") && !strings.HasPrefix(name, "tls://") {
		return nil, nil
	}
	u, err := url.Parse(name)
	if err != nil || u.Host == "" || strings.Trim(u.Path, "/") == "" {
		return nil, fmt.Errorf("a realm is nats://HOST:PORT/REALM, or tls://, not %q", name)
	}
	in := *k
	in.From, in.Data, in.RealmName = "", "", strings.Trim(u.Path, "/")
	u.Path = ""
	in.Bus = u.String()
	return &in, nil
}

// Folder is where the worlds are, without --bus.
func (k *Place) Folder() string {
	if k.From != "" {
		return k.From
	}
	return storage.WorldFolder(k.Data, k.Database)
}

// opener makes the worlds of logs, and what those are made of once for all of them.
func (k *Place) opener(ctx context.Context) func(*recording.Header) (*World, error) {
	made := make(map[madeOf]*defs.World)
	return func(h *recording.Header) (*World, error) {
		key := madeOf{h.DefsSeed(), h.Creatures, h.Start, h.World}
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
		return &World{Playback: &playback.Playback{Header: *h, World: worldspec.NewWorld(h, d, new(metric.Table))}, Defs: d}, nil
	}
}

// Each visits the worlds that the flags name, as they are kept, by map. What keeps them is not changed.
func (k *Place) Each(ctx context.Context, visit func(w *World) error) error {
	open := k.opener(ctx)
	if k.Bus != "" {
		return k.eachOfStream(ctx, open, visit)
	}
	all, err := k.InFolder()
	if err == nil {
		all, err = k.chosen(all)
	}
	if err != nil {
		return err
	}
	for _, at := range all {
		w, err := k.read(ctx, at, open)
		if errors.Is(err, worldlog.ErrNone) && at.Instance != 0 && len(k.Instance) == 0 {
			continue // it was removed since they were listed
		}
		if err == nil {
			err = visit(w)
		}
		if err != nil {
			return fmt.Errorf("%v: %w", at, err)
		}
	}
	return nil
}

// A Shard names a world: the map, and the number of the instance, 0 for a world that is not of an instance.
type Shard struct{ Map, Instance uint32 }

// String is as in "map 3, instance 12".
func (s Shard) String() string {
	if s.Instance == 0 {
		return fmt.Sprintf("map %d", s.Map)
	}
	return fmt.Sprintf("map %d, instance %d", s.Map, s.Instance)
}

func compareShards(a, b Shard) int {
	return cmp.Or(cmp.Compare(a.Map, b.Map), cmp.Compare(a.Instance, b.Instance))
}

// InFolder are the worlds of the folder.
func (k *Place) InFolder() (all []Shard, err error) {
	instances, err := worldlog.Instances(k.Folder())
	if err != nil {
		return nil, err
	}
	for _, n := range append(instances, 0) {
		maps, err := worldlog.Maps(worldlog.InstanceFolder(k.Folder(), n))
		if err != nil {
			return nil, err
		}
		for _, id := range maps {
			all = append(all, Shard{id, n})
		}
	}
	slices.SortFunc(all, compareShards)
	return all, nil
}

// madeOf is what definitions are made of.
type madeOf struct {
	seed         uint64
	creatures    int
	start, world string
}

// chosen are those worlds that --map and --instance name, all without them. There is one at least for each map and each instance that is named.
func (k *Place) chosen(all []Shard) (some []Shard, err error) {
	if len(all) == 0 {
		return nil, fmt.Errorf("no world is kept in %s", k.place())
	}
	for _, at := range all {
		if named(k.Map, at.Map) && named(k.Instance, at.Instance) {
			some = append(some, at)
		}
	}
	for _, id := range k.Map {
		if !slices.ContainsFunc(some, func(at Shard) bool { return at.Map == id }) {
			err = errors.Join(err, fmt.Errorf("nothing is kept of map %d%s", id, numbered(k.Instance)))
		}
	}
	for _, n := range k.Instance {
		if err == nil && !slices.ContainsFunc(some, func(at Shard) bool { return at.Instance == n }) {
			err = fmt.Errorf("nothing is kept of instance %d", n)
		}
	}
	return some, err
}

// named reports whether a flag names a number, or none.
func named(flag []uint32, n uint32) bool { return len(flag) == 0 || slices.Contains(flag, n) }

// numbered says which instances are meant, if they are named.
func numbered(instances []uint32) string {
	if len(instances) == 0 {
		return ""
	}
	return fmt.Sprintf(", instance %v", instances)
}

func (k *Place) place() string {
	if k.Bus != "" {
		return "realm " + k.RealmName
	}
	return k.Folder()
}

// readAgain is how often a folder is read that changes meanwhile: a server has written a snapshot, and removed what was before it.
const readAgain = 5

// read makes a world as a folder has it.
func (k *Place) read(ctx context.Context, at Shard, open func(*recording.Header) (*World, error)) (*World, error) {
	var err error
	for range readAgain {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var found *worldlog.Found
		if found, err = worldlog.Open(worldlog.InstanceFolder(k.Folder(), at.Instance), at.Map); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && found == nil {
			err = worldlog.ErrNone
		}
		if err != nil {
			return nil, err
		}
		var w *World
		if w, err = open(&found.Header); err != nil {
			return nil, err
		}
		w.Instance = at.Instance
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
