// Package stats keeps the stats of units in step with their level, equipment and auras. Nothing is ever added to a
// computed stat: each is recomputed from its terms (rules.PlayerStats and rules.CreatureStats).
package stats

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// System recomputes the stats of units that are new or marked dirty.
type System struct {
	rules.Auras

	entities ecs.Entities
	defs     ecs.Res[defs.World]
	out      change.Out
	dirty    change.Dirty

	joined  ecs.Events[change.Joined]
	changes ecs.Requests[rules.StatsDirty]
	levels  ecs.EventReader[rules.LevelChanged]
	maxima  ecs.Emit[rules.MaxVitals]
	filled  ecs.Emit[rules.Restore]
	hastes  ecs.Emit[rules.HasteChanged]
	speeds  ecs.Emit[move.SetSpeed]
	swings  ecs.Emit[rules.SetSwingTimes]

	sessions    ecs.Read[components.Session]
	objects     ecs.Read[components.Object]
	inventories ecs.View[components.Inventory]
	records     ecs.View[components.Record]
	vitals      ecs.View[components.Vitals]
	units       ecs.Read[components.Unit]
	combatStats ecs.Write[components.CombatStats]
	shown       ecs.Write[components.Stats]

	batch   uint32 // number of the present batch of requests
	levelUp msg.LevelUpInfo
}

// Run completes players that have joined, after the spells that each brings with it. Creatures are spawned complete.
func (s *System) Run(sched.Tick) {
	for _, it := range s.joined.All() {
		s.join(it.Entity)
	}
}

// React recomputes the stats of units marked dirty and of players with a new level.
func (s *System) React(sched.Tick) {
	for _, l := range s.levels.Next() {
		if s.entities.Alive(l.Entity) {
			s.rise(&l)
		}
	}
	s.batch++
	for _, ask := range s.changes.Take() {
		if s.entities.Alive(ask.Entity) && s.combatStats.Get(ask.Entity).Batch != s.batch { // once for several requests
			s.recompute(ask.Entity, s.units.Get(ask.Entity).Level)
		}
	}
}

// join gives a player that has never been in a world full health and power. Others keep what they were saved with,
// and go on regenerating.
func (s *System) join(e ecs.Entity) {
	isNew := s.vitals.Get(e).Health == 0 && s.records.Get(e).Death.State == life.Alive
	now := s.compute(e, s.units.Get(e).Level)
	s.store(e, &now)
	s.maxima.Emit(rules.MaxVitals{Entity: e, Health: now.MaxHealth, Max: now.MaxPower, Power: now.Power, Fill: isNew})
	s.setSpeed(e, 1)
}

// rise sends a player what a new level has changed, and restores its health and power.
//
// Source: Player::GiveLevel, AzerothCore.
func (s *System) rise(l *rules.LevelChanged) {
	e := l.Entity
	before := s.compute(e, l.From)
	now := s.recompute(e, l.To)
	s.levelUp = msg.LevelUpInfo{Level: l.To, Health: now.MaxHealth - before.MaxHealth}
	if now.Power == components.PowerMana {
		s.levelUp.Powers[components.PowerMana] = now.MaxPower - before.MaxPower
	}
	for i := range s.levelUp.Stats {
		s.levelUp.Stats[i] = now.Shown.Stat[i] - before.Shown.Stat[i]
	}
	s.out.SendNow(e, msg.OpLevelUpInfo, &s.levelUp)
	s.filled.Emit(rules.Restore{Entity: e})
}

// compute computes a unit's stats at a level.
func (s *System) compute(e ecs.Entity, level uint32) rules.Stats {
	if s.sessions.Has(e) {
		class := s.units.Get(e).Bytes0[components.ByteClass]
		return rules.PlayerStats(s.defs.Get(), class, level, s.inventories.Get(e), s.Of(e))
	}
	return rules.CreatureStats(s.defs.Get(), s.template(e), level, s.Of(e))
}

// template returns the template of a creature, nil for other units.
func (s *System) template(e ecs.Entity) *defs.Creature {
	return s.defs.Get().Creature(s.objects.Get(e).Entry)
}

// recompute recomputes a unit's stats at a level, and lets other systems know what depends on them: maxima, speed
// and swings.
func (s *System) recompute(e ecs.Entity, level uint32) rules.Stats {
	stats := s.combatStats.Get(e)
	isNew, speed, haste, swings := stats.SwingMs[components.MainHand] == 0, stats.Speed, stats.Haste[0], stats.SwingMs
	now := s.compute(e, level)
	s.store(e, &now)
	if isNew { // the rest follows once it has joined
		return now
	}
	s.maxima.Emit(rules.MaxVitals{Entity: e, Health: now.MaxHealth, Max: now.MaxPower, Power: now.Power})
	s.setSpeed(e, speed)
	if after := now.Combat.Haste[0]; after != haste {
		s.hastes.Emit(rules.HasteChanged{Entity: e, Before: haste, After: after, SwingMs: [2]uint32(swings[:2])})
	}
	return now
}

// store sets a unit's stats. Those that clients see are marked dirty if they have changed.
func (s *System) store(e ecs.Entity, now *rules.Stats) {
	now.Combat.Batch = s.batch
	*s.combatStats.Get(e) = now.Combat
	swings := now.Combat.SwingMs
	for hand := range swings {
		if swings[hand] == 0 {
			swings[hand] = swings[components.MainHand] // a unit without that weapon is shown the main hand's time
		}
	}
	s.swings.Emit(rules.SetSwingTimes{Entity: e, Ms: swings})
	if !s.sessions.Has(e) {
		return
	}
	if shown := s.shown.Get(e); *shown != now.Shown {
		*shown = now.Shown
		s.dirty.Mark(e, components.DirtyStats)
	}
}

// setSpeed sets a unit's run and swim speeds if their factor has changed.
//
// Source: Unit::UpdateSpeed, AzerothCore.
func (s *System) setSpeed(e ecs.Entity, before float32) {
	after := s.combatStats.Get(e).Speed
	if after == before {
		return
	}
	normal := components.NormalSpeeds()
	if c := s.template(e); c != nil {
		normal[components.SpeedRun] = c.RunSpeed
	}
	for _, which := range [...]uint32{components.SpeedRun, components.SpeedSwim} {
		s.speeds.Emit(move.SetSpeed{Entity: e, Which: which, Speed: float32(normal[which] * after)})
	}
}
