// Package stats keeps what units can do in step with what they are, wear and have on them. Nothing is ever added to
// a number that is already there: each is worked out from the beginning (rules.Book.RecomputeStats).
package stats

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// System works out the figures of units that are new or have changed.
type System struct {
	entities    ecs.Entities
	defs        ecs.Res[defs.World]
	book        rules.Book
	joined      ecs.Events[change.Joined]
	woken       ecs.Events[change.Woken]
	statsDirty  ecs.Requests[rules.StatsDirty]
	validations ecs.Emit[move.SetSpeed]
	vitals      ecs.View[components.Vitals]
	combats     ecs.Write[components.CombatState]
	combatStats ecs.View[components.CombatStats]
	objects     ecs.Read[components.Object]
	records     ecs.View[components.Record]
}

// Run works out who is new, as soon as somebody can see it, and whoever has changed.
func (s *System) Run(t sched.Tick) {
	for _, it := range s.joined.All() {
		if s.entities.Alive(it.Entity) {
			s.join(it.Entity)
		}
	}
	for _, it := range s.woken.All() {
		if s.entities.Alive(it.Entity) {
			s.book.CombatStats(it.Entity)
		}
	}
	for _, ask := range s.statsDirty.Take() {
		if s.entities.Alive(ask.Entity) {
			s.combats.Get(ask.Entity).Pending &^= components.PendingStats
			s.restat(t, ask.Entity)
			s.book.ScheduleRegen(ask.Entity)
		}
	}
}

// join gives a player who has never been in a world all that it can have. Others have what they were left with,
// and go on recovering.
func (s *System) join(e ecs.Entity) {
	if v := s.vitals.Get(e); v.Health == 0 && s.records.Get(e).Death.State == life.Alive {
		s.book.Born(e)
	} else {
		s.book.RecomputeStats(e)
		s.pace(e, 1)
	}
	s.book.ScheduleRegen(e)
}

// restat works out a unit's figures, and has it run and swim as fast as they say.
//
// Source: Unit::UpdateSpeed, AzerothCore.
func (s *System) restat(t sched.Tick, e ecs.Entity) {
	before := s.book.CombatStats(e)
	speed, haste, swings := before.Speed, before.Haste[0], before.SwingMs
	s.book.RecomputeStats(e)
	s.pace(e, speed)
	s.hasten(t, e, components.MainHand, haste, swings[components.MainHand])
	s.hasten(t, e, components.OffHand, haste, swings[components.OffHand])
}

// hasten has what is left of the time until a hand's next blow shrink or grow as haste does: another weapon changes nothing
// about it. A shot comes when it would have, and only the one after it sooner or later.
//
// Source: Unit::ApplyAttackTimePercentMod, AzerothCore, which does so to shots too.
func (s *System) hasten(t sched.Tick, e ecs.Entity, hand int, before float32, swingMs uint32) {
	bout, prowess := s.combats.Get(e), s.combatStats.Get(e)
	left, most, after := int32(bout.NextMs[hand]-t.NowMs), int32(prowess.SwingMs[hand]), prowess.Haste[0]
	if before == after || before == 0 || most == 0 || left <= 0 || left > int32(swingMs) {
		return
	}
	left = min(int32(float64(left)*float64(after)/float64(before)), most)
	bout.NextMs[hand] = t.NowMs + uint32(left)
	if bout.Swinging != 0 {
		s.book.ScheduleSwing(t, e, time.Duration(left)*time.Millisecond)
	}
}

// pace has a unit whose share of its usual speed is another now move as fast as that says.
func (s *System) pace(e ecs.Entity, before float32) {
	after := s.combatStats.Get(e).Speed
	if after == before {
		return
	}
	normal := components.NormalSpeeds()
	if c := s.defs.Get().Creature(s.objects.Get(e).Entry); c != nil {
		normal[components.SpeedRun] = c.RunSpeed
	}
	for _, which := range [...]uint32{components.SpeedRun, components.SpeedSwim} {
		s.validations.Emit(move.SetSpeed{Entity: e, Which: which, Speed: float32(normal[which] * after)})
	}
}
