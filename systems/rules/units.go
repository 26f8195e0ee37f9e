package rules

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
)

// Units answers what many systems ask about a unit, as a part of each: whether it is alive, a player, hostile.
type Units struct {
	entities ecs.Entities
	states   ecs.Read[components.VitalsState]
	vitals   ecs.View[components.Vitals]
	sessions ecs.Read[components.Session]
	units    ecs.Read[components.Unit]
}

// Player reports whether a unit is a player.
func (u *Units) Player(e ecs.Entity) bool { return u.sessions.Has(e) }

// Alive reports whether a unit exists, is not being despawned, and is alive. A ghost is not.
func (u *Units) Alive(e ecs.Entity) bool {
	return u.entities.Alive(e) && u.vitals.Get(e).Health != 0 && u.Present(e)
}

// Present reports whether a unit that exists, alive or dead, is neither leaving the world nor a ghost.
func (u *Units) Present(e ecs.Entity) bool {
	state := u.states.Get(e)
	return state.Gone == 0 && state.Ghost == 0
}

// Hostile reports whether a unit attacks another on sight. Players are not hostile to each other.
//
// Source: Unit::GetReactionTo, AzerothCore, for the two factions that there are.
func (u *Units) Hostile(e, to ecs.Entity) bool {
	if u.Player(e) && u.Player(to) {
		return false
	}
	return u.units.Get(e).Faction == defs.FactionHostile != (u.units.Get(to).Faction == defs.FactionHostile)
}

// Attackable reports whether a unit may damage another: it exists, is alive, is neither the unit itself nor friendly,
// and its flags do not forbid it.
//
// Source: Unit::_IsValidAttackTarget, AzerothCore.
func (u *Units) Attackable(e, to ecs.Entity) bool {
	const untouchable = components.UnitNonAttackable | components.UnitNotAttackable1 | components.UnitNotAttackable2 |
		components.UnitNotSelectable | components.UnitOnTaxi
	if e == to || !u.Alive(to) || !u.Hostile(e, to) {
		return false
	}
	return u.units.Get(to).Flags&(untouchable|untouchableBy(u.Player(e))) == 0
}

func untouchableBy(player bool) uint32 {
	if player {
		return components.UnitImmuneToPlayers
	}
	return components.UnitImmuneToNPC
}

// InCombat reports whether a unit is in combat.
func (u *Units) InCombat(e ecs.Entity) bool { return u.units.Get(e).Flags&components.UnitInCombat != 0 }
