package components_test

import (
	"testing"

	"muster/components"
	"muster/internal/pin"
)

func TestPins(t *testing.T) { pin.Compare(t, pins) }

// Each exported constant of the package is pinned, or is listed as one that never reaches the wire.
func TestAllPinned(t *testing.T) { pin.Complete(t) }

// _ are the constants that never reach the wire; TestAllPinned reads their names from this file.
var _ = []any{
	components.ControlServer,
	components.ControlHeld,
	components.ControlMaster,
	components.SwingMelee,
	components.SwingRanged,
	components.MainHand,
	components.OffHand,
	components.RangedHand,
	components.StateStunned,
	components.StateRooted,
	components.StateSilenced,
	components.StateFeared,
	components.StateConfused,
	components.StatePacified,
	components.CheatGod,
	components.CheatInstantCast,
	components.CheatNoCooldown,
	components.CheatNoCost,
	components.CheatTaxi,
	components.StateIncapacitated,
	components.MaxThreats,
	components.Int,
	components.TwoShort,
	components.Float,
	components.Long,
	components.Bytes,
	components.BagRoom,
	components.BuybackSlots,
	components.BuybackEpoch,
	components.Places,
	components.MaxCreatureSpells,
	components.LeavesInPeace,
	components.Stays,
	components.MaxScriptRows,
	components.MaxScriptTimers,
	components.MaxScriptCounters,
	components.MaxScriptLists,
	components.MaxScriptTargets,
	components.MaxScriptTexts,
	components.Idle,
	components.Fighting,
	components.Fleeing,
	components.Returning,
	components.AINoMelee,
	components.AINoChase,
	components.AINoEvade,
	components.WayNone,
	components.WayFollows,
	components.WayGoes,
	components.WayReached,
	components.WayPauses,
	components.WayStays,
	components.OrderRoot,
	components.OrderFly,
	components.OrderKnockBack,
	components.OrderTeleport,
	components.OrderWaterWalk,
	components.Orders,
	components.MaxLoot,
	components.LootLies,
	components.LootGiven,
	components.LootTaken,
	components.LootHidden,
	components.BodyYards,
	components.DirtyObject,
	components.DirtyVitals,
	components.DirtyUnit,
	components.DirtyStance,
	components.DirtyTarget,
	components.DirtyStats,
	components.DirtyAppearance,
	components.DirtyVisibleItems,
	components.DirtyProgress,
	components.DirtyCarried,
	components.DirtyGameObject,
	components.ChatThrottleMessages,
	components.ChatThrottleMs,
	components.MaxLegs,
}

// pins are the constants of the wire.
var pins = []pin.Pin{
	// Source: GOState, GameObjectFlags, SharedDefines.h, and GameObject::Create and BuildValuesUpdate, AzerothCore.
	{"game objects", components.ByteObjectState, 0},
	{"game objects", components.ByteObjectType, 1},
	{"game objects", components.ByteObjectArtKit, 2},
	{"game objects", components.ByteObjectProgress, 3},
	{"game objects", components.GameObjectActive, 0},
	{"game objects", components.GameObjectReady, 1},
	{"game objects", components.GameObjectActiveAlternative, 2},
	{"game objects", components.GameObjectInUse, 0x1},
	{"game objects", components.GameObjectNotSelectable, 0x10},
	{"game objects", components.GameObjectDynamic, 0xFFFF0000},

	// Source: docs/protocol.md 4.3, movement flags.
	{"movement flags", components.MoveForward, 0x1},
	{"movement flags", components.MoveBackward, 0x2},
	{"movement flags", components.MoveStrafeLeft, 0x4},
	{"movement flags", components.MoveStrafeRight, 0x8},
	{"movement flags", components.MoveTurnLeft, 0x10},
	{"movement flags", components.MoveTurnRight, 0x20},
	{"movement flags", components.MovePitchUp, 0x40},
	{"movement flags", components.MovePitchDown, 0x80},
	{"movement flags", components.MoveWalking, 0x100},
	{"movement flags", components.MoveOnTransport, 0x200},
	{"movement flags", components.MoveDisableGravity, 0x400},
	{"movement flags", components.MoveRoot, 0x800},
	{"movement flags", components.MoveFalling, 0x1000},
	{"movement flags", components.MoveFallingFar, 0x2000},
	{"movement flags", components.MovePending, 0x1FC000},
	{"movement flags", components.MoveSwimming, 0x200000},
	{"movement flags", components.MoveAscending, 0x400000},
	{"movement flags", components.MoveDescending, 0x800000},
	{"movement flags", components.MoveCanFly, 0x1000000},
	{"movement flags", components.MoveFlying, 0x2000000},
	{"movement flags", components.MoveElevation, 0x4000000},
	{"movement flags", components.MoveSpline, 0x8000000},
	{"movement flags", components.MoveWaterWalking, 0x10000000},
	{"movement flags", components.MoveFallingSlow, 0x20000000},
	{"movement flags", components.MoveHover, 0x40000000},
	{"movement flags", components.MoveGoing, 0x1 | 0x2 | 0x4 | 0x8 | 0x400000 | 0x800000},
	{"movement flags", components.MoveKnown, 0x7FFFFFFF},

	// Source: docs/protocol.md 4.3, extra flags.
	{"extra movement flags", components.MoveNoStrafe, 0x1},
	{"extra movement flags", components.MoveNoJumping, 0x2},
	{"extra movement flags", components.MoveFullSpeedTurning, 0x8},
	{"extra movement flags", components.MoveFullSpeedPitching, 0x10},
	{"extra movement flags", components.MoveAlwaysPitch, 0x20},
	{"extra movement flags", components.MoveInterpolate, 0x400},
	{"extra movement flags", components.MoveInterpolateTurn, 0x800},
	{"extra movement flags", components.MoveInterpolatePitch, 0x1000},
	{"extra movement flags", components.MoveExtraKnown, 0x1 | 0x2 | 0x8 | 0x10 | 0x20 | 0x400 | 0x800 | 0x1000},

	// Source: docs/protocol.md 4.4, spline flags.
	{"spline flags", components.SplineParabolic, 0x800},
	{"spline flags", components.SplineWalk, 0x1000},
	{"spline flags", components.SplineFlying, 0x2000},
	{"spline flags", components.SplineCatmullRom, 0x40000},
	{"spline flags", components.SplineCyclic, 0x80000},
	{"spline flags", components.SplineAnimation, 0x200000},

	// Source: docs/protocol.md 4.2, the nine speeds in their order.
	{"speeds", components.SpeedWalk, 0},
	{"speeds", components.SpeedRun, 1},
	{"speeds", components.SpeedRunBack, 2},
	{"speeds", components.SpeedSwim, 3},
	{"speeds", components.SpeedSwimBack, 4},
	{"speeds", components.SpeedFlight, 5},
	{"speeds", components.SpeedFlightBack, 6},
	{"speeds", components.SpeedTurn, 7},
	{"speeds", components.SpeedPitch, 8},

	// Source: docs/protocol.md 4.1.
	{"high part of a GUID", components.HighPlayer, 0x0000},
	{"high part of a GUID", components.HighItem, 0x4000},
	{"high part of a GUID", components.HighInstance, 0x1F42},
	{"high part of a GUID", components.HighGroup, 0x1F50},
	{"high part of a GUID", components.HighMOTransport, 0x1FC0},
	{"high part of a GUID", components.HighDynamicObject, 0xF100},
	{"high part of a GUID", components.HighCorpse, 0xF101},
	{"high part of a GUID", components.HighGameObject, 0xF110},
	{"high part of a GUID", components.HighTransport, 0xF120},
	{"high part of a GUID", components.HighCreature, 0xF130},
	{"high part of a GUID", components.HighPet, 0xF140},
	{"high part of a GUID", components.HighVehicle, 0xF150},
	{"high part of a GUID", components.MaxCounter, 0xFFFFFF},

	// Source: docs/protocol.md 4.1.
	{"type id", components.TypeObject, 0},
	{"type id", components.TypeItem, 1},
	{"type id", components.TypeContainer, 2},
	{"type id", components.TypeUnit, 3},
	{"type id", components.TypePlayer, 4},
	{"type id", components.TypeGameObject, 5},
	{"type id", components.TypeDynamicObject, 6},
	{"type id", components.TypeCorpse, 7},

	// Source: docs/protocol.md 4.1, OBJECT_FIELD_TYPE.
	{"type mask", components.MaskOfItem, 0x3},
	{"type mask", components.MaskOfContainer, 0x7},
	{"type mask", components.MaskOfCreature, 0x9},
	{"type mask", components.MaskOfPlayer, 0x19},
	{"type mask", components.MaskOfGameObject, 0x21},
	{"type mask", components.MaskOfDynamicObject, 0x41},
	{"type mask", components.MaskOfCorpse, 0x81},

	// Source: docs/protocol.md 4.6, BYTES_0.
	{"bytes 0", components.ByteRace, 0},
	{"bytes 0", components.ByteClass, 1},
	{"bytes 0", components.ByteGender, 2},
	{"bytes 0", components.BytePower, 3},

	// Source: docs/protocol.md 4.6, unit flags.
	{"unit flags", components.UnitNonAttackable, 0x2},
	{"unit flags", components.UnitDisableMove, 0x4},
	{"unit flags", components.UnitPlayerControlled, 0x8},
	{"unit flags", components.UnitNotAttackable1, 0x80},
	{"unit flags", components.UnitImmuneToPlayers, 0x100},
	{"unit flags", components.UnitImmuneToNPC, 0x200},
	{"unit flags", components.UnitLooting, 0x400},
	{"unit flags", components.UnitPvP, 0x1000},
	{"unit flags", components.UnitSilenced, 0x2000},
	{"unit flags", components.UnitNotAttackable2, 0x10000},
	{"unit flags", components.UnitPacified, 0x20000},
	{"unit flags", components.UnitStunned, 0x40000},
	{"unit flags", components.UnitInCombat, 0x80000},
	{"unit flags", components.UnitOnTaxi, 0x100000},
	{"unit flags", components.UnitDisarmed, 0x200000},
	{"unit flags", components.UnitConfused, 0x400000},
	{"unit flags", components.UnitFleeing, 0x800000},
	{"unit flags", components.UnitPossessed, 0x1000000},
	{"unit flags", components.UnitNotSelectable, 0x2000000},
	{"unit flags", components.UnitSkinnable, 0x4000000},
	{"unit flags", components.UnitMount, 0x8000000},
	{"unit flags", components.UnitSheathe, 0x40000000},

	// Source: docs/protocol.md 4.6, BYTES_1.
	{"bytes 1", components.ByteStand, 0},
	{"bytes 1", components.BytePetTalents, 1},
	{"bytes 1", components.ByteVisibility, 2},
	{"bytes 1", components.ByteAnimTier, 3},

	// Source: docs/protocol.md 4.6, BYTES_2.
	{"bytes 2", components.ByteSheath, 0},
	{"bytes 2", components.BytePvP, 1},
	{"bytes 2", components.BytePet, 2},
	{"bytes 2", components.ByteShapeshift, 3},

	// Source: UnitStandStateType, UnitDefines.h, AzerothCore.
	{"stand state", components.Standing, 0},
	{"stand state", components.Sitting, 1},
	{"stand state", components.SittingOnChair, 2},
	{"stand state", components.Sleeping, 3},
	{"stand state", components.SittingOnLowChair, 4},
	{"stand state", components.SittingOnMediumChair, 5},
	{"stand state", components.SittingOnHighChair, 6},
	{"stand state", components.LyingDead, 7},
	{"stand state", components.Kneeling, 8},
	{"stand state", components.Submerged, 9},

	// Source: docs/protocol.md 4.6, dynamic flags.
	{"dynamic flags", components.DynamicLootable, 0x1},
	{"dynamic flags", components.DynamicTrackUnit, 0x2},
	{"dynamic flags", components.DynamicTapped, 0x4},
	{"dynamic flags", components.DynamicTappedByPlayer, 0x8},
	{"dynamic flags", components.DynamicSpecialInfo, 0x10},
	{"dynamic flags", components.DynamicDead, 0x20},
	{"dynamic flags", components.DynamicReferAFriend, 0x40},
	{"dynamic flags", components.DynamicTappedByThreat, 0x80},

	// Source: docs/protocol.md 4.6, npc flags.
	{"NPC flags", components.NPCGossip, 0x1},
	{"NPC flags", components.NPCQuestGiver, 0x2},
	{"NPC flags", components.NPCTrainer, 0x10},
	{"NPC flags", components.NPCVendor, 0x80},
	{"NPC flags", components.NPCRepair, 0x1000},
	{"NPC flags", components.NPCFlightMaster, 0x2000},
	{"NPC flags", components.NPCSpiritHealer, 0x4000},
	{"NPC flags", components.NPCSpiritGuide, 0x8000},
	{"NPC flags", components.NPCInnkeeper, 0x10000},
	{"NPC flags", components.NPCBanker, 0x20000},
	{"NPC flags", components.NPCBattleMaster, 0x100000},
	{"NPC flags", components.NPCAuctioneer, 0x200000},
	{"NPC flags", components.NPCStableMaster, 0x400000},
	{"NPC flags", components.NPCGuildBanker, 0x800000},
	{"NPC flags", components.NPCSpellClick, 0x1000000},

	// Source: docs/protocol.md 4.6, player flags.
	{"player flags", components.PlayerGroupLeader, 0x1},
	{"player flags", components.PlayerAFK, 0x2},
	{"player flags", components.PlayerDND, 0x4},
	{"player flags", components.PlayerGM, 0x8},
	{"player flags", components.PlayerGhost, 0x10},
	{"player flags", components.PlayerResting, 0x20},
	{"player flags", components.PlayerPvP, 0x200},
	{"player flags", components.PlayerHideHelm, 0x400},
	{"player flags", components.PlayerHideCloak, 0x800},
	{"player flags", components.PlayerDeveloper, 0x8000},

	// Source: docs/protocol.md 4.6, PLAYER_BYTES.
	{"player bytes", components.ByteSkin, 0},
	{"player bytes", components.ByteFace, 1},
	{"player bytes", components.ByteHairStyle, 2},
	{"player bytes", components.ByteHairColor, 3},

	// Source: docs/protocol.md 4.6, PLAYER_BYTES_2.
	{"player bytes 2", components.ByteFacialHair, 0},
	{"player bytes 2", components.ByteBankSlots, 2},
	{"player bytes 2", components.ByteRest, 3},

	// Source: docs/protocol.md 4.6, PLAYER_BYTES_3.
	{"player bytes 3", components.ByteLookGender, 0},
	{"player bytes 3", components.ByteDrunk, 1},
	{"player bytes 3", components.ByteTitle, 2},
	{"player bytes 3", components.ByteArenaFaction, 3},

	// Source: docs/protocol.md 4.6, flags.
	{"visibility of fields", components.Public, 0x1},
	{"visibility of fields", components.Private, 0x2},
	{"visibility of fields", components.Owner, 0x4},
	{"visibility of fields", components.ItemOwner, 0x10},
	{"visibility of fields", components.SpecialInfo, 0x20},
	{"visibility of fields", components.PartyMember, 0x40},
	{"visibility of fields", components.Dynamic, 0x100},
	{"visibility of fields", components.NoAudience, 0},

	// Source: CharacterSlot, SharedDefines.h, AzerothCore.
	{"slots", components.SlotHead, 0},
	{"slots", components.SlotNeck, 1},
	{"slots", components.SlotShoulders, 2},
	{"slots", components.SlotShirt, 3},
	{"slots", components.SlotChest, 4},
	{"slots", components.SlotWaist, 5},
	{"slots", components.SlotLegs, 6},
	{"slots", components.SlotFeet, 7},
	{"slots", components.SlotWrists, 8},
	{"slots", components.SlotHands, 9},
	{"slots", components.SlotFinger, 10},
	{"slots", components.SlotTrinket, 12},
	{"slots", components.SlotBack, 14},
	{"slots", components.SlotMainHand, 15},
	{"slots", components.SlotOffHand, 16},
	{"slots", components.SlotRanged, 17},
	{"slots", components.SlotTabard, 18},

	// Source: docs/protocol.md 2.3, CHAR_ENUM (19 of equipment and 4 bags); InventoryPackSlots,
	// Player.h, AzerothCore.
	{"places", components.VisibleSlots, 19},
	{"places", components.FirstBag, 19},
	{"places", components.FirstPack, 23},
	{"places", components.FirstDeep, 39},

	// Source: docs/protocol.md 4.7, ITEM_PUSH_RESULT (255).
	{"no bag", components.NoBag, 255},

	// Source: MAX_HEIGHT, GridDefines.h, AzerothCore.
	{"height", components.MaxHeight, 100000},

	// Source: Powers, SharedDefines.h, AzerothCore.
	{"powers", components.PowerMana, 0},
	{"powers", components.PowerRage, 1},
	{"powers", components.PowerFocus, 2},
	{"powers", components.PowerEnergy, 3},
	{"powers", components.PowerHappiness, 4},
	{"powers", components.PowerRune, 5},
	{"powers", components.PowerRunic, 6},

	// Source: AuraStateType, SharedDefines.h, AzerothCore.
	{"aura states", components.HealthBelow20, 1 << (2 - 1)},
	{"aura states", components.HealthBelow35, 1 << (13 - 1)},
	{"aura states", components.HealthAbove75, 1 << (23 - 1)},

	// Source: CorpseFlags, Corpse.h, AzerothCore.
	{"corpse flags", components.CorpseWhole, 0x4},
}
