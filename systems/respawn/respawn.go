// Package respawn puts creatures where they belong: one at each of the map's spawn points.
package respawn

import (
	"fmt"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/sched"
)

// FirstCounter is the counter of the first creature's GUID. Those of players are smaller, so that no
// client takes a creature for itself.
//
// Source: protocol.md 7.9.
const FirstCounter = 0x800000

// MaxCreatures is how many creatures one map can hold: counters have 24 bits.
const MaxCreatures = components.MaxCounter - FirstCounter + 1

// System returns the system of a world. It panics if the map has more than MaxCreatures spawn points, or one
// whose creature or path is not there.
func System(w *ecs.World) sched.System {
	s := &system{
		defs:  ecs.Shared[defs.World](w),
		place: ecs.Shared[defs.Map](w),
		space: ecs.Shared[space.Space](w),
		kind:  ecs.NewKind(w, parts()...),

		objects:   ecs.NewColumn[components.Object](w),
		vitals:    ecs.NewColumn[components.Vitals](w),
		units:     ecs.NewColumn[components.Unit](w),
		stances:   ecs.NewColumn[components.Stance](w),
		positions: ecs.NewColumn[components.Position](w),
		homes:     ecs.NewColumn[components.Home](w),
		walks:     ecs.NewColumn[components.Walk](w),
		posts:     ecs.NewColumn[components.Post](w),
		speeds:    ecs.NewColumn[components.Speeds](w),
	}
	s.check()
	return sched.System{
		Name: "respawn", Stage: sched.Settle,
		Reads:  ecs.Of2[defs.World, defs.Map](),
		Writes: append(parts(), ecs.Of[space.Space]()...),
		Run:    s.run,
	}
}

// parts are what a creature is made of.
func parts() []ecs.Type {
	return slices.Concat(components.CreatureParts(),
		ecs.Of4[components.Position, components.Home, components.Walk, components.Post](),
		ecs.Of4[components.Mind, components.Speeds, components.Touched, components.CreatureImage](),
		ecs.Of4[components.Bout, components.Prowess, components.Casting, components.Remains]())
}

type system struct {
	defs  *defs.World
	place *defs.Map
	space *space.Space
	kind  *ecs.Kind

	objects   ecs.Column[components.Object]
	vitals    ecs.Column[components.Vitals]
	units     ecs.Column[components.Unit]
	stances   ecs.Column[components.Stance]
	positions ecs.Column[components.Position]
	homes     ecs.Column[components.Home]
	walks     ecs.Column[components.Walk]
	posts     ecs.Column[components.Post]
	speeds    ecs.Column[components.Speeds]

	begun bool
}

// check panics if the spawn points ask for what is not there.
func (s *system) check() {
	if n := len(s.place.Spawns); n > MaxCreatures {
		panic(fmt.Sprintf("respawn: map %d %q: %d spawn points are more than %d", s.place.ID, s.place.Name, n, MaxCreatures))
	}
	for i, at := range s.place.Spawns {
		if s.defs.Creature(at.Entry) == nil {
			panic(fmt.Sprintf("respawn: spawn point %d of map %d %q: no creature has entry %d", i, s.place.ID, s.place.Name, at.Entry))
		}
		if at.Path >= int32(len(s.place.Paths)) {
			panic(fmt.Sprintf("respawn: spawn point %d of map %d %q: no path has number %d", i, s.place.ID, s.place.Name, at.Path))
		}
	}
}

// run fills the world in its first tick.
func (s *system) run(t sched.Tick) {
	if !s.begun {
		s.begun = true
		s.kind.SpawnBatch(len(s.place.Spawns), func(i int, e ecs.Entity) { s.spawn(t, i, e) })
	}
}

// spawn makes a new entity the creature of a spawn point.
func (s *system) spawn(t sched.Tick, point int, e ecs.Entity) {
	at := &s.place.Spawns[point]
	template := s.defs.Creature(at.Entry)
	*s.objects.Get(e) = components.Object{
		GUID: components.CreatureGUID(at.Entry, FirstCounter+uint32(point)), Type: components.MaskOfCreature,
		Entry: at.Entry, Scale: template.Scale,
	}
	// The level is thrown once for a spawn point: the same creature comes back.
	dice := sched.Tick{Seed: t.Seed}.Dice("respawn", uint64(point))
	span := uint32(template.MaxLevel - template.MinLevel)
	up := uint32(dice.Intn(int(span) + 1))
	health := template.MinHealth
	if span > 0 {
		health += (template.MaxHealth - template.MinHealth) * up / span
	}
	*s.vitals.Get(e) = components.Vitals{Health: health, MaxHealth: health}
	*s.units.Get(e) = components.Unit{
		Bytes0: [4]uint8{components.ByteClass: template.Class}, Level: uint32(template.MinLevel) + up,
		Faction: template.Faction, AttackTimeMs: [2]uint32{template.AttackTimeMs, template.AttackTimeMs},
		BoundingRadius: template.BoundingRadius, CombatReach: template.CombatReach,
		DisplayID: template.DisplayID, NativeDisplayID: template.DisplayID,
	}
	*s.stances.Get(e) = components.Stance{CastSpeed: 1, NPCFlags: template.NPCFlags}
	post := components.Position{X: at.X, Y: at.Y, Z: at.Z, O: at.O}
	*s.positions.Get(e) = post
	*s.posts.Get(e) = components.Post{At: post, Wander: at.Wander, Path: at.Path}
	s.walks.Get(e).Flags = components.SplineWalk
	speeds := components.NormalSpeeds()
	speeds[components.SpeedWalk], speeds[components.SpeedRun] = template.WalkSpeed, template.RunSpeed
	*s.speeds.Get(e) = speeds

	home := grid.At(at.X, at.Y, grid.Living) // nobody looks yet
	s.homes.Get(e).Cell = home
	s.space.Enroll(s.objects.Get(e).GUID, e)
	s.space.Sleep(e, home)
}
