package content

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"muster/components/defs"
	"muster/loaders/worlddb"
)

// A syntheticRow is a row of synthetic_world, a table of package dump's.
type syntheticRow struct {
	Seed  string `column:"seed"`
	Start string `column:"start" or:"spread"`
}

// A Synthetic says which synthetic world a database has.
type Synthetic struct {
	Seed  uint64
	Start string // how new characters begin, as package synth calls it
}

// FindSynthetic looks for the synthetic world that a world is, to be loaded with that one as base; ok is false if it is none.
func FindSynthetic(ctx context.Context, at string) (found Synthetic, ok bool, err error) {
	src, err := worlddb.OpenSource(ctx, at)
	if err != nil {
		return found, false, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	err = worlddb.Read(ctx, src, "synthetic_world", func(r *syntheticRow) error {
		seed, err := strconv.ParseUint(r.Seed, 10, 64)
		found, ok = Synthetic{seed, r.Start}, err == nil
		if err != nil {
			return fmt.Errorf("content: the seed of table synthetic_world: %w", err)
		}
		return nil
	})
	return found, ok, err
}

// synthetic is the world that a dump was written of, in which is what its tables have no room for. It is nothing for other databases.
type synthetic struct{ world *defs.World }

// readSynthetic finds out whether the base is the synthetic world that the database has. All its maps are there then.
func (l *loader) readSynthetic() error {
	if err := read(l, "synthetic_world", func(r *syntheticRow) string {
		if r.Seed != strconv.FormatUint(l.world.Seed, 10) || l.world.Seed == 0 {
			return "the base is another world"
		}
		base := l.world
		l.synthetic.world = &base
		return ""
	}); err != nil || l.synthetic.world == nil {
		return err
	}
	for i := range l.world.Maps {
		l.place(l.world.Maps[i].ID)
	}
	return nil
}

// shape gives a map its name, its size, its zones, its ground, and whether it is instanced.
func (s synthetic) shape(p *place) {
	if s.world == nil {
		return
	}
	if m := s.world.Map(p.ID); m != nil {
		p.Name, p.Half, p.Zones, p.Ground = m.Name, m.Half, m.Zones, m.Ground
		p.Instanced, p.Exit = m.Instanced, m.Exit
	}
}

// triggers are the areas that take players elsewhere. Other databases have none: those of the base lead to its maps.
func (s synthetic) triggers() []defs.Trigger {
	if s.world == nil {
		return nil
	}
	return s.world.Triggers
}

// hubs are where characters begin in turn: more places than playercreateinfo has rows.
func (s synthetic) hubs() []defs.Hub {
	if s.world == nil {
		return nil
	}
	return s.world.Hubs[:len(s.world.Hubs):len(s.world.Hubs)]
}

// complete gives a template what its table does not say: what it casts, when it calls and flees, its loot. Damage and armour,
// of which the tables have rounded products, are those of the synthetic template unless the rows say something else.
func (s synthetic) complete(c *defs.Creature) {
	if s.world == nil {
		return
	}
	of := s.world.Creature(c.Entry)
	if of == nil {
		return
	}
	c.Spells, c.LootID = of.Spells, of.LootID
	if c.ReactState == of.ReactState && c.Faction == of.Faction {
		c.CallYards, c.FleeBelow = of.CallYards, of.FleeBelow
	}
	exact(&c.MinDamage, of.MinDamage, 0.01)
	exact(&c.MaxDamage, of.MaxDamage, 0.01)
	exact(&c.DamagePerLevel, of.DamagePerLevel, 0.01)
	exact(&c.Armor, of.Armor, 1)
	exact(&c.ArmorPerLevel, of.ArmorPerLevel, 1)
}

// exact replaces a value by another that is no further away.
func exact(v *float32, by float32, away float64) {
	if math.Abs(float64(*v)-float64(by)) <= away {
		*v = by
	}
}

// use gives an item the spell that using it casts.
func (s synthetic) use(it *defs.Item) {
	if s.world == nil {
		return
	}
	if of := s.world.Item(it.Entry); of != nil {
		it.Spell = of.Spell
	}
}
