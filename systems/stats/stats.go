// Package stats keeps the stats of units in step with their level, equipment and auras. Nothing is ever added to a
// computed stat: each is recomputed from its terms (rules.Book.RecomputeStats).
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

// System recomputes the stats of units that are new or marked dirty.
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

// Run computes the stats of units that are new, as soon as they are visible, and of units marked dirty.
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
			s.recompute(t, ask.Entity)
			s.book.ScheduleRegen(ask.Entity)
		}
	}
}

// join gives a player that has never been in a world full health and power. Others keep what they were saved with,
// and go on regenerating.
func (s *System) join(e ecs.Entity) {
	if v := s.vitals.Get(e); v.Health == 0 && s.records.Get(e).Death.State == life.Alive {
		s.book.Born(e)
	} else {
		s.book.RecomputeStats(e)
		s.setSpeed(e, 1)
	}
	s.book.ScheduleRegen(e)
}

// recompute recomputes a unit's stats, and sets its run and swim speeds.
//
// Source: Unit::UpdateSpeed, AzerothCore.
func (s *System) recompute(t sched.Tick, e ecs.Entity) {
	before := s.book.CombatStats(e)
	speed, haste, swings := before.Speed, before.Haste[0], before.SwingMs
	s.book.RecomputeStats(e)
	s.setSpeed(e, speed)
	s.scaleSwing(t, e, components.MainHand, haste, swings[components.MainHand])
	s.scaleSwing(t, e, components.OffHand, haste, swings[components.OffHand])
}

// scaleSwing scales the remaining time to a hand's next swing by the change of haste: a change of weapon does not. The
// time to the next shot stays, and only the one after it changes.
//
// Source: Unit::ApplyAttackTimePercentMod, AzerothCore, which does so to shots too.
func (s *System) scaleSwing(t sched.Tick, e ecs.Entity, hand int, before float32, swingMs uint32) {
	combat, stats := s.combats.Get(e), s.combatStats.Get(e)
	left, most, after := int32(combat.NextMs[hand]-t.NowMs), int32(stats.SwingMs[hand]), stats.Haste[0]
	if before == after || before == 0 || most == 0 || left <= 0 || left > int32(swingMs) {
		return
	}
	left = min(int32(float64(left)*float64(after)/float64(before)), most)
	combat.NextMs[hand] = t.NowMs + uint32(left)
	if combat.Swinging != 0 {
		s.book.ScheduleSwing(t, e, time.Duration(left)*time.Millisecond)
	}
}

// setSpeed sets a unit's run and swim speeds if their factor has changed.
func (s *System) setSpeed(e ecs.Entity, before float32) {
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
