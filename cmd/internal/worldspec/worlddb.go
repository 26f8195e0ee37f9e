package worldspec

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"muster/cmd/internal/storage"
	"muster/components/defs"
	"muster/loaders/synth"
	"muster/loaders/worlddb"
	"muster/loaders/worlddb/content"
	"muster/net/replication/recording"
)

// OpenWorld makes the definitions of an imported world; what it has no rows of is that of the synthetic one: of the seed, or if it is the
// dump of a synthetic one, of that. What it does not say tables of a client may, in the folder files; "" is none.
func OpenWorld(ctx context.Context, at string, seed uint64, files string) (*content.World, error) {
	c := synth.Config{Seed: seed, Empty: true}
	s, ok, err := content.FindSynthetic(ctx, at)
	if err != nil {
		return &content.World{}, err
	}
	if ok {
		c.Seed, c.Start = s.Seed, synth.Start(s.Start)
	}
	base, err := synth.New(c)
	if err != nil {
		return nil, err
	}
	return content.LoadWith(ctx, at, base, files)
}

// LoadWorld makes the definitions of --world-db, nil without it, and logs what of the database is executed.
func (f *Settings) LoadWorld(ctx context.Context, log *slog.Logger) (*defs.World, error) {
	w, err := f.LoadContent(ctx, log)
	if w == nil {
		return nil, err
	}
	return w.World, err
}

// LoadContent is LoadWorld with what became of the rows.
func (f *Settings) LoadContent(ctx context.Context, log *slog.Logger) (*content.World, error) {
	if f.WorldDB == "" {
		return nil, nil
	}
	began := time.Now()
	w, err := OpenWorld(ctx, f.WorldDB, f.Seed, f.DBC)
	if err != nil {
		return nil, fmt.Errorf("--world-db: %w", storage.OneLine(err))
	}
	spawns, paths := 0, 0
	for i := range w.Maps {
		spawns += len(w.Maps[i].Spawns)
		paths += len(w.Maps[i].Paths)
	}
	log.Info("world is loaded", "family", w.Family, "maps", len(w.Maps), "templates", len(w.Creatures), "spawns", spawns, "paths", paths,
		"digest", w.Digest, "took", time.Since(began).Round(time.Millisecond))
	if left := leftOut(w.Use); len(left) > 0 {
		log.Info("rows that are not executed; muster world report has all", left...)
	}
	return w, nil
}

// leftOut is what is not executed of tables that are, as attributes of a line of the log.
func leftOut(use map[string]*worlddb.TableUse) (attributes []any) {
	for _, table := range slices.Sorted(maps.Keys(use)) {
		for _, reason := range slices.Sorted(maps.Keys(use[table].Not)) {
			attributes = append(attributes, table+": "+reason, use[table].Not[reason])
		}
	}
	return attributes
}

// RecordedDefs makes the definitions that a recording was made with. The database of one with an imported world is at a place that the
// recording does not say, and must be the same.
func RecordedDefs(ctx context.Context, h *recording.Header, at, files string) (*defs.World, error) {
	switch {
	case h.World == "" && at != "":
		return sameDefs(ctx, h, at, files)
	case h.World == "":
		return NewDefs(h.DefsSeed(), h.Creatures, h.Start)
	case at == "":
		return nil, errors.New("it was recorded with --world-db: name the same world with --world-db")
	}
	w, err := OpenWorld(ctx, at, h.DefsSeed(), files)
	if err != nil {
		return nil, fmt.Errorf("--world-db: %w", storage.OneLine(err))
	}
	if w.Digest != h.World {
		return nil, fmt.Errorf("--world-db: %s is another world than that of the recording: its digest is %s, not %s", at, w.Digest, h.World)
	}
	return w.World, nil
}

// sameDefs makes the definitions of a database that a recording was made without, if they are the same: the database is the dump of that
// synthetic world.
func sameDefs(ctx context.Context, h *recording.Header, at, files string) (*defs.World, error) {
	was, err := NewDefs(h.DefsSeed(), h.Creatures, h.Start)
	if err != nil {
		return nil, err
	}
	w, err := OpenWorld(ctx, at, h.DefsSeed(), files)
	if err != nil {
		return nil, fmt.Errorf("--world-db: %w", storage.OneLine(err))
	}
	if w.Digest != content.Digest(was) {
		return nil, fmt.Errorf("it was recorded without --world-db: %s is another world", at)
	}
	return w.World, nil
}
