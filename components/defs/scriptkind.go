package defs

// The kinds that system scripts and those after it execute.
var (
	scriptEvents = kinds(ScriptUpdateInCombat, ScriptUpdateOutOfCombat, ScriptHealth, ScriptMana, ScriptAggro, ScriptKill, ScriptDeath,
		ScriptEvade, ScriptSpellHit, ScriptRange, ScriptRespawn, ScriptTargetHealth, ScriptVictimCasting, ScriptSummonedUnit,
		ScriptReachedHome, ScriptReset, ScriptSpellHitTarget, ScriptDamaged, ScriptDamagedTarget, ScriptInit, ScriptDataSet,
		ScriptTextOver, ScriptJustSummoned, ScriptTimedEvent, ScriptUpdate, ScriptLink, ScriptGossipSelect, ScriptGossipHello, ScriptPhaseChange, ScriptCounterSet,
		ScriptSummonedUnitDies, ScriptMovementInform, ScriptEscortStarted, ScriptEscortReached, ScriptEscortPaused, ScriptEscortResumed, ScriptEscortStopped,
		ScriptEscortEnded, ScriptWaypointReached, ScriptWaypointEnded)
	scriptActions = kinds(ScriptTalk, ScriptSetFaction, ScriptEmote, ScriptSetReact, ScriptRandomEmote, ScriptCast, ScriptSummonCreature,
		ScriptThreatOne, ScriptThreatAll, ScriptSetEmoteState, ScriptSetUnitFlags, ScriptRemoveUnitFlags, ScriptSetPhase, ScriptAddPhase,
		ScriptEvadeNow, ScriptFleeForAssist, ScriptCombatStop, ScriptRemoveAuras, ScriptRandomPhase, ScriptRandomPhaseRange, ScriptDie,
		ScriptCallForHelp, ScriptForceDespawn, ScriptSetData, ScriptSetActive, ScriptAttackStart, ScriptKillUnit, ScriptSetCounter,
		ScriptStoreTargets, ScriptCreateTimedEvent, ScriptTriggerTimedEvent, ScriptRemoveTimedEvent, ScriptCallReset,
		ScriptCallList, ScriptSimpleTalk, ScriptSelfCast, ScriptCallRandomList, ScriptCallRandomListRange, ScriptSetBytes1,
		ScriptRemoveBytes1, ScriptInterrupt, ScriptAddThreat, ScriptInvokerCast, ScriptSetHealth,
		ScriptEscortStart, ScriptEscortPause, ScriptEscortStop, ScriptEscortResume, ScriptSetRun, ScriptMoveToPosition, ScriptWaypointStart, ScriptCloseGossip, ScriptSendGossip)
	scriptTargets = kinds(ScriptNone, ScriptSelf, ScriptVictim, ScriptHostileSecond, ScriptHostileLast, ScriptHostileRandom,
		ScriptHostileNotTop, ScriptInvoker, ScriptPosition, ScriptCreatureRange, ScriptCreatureGUID, ScriptCreatureDistance, ScriptStored,
		ScriptPlayerRange, ScriptPlayerDistance, ScriptClosestCreature, ScriptClosestPlayer, ScriptSummoner, ScriptThreatList,
		ScriptClosestEnemy, ScriptClosestFriend, ScriptFarthest)
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

// Polled reports whether an event happens while something is so, which is looked up again and again in combat.
func (e ScriptEvent) Polled() bool {
	switch e {
	case ScriptHealth, ScriptMana, ScriptRange, ScriptTargetHealth, ScriptVictimCasting:
		return true
	}
	return false
}

// Repeat is the time after which an event may happen again, least and most; ok is false for an event that has none.
//
// Source: SmartScript::ProcessEvent, AzerothCore.
func (r *ScriptRow) Repeat() (least, most uint32, ok bool) {
	at := 2
	switch r.Event {
	case ScriptKill, ScriptVictimCasting:
		at = 0
	case ScriptSummonedUnit, ScriptSummonedUnitDies:
		at = 1
	case ScriptUpdate, ScriptUpdateInCombat, ScriptUpdateOutOfCombat, ScriptHealth, ScriptMana, ScriptSpellHit, ScriptRange, ScriptTargetHealth,
		ScriptSpellHitTarget, ScriptDamaged, ScriptDamagedTarget, ScriptDataSet, ScriptCounterSet:
	default:
		return 0, 0, false
	}
	return r.When[at], r.When[at+1], true
}
