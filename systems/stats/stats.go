// Package stats keeps what units can do in step with what they are, wear and have on them. Nothing is ever added to
// a number that is already there: each is worked out from the beginning (rules.Book.Recompute).
package stats

import (
	"slices"
	"time"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	s := &system{
		world:   w,
		defs:    ecs.Shared[defs.World](w),
		book:    rules.New(w),
		log:     ecs.Shared[change.Log](w),
		paces:   ecs.QueueOf[move.SetSpeed](w),
		vitals:  ecs.NewColumn[components.Vitals](w),
		bouts:   ecs.NewColumn[components.Bout](w),
		prowess: ecs.NewColumn[components.Prowess](w),
		objects: ecs.NewColumn[components.Object](w),
		records: ecs.NewColumn[components.Record](w),
	}
	return sched.System{
		Name: "stats", Stage: sched.Settle,
		Reads:  append(rules.Reads(), ecs.Of[components.Record]()...),
		Writes: slices.Concat(rules.Writes(), ecs.Of[ecs.Queue[move.SetSpeed]]()),
		Self:   s,
		Run:    s.run,
	}
}

type system struct {
	world   *ecs.World
	defs    *defs.World
	book    *rules.Book
	log     *change.Log
	paces   *ecs.Queue[move.SetSpeed]
	vitals  ecs.Column[components.Vitals]
	bouts   ecs.Column[components.Bout]
	prowess ecs.Column[components.Prowess]
	objects ecs.Column[components.Object]
	records ecs.Column[components.Record]
}

// run works out who is new, as soon as somebody can see it, and whoever has changed.
func (s *system) run(t sched.Tick) {
	for _, e := range s.log.Joined {
		if s.world.Alive(e) {
			s.join(e)
		}
	}
	for _, e := range s.log.Woken {
		if s.world.Alive(e) {
			s.book.Prowess(e)
		}
	}
	for _, ask := range s.book.Restats() {
		if s.world.Alive(ask.Entity) {
			s.bouts.Get(ask.Entity).Pending &^= components.PendingStats
			s.restat(t, ask.Entity)
			s.book.Rest(ask.Entity)
		}
	}
}

// join gives a player who has never been in a world all that it can have. Others have what they were left with,
// and go on recovering.
func (s *system) join(e ecs.Entity) {
	if v := s.vitals.Get(e); v.Health == 0 && s.records.Get(e).Death.State == life.Alive {
		s.book.Born(e)
	} else {
		s.book.Recompute(e)
		s.pace(e, 1)
	}
	s.book.Rest(e)
}

// restat works out a unit's figures, and has it run and swim as fast as they say.
//
// Source: Unit::UpdateSpeed, AzerothCore.
func (s *system) restat(t sched.Tick, e ecs.Entity) {
	before := s.book.Prowess(e)
	speed, haste, swings := before.Speed, before.Haste[0], before.SwingMs
	s.book.Recompute(e)
	s.pace(e, speed)
	s.hasten(t, e, components.MainHand, haste, swings[components.MainHand])
	s.hasten(t, e, components.OffHand, haste, swings[components.OffHand])
}

// hasten has what is left of the time until a hand's next blow shrink or grow as haste does: another weapon changes nothing
// about it. A shot comes when it would have, and only the one after it sooner or later.
//
// Source: Unit::ApplyAttackTimePercentMod, AzerothCore, which does so to shots too.
func (s *system) hasten(t sched.Tick, e ecs.Entity, hand int, before float32, swingMs uint32) {
	bout, prowess := s.bouts.Get(e), s.prowess.Get(e)
	left, most, after := int32(bout.NextMs[hand]-t.NowMs), int32(prowess.SwingMs[hand]), prowess.Haste[0]
	if before == after || before == 0 || most == 0 || left <= 0 || left > int32(swingMs) {
		return
	}
	left = min(int32(float64(left)*float64(after)/float64(before)), most)
	bout.NextMs[hand] = t.NowMs + uint32(left)
	if bout.Swinging != 0 {
		s.book.Await(t, e, time.Duration(left)*time.Millisecond)
	}
}

// pace has a unit whose share of its usual speed is another now move as fast as that says.
func (s *system) pace(e ecs.Entity, before float32) {
	after := s.prowess.Get(e).Speed
	if after == before {
		return
	}
	normal := components.NormalSpeeds()
	if c := s.defs.Creature(s.objects.Get(e).Entry); c != nil {
		normal[components.SpeedRun] = c.RunSpeed
	}
	for _, which := range [...]uint32{components.SpeedRun, components.SpeedSwim} {
		*s.paces.Next() = move.SetSpeed{Entity: e, Which: which, Speed: float32(normal[which] * after)}
	}
}
