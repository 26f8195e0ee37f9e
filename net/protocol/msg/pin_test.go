package msg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"muster/net/protocol/msg"
)

// A pin is a constant of the wire and its value by a source outside this repository's code: server, scenario reader,
// conformance checker and swarm share the constant, so that no conversation between them shows a wrong one.
type pin struct {
	of   string
	got  any
	want uint64
}

func TestPins(t *testing.T) {
	for i, p := range pins {
		if got := number(p.got); got != p.want {
			t.Errorf("pin %d, %s: the constant is %#x, want %#x", i, p.of, got, p.want)
		}
	}
}

// number is the value of an integer constant.
func number(v any) uint64 {
	r := reflect.ValueOf(v)
	if r.CanInt() {
		return uint64(r.Int())
	}
	return r.Uint()
}

// Each exported constant of the package is pinned, or is listed as one that never reaches the wire, or is the opcode of a row of Table,
// which TestOpcodes compares.
func TestAllPinned(t *testing.T) {
	pinned := make(map[string]bool)
	names := func(file string, each func(n ast.Node)) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool { each(n); return true })
	}
	names("pin_test.go", func(n ast.Node) {
		if s, ok := n.(*ast.SelectorExpr); ok {
			pinned[s.Sel.Name] = true
		}
	})
	names("table.go", func(n ast.Node) {
		if id, ok := n.(*ast.Ident); ok && strings.HasPrefix(id.Name, "Op") {
			pinned[id.Name] = true
		}
	})
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		names(file, func(n ast.Node) {
			d, ok := n.(*ast.GenDecl)
			if !ok || d.Tok != token.CONST {
				return
			}
			for _, spec := range d.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if name.IsExported() && !pinned[name.Name] {
						t.Errorf("%s: %s is not pinned", file, name.Name)
					}
				}
			}
		})
	}
}

// _ are the constants that never reach the wire; TestAllPinned reads their names from this file.
var _ = []any{
	msg.MaxAddonBlock,
	msg.MaxAddons,
	msg.MaxChat,
	msg.RealTime,
	msg.ToServer,
	msg.ToClient,
	msg.Both,
	msg.Fresh,
	msg.Select,
	msg.Entering,
	msg.World,
	msg.Transfer,
	msg.Queued,
	msg.Always,
	msg.Ignored,
	msg.ToSession,
	msg.ToWorld,
	msg.Opcodes,
}

// pins are the constants of the wire.
var pins = []pin{
	// Source: docs/protocol.md 4.7, hitinfo bits.
	{"hit info", msg.HitAffectsVictim, 0x2},
	{"hit info", msg.HitOffHand, 0x4},
	{"hit info", msg.HitMiss, 0x10},
	{"hit info", msg.HitFullAbsorb, 0x20},
	{"hit info", msg.HitPartialAbsorb, 0x40},
	{"hit info", msg.HitFullResist, 0x80},
	{"hit info", msg.HitPartialResist, 0x100},
	{"hit info", msg.HitCritical, 0x200},
	{"hit info", msg.HitBlock, 0x2000},
	{"hit info", msg.HitGlancing, 0x10000},
	{"hit info", msg.HitCrushing, 0x20000},
	{"hit info", msg.HitNoAnimation, 0x40000},
	{"hit info", msg.HitRageGain, 0x800000},

	// Source: docs/protocol.md 4.7, victim state.
	{"victim state", msg.VictimIntact, 0},
	{"victim state", msg.VictimHit, 1},
	{"victim state", msg.VictimDodge, 2},
	{"victim state", msg.VictimParry, 3},
	{"victim state", msg.VictimInterrupt, 4},
	{"victim state", msg.VictimBlocks, 5},
	{"victim state", msg.VictimEvades, 6},
	{"victim state", msg.VictimImmune, 7},
	{"victim state", msg.VictimDeflects, 8},

	// Source: docs/protocol.md 4.7, AI_REACTION.
	{"AI reaction", msg.AIAggro, 2},

	// Source: docs/protocol.md 4.7, AURA_UPDATE; bit 0x40: AURA_FLAGS,
	// SpellAuraDefines.h, AzerothCore.
	{"aura flags", msg.AuraEffect0, 0x01},
	{"aura flags", msg.AuraEffect1, 0x02},
	{"aura flags", msg.AuraEffect2, 0x04},
	{"aura flags", msg.AuraOwn, 0x08},
	{"aura flags", msg.AuraPositive, 0x10},
	{"aura flags", msg.AuraHasTime, 0x20},
	{"aura flags", msg.AuraHasAmounts, 0x40},
	{"aura flags", msg.AuraNegative, 0x80},

	// Source: docs/protocol.md 4.7, CAST_SPELL.
	{"flags of a cast request", msg.CastHasMissile, 0x2},

	// Source: docs/protocol.md 4.7, SPELL_START and SPELL_GO; bits 0x1, 0x2 and 0x100: SpellCastFlags,
	// Spell.h, AzerothCore.
	{"cast flags", msg.CastPending, 0x1},
	{"cast flags", msg.CastBegun, 0x2},
	{"cast flags", msg.CastAmmo, 0x20},
	{"cast flags", msg.CastDone, 0x100},
	{"cast flags", msg.CastPower, 0x800},
	{"cast flags", msg.CastTrajectory, 0x20000},
	{"cast flags", msg.CastChain, 0x80000},
	{"cast flags", msg.CastRunes, 0x200000},
	{"cast flags", msg.CastExtra, 0x400000},

	// Source: SpellCastResult, SharedDefines.h, AzerothCore.
	{"cast result", msg.CastAffectingCombat, 1},
	{"cast result", msg.CastFullHealth, 2},
	{"cast result", msg.CastFullMana, 3},
	{"cast result", msg.CastFullPower, 4},
	{"cast result", msg.CastAlreadyHaveCharm, 6},
	{"cast result", msg.CastAlreadyHaveSummon, 7},
	{"cast result", msg.CastAlreadyOpen, 8},
	{"cast result", msg.CastAuraBounced, 9},
	{"cast result", msg.CastBadImplicitTargets, 11},
	{"cast result", msg.CastBadTargets, 12},
	{"cast result", msg.CastCasterAuraState, 22},
	{"cast result", msg.CastCasterDead, 23},
	{"cast result", msg.CastCharmed, 24},
	{"cast result", msg.CastChestInUse, 25},
	{"cast result", msg.CastConfused, 26},
	{"cast result", msg.CastDontReport, 27},
	{"cast result", msg.CastEquippedItem, 28},
	{"cast result", msg.CastEquippedItemClass, 29},
	{"cast result", msg.CastError, 32},
	{"cast result", msg.CastFizzle, 33},
	{"cast result", msg.CastFleeing, 34},
	{"cast result", msg.CastHighLevel, 36},
	{"cast result", msg.CastImmune, 38},
	{"cast result", msg.CastIncorrectArea, 39},
	{"cast result", msg.CastInterrupted, 40},
	{"cast result", msg.CastInterruptedCombat, 41},
	{"cast result", msg.CastItemGone, 43},
	{"cast result", msg.CastItemNotFound, 44},
	{"cast result", msg.CastItemNotReady, 45},
	{"cast result", msg.CastLevelRequirement, 46},
	{"cast result", msg.CastLineOfSight, 47},
	{"cast result", msg.CastLowLevel, 48},
	{"cast result", msg.CastMainHandEmpty, 50},
	{"cast result", msg.CastMoving, 51},
	{"cast result", msg.CastNeedAmmo, 52},
	{"cast result", msg.CastNoPath, 56},
	{"cast result", msg.CastNotBehind, 57},
	{"cast result", msg.CastNotHere, 60},
	{"cast result", msg.CastNotInFront, 61},
	{"cast result", msg.CastNotInControl, 62},
	{"cast result", msg.CastNotKnown, 63},
	{"cast result", msg.CastNotMounted, 64},
	{"cast result", msg.CastNotOnTaxi, 65},
	{"cast result", msg.CastNotOnTransport, 66},
	{"cast result", msg.CastNotReady, 67},
	{"cast result", msg.CastNotShapeshift, 68},
	{"cast result", msg.CastNotStanding, 69},
	{"cast result", msg.CastNotWhileGhost, 73},
	{"cast result", msg.CastNotWhileLooting, 74},
	{"cast result", msg.CastNoAmmo, 75},
	{"cast result", msg.CastNoChargesRemain, 76},
	{"cast result", msg.CastNoComboPoints, 78},
	{"cast result", msg.CastNoMountsAllowed, 83},
	{"cast result", msg.CastNoPet, 84},
	{"cast result", msg.CastNoPower, 85},
	{"cast result", msg.CastNothingToDispel, 86},
	{"cast result", msg.CastOnlyIndoors, 90},
	{"cast result", msg.CastOnlyOutdoors, 93},
	{"cast result", msg.CastOnlyShapeshift, 94},
	{"cast result", msg.CastOnlyStealthed, 95},
	{"cast result", msg.CastOutOfRange, 97},
	{"cast result", msg.CastPacified, 98},
	{"cast result", msg.CastPossessed, 99},
	{"cast result", msg.CastReagents, 100},
	{"cast result", msg.CastRequiresArea, 101},
	{"cast result", msg.CastRequiresFocus, 102},
	{"cast result", msg.CastRooted, 103},
	{"cast result", msg.CastSilenced, 104},
	{"cast result", msg.CastInProgress, 105},
	{"cast result", msg.CastSpellLearned, 106},
	{"cast result", msg.CastUnavailable, 107},
	{"cast result", msg.CastStunned, 108},
	{"cast result", msg.CastTargetsDead, 109},
	{"cast result", msg.CastTargetInCombat, 110},
	{"cast result", msg.CastTargetAuraState, 111},
	{"cast result", msg.CastTargetEnemy, 113},
	{"cast result", msg.CastTargetFriendly, 115},
	{"cast result", msg.CastTargetIsPlayer, 117},
	{"cast result", msg.CastTargetControlled, 118},
	{"cast result", msg.CastTargetNotDead, 119},
	{"cast result", msg.CastTargetNotInParty, 120},
	{"cast result", msg.CastTargetNotPlayer, 122},
	{"cast result", msg.CastTooClose, 128},
	{"cast result", msg.CastTooManyOfItem, 129},
	{"cast result", msg.CastTotemCategory, 130},
	{"cast result", msg.CastTotems, 131},
	{"cast result", msg.CastTryAgain, 132},
	{"cast result", msg.CastUnitNotBehind, 133},
	{"cast result", msg.CastUnitNotInFront, 134},
	{"cast result", msg.CastTargetNotInRaid, 139},
	{"cast result", msg.CastDamageImmune, 146},
	{"cast result", msg.CastPrevented, 147},
	{"cast result", msg.CastMinSkill, 150},
	{"cast result", msg.CastNotOnMounted, 155},
	{"cast result", msg.CastNotIdle, 162},
	{"cast result", msg.CastNotOnGround, 171},
	{"cast result", msg.CastCustomError, 172},
	{"cast result", msg.CastNotNow, 173},
	{"cast result", msg.CastNoValidTargets, 178},
	{"cast result", msg.CastUnknown, 187},

	// Source: InventoryResult, Item.h, AzerothCore.
	{"inventory result", msg.InventoryOK, 0},
	{"inventory result", msg.InventoryLevel, 1},
	{"inventory result", msg.InventorySkill, 2},
	{"inventory result", msg.InventoryWrongSlot, 3},
	{"inventory result", msg.InventoryBagFull, 4},
	{"inventory result", msg.InventoryBagInBag, 5},
	{"inventory result", msg.InventoryAmmoOnly, 7},
	{"inventory result", msg.InventoryProficiency, 8},
	{"inventory result", msg.InventoryNoSlot, 9},
	{"inventory result", msg.InventoryNever, 10},
	{"inventory result", msg.InventoryTwoHanded, 13},
	{"inventory result", msg.InventoryDualWield, 14},
	{"inventory result", msg.InventoryWrongBag, 15},
	{"inventory result", msg.InventoryMaxCount, 17},
	{"inventory result", msg.InventoryCantStack, 19},
	{"inventory result", msg.InventoryNotEquippable, 20},
	{"inventory result", msg.InventoryCantSwap, 21},
	{"inventory result", msg.InventorySlotEmpty, 22},
	{"inventory result", msg.InventoryItemNotFound, 23},
	{"inventory result", msg.InventoryBound, 24},
	{"inventory result", msg.InventoryOutOfRange, 25},
	{"inventory result", msg.InventoryTooFew, 26},
	{"inventory result", msg.InventoryCantSplit, 27},
	{"inventory result", msg.InventoryNotEnoughMoney, 29},
	{"inventory result", msg.InventoryNotABag, 30},
	{"inventory result", msg.InventoryNonEmptyBag, 31},
	{"inventory result", msg.InventoryNotOwner, 32},
	{"inventory result", msg.InventoryLocked, 36},
	{"inventory result", msg.InventoryStunned, 37},
	{"inventory result", msg.InventoryDead, 38},
	{"inventory result", msg.InventoryNotNow, 39},
	{"inventory result", msg.InventoryBagError, 40},
	{"inventory result", msg.InventoryLootGone, 49},
	{"inventory result", msg.InventoryFull, 50},
	{"inventory result", msg.InventoryBusy, 58},
	{"inventory result", msg.InventoryNotInCombat, 60},
	{"inventory result", msg.InventoryNotWhileDisarmed, 61},
	{"inventory result", msg.InventoryCantLootNow, 66},
	{"inventory result", msg.InventoryUnique, 67},
	{"inventory result", msg.InventoryConfirmBind, 81},
	{"inventory result", msg.InventoryCategoryCarried, 84},
	{"inventory result", msg.InventoryCategorySocketed, 85},
	{"inventory result", msg.InventoryPurchaseLevel, 87},
	{"inventory result", msg.InventoryCategoryEquipped, 89},

	// Source: docs/protocol.md 2.3.
	{"result", msg.AuthOK, 0x0C},
	{"result", msg.AuthFailed, 0x0D},
	{"result", msg.AuthReject, 0x0E},
	{"result", msg.AuthUnavailable, 0x10},
	{"result", msg.AuthVersionMismatch, 0x14},
	{"result", msg.AuthUnknownAccount, 0x15},
	{"result", msg.AuthWaitQueue, 0x1B},
	{"result", msg.AuthBanned, 0x1C},
	{"result", msg.AuthAlreadyOnline, 0x1D},
	{"result", msg.AuthLocked, 0x22},
	{"result", msg.AuthRealmNotFound, 0x27},
	{"result", msg.CharCreated, 0x2F},
	{"result", msg.CharCreateError, 0x30},
	{"result", msg.CharCreateFailed, 0x31},
	{"result", msg.CharNameInUse, 0x32},
	{"result", msg.CharDisabled, 0x33},
	{"result", msg.CharServerLimit, 0x35},
	{"result", msg.CharAccountLimit, 0x36},
	{"result", msg.CharRestricted, 0x3E},
	{"result", msg.CharDeleted, 0x47},
	{"result", msg.CharDeleteFailed, 0x48},
	{"result", msg.LoginNoWorld, 0x4E},
	{"result", msg.LoginDuplicate, 0x4F},
	{"result", msg.LoginFailed, 0x51},
	{"result", msg.LoginNoCharacter, 0x53},
	{"result", msg.NameMissing, 0x59},
	{"result", msg.NameTooShort, 0x5A},
	{"result", msg.NameTooLong, 0x5B},
	{"result", msg.NameInvalidCharacter, 0x5C},
	{"result", msg.NameMixedLanguages, 0x5D},
	{"result", msg.NameProfane, 0x5E},
	{"result", msg.NameReserved, 0x5F},
	{"result", msg.NameThreeLetters, 0x62},

	// Source: docs/protocol.md 4.7, CHANNEL_NOTIFY; ChatNotify,
	// Channel.h, AzerothCore.
	{"channel event", msg.ChannelJoined, 0x00},
	{"channel event", msg.ChannelLeft, 0x01},
	{"channel event", msg.ChannelYouJoined, 0x02},
	{"channel event", msg.ChannelYouLeft, 0x03},
	{"channel event", msg.ChannelWrongPassword, 0x04},
	{"channel event", msg.ChannelNotMember, 0x05},
	{"channel event", msg.ChannelNotModerator, 0x06},
	{"channel event", msg.ChannelPasswordChanged, 0x07},
	{"channel event", msg.ChannelOwnerChanged, 0x08},
	{"channel event", msg.ChannelPlayerNotFound, 0x09},
	{"channel event", msg.ChannelNotOwner, 0x0A},
	{"channel event", msg.ChannelOwner, 0x0B},
	{"channel event", msg.ChannelModeChange, 0x0C},
	{"channel event", msg.ChannelAnnouncementsOn, 0x0D},
	{"channel event", msg.ChannelAnnouncementsOff, 0x0E},
	{"channel event", msg.ChannelModerationOn, 0x0F},
	{"channel event", msg.ChannelModerationOff, 0x10},
	{"channel event", msg.ChannelMuted, 0x11},
	{"channel event", msg.ChannelPlayerKicked, 0x12},
	{"channel event", msg.ChannelBanned, 0x13},
	{"channel event", msg.ChannelPlayerBanned, 0x14},
	{"channel event", msg.ChannelPlayerUnbanned, 0x15},
	{"channel event", msg.ChannelPlayerNotBanned, 0x16},
	{"channel event", msg.ChannelPlayerAlreadyMember, 0x17},
	{"channel event", msg.ChannelInvite, 0x18},
	{"channel event", msg.ChannelInviteWrongFaction, 0x19},
	{"channel event", msg.ChannelWrongFaction, 0x1A},
	{"channel event", msg.ChannelInvalidName, 0x1B},
	{"channel event", msg.ChannelNotModerated, 0x1C},
	{"channel event", msg.ChannelPlayerInvited, 0x1D},
	{"channel event", msg.ChannelPlayerInviteBanned, 0x1E},
	{"channel event", msg.ChannelThrottled, 0x1F},
	{"channel event", msg.ChannelNotInArea, 0x20},
	{"channel event", msg.ChannelNotInLFG, 0x21},
	{"channel event", msg.ChannelVoiceOn, 0x22},
	{"channel event", msg.ChannelVoiceOff, 0x23},

	// Source: docs/protocol.md 2.3, CHAR_ENUM.
	{"character flags", msg.CharacterLocked, 0x4},
	{"character flags", msg.CharacterHideHelm, 0x400},
	{"character flags", msg.CharacterHideCloak, 0x800},
	{"character flags", msg.CharacterGhost, 0x2000},
	{"character flags", msg.CharacterRename, 0x4000},
	{"character flags", msg.CharacterUnpaid, 0x01000000},
	{"character flags", msg.CharacterHasDeclined, 0x02000000},

	// Source: docs/protocol.md 4.7, MESSAGECHAT and chat types.
	{"chat type", msg.ChatSystem, 0x00},
	{"chat type", msg.ChatSay, 0x01},
	{"chat type", msg.ChatParty, 0x02},
	{"chat type", msg.ChatRaid, 0x03},
	{"chat type", msg.ChatGuild, 0x04},
	{"chat type", msg.ChatOfficer, 0x05},
	{"chat type", msg.ChatYell, 0x06},
	{"chat type", msg.ChatWhisper, 0x07},
	{"chat type", msg.ChatWhisperInform, 0x09},
	{"chat type", msg.ChatEmote, 0x0A},
	{"chat type", msg.ChatTextEmote, 0x0B},
	{"chat type", msg.ChatMonsterSay, 0x0C},
	{"chat type", msg.ChatMonsterEmote, 0x10},
	{"chat type", msg.ChatChannel, 0x11},
	{"chat type", msg.ChatAFK, 0x17},
	{"chat type", msg.ChatDND, 0x18},
	{"chat type", msg.ChatRaidBossEmote, 0x29},
	{"chat type", msg.ChatRaidBossWhisper, 0x2A},
	{"chat type", msg.ChatBattlenet, 0x2F},
	{"chat type", msg.ChatAchievement, 0x30},
	{"chat type", msg.ChatGuildAchievement, 0x31},

	// Source: docs/protocol.md 4.7, MESSAGECHAT.
	{"chat tag", msg.TagAFK, 0x1},
	{"chat tag", msg.TagDND, 0x2},
	{"chat tag", msg.TagGM, 0x4},

	// Source: docs/protocol.md 3.1.6; Language, SharedDefines.h, AzerothCore.
	{"language", msg.Universal, 0},

	// Source: ServerMessageType, IWorld.h, AzerothCore.
	{"server message", msg.ServerShutdown, 1},
	{"server message", msg.ServerRestart, 2},
	{"server message", msg.ServerString, 3},
	{"server message", msg.ServerShutdownCancelled, 4},
	{"server message", msg.ServerRestartCancelled, 5},

	// Source: docs/protocol.md 2.3, ACCOUNT_DATA_TIMES.
	{"account data", msg.GlobalCaches, 0x15},
	{"account data", msg.CharacterCaches, 0xEA},

	// Source: docs/protocol.md 4.7, ITEM_PUSH_RESULT.
	{"bag", msg.NoBag, 255},

	// Source: docs/protocol.md 4.7, LOG_XPGAIN.
	{"experience source", msg.XPKill, 0},
	{"experience source", msg.XPOther, 1},

	// Source: SocialFlag, SocialMgr.h, AzerothCore.
	{"contact flags", msg.ContactFriend, 1},
	{"contact flags", msg.ContactIgnored, 2},
	{"contact flags", msg.ContactMuted, 4},

	// Source: docs/protocol.md 2.4, ACTION_BUTTONS.
	{"action buttons", msg.ClearButtons, 2},

	// Source: docs/protocol.md 4.7, LOOT_RESPONSE; LootType, LootMgr.h, AzerothCore at
	// 03dbec5.
	{"loot type", msg.LootNone, 0},
	{"loot type", msg.LootCorpse, 1},
	{"loot type", msg.LootPickpocketing, 2},
	{"loot type", msg.LootFishing, 3},
	{"loot type", msg.LootDisenchanting, 4},
	{"loot type", msg.LootSkinning, 6},

	// Source: LootError, LootMgr.h, AzerothCore.
	{"loot error", msg.LootDidntKill, 0},
	{"loot error", msg.LootTooFar, 4},
	{"loot error", msg.LootBadFacing, 5},
	{"loot error", msg.LootLocked, 6},
	{"loot error", msg.LootNotStanding, 8},
	{"loot error", msg.LootStunned, 9},
	{"loot error", msg.LootPlayerNotFound, 10},
	{"loot error", msg.LootPlayTimeExceeded, 11},
	{"loot error", msg.LootMasterInvFull, 12},
	{"loot error", msg.LootMasterUniqueItem, 13},
	{"loot error", msg.LootMasterOther, 14},
	{"loot error", msg.LootAlreadyPicked, 15},
	{"loot error", msg.LootNotWhileShaped, 16},

	// Source: docs/protocol.md 4.7, LOOT_RESPONSE.
	{"loot slot", msg.LootSlotAllow, 0},
	{"loot slot", msg.LootSlotRoll, 1},
	{"loot slot", msg.LootSlotMaster, 2},
	{"loot slot", msg.LootSlotLocked, 3},
	{"loot slot", msg.LootSlotOwner, 4},

	// Source: SpellMissInfo, SharedDefines.h, AzerothCore.
	{"miss reason", msg.MissNone, 0},
	{"miss reason", msg.MissMiss, 1},
	{"miss reason", msg.MissResist, 2},
	{"miss reason", msg.MissDodge, 3},
	{"miss reason", msg.MissParry, 4},
	{"miss reason", msg.MissBlock, 5},
	{"miss reason", msg.MissEvade, 6},
	{"miss reason", msg.MissImmune, 7},
	{"miss reason", msg.MissImmune2, 8},
	{"miss reason", msg.MissDeflect, 9},
	{"miss reason", msg.MissAbsorb, 10},
	{"miss reason", msg.MissReflect, 11},

	// Source: SpellHitType, SharedDefines.h, AzerothCore.
	{"spell hit", msg.SpellHitCritical, 0x2},

	// Source: AuraType, SpellAuraDefines.h, AzerothCore.
	{"aura type", msg.PeriodicDamage, 3},
	{"aura type", msg.PeriodicHeal, 8},
	{"aura type", msg.PeriodicHealthPercent, 20},
	{"aura type", msg.PeriodicPowerPercent, 21},
	{"aura type", msg.PeriodicEnergize, 24},
	{"aura type", msg.PeriodicManaLeech, 64},
	{"aura type", msg.PeriodicDamagePercent, 89},

	// Source: EnviromentalDamage, Player.h, AzerothCore.
	{"environmental damage", msg.DamageExhausted, 0},
	{"environmental damage", msg.DamageDrowning, 1},
	{"environmental damage", msg.DamageFall, 2},
	{"environmental damage", msg.DamageLava, 3},
	{"environmental damage", msg.DamageSlime, 4},
	{"environmental damage", msg.DamageFire, 5},

	// Source: docs/protocol.md 4.7, targets.
	{"target mask", msg.TargetUnit, 0x2},
	{"target mask", msg.TargetItem, 0x10},
	{"target mask", msg.TargetSource, 0x20},
	{"target mask", msg.TargetDest, 0x40},
	{"target mask", msg.TargetEnemyCorpse, 0x200},
	{"target mask", msg.TargetGameObject, 0x800},
	{"target mask", msg.TargetTradeItem, 0x1000},
	{"target mask", msg.TargetString, 0x2000},
	{"target mask", msg.TargetAllyCorpse, 0x8000},
	{"target mask", msg.TargetMinipet, 0x10000},

	// Source: docs/protocol.md 4.3, movement flags.
	{"movement flags", msg.MoveForward, 0x1},
	{"movement flags", msg.MoveOnTransport, 0x200},

	// Source: docs/protocol.md 2.4, ALL_ACHIEVEMENT_DATA (-1).
	{"no achievement", msg.NoID, 0xFFFFFFFF},

	// Source: docs/protocol.md 4.4, MONSTER_MOVE type.
	{"facing", msg.FaceAlong, 0},
	{"facing", msg.FaceStop, 1},
	{"facing", msg.FaceSpot, 2},
	{"facing", msg.FaceTarget, 3},
	{"facing", msg.FaceAngle, 4},
}
