package content

import "muster/components/defs"

// refuseArea says why the script of an area is refused.
func (l *loader) refuseArea(of int64) string {
	if _, known := l.areas.at[of]; !known {
		return noArea
	}
	if _, smart := l.areas.smart[of]; !smart {
		return "areatrigger_scripts does not say that the area has SmartTrigger"
	}
	return ""
}

// The targets and the actions of scripts of areas: what does not need a creature that has the script. It is the player that has entered the area
// for which they are looked up.
//
// Source: SmartScript::GetTargets and SmartScript::ProcessAction, AzerothCore, without a creature and without a game object.
var (
	targetsInAreas = map[defs.ScriptTarget]bool{
		defs.ScriptInvoker: true, defs.ScriptPosition: true, defs.ScriptCreatureRange: true, defs.ScriptCreatureGUID: true, defs.ScriptCreatureDistance: true,
		defs.ScriptObjectRange: true, defs.ScriptObjectGUID: true, defs.ScriptObjectDistance: true, defs.ScriptInvokerParty: true, defs.ScriptPlayerRange: true,
		defs.ScriptPlayerDistance: true, defs.ScriptClosestCreature: true, defs.ScriptClosestObject: true, defs.ScriptClosestPlayer: true,
	}
	actionsInAreas = map[defs.ScriptAction]bool{
		defs.ScriptTalk: true, defs.ScriptSetFaction: true, defs.ScriptMorph: true, defs.ScriptSound: true, defs.ScriptEmote: true, defs.ScriptSetReact: true,
		defs.ScriptActivateObject: true, defs.ScriptRandomEmote: true, defs.ScriptSummonCreature: true, defs.ScriptSetEmoteState: true,
		defs.ScriptSetUnitFlags: true, defs.ScriptRemoveUnitFlags: true, defs.ScriptSetPhase: true, defs.ScriptAddPhase: true, defs.ScriptCombatStop: true,
		defs.ScriptRemoveAuras: true, defs.ScriptRandomPhase: true, defs.ScriptRandomPhaseRange: true, defs.ScriptResetObject: true,
		defs.ScriptForceDespawn: true, defs.ScriptMount: true, defs.ScriptSetData: true, defs.ScriptSummonObject: true, defs.ScriptTeleport: true,
		defs.ScriptSetCounter: true, defs.ScriptEquip: true, defs.ScriptAddAura: true, defs.ScriptCallList: true, defs.ScriptSetNPCFlags: true,
		defs.ScriptAddNPCFlags: true, defs.ScriptRemoveNPCFlags: true, defs.ScriptSimpleTalk: true, defs.ScriptSelfCast: true, defs.ScriptCrossCast: true,
		defs.ScriptCallRandomList: true, defs.ScriptCallRandomListRange: true, defs.ScriptSetBytes1: true, defs.ScriptRemoveBytes1: true,
		defs.ScriptInterrupt: true, defs.ScriptObjectAnim: true, defs.ScriptSetDynamicFlags: true, defs.ScriptAddDynamicFlags: true,
		defs.ScriptRemoveDynamicFlags: true, defs.ScriptSetRoot: true, defs.ScriptSetObjectFlags: true, defs.ScriptAddObjectFlags: true,
		defs.ScriptRemoveObjectFlags: true, defs.ScriptSetPower: true, defs.ScriptAddPower: true, defs.ScriptRemovePower: true, defs.ScriptRandomSound: true,
		defs.ScriptSetObjectState: true, defs.ScriptInvokerCast: true, defs.ScriptSetSpeed: true, defs.ScriptSetHealth: true, defs.ScriptMoveTarget: true,
		defs.ScriptAttackStop: true,
	}
)

// refuseInArea says why a row of the script of an area is refused for its target or its action.
func refuseInArea(r *scriptRow) string {
	switch target := defs.ScriptTarget(r.Target); {
	case !targetsInAreas[target]:
		return "its target is one that creatures have"
	case !actionsInAreas[defs.ScriptAction(r.Action)]:
		return "its action is one of creatures"
	case defs.ScriptAction(r.Action) == defs.ScriptTalk && (target == defs.ScriptInvoker || target == defs.ScriptPosition || target == defs.ScriptInvokerParty || r.Do3 != 0):
		return "no creature talks"
	case defs.ScriptAction(r.Action) == defs.ScriptCrossCast && r.Do3 == int64(defs.ScriptStored):
		return "those that cast are targets of a kind that is not executed"
	}
	return ""
}
