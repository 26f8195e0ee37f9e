package rules

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
)

// Living answers whether a unit is alive, as a part of the systems that ask.
type Living struct {
	entities ecs.Entities
	vitals   ecs.Read[components.Vitals]
	states   ecs.Read[components.VitalsState]
}

// Alive reports whether a unit exists, is not being despawned, and is alive. A ghost is not, and neither is a game object.
func (u *Living) Alive(e ecs.Entity) bool {
	if !u.entities.Exists(e) {
		return false
	}
	return u.vitals.Has(e) && u.vitals.Get(e).Health != 0 && u.Present(e)
}

// Unit reports whether an entity that exists is a unit, alive or dead: a creature, a player or its corpse, no game object.
func (u *Living) Unit(e ecs.Entity) bool { return u.vitals.Has(e) }

// Present reports whether a unit that exists, alive or dead, is neither leaving the world nor a ghost.
func (u *Living) Present(e ecs.Entity) bool {
	state := u.states.Get(e)
	return state.Gone == 0 && state.Ghost == 0
}

// Units is Living, and answers what units are to each other.
type Units struct {
	Living
	sessions ecs.Read[components.Session]
	units    ecs.Read[components.Unit]
}

// Player reports whether a unit is a player.
func (u *Units) Player(e ecs.Entity) bool { return u.sessions.Has(e) }

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
