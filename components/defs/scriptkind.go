package defs

// The kinds that system scripts and those after it execute.
var (
	scriptEvents = kinds(
		ScriptUpdateInCombat, ScriptUpdateOutOfCombat, ScriptHealth, ScriptMana, ScriptAggro, ScriptKill, ScriptDeath, ScriptEvade, ScriptSpellHit,
		ScriptRange, ScriptSightInPeace, ScriptRespawn, ScriptTargetHealth, ScriptVictimCasting, ScriptFriendHealth, ScriptFriendHeld,
		ScriptFriendUnbuffed, ScriptSummonedUnit, ScriptTargetMana, ScriptReachedHome, ScriptReceiveEmote, ScriptHasAura, ScriptTargetBuffed, ScriptReset,
		ScriptSightInCombat, ScriptSpellHitTarget, ScriptMovementInform, ScriptDamaged, ScriptDamagedTarget, ScriptSummonDespawned, ScriptInit,
		ScriptDataSet, ScriptEscortStarted, ScriptEscortReached, ScriptAreaEntered, ScriptTextOver, ScriptReceiveHeal, ScriptJustSummoned, ScriptEscortPaused,
		ScriptEscortResumed, ScriptEscortStopped, ScriptEscortEnded, ScriptTimedEvent, ScriptUpdate, ScriptLink, ScriptGossipSelect, ScriptJustCreated,
		ScriptGossipHello, ScriptPhaseChange, ScriptBehindTarget, ScriptObjectState, ScriptNearCreature,
		ScriptCounterSet, ScriptSummonedUnitDies, ScriptNearPlayers, ScriptFewPlayers, ScriptSummonEvades, ScriptWaypointReached, ScriptWaypointEnded)
	scriptActions = kinds(
		ScriptTalk, ScriptSetFaction, ScriptMorph, ScriptSound, ScriptEmote, ScriptSetReact, ScriptActivateObject, ScriptRandomEmote, ScriptCast,
		ScriptSummonCreature, ScriptThreatOne, ScriptThreatAll, ScriptSetEmoteState, ScriptSetUnitFlags, ScriptRemoveUnitFlags, ScriptAutoAttack,
		ScriptCombatMove, ScriptSetPhase, ScriptAddPhase, ScriptEvadeNow, ScriptFleeForAssist, ScriptCombatStop, ScriptRemoveAuras, ScriptFollow,
		ScriptRandomPhase, ScriptRandomPhaseRange, ScriptResetObject, ScriptDie, ScriptCallForHelp, ScriptSetSheath, ScriptForceDespawn,
		ScriptSetLeastHealth, ScriptMount, ScriptSetData, ScriptMoveForward, ScriptSetActive, ScriptAttackStart, ScriptSummonObject, ScriptKillUnit,
		ScriptEscortStart, ScriptEscortPause, ScriptEscortStop, ScriptSetRun, ScriptTeleport, ScriptSetCounter, ScriptStoreTargets, ScriptEscortResume,
		ScriptSetOrientation, ScriptCreateTimedEvent, ScriptMoveToPosition, ScriptEquip, ScriptCloseGossip, ScriptTriggerTimedEvent,
		ScriptRemoveTimedEvent, ScriptAddAura, ScriptCallReset, ScriptCallList, ScriptSetNPCFlags, ScriptAddNPCFlags, ScriptRemoveNPCFlags,
		ScriptSimpleTalk, ScriptSelfCast, ScriptCrossCast, ScriptCallRandomList, ScriptCallRandomListRange, ScriptRandomMove, ScriptSetBytes1,
		ScriptRemoveBytes1, ScriptInterrupt, ScriptObjectAnim, ScriptSetDynamicFlags, ScriptAddDynamicFlags, ScriptRemoveDynamicFlags, ScriptSendGossip,
		ScriptSendStored, ScriptSetHome, ScriptSetHealthRegen, ScriptSetRoot, ScriptSetObjectFlags, ScriptAddObjectFlags, ScriptRemoveObjectFlags,
		ScriptSetPower, ScriptAddPower, ScriptRemovePower, ScriptRandomSound, ScriptDisableEvade, ScriptSetObjectState,
		ScriptAddThreat, ScriptTriggerRandomEvent, ScriptInvokerCast, ScriptSetSpeed, ScriptSetHealth, ScriptMoveTarget, ScriptKeepPhase, ScriptAttackStop,
		ScriptWaypointStart)
	scriptTargets = kinds(
		ScriptNone, ScriptSelf, ScriptVictim, ScriptHostileSecond, ScriptHostileLast, ScriptHostileRandom, ScriptHostileNotTop, ScriptInvoker,
		ScriptPosition, ScriptCreatureRange, ScriptCreatureGUID, ScriptCreatureDistance, ScriptStored, ScriptObjectRange, ScriptObjectGUID,
		ScriptObjectDistance, ScriptInvokerParty, ScriptPlayerRange, ScriptPlayerDistance, ScriptClosestCreature, ScriptClosestObject, ScriptClosestPlayer,
		ScriptSummoner, ScriptThreatList, ScriptClosestEnemy, ScriptClosestFriend, ScriptFarthest, ScriptSummonedCreatures)
)

func kinds[T ~uint8](all ...T) (set [256]bool) {
	for _, kind := range all {
		set[kind] = true
	}
	return set
}

// Executed reports whether an event of a row is executed.
func (e ScriptEvent) Executed() bool { return scriptEvents[e] }

// Executed reports whether an action of a row is executed.
func (a ScriptAction) Executed() bool { return scriptActions[a] }

// Executed reports whether a target of a row is executed.
func (t ScriptTarget) Executed() bool { return scriptTargets[t] }

// Timed reports whether an event happens again and again as time goes on.
func (e ScriptEvent) Timed() bool {
	switch e {
	case ScriptUpdate, ScriptUpdateInCombat, ScriptUpdateOutOfCombat:
		return true
	}
	return e.Polled()
}

// Polled reports whether an event happens while something is so, which is looked up again and again.
func (e ScriptEvent) Polled() bool {
	switch e {
	case ScriptHealth, ScriptMana, ScriptRange, ScriptTargetHealth, ScriptVictimCasting, ScriptSightInPeace, ScriptFriendHealth, ScriptFriendHeld,
		ScriptFriendUnbuffed, ScriptTargetMana, ScriptHasAura, ScriptTargetBuffed, ScriptSightInCombat, ScriptBehindTarget, ScriptNearCreature,
		ScriptNearPlayers, ScriptFewPlayers:
		return true
	}
	return false
}

// A ScriptTime is when the time of a row goes on.
type ScriptTime uint8

// The times.
const (
	ScriptAlways   ScriptTime = iota
	ScriptInCombat            // while the creature fights
	ScriptInPeace             // while it does not
)

// Time is when the time of a row goes on, whose event is Timed.
//
// Source: SmartScript::ProcessEvent, AzerothCore.
func (r *ScriptRow) Time() ScriptTime {
	switch r.Event {
	case ScriptUpdate, ScriptHasAura, ScriptNearCreature, ScriptNearPlayers, ScriptFewPlayers:
		return ScriptAlways
	case ScriptUpdateOutOfCombat, ScriptSightInPeace:
		return ScriptInPeace
	case ScriptFriendUnbuffed:
		if r.When[4] == 0 {
			return ScriptAlways
		}
	}
	return ScriptInCombat
}

// Repeat is the time after which an event may happen again, least and most; ok is false for an event that has none.
//
// Source: SmartScript::ProcessEvent, AzerothCore.
func (r *ScriptRow) Repeat() (least, most uint32, ok bool) {
	at := 2
	switch r.Event {
	case ScriptKill, ScriptVictimCasting:
		at = 0
	case ScriptSummonedUnit, ScriptSummonedUnitDies, ScriptFriendHeld, ScriptReceiveEmote, ScriptSummonDespawned, ScriptSummonEvades:
		at = 1
	case ScriptNearPlayers, ScriptFewPlayers:
		at = 3
	case ScriptNearCreature:
		return r.When[3], r.When[3], true
	case ScriptSightInPeace, ScriptSightInCombat, ScriptFriendHealth, ScriptFriendUnbuffed, ScriptTargetMana, ScriptHasAura, ScriptTargetBuffed,
		ScriptReceiveHeal, ScriptBehindTarget:
	case ScriptUpdate, ScriptUpdateInCombat, ScriptUpdateOutOfCombat, ScriptHealth, ScriptMana, ScriptSpellHit, ScriptRange, ScriptTargetHealth,
		ScriptSpellHitTarget, ScriptDamaged, ScriptDamagedTarget, ScriptDataSet, ScriptCounterSet:
	default:
		return 0, 0, false
	}
	return r.When[at], r.When[at+1], true
}
