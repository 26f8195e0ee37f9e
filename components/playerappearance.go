package components

// PlayerAppearance is a player's looks, flags and guild.
//
// Source: PLAYER_FLAGS and following, protocol.md appendix A.
type PlayerAppearance struct {
	Flags     uint32   `v12340:"0x96"` // PlayerGroupLeader and following
	GuildID   uint32   `v12340:"0x97"`
	GuildRank uint32   `v12340:"0x98"`
	Bytes     [4]uint8 `v12340:"0x99"` // ByteSkin, ByteFace, ByteHairStyle, ByteHairColor
	Bytes2    [4]uint8 `v12340:"0x9A"` // ByteFacialHair, –, ByteBankSlots, ByteRest
	Bytes3    [4]uint8 `v12340:"0x9B"` // ByteLookGender, ByteDrunk, ByteTitle, ByteArenaFaction
}

// The bytes of PlayerAppearance.Bytes, Bytes2 and Bytes3.
//
// Source: protocol.md 4.6.
const (
	ByteSkin      = 0
	ByteFace      = 1
	ByteHairStyle = 2
	ByteHairColor = 3

	ByteFacialHair = 0
	ByteBankSlots  = 2
	ByteRest       = 3

	ByteLookGender   = 0
	ByteDrunk        = 1
	ByteTitle        = 2
	ByteArenaFaction = 3
)

// The bits of PlayerAppearance.Flags.
//
// Source: protocol.md 4.6.
const (
	PlayerGroupLeader = 0x1
	PlayerAFK         = 0x2
	PlayerDND         = 0x4
	PlayerGM          = 0x8
	PlayerGhost       = 0x10
	PlayerResting     = 0x20
	PlayerPvP         = 0x200
	PlayerHideHelm    = 0x400
	PlayerHideCloak   = 0x800
	PlayerDeveloper   = 0x8000
)
