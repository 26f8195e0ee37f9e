package msg

import "fmt"

// A CastResult is why a cast has failed.
//
// Source: SpellCastResult, SharedDefines.h, AzerothCore.
type CastResult uint8

// The results that a server sends, by their numbers. Those with details in CastFailed are noted.
const (
	CastAffectingCombat    CastResult = 1
	CastFullHealth         CastResult = 2
	CastFullMana           CastResult = 3
	CastFullPower          CastResult = 4
	CastAlreadyHaveCharm   CastResult = 6
	CastAlreadyHaveSummon  CastResult = 7
	CastAlreadyOpen        CastResult = 8
	CastAuraBounced        CastResult = 9 // a better one is there
	CastBadImplicitTargets CastResult = 11
	CastBadTargets         CastResult = 12
	CastCasterAuraState    CastResult = 22
	CastCasterDead         CastResult = 23
	CastCharmed            CastResult = 24
	CastChestInUse         CastResult = 25
	CastConfused           CastResult = 26
	CastDontReport         CastResult = 27 // fail without a message
	CastEquippedItem       CastResult = 28
	CastEquippedItemClass  CastResult = 29 // class and subclasses
	CastError              CastResult = 32
	CastFizzle             CastResult = 33
	CastFleeing            CastResult = 34
	CastHighLevel          CastResult = 36
	CastImmune             CastResult = 38
	CastIncorrectArea      CastResult = 39
	CastInterrupted        CastResult = 40
	CastInterruptedCombat  CastResult = 41
	CastItemGone           CastResult = 43
	CastItemNotFound       CastResult = 44
	CastItemNotReady       CastResult = 45
	CastLevelRequirement   CastResult = 46
	CastLineOfSight        CastResult = 47
	CastLowLevel           CastResult = 48
	CastMainHandEmpty      CastResult = 50
	CastMoving             CastResult = 51
	CastNeedAmmo           CastResult = 52
	CastNoPath             CastResult = 56
	CastNotBehind          CastResult = 57
	CastNotHere            CastResult = 60
	CastNotInFront         CastResult = 61
	CastNotInControl       CastResult = 62
	CastNotKnown           CastResult = 63
	CastNotMounted         CastResult = 64
	CastNotOnTaxi          CastResult = 65
	CastNotOnTransport     CastResult = 66
	CastNotReady           CastResult = 67
	CastNotShapeshift      CastResult = 68
	CastNotStanding        CastResult = 69
	CastNotWhileGhost      CastResult = 73
	CastNotWhileLooting    CastResult = 74
	CastNoAmmo             CastResult = 75
	CastNoChargesRemain    CastResult = 76
	CastNoComboPoints      CastResult = 78
	CastNoMountsAllowed    CastResult = 83
	CastNoPet              CastResult = 84
	CastNoPower            CastResult = 85
	CastNothingToDispel    CastResult = 86
	CastOnlyIndoors        CastResult = 90
	CastOnlyOutdoors       CastResult = 93
	CastOnlyShapeshift     CastResult = 94
	CastOnlyStealthed      CastResult = 95
	CastOutOfRange         CastResult = 97
	CastPacified           CastResult = 98
	CastPossessed          CastResult = 99
	CastReagents           CastResult = 100 // the item
	CastRequiresArea       CastResult = 101 // the area
	CastRequiresFocus      CastResult = 102 // the focus
	CastRooted             CastResult = 103
	CastSilenced           CastResult = 104
	CastInProgress         CastResult = 105
	CastSpellLearned       CastResult = 106
	CastUnavailable        CastResult = 107
	CastStunned            CastResult = 108
	CastTargetsDead        CastResult = 109
	CastTargetInCombat     CastResult = 110
	CastTargetAuraState    CastResult = 111
	CastTargetEnemy        CastResult = 113
	CastTargetFriendly     CastResult = 115
	CastTargetIsPlayer     CastResult = 117
	CastTargetControlled   CastResult = 118
	CastTargetNotDead      CastResult = 119
	CastTargetNotInParty   CastResult = 120
	CastTargetNotPlayer    CastResult = 122
	CastTooClose           CastResult = 128
	CastTooManyOfItem      CastResult = 129 // the item
	CastTotemCategory      CastResult = 130 // two categories
	CastTotems             CastResult = 131 // two items
	CastTryAgain           CastResult = 132
	CastUnitNotBehind      CastResult = 133
	CastUnitNotInFront     CastResult = 134
	CastTargetNotInRaid    CastResult = 139
	CastDamageImmune       CastResult = 146
	CastPrevented          CastResult = 147 // the mechanic
	CastMinSkill           CastResult = 150 // the skill and its value
	CastNotOnMounted       CastResult = 155
	CastNotIdle            CastResult = 162
	CastNotOnGround        CastResult = 171
	CastCustomError        CastResult = 172 // which
	CastNotNow             CastResult = 173
	CastNoValidTargets     CastResult = 178
	CastUnknown            CastResult = 187 // no text of its own
)

// castWords are the commoner reasons in words.
var castWords = [256]string{
	CastAuraBounced: "a better one is there", CastBadTargets: "bad targets", CastBadImplicitTargets: "no targets",
	CastCasterDead: "dead", CastFleeing: "fleeing", CastImmune: "immune", CastInterrupted: "interrupted",
	CastMoving: "moving", CastNoPath: "no path", CastNotKnown: "not known", CastNotReady: "not ready",
	CastNotStanding: "not standing", CastNoPower: "no power", CastOutOfRange: "out of range", CastRooted: "rooted",
	CastSilenced: "silenced", CastInProgress: "in progress", CastStunned: "stunned", CastTargetsDead: "target dead",
	CastTargetFriendly: "target friendly", CastTargetEnemy: "target an enemy", CastTooClose: "too close",
	CastUnitNotInFront: "not in front", CastNotInFront: "not in front", CastLineOfSight: "out of sight",
	CastFullHealth: "full health", CastTryAgain: "try again", CastConfused: "confused", CastPacified: "pacified",
	CastNothingToDispel: "nothing to dispel", CastTargetNotDead: "target not dead",
	CastEquippedItemClass: "wrong equipment", CastAffectingCombat: "in combat", CastInterruptedCombat: "interrupted",
	CastUnavailable: "not available", CastFizzle: "fizzled",
}

// Words is the reason in words, or its number.
func (r CastResult) Words() string {
	if words := castWords[r]; words != "" {
		return words
	}
	return fmt.Sprintf("result %d", uint8(r))
}
