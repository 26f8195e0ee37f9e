// Package dump writes definitions as a dump of AzerothCore, from which an import makes the same definitions again. docs/worlds.md says
// what no table of such a dump has room for.
package dump

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"muster/components/defs"
	"muster/loaders/worlddb/sqldump"
)

//go:embed tables.sql
var tables string

//go:embed samples.sql
var samples string

// Config says what is written. Zero means the default.
type Config struct {
	Start   string // how new characters begin, as package synth calls it
	Samples bool   // also rows of each kind that is executed and that the world has none of: the world is another one then

	// Base is what an ordinary creature has at a level: health, the average damage of a hit every two seconds, and armour. Templates
	// have factors of it.
	Base func(level uint8) (health uint32, hit, armor float32)
}

// Write writes a world into a new or empty folder: a file for each table, and of samples one in its folder updates. The error is of the file
// system, or that the folder is not empty.
func Write(dir string, w *defs.World, c Config) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("dump: %w", err)
	}
	there, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("dump: %w", err)
	}
	if len(there) > 0 {
		return fmt.Errorf("dump: the folder %s is not empty", dir)
	}
	d := &writer{dir: dir, world: w, Config: c, create: make(map[string]string)}
	for statement := range strings.SplitAfterSeq(tables, ";\n") {
		if parts := strings.SplitN(statement, "`", 3); len(parts) == 3 {
			d.create[parts[1]] = statement
		}
	}
	for _, f := range []func(){d.seed, d.templates, d.levels, d.spawns, d.formations, d.paths, d.pools, d.items, d.teleports} {
		if f(); d.err != nil {
			return fmt.Errorf("dump: %w", d.err)
		}
	}
	if !c.Samples {
		return nil
	}
	updates := filepath.Join(dir, "updates")
	if err := os.Mkdir(updates, 0o755); err != nil {
		return fmt.Errorf("dump: %w", err)
	}
	if err := os.WriteFile(filepath.Join(updates, "samples.sql"), []byte(samples), 0o644); err != nil {
		return fmt.Errorf("dump: %w", err)
	}
	return nil
}

// A writer writes the tables of one world. Its first error is err; nothing is done after it.
type writer struct {
	Config
	dir    string
	world  *defs.World
	create map[string]string // CREATE TABLE by name
	err    error

	out   *bufio.Writer
	head  string // of the INSERT of the open table
	rows  int    // of the statement that is begun
	bytes []byte
}

// rowsPerStatement bounds a statement, so that a server of MySQL takes it.
const rowsPerStatement = 500

// table writes the file of a table, whose rows f adds with d.row.
func (d *writer) table(name, columns string, f func()) {
	if d.err != nil {
		return
	}
	file, err := os.Create(filepath.Join(d.dir, name+".sql"))
	if err != nil {
		d.err = err
		return
	}
	d.out = bufio.NewWriter(file)
	d.head = fmt.Sprintf("INSERT INTO `%s` (`%s`) VALUES\n", name, strings.Join(strings.Fields(columns), "`, `"))
	d.rows = 0
	fmt.Fprintf(d.out, "DROP TABLE IF EXISTS `%s`;\n%s", name, d.create[name])
	f()
	d.end()
	d.err = errors.Join(d.err, d.out.Flush(), file.Close())
}

func (d *writer) end() {
	if d.rows > 0 {
		d.out.WriteString(";\n")
	}
	d.rows = 0
}

// row adds a row of int, uint8, uint16, uint32, float32, float64 and string.
func (d *writer) row(values ...any) {
	if d.rows == rowsPerStatement {
		d.end()
	}
	b := append(d.bytes[:0], ",\n"...)
	if d.rows == 0 {
		b = append(d.bytes[:0], d.head...)
	}
	d.rows++
	b = append(b, '(')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		switch v := v.(type) {
		case int:
			b = strconv.AppendInt(b, int64(v), 10)
		case int32:
			b = strconv.AppendInt(b, int64(v), 10)
		case uint8:
			b = strconv.AppendUint(b, uint64(v), 10)
		case uint16:
			b = strconv.AppendUint(b, uint64(v), 10)
		case uint32:
			b = strconv.AppendUint(b, uint64(v), 10)
		case float32:
			b = appendFloat(b, v)
		case float64:
			b = strconv.AppendFloat(b, v, 'g', -1, 64)
		case string:
			b = sqldump.AppendText(b, v)
		default:
			d.err = errors.Join(d.err, fmt.Errorf("a value of type %T", v))
		}
	}
	d.bytes = append(b, ')')
	d.out.Write(d.bytes)
}

// appendFloat appends the shortest number that becomes v by way of a float64.
func appendFloat(b []byte, v float32) []byte {
	short := strconv.AppendFloat(b, float64(v), 'g', -1, 32)
	if f, err := strconv.ParseFloat(string(short[len(b):]), 64); err == nil && float32(f) == v {
		return short
	}
	return strconv.AppendFloat(b, float64(v), 'g', -1, 64)
}

// seed says which synthetic world it is: what no table has room for follows from the seed.
func (d *writer) seed() {
	d.table("synthetic_world", "id seed start", func() {
		d.row(1, strconv.FormatUint(d.world.Seed, 10), d.Start)
	})
}

// guid is the GUID of a spawn point: they are numbered through all maps.
func (d *writer) guid(of, spawn int) int {
	for i := range of {
		spawn += len(d.world.Maps[i].Spawns)
	}
	return spawn + 1
}

// pool is the entry of a pool.
func (d *writer) pool(of int, index uint32) int {
	for i := range of {
		index += uint32(len(d.world.Maps[i].Pools))
	}
	return int(index) + 1
}

func (d *writer) spawns() {
	const standing, wandering, walking = 0, 1, 2
	d.table("creature", "guid id1 map position_x position_y position_z orientation spawntimesecs wander_distance MovementType", func() {
		for m := range d.world.Maps {
			first := d.guid(m, 0)
			for i := range d.world.Maps[m].Spawns {
				s := &d.world.Maps[m].Spawns[i]
				movement := standing
				switch {
				case s.Path >= 0:
					movement = walking
				case s.Wander > 0:
					movement = wandering
				}
				d.row(first+i, s.Entry, d.world.Maps[m].ID, s.X, s.Y, s.Z, s.O, float64(s.RespawnMs)/1000, s.Wander, movement)
			}
		}
	})
}

// formations writes which creature follows which. Leaders have a row of their own.
func (d *writer) formations() {
	d.table("creature_formations", "leaderGUID memberGUID dist angle", func() {
		for m := range d.world.Maps {
			first := d.guid(m, 0)
			led := make(map[uint32]bool)
			for i := range d.world.Maps[m].Spawns {
				s := &d.world.Maps[m].Spawns[i]
				if s.Leader == 0 {
					continue
				}
				leader := first + int(s.Leader) - 1
				if !led[s.Leader] {
					led[s.Leader] = true
					d.row(leader, leader, 0, 0)
				}
				d.row(leader, first+i, s.BesideYards, degrees(s.BesideAngle))
			}
		}
	})
}

// degrees is an angle of radians, so that its float32 is the same again.
func degrees(angle float32) float64 {
	exact := float64(angle) * 180 / math.Pi
	for _, d := range []float64{exact, math.Nextafter(exact, math.Inf(1)), math.Nextafter(exact, math.Inf(-1))} {
		if float32(d*math.Pi/180) == angle {
			return d
		}
	}
	return exact
}

// paths writes the paths, whose numbers are those of the spawn points that begin to walk them.
func (d *writer) paths() {
	walkers := func(f func(guid int, p *defs.Path)) {
		for m := range d.world.Maps {
			first := d.guid(m, 0)
			for i, s := range d.world.Maps[m].Spawns {
				if s.Path >= 0 {
					f(first+i, &d.world.Maps[m].Paths[s.Path])
				}
			}
		}
	}
	d.table("creature_addon", "guid path_id", func() {
		walkers(func(guid int, _ *defs.Path) { d.row(guid, guid) })
	})
	d.table("waypoint_data", "id point position_x position_y position_z delay", func() {
		walkers(func(guid int, p *defs.Path) {
			for i, n := range p.Nodes {
				d.row(guid, i+1, n.X, n.Y, n.Z, n.PauseMs)
			}
		})
	})
}

func (d *writer) pools() {
	each := func(f func(m, pool int, p *defs.Pool)) {
		for m := range d.world.Maps {
			for i := range d.world.Maps[m].Pools {
				f(m, d.pool(m, uint32(i)), &d.world.Maps[m].Pools[i])
			}
		}
	}
	d.table("pool_template", "entry max_limit", func() {
		each(func(_, pool int, p *defs.Pool) { d.row(pool, p.Limit) })
	})
	d.table("pool_creature", "guid pool_entry chance", func() {
		each(func(m, pool int, p *defs.Pool) {
			for _, member := range p.Members {
				if !member.Nested {
					d.row(d.guid(m, int(member.Index)), pool, member.Chance)
				}
			}
		})
	})
	d.table("pool_pool", "pool_id mother_pool chance", func() {
		each(func(m, pool int, p *defs.Pool) {
			for _, member := range p.Members {
				if member.Nested {
					d.row(d.pool(m, member.Index), pool, member.Chance)
				}
			}
		})
	})
}

func (d *writer) items() {
	d.table("item_template", "entry class subclass name displayid Quality BuyCount BuyPrice SellPrice InventoryType AllowableClass AllowableRace "+
		"ItemLevel RequiredLevel stackable ContainerSlots stat_type1 stat_value1 stat_type2 stat_value2 stat_type3 stat_value3 stat_type4 stat_value4 "+
		"dmg_min1 dmg_max1 armor delay bonding block MaxDurability", func() {
		for i := range d.world.Items {
			it := &d.world.Items[i]
			d.row(it.Entry, it.Class, it.Subclass, it.Name, it.Display, it.Quality, it.BuyCount, it.BuyPrice, it.SellPrice, it.Wear,
				mask(it.Classes), mask(it.Races), it.Level, it.RequiredLevel, it.Stack, it.Bag,
				it.Stats[0].Type, it.Stats[0].Value, it.Stats[1].Type, it.Stats[1].Value, it.Stats[2].Type, it.Stats[2].Value, it.Stats[3].Type, it.Stats[3].Value,
				it.MinDamage, it.MaxDamage, it.Armor, it.DelayMs, it.Bonding, it.Block, it.Durability)
		}
	})
}

func (d *writer) teleports() {
	d.table("game_tele", "id position_x position_y position_z orientation map name", func() {
		for i, t := range d.world.Teleports {
			d.row(i+1, t.X, t.Y, t.Z, t.O, t.Map, t.Name)
		}
	})
}

// mask is a mask of classes or races: all are -1.
func mask(of uint32) int {
	if of == 0 {
		return -1
	}
	return int(of)
}
