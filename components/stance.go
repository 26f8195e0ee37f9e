package components

// Stance is a unit's posture, mount, dynamic and NPC flags, and emote.
//
// Source: UNIT_FIELD_BYTES_1 and following, protocol.md appendix A.
type Stance struct {
	MountDisplayID uint32   `v12340:"0x45"` // 0: not mounted
	Bytes1         [4]uint8 `v12340:"0x4A"` // ByteStand, BytePetTalents, ByteVisibility, ByteAnimTier
	DynamicFlags   uint32   `v12340:"0x4F"` // DynamicLootable and following
	CastSpeed      float32  `v12340:"0x50"` // 1 is the normal speed
	NPCFlags       uint32   `v12340:"0x52"` // NPCGossip and following
	EmoteState     uint32   `v12340:"0x53"` // the emote that lasts, 0: none
	Bytes2         [4]uint8 `v12340:"0x7A"` // ByteSheath, BytePvP, BytePet, ByteShapeshift
	HoverHeight    float32  `v12340:"0x92"` // yards
}

// The bytes of Stance.Bytes1 and Stance.Bytes2.
//
// Source: protocol.md 4.6.
const (
	ByteStand      = 0 // Standing and following
	BytePetTalents = 1
	ByteVisibility = 2
	ByteAnimTier   = 3

	ByteSheath     = 0 // 0 weapons put away, 1 melee, 2 ranged
	BytePvP        = 1
	BytePet        = 2
	ByteShapeshift = 3
)

// The values of Bytes1[ByteStand].
//
// Source: enum UnitStandStateType, UnitDefines.h, AzerothCore.
const (
	Standing = iota
	Sitting
	SittingOnChair
	Sleeping
	SittingOnLowChair
	SittingOnMediumChair
	SittingOnHighChair
	LyingDead
	Kneeling
	Submerged
)

// The bits of Stance.DynamicFlags. Lootable and Dead must never be set on a living unit: clients take
// it for dead.
//
// Source: protocol.md 4.6 and 3.1.2.
const (
	DynamicLootable       = 0x1
	DynamicTrackUnit      = 0x2
	DynamicTapped         = 0x4
	DynamicTappedByPlayer = 0x8
	DynamicSpecialInfo    = 0x10
	DynamicDead           = 0x20
	DynamicReferAFriend   = 0x40
	DynamicTappedByThreat = 0x80
)

// The bits of Stance.NPCFlags.
//
// Source: protocol.md 4.6.
const (
	NPCGossip       = 0x1
	NPCQuestGiver   = 0x2
	NPCTrainer      = 0x10
	NPCVendor       = 0x80
	NPCRepair       = 0x1000
	NPCFlightMaster = 0x2000
	NPCSpiritHealer = 0x4000
	NPCSpiritGuide  = 0x8000
	NPCInnkeeper    = 0x10000
	NPCBanker       = 0x20000
	NPCBattleMaster = 0x100000
	NPCAuctioneer   = 0x200000
	NPCStableMaster = 0x400000
	NPCGuildBanker  = 0x800000
	NPCSpellClick   = 0x1000000
)
