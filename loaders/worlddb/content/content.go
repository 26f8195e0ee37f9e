// Package content makes the definitions of a world from an imported database: creatures and where they are, the ways they walk, what
// they sell, and where characters begin. docs/worlds.md says what each column becomes. What a database does not have, such as
// spells, comes from other definitions.
package content

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"muster/components/defs"
	"muster/loaders/worlddb"
)

// A World is the definitions of a database, and what became of its rows.
type World struct {
	*defs.World
	Family worlddb.Family
	Use    map[string]*worlddb.TableUse // by table; the others are not executed

	Scripts *ScriptUse // of smart_scripts
}

// Load makes the definitions of a world, which worlddb.OpenSource finds. What the database has no rows of is that of base, whose
// creatures and places are left out, but for the creatures that its spells and game masters bring. The same database and
// base give the same definitions. The error is ErrEmpty if nothing of it can be executed; the World has its Use then, and no more.
func Load(ctx context.Context, at string, base *defs.World) (w *World, err error) {
	return LoadWith(ctx, at, base, "")
}

// LoadWith is Load with a folder of tables of a client, "" for none: what the database has no row of is that of a file there.
func LoadWith(ctx context.Context, at string, base *defs.World, files string) (w *World, err error) {
	src, err := worlddb.OpenSource(ctx, at)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	l := &loader{
		ctx: ctx, src: src, files: files, use: make(map[string]*worlddb.TableUse), world: *base,
		maps: make(map[uint32]*place), templates: make(map[int64]*defs.Creature), sellers: make(map[int64]int64), equipped: make(map[int64]int64), looted: make(map[int64]int64), teachers: make(map[int64]templateRow), smart: make(map[int64]bool),
		smartObjects: make(map[int64]bool), fighters: make(map[int64]bool), objects: make(map[int64]spawned),
	}
	if err := l.load(); err != nil {
		return &World{Family: src.Family, Use: l.use, Scripts: new(ScriptUse)}, fmt.Errorf("content: %w", err)
	}
	return &World{&l.world, src.Family, l.use, l.scripts}, nil
}

// A loader makes the definitions of one world.
type loader struct {
	ctx   context.Context
	src   *worlddb.Source
	files string // the folder of tables of a client; "" none
	use   map[string]*worlddb.TableUse
	world defs.World

	reactions map[int64]reaction // of faction templates, if the database has them
	templates map[int64]*defs.Creature
	teachers  map[int64]templateRow // trainers, by entry
	equipped  map[int64]int64       // EquipmentTemplateId, by entry
	looted    map[int64]int64       // the loot of templates that have some, by entry
	sellers   map[int64]int64       // VendorTemplateId of vendors, by entry
	maps      map[uint32]*place
	synthetic synthetic
	spoken    spoken

	smart        map[int64]bool    // templates that have SmartAI, by entry
	smartObjects map[int64]bool    // and templates of game objects
	fighters     map[int64]bool    // templates that have CombatAI, by entry
	objects      map[int64]spawned // spawn points of game objects, by GUID
	points       map[int64]spawned // spawn points, by GUID
	events       *events
	pools        *pools
	nodes        *nodes // of paths
	nodeScripts  *nodeScripts
	areas        *areas

	said []defs.Text // by scripts of CMaNGOS

	conditions *conditions
	scripts    *ScriptUse
}

func (l *loader) load() error {
	for _, step := range []func() error{
		l.readSynthetic, l.readFactions, l.readTemplates, l.readCreatureSpells, l.readItems, l.readTrainers, l.readSpoken, l.readNodeScripts, l.readSpawns, l.readConditions, l.readVendors, l.readGossips,
		l.readStarts, l.readTeleports, l.readAreas, l.readInstances, l.readGraveyards, l.readStartItems, l.readStartSpells, l.readStartActions, l.readLevels,
		l.readObjects, l.readLinks, l.readLoots, l.readScripts, l.countAreas, l.countNodes, l.readTexts, l.countSpoken,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if len(l.maps) == 0 {
		return fmt.Errorf("there is no creature and no start position that can be used: %w", ErrEmpty)
	}
	l.world.Maps = nil
	for _, id := range slices.Sorted(maps.Keys(l.maps)) {
		l.world.Maps = append(l.world.Maps, l.maps[id].finish())
	}
	if len(l.world.Hubs) == 0 {
		m := &l.world.Maps[0]
		at := m.Spawns[0]
		l.world.Hubs = []defs.Hub{{Map: m.ID, X: at.X, Y: at.Y, Z: at.Z, O: at.O}}
	}
	l.keepTemplates()
	if err := l.nameMaps(); err != nil {
		return err
	}
	l.world.Digest = Digest(&l.world)
	return nil
}

// ErrEmpty is that nothing of a world can be executed.
var ErrEmpty = errors.New("the world is empty")

// Digest is the SHA-256 of all definitions, in hexadecimal, but of the height of the ground, which follows from them: World.Digest is
// that of an imported world.
func Digest(w *defs.World) string {
	all := *w
	all.Digest = ""
	all.Maps = slices.Clone(w.Maps)
	for i := range all.Maps {
		all.Maps[i].Ground = nil
	}
	h := sha256.New()
	all.Hash(h)
	return hex.EncodeToString(h.Sum(nil))
}

// of is what becomes of the rows of a table.
func (l *loader) of(table string) *worlddb.TableUse {
	u := l.use[table]
	if u == nil {
		u = &worlddb.TableUse{Not: make(map[string]int64), Part: make(map[string]int64)}
		l.use[table] = u
	}
	return u
}

// read reads a table whose rows f takes, or refuses with a reason. Where the table lacks a column that is needed, no row
// of it is executed.
func read[T any](l *loader, table string, f func(*T) (refused string)) error {
	if !l.src.Has(table) {
		return nil
	}
	u := l.of(table)
	err := worlddb.Read(l.ctx, l.src, table, func(row *T) error {
		if refused := f(row); refused != "" {
			u.Not[refused]++
		} else {
			u.Executed++
		}
		return nil
	})
	if missing := new(worlddb.MissingError); errors.As(err, &missing) {
		n, err := l.src.Count(l.ctx, table)
		if n > 0 {
			name, _, _ := strings.Cut(missing.Columns, " ")
			u.Not["the table has no column "+name] += n
		}
		return err
	}
	return err
}

// isMissing reports whether a table lacks a column that is needed.
func isMissing(err error) bool {
	missing := new(worlddb.MissingError)
	return errors.As(err, &missing)
}

// keepTemplates puts the templates of the database in order, and with them those of base that its spells and game masters
// bring. These get entries that the database does not use.
func (l *loader) keepTemplates() {
	free := uint32(maxEntry)
	moved := make(map[uint32]uint32)
	base := l.world // its creatures
	all := make([]defs.Creature, 0, len(l.templates)+2)
	move := func(entry uint32) uint32 {
		c := base.Creature(entry)
		if c == nil {
			return 0
		}
		if l.synthetic.world != nil && l.templates[int64(entry)] != nil {
			return entry
		}
		if moved[entry] == 0 {
			for l.templates[int64(free)] != nil {
				free--
			}
			moved[entry] = free
			copied := *c
			copied.Entry = free
			all = append(all, copied)
			free--
		}
		return moved[entry]
	}
	l.world.Marker = move(base.Marker)
	l.world.Spells = slices.Clone(base.Spells)
	for i := range l.world.Spells {
		for k := range l.world.Spells[i].Effects {
			if e := &l.world.Spells[i].Effects[k]; e.Kind == defs.EffectSummon {
				e.Misc = int32(move(uint32(e.Misc)))
			}
		}
	}
	for _, c := range l.templates {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b defs.Creature) int { return cmp.Compare(a.Entry, b.Entry) })
	l.world.Creatures = all
}
