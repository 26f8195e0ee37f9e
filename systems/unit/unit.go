// Package unit keeps what a unit shows besides its health, its power and its target. UnitFields keeps its level, flags and
// swing times and the flags of a player: it is the only writer of components.Unit and PlayerAppearance, but for what
// fan-out derives from health. Stances keeps its posture, the weapons in its hands, its lasting emote and whether it is
// tapped: it is the only writer of components.Stance.
package unit

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// UnitFields sets levels, flags and swing times, for clients and for other systems.
type UnitFields struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	dirty    change.Dirty

	flags       ecs.Requests[rules.SetUnitFlags]
	playerFlags ecs.Requests[rules.SetPlayerFlags]
	factions    ecs.Requests[rules.SetFaction]
	changes     ecs.EventReader[rules.ChangeUnit]
	swings      ecs.Requests[rules.SetSwingTimes]
	levels      ecs.EventReader[rules.LevelChanged]

	objects     ecs.Read[components.Object]
	units       ecs.Write[components.Unit]
	appearances ecs.Write[components.PlayerAppearance]
}

// OnEvents implements sched.Handler. All is done in React.
func (s *UnitFields) OnEvents(sched.Tick) {}

// React sets what other systems have asked for.
func (s *UnitFields) React(sched.Tick) {
	for _, it := range s.levels.Next() {
		if s.entities.Exists(it.Entity) {
			s.units.Get(it.Entity).Level = it.To
			s.dirty.Mark(it.Entity, components.DirtyUnit)
		}
	}
	for _, it := range s.swings.Take() {
		if s.entities.Exists(it.Entity) {
			s.setSwingTimes(it.Entity, it.Ms)
		}
	}
	for _, it := range s.playerFlags.Take() {
		if s.entities.Exists(it.Entity) {
			appearance := s.appearances.Get(it.Entity)
			appearance.Flags = appearance.Flags&^it.Clear | it.Set
			s.dirty.Mark(it.Entity, components.DirtyAppearance)
		}
	}
	for _, it := range s.factions.Take() {
		if s.entities.Exists(it.Entity) {
			s.setFaction(it.Entity, it.Faction)
		}
	}
	for _, it := range s.changes.Next() {
		if it.Part <= rules.UnitItem3 && s.entities.Exists(it.Entity) {
			s.change(it)
		}
	}
	for _, it := range s.flags.Take() {
		if s.entities.Exists(it.Entity) {
			s.setFlags(it.Entity, it.Set, it.Clear)
		}
	}
}

// change has a unit show something else.
func (s *UnitFields) change(it rules.ChangeUnit) {
	unit := s.units.Get(it.Entity)
	now := *unit
	switch it.Part {
	case rules.UnitFlags2:
		now.Flags2 = now.Flags2&^it.Clear | it.Set
	case rules.UnitModel:
		if now.DisplayID = it.Set; it.Set == 0 {
			now.DisplayID = now.NativeDisplayID
		}
	default:
		now.VirtualItem[it.Part-rules.UnitItem1] = it.Set
	}
	if now != *unit {
		*unit = now
		s.dirty.Mark(it.Entity, components.DirtyUnit)
	}
}

// setFlags sets and clears flags of a unit.
func (s *UnitFields) setFlags(e ecs.Entity, set, clear uint32) {
	unit := s.units.Get(e)
	if now := unit.Flags&^clear | set; now != unit.Flags {
		unit.Flags = now
		s.dirty.Mark(e, components.DirtyUnit)
	}
}

// setFaction sets the faction template of a unit.
func (s *UnitFields) setFaction(e ecs.Entity, faction uint32) {
	if template := s.defs.Get().Creature(s.objects.Get(e).Entry); faction == 0 && template != nil {
		faction = template.Faction
	}
	if unit := s.units.Get(e); faction != 0 && unit.Faction != faction {
		unit.Faction = faction
		s.dirty.Mark(e, components.DirtyUnit)
	}
}

// setSwingTimes shows the times between two swings of a unit's weapons.
func (s *UnitFields) setSwingTimes(e ecs.Entity, ms [3]uint32) {
	unit := s.units.Get(e)
	now := *unit
	now.AttackTimeMs, now.RangedAttackTimeMs = [2]uint32(ms[:2]), ms[2]
	if now != *unit {
		*unit = now
		s.dirty.Mark(e, components.DirtyUnit)
	}
}
