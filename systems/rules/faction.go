package rules

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
)

// Hostile reports whether a unit attacks another on sight. Players are not hostile to each other.
//
// Source: Unit::GetReactionTo, AzerothCore, for the two factions that there are.
func (b *Book) Hostile(e, to ecs.Entity) bool {
	if b.Player(e) && b.Player(to) {
		return false
	}
	return b.units.Get(e).Faction == defs.FactionHostile != (b.units.Get(to).Faction == defs.FactionHostile)
}

// Attackable reports whether a unit may damage another: it exists, is alive, is neither the unit itself nor friendly,
// and its flags do not forbid it.
//
// Source: Unit::_IsValidAttackTarget, AzerothCore.
func (b *Book) Attackable(e, to ecs.Entity) bool {
	const untouchable = components.UnitNonAttackable | components.UnitNotAttackable1 | components.UnitNotAttackable2 |
		components.UnitNotSelectable | components.UnitOnTaxi
	if e == to || !b.Alive(to) || !b.Hostile(e, to) {
		return false
	}
	return b.units.Get(to).Flags&(untouchable|untouchableBy(b.Player(e))) == 0
}

func untouchableBy(player bool) uint32 {
	if player {
		return components.UnitImmuneToPlayers
	}
	return components.UnitImmuneToNPC
}
