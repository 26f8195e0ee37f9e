// Package stats keeps the stats of units in step with their level, equipment and auras. Nothing is ever added to a
// computed stat: each is recomputed from its terms (rules.PlayerStats and rules.CreatureStats).
package stats

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Stats recomputes the stats of units that are new or marked dirty.
type Stats struct {
	rules.AuraReader

	entities ecs.Entities
	defs     ecs.Res[defs.World]
	out      change.Out
	dirty    change.Dirty

	joined   ecs.Events[change.Joined]
	changes  ecs.Requests[rules.StatsDirty]
	levels   ecs.EventReader[rules.LevelChanged]
	filled   ecs.Emit[rules.SetVitals]
	computed ecs.Emit[computed]

	sessions    ecs.Read[components.Session]
	objects     ecs.Read[components.Object]
	inventories ecs.ReadRef[components.Inventory]
	units       ecs.Read[components.Unit]
	combatStats ecs.Write[components.CombatStats]
	shown       ecs.Write[components.Stats]

	batch   uint32 // number of the present batch of requests
	levelUp msg.LevelUpInfo
}

// OnEvents completes players that have joined, after the spells that each brings with it. Creatures are spawned complete.
func (s *Stats) OnEvents(sched.Tick) {
	for _, it := range s.joined.All() {
		s.join(it.Entity)
	}
}

// React recomputes the stats of units marked dirty and of players with a new level.
func (s *Stats) React(sched.Tick) {
	for _, l := range s.levels.Next() {
		if s.entities.Exists(l.Entity) {
			s.rise(&l)
		}
	}
	s.batch++
	for _, ask := range s.changes.Take() {
		if s.entities.Exists(ask.Entity) && s.combatStats.Get(ask.Entity).Batch != s.batch { // once for several requests
			s.recompute(ask.Entity, s.units.Get(ask.Entity).Level)
		}
	}
}

// join completes a player that has joined.
func (s *Stats) join(e ecs.Entity) {
	now := s.compute(e, s.units.Get(e).Level)
	was := components.CombatStats{Speed: 1, Haste: now.Combat.Haste}
	s.store(e, &was, &now, joins)
}

// rise sends a player what a new level has changed, and restores its health and power.
//
// Source: Player::GiveLevel, AzerothCore.
func (s *Stats) rise(l *rules.LevelChanged) {
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
	s.out.Happen(change.Happening{Kind: change.HappenedLevel, Subject: s.objects.Get(e).GUID, Amount: l.To})
	s.filled.Emit(rules.SetVitals{Entity: e, Kind: rules.Restore})
}

// compute computes a unit's stats at a level.
func (s *Stats) compute(e ecs.Entity, level uint32) rules.UnitStats {
	if s.sessions.Has(e) {
		bytes := s.units.Get(e).Bytes0
		return rules.PlayerStats(s.defs.Get(), bytes[components.ByteRace], bytes[components.ByteClass], level, s.inventories.Get(e), s.Of(e))
	}
	return rules.CreatureStats(s.defs.Get(), s.template(e), level, s.Of(e))
}

// template returns the template of a creature, nil for other units.
func (s *Stats) template(e ecs.Entity) *defs.Creature {
	return s.defs.Get().Creature(s.objects.Get(e).Entry)
}

// recompute recomputes a unit's stats at a level.
func (s *Stats) recompute(e ecs.Entity, level uint32) rules.UnitStats {
	was, kind := *s.combatStats.Get(e), changes
	if was.SwingMs[components.MainHand] == 0 {
		kind = enters
	}
	now := s.compute(e, level)
	s.store(e, &was, &now, kind)
	return now
}

// store sets a unit's stats, and has system stateffects let other systems know. Those that clients see are marked dirty
// if they have changed.
func (s *Stats) store(e ecs.Entity, was *components.CombatStats, now *rules.UnitStats, kind uint8) {
	now.Combat.Batch = s.batch
	*s.combatStats.Get(e) = now.Combat
	s.computed.Emit(computed{
		entity: e, kind: kind, maxHealth: now.MaxHealth, maxPower: now.MaxPower, power: now.Power,
		speed: [2]float32{was.Speed, now.Combat.Speed}, haste: [2]float32{was.Haste[0], now.Combat.Haste[0]},
		swings: [2][3]uint32{was.SwingMs, now.Combat.SwingMs},
	})
	if !s.sessions.Has(e) {
		return
	}
	if shown := s.shown.Get(e); *shown != now.Shown {
		*shown = now.Shown
		s.dirty.Mark(e, components.DirtyStats)
	}
}
