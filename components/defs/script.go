package defs

// A Script is what a creature, a game object or an area does by SmartAI: rows, each of which has an action happen to targets when an event
// happens.
type Script struct {
	Rows []ScriptRow // by ascending ID
}

// A ScriptList is a timed action list: rows that follow each other, each after its time.
type ScriptList struct {
	ID   uint32
	Rows []ScriptRow // by ascending ID; their Event is ScriptUpdateInCombat, whose first two parameters are the time
}

// MaxScriptRows is how many rows a script or a list has at most.
const MaxScriptRows = 64

// A ScriptRow is a row of smart_scripts. What its parameters mean follows from its kinds; times are milliseconds.
//
// Source: SmartScriptMgr.h, AzerothCore at 012e4a4.
type ScriptRow struct {
	ID   uint16
	Next uint16 // one more than the index of the row that happens after it, by its link; 0 none

	Event  ScriptEvent
	Phases uint16 // in which it happens, a bit for each from phase 1 on; 0 in all
	Chance uint8  // percent; 0 is 100
	Flags  ScriptFlag
	When   [6]uint32 // of Event

	Action ScriptAction
	Do     [6]uint32 // of Action

	Target ScriptTarget
	Of     [4]uint32  // of Target
	At     [4]float32 // x, y, z and orientation, of Target or Action

	Conditions uint32 // one more than an index into World.Conditions, of the invoker and the creature; 0 none
}

// A ScriptFlag is a property of a row.
type ScriptFlag uint16

// The flags that are executed. Difficulties and debugging are not: loaders refuse such rows.
//
// Source: SmartEventFlags, SmartScriptMgr.h, AzerothCore.
const (
	ScriptOnce      ScriptFlag = 0x1   // happens once until the script is reset
	ScriptNormal    ScriptFlag = 0x2   // on the normal difficulty
	ScriptHeroic    ScriptFlag = 0x4   // on one of the others, with the next two bits
	ScriptDebug     ScriptFlag = 0x80  // in debug builds
	ScriptKeeps     ScriptFlag = 0x100 // its time and ScriptOnce outlast a reset
	ScriptDifficult ScriptFlag = 0x1E  // all difficulties
)

// A ScriptEvent is what has a row happen.
type ScriptEvent uint8

// The events that are executed, with their parameters.
//
// Source: SMART_EVENT, SmartScriptMgr.h, AzerothCore at 012e4a4.
const (
	ScriptUpdateInCombat    ScriptEvent = 0  // first least, first most, repeat least, repeat most
	ScriptUpdateOutOfCombat ScriptEvent = 1  // as before
	ScriptHealth            ScriptEvent = 2  // least and most percent, repeat least, repeat most
	ScriptMana              ScriptEvent = 3  // as before
	ScriptAggro             ScriptEvent = 4  // none
	ScriptKill              ScriptEvent = 5  // cooldown least, most, players only, entry or 0
	ScriptDeath             ScriptEvent = 6  // none
	ScriptEvade             ScriptEvent = 7  // none
	ScriptSpellHit          ScriptEvent = 8  // spell, school mask, cooldown least, most
	ScriptRange             ScriptEvent = 9  // least and most yards to the victim, repeat least, repeat most
	ScriptSightInPeace      ScriptEvent = 10 // 0 a hostile unit 1 another 2 any, most yards, cooldown least, most, players only
	ScriptRespawn           ScriptEvent = 11 // 0, or 1 and the map
	ScriptTargetHealth      ScriptEvent = 12 // as ScriptHealth, of the victim
	ScriptVictimCasting     ScriptEvent = 13 // repeat least, repeat most, spell or 0
	ScriptFriendHealth      ScriptEvent = 14 // health that a friend lacks, yards, repeat least, repeat most
	ScriptFriendHeld        ScriptEvent = 15 // yards, repeat least, repeat most
	ScriptFriendUnbuffed    ScriptEvent = 16 // spell, yards, repeat least, repeat most, in combat only
	ScriptSummonedUnit      ScriptEvent = 17 // entry or 0, cooldown least, most
	ScriptTargetMana        ScriptEvent = 18 // as ScriptHealth, of the victim's mana
	ScriptReachedHome       ScriptEvent = 21 // none
	ScriptReceiveEmote      ScriptEvent = 22 // text emote, cooldown least, most
	ScriptHasAura           ScriptEvent = 23 // spell, least stacks or 0 without it, repeat least, repeat most
	ScriptTargetBuffed      ScriptEvent = 24 // spell, least stacks of the victim, repeat least, repeat most
	ScriptReset             ScriptEvent = 25 // none
	ScriptSightInCombat     ScriptEvent = 26 // as ScriptSightInPeace
	ScriptSpellHitTarget    ScriptEvent = 31 // as ScriptSpellHit, of a target of the creature
	ScriptMovementInform    ScriptEvent = 34 // 0 or 8 a point, its number or 0
	ScriptDamaged           ScriptEvent = 32 // least and most damage, cooldown least, most
	ScriptDamagedTarget     ScriptEvent = 33 // as before
	ScriptSummonDespawned   ScriptEvent = 35 // entry or 0, cooldown least, most
	ScriptInit              ScriptEvent = 37 // none
	ScriptDataSet           ScriptEvent = 38 // field, value, cooldown least, most
	ScriptEscortStarted     ScriptEvent = 39 // number of the node or 0, path or 0
	ScriptEscortReached     ScriptEvent = 40 // as before
	ScriptAreaEntered       ScriptEvent = 46 // area or 0
	ScriptTextOver          ScriptEvent = 52 // group, entry of the speaker or 0
	ScriptReceiveHeal       ScriptEvent = 53 // least and most health, cooldown least, most
	ScriptJustSummoned      ScriptEvent = 54 // none
	ScriptEscortPaused      ScriptEvent = 55 // as ScriptEscortStarted
	ScriptEscortResumed     ScriptEvent = 56 // as before
	ScriptEscortStopped     ScriptEvent = 57 // as before
	ScriptEscortEnded       ScriptEvent = 58 // as before
	ScriptTimedEvent        ScriptEvent = 59 // its number
	ScriptUpdate            ScriptEvent = 60 // as ScriptUpdateInCombat
	ScriptLink              ScriptEvent = 61 // none: another row names it
	ScriptGossipSelect      ScriptEvent = 62 // menu, option
	ScriptJustCreated       ScriptEvent = 63 // none
	ScriptGossipHello       ScriptEvent = 64 // 0 any, 1 a talk or a use, 2 a report of a use
	ScriptPhaseChange       ScriptEvent = 66 // mask
	ScriptBehindTarget      ScriptEvent = 67 // first least, first most, repeat least, repeat most, least and most yards to the victim
	ScriptObjectState       ScriptEvent = 70 // state of a game object
	ScriptNearCreature      ScriptEvent = 75 // 0, entry, yards, repeat
	ScriptCounterSet        ScriptEvent = 77 // counter, value, cooldown least, most
	ScriptSummonedUnitDies  ScriptEvent = 82 // entry or 0, cooldown least, most

	ScriptNearPlayers     ScriptEvent = 101 // least number, yards, first, repeat least, repeat most
	ScriptFewPlayers      ScriptEvent = 102 // as before: there are fewer
	ScriptSummonEvades    ScriptEvent = 107 // entry or 0, cooldown least, most
	ScriptWaypointReached ScriptEvent = 108 // as ScriptEscortStarted, of a path of waypoint_data
	ScriptWaypointEnded   ScriptEvent = 109 // as before
)

// A ScriptAction is what a row does.
type ScriptAction uint8

// The actions that are executed, with their parameters.
//
// Source: SMART_ACTION, SmartScriptMgr.h, AzerothCore at 012e4a4.
const (
	ScriptTalk                ScriptAction = 1   // group, time until ScriptTextOver, target is the speaker's listener
	ScriptSetFaction          ScriptAction = 2   // faction template, 0 that of the template
	ScriptMorph               ScriptAction = 3   // entry or 0, display or 0
	ScriptSound               ScriptAction = 4   // sound, to the target alone, 1 from where the target is
	ScriptEmote               ScriptAction = 5   // emote
	ScriptSetReact            ScriptAction = 8   // 0 passive, 1 defensive, 2 aggressive
	ScriptActivateObject      ScriptAction = 9   // none
	ScriptRandomEmote         ScriptAction = 10  // emotes
	ScriptCast                ScriptAction = 11  // spell, flags, trigger flags, most targets
	ScriptSummonCreature      ScriptAction = 12  // entry, kind, time, attacks the invoker
	ScriptThreatOne           ScriptAction = 13  // percent more, percent less, of each target
	ScriptThreatAll           ScriptAction = 14  // percent more, percent less
	ScriptSetEmoteState       ScriptAction = 17  // emote
	ScriptSetUnitFlags        ScriptAction = 18  // flags, 1 of the second field
	ScriptRemoveUnitFlags     ScriptAction = 19  // as before
	ScriptAutoAttack          ScriptAction = 20  // on
	ScriptCombatMove          ScriptAction = 21  // on
	ScriptSetPhase            ScriptAction = 22  // phase
	ScriptAddPhase            ScriptAction = 23  // more, less
	ScriptEvadeNow            ScriptAction = 24  // none
	ScriptFleeForAssist       ScriptAction = 25  // with an emote
	ScriptCombatStop          ScriptAction = 27  // none
	ScriptRemoveAuras         ScriptAction = 28  // spell, 0 all
	ScriptFollow              ScriptAction = 29  // yards, angle: radians to 6, degrees above
	ScriptRandomPhase         ScriptAction = 30  // phases
	ScriptRandomPhaseRange    ScriptAction = 31  // least, most
	ScriptResetObject         ScriptAction = 32  // none
	ScriptDie                 ScriptAction = 37  // time
	ScriptCallForHelp         ScriptAction = 39  // yards, with an emote
	ScriptSetSheath           ScriptAction = 40  // 0 weapons put away, 1 melee, 2 ranged
	ScriptForceDespawn        ScriptAction = 41  // time
	ScriptSetLeastHealth      ScriptAction = 42  // health, percent of all of it or 0
	ScriptMount               ScriptAction = 43  // as ScriptMorph; without either on foot
	ScriptSetData             ScriptAction = 45  // field, value
	ScriptMoveForward         ScriptAction = 46  // yards
	ScriptSetActive           ScriptAction = 48  // on
	ScriptAttackStart         ScriptAction = 49  // none
	ScriptSummonObject        ScriptAction = 50  // entry, seconds, 1 where the creature is
	ScriptKillUnit            ScriptAction = 51  // none
	ScriptEscortStart         ScriptAction = 53  // 1 runs, one more than the index of the path, repeats, quest 0, time until it despawns after the end, as ScriptSetReact; targets are escorts
	ScriptEscortPause         ScriptAction = 54  // time
	ScriptEscortStop          ScriptAction = 55  // time until it despawns, quest 0, 1 without ScriptEscortEnded
	ScriptSetRun              ScriptAction = 59  // 1 runs to points, 0 walks
	ScriptTeleport            ScriptAction = 62  // map, or ScriptSameMap
	ScriptSetCounter          ScriptAction = 63  // counter, value, 1 sets instead of adding
	ScriptStoreTargets        ScriptAction = 64  // number of the list
	ScriptEscortResume        ScriptAction = 65  // none
	ScriptSetOrientation      ScriptAction = 66  // 0, 1 a random one, degrees to turn
	ScriptCreateTimedEvent    ScriptAction = 67  // number, first least, most, repeat least, most, chance
	ScriptMoveToPosition      ScriptAction = 69  // number of the point, 0, 0, yards to stay away from a target
	ScriptEquip               ScriptAction = 71  // 0, mask of slots or 0 all, items
	ScriptCloseGossip         ScriptAction = 72  // none
	ScriptTriggerTimedEvent   ScriptAction = 73  // number
	ScriptRemoveTimedEvent    ScriptAction = 74  // number
	ScriptAddAura             ScriptAction = 75  // spell
	ScriptCallReset           ScriptAction = 78  // none
	ScriptCallList            ScriptAction = 80  // list, ends with combat, 0 out of combat 1 in it 2 always
	ScriptSetNPCFlags         ScriptAction = 81  // flags
	ScriptAddNPCFlags         ScriptAction = 82  // flags
	ScriptRemoveNPCFlags      ScriptAction = 83  // flags
	ScriptSimpleTalk          ScriptAction = 84  // group: the targets speak
	ScriptSelfCast            ScriptAction = 85  // as ScriptCast: the targets cast at themselves
	ScriptCrossCast           ScriptAction = 86  // spell, flags, kind of target that casts, its first three parameters
	ScriptCallRandomList      ScriptAction = 87  // lists
	ScriptCallRandomListRange ScriptAction = 88  // least, most
	ScriptRandomMove          ScriptAction = 89  // yards, 0 stays
	ScriptSetBytes1           ScriptAction = 90  // value, byte
	ScriptRemoveBytes1        ScriptAction = 91  // value, byte
	ScriptInterrupt           ScriptAction = 92  // none
	ScriptObjectAnim          ScriptAction = 93  // animation
	ScriptSetDynamicFlags     ScriptAction = 94  // flags
	ScriptAddDynamicFlags     ScriptAction = 95  // flags
	ScriptRemoveDynamicFlags  ScriptAction = 96  // flags
	ScriptSendGossip          ScriptAction = 98  // menu, text or 0
	ScriptSendStored          ScriptAction = 100 // number of the list
	ScriptSetHome             ScriptAction = 101 // 1 the spawn point
	ScriptSetHealthRegen      ScriptAction = 102 // on
	ScriptSetRoot             ScriptAction = 103 // on
	ScriptSetObjectFlags      ScriptAction = 104 // flags
	ScriptAddObjectFlags      ScriptAction = 105 // flags
	ScriptRemoveObjectFlags   ScriptAction = 106 // flags
	ScriptSetPower            ScriptAction = 108 // type, value
	ScriptAddPower            ScriptAction = 109 // type, value
	ScriptRemovePower         ScriptAction = 110 // type, value
	ScriptRandomSound         ScriptAction = 115 // four sounds, to the target alone
	ScriptDisableEvade        ScriptAction = 117 // 1 does not evade
	ScriptSetObjectState      ScriptAction = 118 // state
	ScriptAddThreat           ScriptAction = 123 // more, less
	ScriptTriggerRandomEvent  ScriptAction = 125 // least, most number
	ScriptInvokerCast         ScriptAction = 134 // as ScriptCast: the invoker casts
	ScriptSetSpeed            ScriptAction = 136 // components.SpeedWalk and following, hundredths of the normal speed
	ScriptSetHealth           ScriptAction = 142 // percent
	ScriptMoveTarget          ScriptAction = 201 // number of the point
	ScriptKeepPhase           ScriptAction = 211 // 0 the phase outlasts a reset
	ScriptAttackStop          ScriptAction = 224 // none
	ScriptWaypointStart       ScriptAction = 232 // one more than the index of the path, repeats
)

// ScriptSameMap is the map of ScriptTeleport that what is teleported is on.
const ScriptSameMap = 1<<32 - 1

// A ScriptTarget is what an action happens to.
type ScriptTarget uint8

// The targets that are executed, with their parameters.
//
// Source: SMARTAI_TARGETS, SmartScriptMgr.h, AzerothCore at 012e4a4.
const (
	ScriptNone             ScriptTarget = 0
	ScriptSelf             ScriptTarget = 1
	ScriptVictim           ScriptTarget = 2
	ScriptHostileSecond    ScriptTarget = 3  // most yards, players only
	ScriptHostileLast      ScriptTarget = 4  // as before
	ScriptHostileRandom    ScriptTarget = 5  // as before
	ScriptHostileNotTop    ScriptTarget = 6  // as before
	ScriptInvoker          ScriptTarget = 7  // none
	ScriptPosition         ScriptTarget = 8  // none
	ScriptCreatureRange    ScriptTarget = 9  // entry or 0, least and most yards, 1 alive 2 dead
	ScriptCreatureGUID     ScriptTarget = 10 // one more than the index of the spawn point, its map
	ScriptCreatureDistance ScriptTarget = 11 // entry or 0, most yards, 1 alive 2 dead
	ScriptStored           ScriptTarget = 12 // number of the list
	ScriptObjectRange      ScriptTarget = 13 // entry or 0, least and most yards
	ScriptObjectGUID       ScriptTarget = 14 // one more than the index of the spawn point of a game object, its map
	ScriptObjectDistance   ScriptTarget = 15 // entry or 0, most yards
	ScriptInvokerParty     ScriptTarget = 16 // none
	ScriptPlayerRange      ScriptTarget = 17 // least and most yards
	ScriptPlayerDistance   ScriptTarget = 18 // most yards
	ScriptClosestCreature  ScriptTarget = 19 // entry or 0, most yards, 1 dead
	ScriptClosestObject    ScriptTarget = 20 // entry or 0, most yards
	ScriptClosestPlayer    ScriptTarget = 21 // most yards
	ScriptSummoner         ScriptTarget = 23 // none
	ScriptThreatList       ScriptTarget = 24 // most yards, players only
	ScriptClosestEnemy     ScriptTarget = 25 // most yards, players only
	ScriptClosestFriend    ScriptTarget = 26 // most yards, players only
	ScriptFarthest         ScriptTarget = 28 // most yards, players only

	ScriptSummonedCreatures ScriptTarget = 204 // entry or 0
)

// The flags of a cast.
//
// Source: SmartCastFlags, SmartScriptMgr.h, AzerothCore.
const (
	ScriptCastInterrupts = 0x1  // what is cast at the time ends
	ScriptCastTriggered  = 0x2  // at once, and without a cost
	ScriptCastAuraless   = 0x20 // only at a target without an aura of it
)

// Texts are all that creatures say.
type Texts []Text

// A Text is a group of lines of a creature, of which it says one at a time.
//
// Source: CreatureTextMgr, AzerothCore.
type Text struct {
	Entry uint32 // of the creature
	Group uint32
	Lines []TextLine // by ascending number; at most MaxTextLines
}

// MaxTextLines is how many lines a group has at most.
const MaxTextLines = 32

// A TextLine is one of the lines of a group.
type TextLine struct {
	Text     string
	Type     uint8 // of msg.Chat: a monster's say, yell, emote, whisper, or boss emote, boss whisper
	Reach    uint8 // 0 as far as its type, 1 the area, 2 the zone, 3 the map, 4 the world
	Language uint32
	Chance   float32 // percent; those of a group without chances share
	Emote    uint32  // shown with it; 0 none
	TimeMs   uint32  // until ScriptTextOver, if the action does not say; 0 unknown
	Sound    uint32  // played with it; 0 none
}

// Of is the group of a creature, or nil.
func (t Texts) Of(entry, group uint32) *Text {
	i, end := 0, len(t)
	for i < end {
		middle := (i + end) / 2
		if at := &t[middle]; at.Entry < entry || at.Entry == entry && at.Group < group {
			i = middle + 1
		} else {
			end = middle
		}
	}
	if i < len(t) && t[i].Entry == entry && t[i].Group == group {
		return &t[i]
	}
	return nil
}

// ScriptList is the index of a timed action list in World.ScriptLists.
func (w *World) ScriptList(id uint32) (index int, ok bool) {
	return find(len(w.ScriptLists), id, func(i int) uint32 { return w.ScriptLists[i].ID })
}
