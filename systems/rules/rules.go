// Package rules is what the systems that make units fight share: damage, healing, power, threat and death,
// each of which has one way in. It is no system: whoever acts calls it, in the tick and on the tick's
// goroutine, and says in Writes that it touches what rules.Writes lists.
package rules

import (
	"slices"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/ecs"
	"muster/internal/metric"
)

// A Book is the rules of one world. Each system makes its own.
type Book struct {
	world *ecs.World
	defs  *defs.World
	log   *change.Log

	fights  *Fights
	threats *ecs.Slab[components.Threat]
	auras   *ecs.Slab[components.Auras]
	deaths  *ecs.Queue[Death]
	blows   *ecs.Queue[Blow]
	roused  *ecs.Queue[Roused]
	restats *ecs.Queue[Restat]
	readied *ecs.Queue[Readied]
	tapped  *ecs.Queue[Tapped]

	objects   ecs.Column[components.Object]
	vitals    ecs.Column[components.Vitals]
	units     ecs.Column[components.Unit]
	stances   ecs.Column[components.Stance]
	bouts     ecs.Column[components.Bout]
	prowess   ecs.Column[components.Prowess]
	targets   ecs.Column[components.Target]
	positions ecs.Column[components.Position]
	sessions  ecs.Column[components.Session]
	stats     ecs.Column[components.Stats]
	progress  ecs.Column[components.Progress]
	posts     ecs.Column[components.Post]

	inventories ecs.Column[components.Inventory]

	threatFull *metric.Counter

	packets packets `image:"-"` // written anew for each
}

// New returns the rules of a world.
func New(w *ecs.World) *Book {
	return &Book{
		world:   w,
		defs:    ecs.Shared[defs.World](w),
		log:     ecs.Shared[change.Log](w),
		fights:  ecs.Shared[Fights](w),
		threats: ecs.Shared[ecs.Slab[components.Threat]](w),
		auras:   ecs.Shared[ecs.Slab[components.Auras]](w),
		deaths:  ecs.QueueOf[Death](w),
		blows:   ecs.QueueOf[Blow](w),
		roused:  ecs.QueueOf[Roused](w),
		restats: ecs.QueueOf[Restat](w).Lasting(),
		readied: ecs.QueueOf[Readied](w),
		tapped:  ecs.QueueOf[Tapped](w),

		objects:   ecs.NewColumn[components.Object](w),
		vitals:    ecs.NewColumn[components.Vitals](w),
		units:     ecs.NewColumn[components.Unit](w),
		stances:   ecs.NewColumn[components.Stance](w),
		bouts:     ecs.NewColumn[components.Bout](w),
		prowess:   ecs.NewColumn[components.Prowess](w),
		targets:   ecs.NewColumn[components.Target](w),
		positions: ecs.NewColumn[components.Position](w),
		sessions:  ecs.NewColumn[components.Session](w),
		stats:     ecs.NewColumn[components.Stats](w),
		progress:  ecs.NewColumn[components.Progress](w),
		posts:     ecs.NewColumn[components.Post](w),

		inventories: ecs.NewColumn[components.Inventory](w),

		threatFull: ecs.Shared[metric.Table](w).Counter("combat.threat_full"),
	}
}

// Reads is what a Book reads and does not write.
func Reads() []ecs.Type {
	return append(ecs.Of4[components.Object, components.Position, components.Session, defs.World](),
		ecs.Of2[components.Inventory, components.Post]()...)
}

// Writes is what a Book writes.
func Writes() []ecs.Type {
	return slices.Concat(
		ecs.Of4[components.Vitals, components.Unit, components.Stance, components.Bout](),
		ecs.Of4[components.Touched, ecs.Slab[components.Threat], ecs.Slab[components.Auras], ecs.Queue[Death]](),
		ecs.Of4[ecs.Queue[Blow], components.Prowess, change.Log, metric.Table](),
		ecs.Of4[ecs.Queue[Roused], ecs.Queue[Restat], components.Target, Fights](),
		ecs.Of4[components.Stats, components.Progress, ecs.Queue[Readied], ecs.Queue[Tapped]]())
}

// Share gives a world what its books meet in.
func Share(w *ecs.World) {
	ecs.Share(w, new(Fights))
	ecs.Share(w, new(ecs.Slab[components.Threat]))
	ecs.Share(w, new(ecs.Slab[components.Auras]))
}

// Player reports whether a unit is a player's.
func (b *Book) Player(e ecs.Entity) bool { return b.sessions.Has(e) }

// Alive reports whether a unit is there, and to stay, and lives. A ghost does not.
func (b *Book) Alive(e ecs.Entity) bool {
	if !b.world.Alive(e) || b.vitals.Get(e).Health == 0 {
		return false
	}
	bout := b.bouts.Get(e)
	return bout.Gone == 0 && bout.States&components.StateGhost == 0
}
