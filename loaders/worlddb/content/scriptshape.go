package content

import (
	"math"

	"muster/components"
	"muster/components/defs"
)

// refuseShape says why a row is refused for what its action needs: one that changes units or game objects.
func (s *scripts) refuseShape(r *scriptRow) string {
	l := s.loader
	target := defs.ScriptTarget(r.Target)
	switch defs.ScriptAction(r.Action) {
	case defs.ScriptMorph, defs.ScriptMount:
		if r.Do1 != 0 && l.templates[r.Do1] == nil {
			return "the creature whose display it takes is not there, or is not executed"
		}
	case defs.ScriptEquip:
		if r.Do1 != 0 {
			return "it takes an equipment by its number"
		}
	case defs.ScriptSetSheath:
		if r.Do1 > 2 {
			return scriptNumber
		}
	case defs.ScriptSetNPCFlags, defs.ScriptAddNPCFlags:
		if r.Do1&^executedServices != 0 {
			return "it offers a service that is not executed"
		}
	case defs.ScriptSetDynamicFlags, defs.ScriptAddDynamicFlags, defs.ScriptRemoveDynamicFlags:
		const own = components.DynamicLootable | components.DynamicTapped | components.DynamicDead
		if r.Do1&own != 0 {
			return "it sets a flag by which clients take a unit for dead, or for tapped"
		}
	case defs.ScriptAddAura:
		if l.world.Spell(uint32(r.Do1)) == nil {
			return noSpell
		}
	case defs.ScriptCrossCast:
		return s.refuseCrossCast(r)
	case defs.ScriptFollow:
		if r.Do3 != 0 || r.Do4 != 0 || r.Do5 != 0 {
			return "it follows until it meets a creature, for a quest"
		}
	case defs.ScriptSummonObject:
		switch {
		case r.Do1 > maxEntry || l.world.GameObject(uint32(r.Do1)) == nil:
			return "the game object that it summons is not there, or is not executed"
		case r.Do4 != 0:
			return "what it summons stays without it"
		case r.Do2 > math.MaxInt32/1000:
			return scriptNumber
		}
	case defs.ScriptActivateObject:
		if r.Do1 != 0 {
			return "it uses another state of a game object"
		}
	case defs.ScriptSetObjectState:
		if r.Do1 > components.GameObjectActiveAlternative {
			return scriptNumber
		}
	case defs.ScriptTeleport:
		_, _, _, _, ok := position(r.X, r.Y, r.Z, r.O)
		switch {
		case r.Do1 != defs.ScriptSameMap && (r.Do1 > math.MaxUint16 || l.maps[uint32(r.Do1)] == nil):
			return "the map that it teleports to is not served"
		case !ok:
			return offMap
		case target == defs.ScriptNone || target == defs.ScriptPosition:
			return "it teleports nothing"
		}
	case defs.ScriptSetPower, defs.ScriptAddPower, defs.ScriptRemovePower:
		if r.Do1 >= int64(len(components.Vitals{}.Power)) {
			return scriptNumber
		}
	case defs.ScriptSetSpeed:
		if r.Do1 >= int64(len(unitMoves)) || factor(r) > mostFactor {
			return scriptNumber
		}
	case defs.ScriptMoveTarget:
		if _, _, _, _, ok := position(r.X, r.Y, r.Z, r.O); !ok {
			return offMap
		}
	case defs.ScriptTriggerRandomEvent:
		if r.Do1 > r.Do2 || r.Do2 > math.MaxUint16 {
			return scriptNumber
		}
	case defs.ScriptForceDespawn:
		if r.Do2 != 0 || r.Do3 != 0 {
			return "it sets a time of respawn, or removes for good"
		}
	}
	return ""
}

// crossCasters are the kinds of targets that cast at those of a row.
var crossCasters = map[defs.ScriptTarget]bool{
	defs.ScriptSelf: true, defs.ScriptInvoker: true, defs.ScriptCreatureRange: true, defs.ScriptCreatureDistance: true, defs.ScriptStored: true,
	defs.ScriptClosestCreature: true, defs.ScriptSummoner: true, defs.ScriptPlayerRange: true, defs.ScriptPlayerDistance: true, defs.ScriptClosestPlayer: true,
	defs.ScriptCreatureGUID: true,
}

// refuseCrossCast says why a row is refused that has units cast at others.
func (s *scripts) refuseCrossCast(r *scriptRow) string {
	caster := defs.ScriptTarget(min(r.Do3, math.MaxUint8))
	switch known := int64(defs.ScriptCastInterrupts | defs.ScriptCastTriggered | defs.ScriptCastAuraless); {
	case s.loader.world.Spell(uint32(r.Do1)) == nil:
		return noSpell
	case r.Do2&^known != 0:
		return "it casts with a flag that is not executed"
	case !crossCasters[caster]:
		return "those that cast are targets of a kind that is not executed"
	}
	if _, ok := s.loader.points[r.Do4]; !ok && caster == defs.ScriptCreatureGUID {
		return "the creature that is to cast is not executed"
	}
	return ""
}

// unitMoves are the speeds of components.Speeds, by the numbers of a database.
//
// Source: UnitMoveType, UnitDefines.h, AzerothCore.
var unitMoves = [...]uint32{
	components.SpeedWalk, components.SpeedRun, components.SpeedRunBack, components.SpeedSwim, components.SpeedSwimBack, components.SpeedTurn,
	components.SpeedFlight, components.SpeedFlightBack, components.SpeedPitch,
}

// factor is the factor on a speed: a whole number, and the digits behind its point.
//
// Source: SMART_ACTION_SET_MOVEMENT_SPEED, SmartScript.cpp, AzerothCore.
func factor(r *scriptRow) float64 {
	part := float64(r.Do3)
	for part >= 1 {
		part /= 10
	}
	return float64(r.Do2) + part
}

// shape makes the parameters of an action those of systems.
func (s *scripts) shape(made *defs.ScriptRow, r *scriptRow) {
	l := s.loader
	switch made.Action {
	case defs.ScriptSetSpeed:
		made.Do = [6]uint32{unitMoves[r.Do1], uint32(math.Round(factor(r) * 100))}
	case defs.ScriptCrossCast:
		if defs.ScriptTarget(r.Do3) == defs.ScriptCreatureGUID {
			at := l.points[r.Do4]
			made.Do[3], made.Do[4] = uint32(at.index+1), at.on.ID
		}
	}
}
