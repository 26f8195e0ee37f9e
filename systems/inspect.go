package systems

import (
	"muster/components"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/replication/inspect"
)

// Inspect answers a query of the world, between two ticks. It changes nothing. Counting by blocks costs what the
// tiles and the players in use cost; entities that are listed one by one are looked up one by one.
func (w *World) Inspect(l *inspect.Query) {
	if w.inspector == nil {
		w.inspector = newInspector(w)
	}
	w.inspector.look(l)
}

// An inspector has the access that queries of a world need.
type inspector struct {
	*World
	objects   ecs.Accessor[components.Object]
	positions ecs.Accessor[components.Position]
	vitals    ecs.Accessor[components.Vitals]
	units     ecs.Accessor[components.Unit]
	corpses   ecs.Accessor[components.Corpse]
	homeCells ecs.Accessor[components.HomeCell]
	states    ecs.Accessor[components.UnitAuras]
	auras     *ecs.Slab[components.Auras]
	inPlay    *ecs.Filter2[components.Session, components.HomeCell]
}

func newInspector(w *World) *inspector {
	return &inspector{
		World:     w,
		objects:   ecs.NewAccessor[components.Object](w.ecs),
		positions: ecs.NewAccessor[components.Position](w.ecs),
		vitals:    ecs.NewAccessor[components.Vitals](w.ecs),
		units:     ecs.NewAccessor[components.Unit](w.ecs),
		corpses:   ecs.NewAccessor[components.Corpse](w.ecs),
		homeCells: ecs.NewAccessor[components.HomeCell](w.ecs),
		states:    ecs.NewAccessor[components.UnitAuras](w.ecs),
		auras:     ecs.Shared[ecs.Slab[components.Auras]](w.ecs),
		inPlay:    ecs.NewFilter2[components.Session, components.HomeCell](w.ecs),
	}
}

func (o *inspector) look(l *inspect.Query) {
	l.Tick = o.tick
	l.Players, l.Awake, l.Asleep = o.Players(), o.Awake(), o.space.Asleep()
	l.Things, l.Blocks, l.Grain, l.Columns = l.Things[:0], l.Blocks[:0], 0, 0
	if l.Box != (inspect.Box{}) {
		if o.crowded(&l.Box) {
			o.blocks(l)
		} else {
			o.things(l)
		}
	}
	o.creatures(l)
	l.Found, l.Auras = false, l.Auras[:0]
	if l.GUID == 0 {
		return
	}
	if e := o.space.Find(l.GUID); o.ecs.Exists(e) {
		l.Found = true
		l.At = o.thing(e, o.homeCells.Get(e).Cell)
		o.ecs.Copy(e, &l.Row)
		if state := o.states.Get(e); state != nil && state.Block != 0 {
			on := o.auras.At(state.Block)
			for _, a := range on.List[:on.Count] {
				l.Auras = append(l.Auras, inspect.AuraSeen{Spell: a.Spell, Caster: a.CasterGUID, Stacks: a.Stacks, Charges: a.Charges})
			}
		}
	}
}

// meets reports whether a living entity in a tile may be in a box.
func meets(b *inspect.Box, t grid.Tile) bool {
	x, y := t.Origin()
	return b.Meets(x-grid.SlackYards, y-grid.SlackYards, grid.TileYards+2*grid.SlackYards)
}

// crowded reports whether there are too many entities in a box to list them. Where the tiles leave that open, it
// counts.
func (o *inspector) crowded(b *inspect.Box) bool {
	within, exact := 0, 0
	o.space.Order.Each(func(c grid.Cell, in []ecs.Entity) {
		if meets(b, c.Tile()) {
			within += len(in)
		}
	})
	o.space.SleepingTiles(func(t grid.Tile, asleep int) {
		if meets(b, t) {
			within += asleep
		}
	})
	if within <= inspect.MaxThings {
		return false
	}
	o.space.Order.Each(func(c grid.Cell, in []ecs.Entity) {
		if exact <= inspect.MaxThings && meets(b, c.Tile()) {
			for _, e := range in {
				if p := o.position(e); p != nil && b.Has(p.X, p.Y) {
					exact++
				}
			}
		}
	})
	o.space.SleepingTiles(func(t grid.Tile, asleep int) {
		if exact <= inspect.MaxThings && meets(b, t) {
			exact += asleep
		}
	})
	return exact > inspect.MaxThings
}

// things lists the entities in the box.
func (o *inspector) things(l *inspect.Query) {
	o.space.Order.Each(func(home grid.Cell, in []ecs.Entity) {
		if !meets(&l.Box, home.Tile()) {
			return
		}
		for _, e := range in {
			if p := o.position(e); p != nil && l.Box.Has(p.X, p.Y) {
				l.Things = append(l.Things, o.thing(e, home))
			}
		}
	})
	o.space.SleepingTiles(func(t grid.Tile, _ int) {
		if !meets(&l.Box, t) {
			return
		}
		o.space.Sleepers(t, func(e ecs.Entity, home grid.Cell) {
			if !o.ecs.Exists(e) {
				return
			}
			if thing := o.thing(e, home); l.Box.Has(thing.X, thing.Y) {
				thing.State |= inspect.Asleep
				l.Things = append(l.Things, thing)
			}
		})
	})
}

// creatures lists creatures of an entry.
func (o *inspector) creatures(l *inspect.Query) {
	l.Creatures = l.Creatures[:0]
	if l.Most == 0 {
		return
	}
	near := l.Near.Box()
	beside := func(t grid.Tile) bool { return l.Near.Radius == 0 || meets(&near, t) }
	add := func(e ecs.Entity, home grid.Cell, state inspect.State) {
		if len(l.Creatures) >= l.Most || o.position(e) == nil {
			return
		}
		object, at := o.objects.Get(e), o.positions.Get(e)
		v, u := o.vitals.Get(e), o.units.Get(e)
		if object.Type != components.MaskOfCreature || v == nil || u == nil || l.Entry != 0 && object.Entry != l.Entry ||
			l.Near.Radius != 0 && !l.Near.Has(at.X, at.Y) {
			return
		}
		l.Creatures = append(l.Creatures, inspect.CreatureSeen{
			GUID: object.GUID, Entry: object.Entry, Level: u.Level, X: at.X, Y: at.Y, Z: at.Z, O: at.O,
			Health: v.Health, MaxHealth: v.MaxHealth, State: state | o.thing(e, home).State,
		})
	}
	o.space.Order.Each(func(home grid.Cell, in []ecs.Entity) {
		if !beside(home.Tile()) {
			return
		}
		for _, e := range in {
			add(e, home, 0)
		}
	})
	o.space.SleepingTiles(func(t grid.Tile, _ int) {
		if len(l.Creatures) < l.Most && beside(t) {
			o.space.Sleepers(t, func(e ecs.Entity, home grid.Cell) { add(e, home, inspect.Asleep) })
		}
	})
}

// position is the position of an entity, nil if it is gone.
func (o *inspector) position(e ecs.Entity) *components.Position {
	if !o.ecs.Exists(e) {
		return nil
	}
	return o.positions.Get(e)
}

// thing is the listed data of an entity.
func (o *inspector) thing(e ecs.Entity, home grid.Cell) inspect.Thing {
	object, p := o.objects.Get(e), o.positions.Get(e)
	t := inspect.Thing{GUID: object.GUID, X: p.X, Y: p.Y}
	switch object.Type {
	case components.MaskOfPlayer:
		t.Kind = inspect.Player
	case components.MaskOfCreature:
		t.Kind = inspect.Creature
	case components.MaskOfCorpse:
		t.Kind = inspect.Corpse
	}
	if home.Layer() != grid.Living {
		t.State |= inspect.Ghost
	}
	if v := o.vitals.Get(e); v != nil && v.Health == 0 {
		t.State |= inspect.Dead
	}
	if u := o.units.Get(e); u != nil && u.Flags&components.UnitInCombat != 0 {
		t.State |= inspect.Fighting
	}
	return t
}

// blocks counts the entities in the box, in blocks that are as small as their number allows.
func (o *inspector) blocks(l *inspect.Query) {
	corner, _ := grid.Tile(0).Origin()
	first := func(v, side float32) int { return int((v - corner) / side) }
	var side float32
	var left, bottom, rows int
	for l.Grain = 1; ; l.Grain *= 2 {
		side = float32(l.Grain * grid.CellYards)
		left, bottom = first(l.Box.MinX, side), first(l.Box.MinY, side)
		l.Columns, rows = first(l.Box.MaxX, side)-left+1, first(l.Box.MaxY, side)-bottom+1
		if l.Columns <= 64 && rows <= 64 {
			break
		}
	}
	l.Left, l.Bottom = corner+float32(left)*side, corner+float32(bottom)*side
	for range l.Columns * rows {
		l.Blocks = append(l.Blocks, inspect.Block{})
	}
	var outside inspect.Block
	at := func(x, y float32) *inspect.Block {
		column, row := first(x, side)-left, first(y, side)-bottom
		if column < 0 || column >= l.Columns || row < 0 || row >= rows {
			return &outside
		}
		return &l.Blocks[row*l.Columns+column]
	}
	o.space.Order.Each(func(home grid.Cell, in []ecs.Entity) {
		if l.Grain >= grid.TileSide {
			at(home.Tile().Origin()).Awake += uint32(len(in))
		} else if meets(&l.Box, home.Tile()) {
			at(home.Origin()).Awake += uint32(len(in))
		}
	})
	o.space.SleepingTiles(func(t grid.Tile, asleep int) {
		if l.Grain >= grid.TileSide {
			at(t.Origin()).Asleep += uint32(asleep)
		} else if meets(&l.Box, t) {
			o.space.Sleepers(t, func(_ ecs.Entity, home grid.Cell) { at(home.Origin()).Asleep++ })
		}
	})
	for q := o.inPlay.Iter(); q.Next(); {
		if _, home := q.Get(); home.Cell != grid.None {
			at(home.Cell.Origin()).Players++
		}
	}
}
