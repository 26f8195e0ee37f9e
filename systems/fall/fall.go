// Package fall is what happens to those who come down hard.
package fall

import (
	"slices"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
	"muster/sched"
	"muster/systems/rules"
)

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	s := &system{
		book:    rules.New(w),
		world:   w,
		log:     ecs.Shared[change.Log](w),
		landed:  ecs.QueueOf[move.Landed](w),
		objects: ecs.NewColumn[components.Object](w),
		vitals:  ecs.NewColumn[components.Vitals](w),
		guises:  ecs.NewColumn[components.Guise](w),
	}
	return sched.System{
		Name: "fall", Stage: sched.Act,
		Reads:  slices.Concat(ecs.Of2[components.Guise, ecs.Queue[move.Landed]](), rules.Reads()),
		Writes: rules.Writes(),
		Self:   s,
		Run:    s.run,
	}
}

type system struct {
	book    *rules.Book
	world   *ecs.World
	log     *change.Log
	landed  *ecs.Queue[move.Landed]
	objects ecs.Column[components.Object]
	vitals  ecs.Column[components.Vitals]
	guises  ecs.Column[components.Guise]
	said    msg.EnvironmentalDamageLog // kept here, since a packet takes its message by reference
}

// run hurts those who have fallen far. Nothing absorbs it, and nobody is to blame; whom no blow hurts no fall does.
//
// Source: Player::HandleFall, AzerothCore.
func (s *system) run(t sched.Tick) {
	for _, l := range s.landed.All() {
		if !s.book.Alive(l.Entity) || s.guises.Get(l.Entity).Flags&components.PlayerGM != 0 ||
			s.book.Immune(l.Entity, defs.SchoolPhysical) {
			continue
		}
		damage := Damage(l.Yards, s.vitals.Get(l.Entity).MaxHealth)
		if damage == 0 {
			continue
		}
		harmed := s.book.Deal(t, &rules.Harm{To: l.Entity, Amount: damage, Quiet: true})
		s.said = msg.EnvironmentalDamageLog{
			GUID: s.objects.Get(l.Entity).GUID, Kind: msg.DamageFall, Damage: harmed.Damage, Absorbed: harmed.Absorbed,
		}
		s.log.Draft.Bytes = msg.Packet(s.log.Draft.Bytes, wire.V12340, msg.OpEnvironmentalDamageLog, &s.said)
		s.log.File(l.Entity, frame.Events)
	}
}

// A fall hurts from safeYards on, by a part of the greatest health that grows with each yard.
//
// Source: Player::HandleFall, AzerothCore.
const (
	safeYards = 14.57
	perYard   = 0.018
	less      = 0.2426
)

// Damage is what a fall costs one who can have so much health: all of that at most.
func Damage(yards float32, health uint32) uint32 {
	if !(yards >= safeYards) {
		return 0
	}
	part := min(float64(perYard*float64(yards))-less, 1)
	return uint32(part * float64(health))
}
