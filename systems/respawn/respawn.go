// Package respawn puts creatures where they belong: each of the map's spawn points is due when the
// world begins, and again when its creature has been gone for long enough.
package respawn

import (
	"muster/components"
	"muster/components/change"
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
const MaxCreatures = components.MaxCounter - FirstCounter

// System returns the system of a world. It panics if the map has more than MaxCreatures spawn points.
func System(w *ecs.World) sched.System {
	s := &system{
		defs:  ecs.Shared[defs.World](w),
		place: ecs.Shared[defs.Map](w),
		space: ecs.Shared[space.Space](w),
		log:   ecs.Shared[change.Log](w),
		kind: ecs.NewKind(w, append(components.CreatureParts(),
			append(ecs.Of4[components.Position, components.Home, components.Walk, components.Post](),
				ecs.Of4[components.Mind, components.Speeds, components.Touched, components.CreatureImage]()...)...)...),
		objects:   ecs.NewColumn[components.Object](w),
		vitals:    ecs.NewColumn[components.Vitals](w),
		units:     ecs.NewColumn[components.Unit](w),
		stances:   ecs.NewColumn[components.Stance](w),
		positions: ecs.NewColumn[components.Position](w),
		homes:     ecs.NewColumn[components.Home](w),
		walks:     ecs.NewColumn[components.Walk](w),
		posts:     ecs.NewColumn[components.Post](w),
		speeds:    ecs.NewColumn[components.Speeds](w),
		images:    ecs.NewColumn[components.CreatureImage](w),
	}
	if len(s.place.Spawns) > MaxCreatures {
		panic("respawn: more spawn points than creature counters")
	}
	return sched.System{
		Name: "respawn", Stage: sched.Settle,
		Reads: ecs.Of2[defs.World, defs.Map](),
		Writes: append(components.CreatureParts(),
			append(ecs.Of4[components.Position, components.Home, components.Post, components.Speeds](),
				ecs.Of3[components.CreatureImage, space.Space, change.Log]()...)...),
		Run: s.run,
	}
}

type system struct {
	defs  *defs.World
	place *defs.Map
	space *space.Space
	log   *change.Log
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
	images    ecs.Column[components.CreatureImage]

	begun bool
	due   sched.Wheel[int] // spawn points, by the tick in which their creature returns
}

func (s *system) run(t sched.Tick) {
	if !s.begun {
		s.begun = true
		s.kind.SpawnBatch(len(s.place.Spawns), func(i int, e ecs.Entity) { s.spawn(t, i, e) })
	}
	for _, point := range s.due.Take(t.N) {
		s.kind.SpawnBatch(1, func(_ int, e ecs.Entity) { s.spawn(t, point, e) })
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

	home := grid.At(at.X, at.Y, grid.Living)
	if s.space.Awake(home) {
		s.log.Rehome(t, e, home)
		s.log.Woken = append(s.log.Woken, e)
		s.space.Arrive(e)
	} else {
		s.homes.Get(e).Cell = home
		s.space.Sleep(e, home)
	}
}
