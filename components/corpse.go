package components

import "reflect"

// Corpse is the body of a player that has been released as a ghost.
//
// Source: CORPSE_FIELD_OWNER and following, protocol.md appendix A.
type Corpse struct {
	Owner        uint64               `v12340:"0x6"`
	Party        uint64               `v12340:"0x8"`
	DisplayID    uint32               `v12340:"0xA"`
	Item         [VisibleSlots]uint32 `v12340:"0xB"`  // entries of its equipment
	Bytes1       [4]uint8             `v12340:"0x1E"` // –, race, gender, skin
	Bytes2       [4]uint8             `v12340:"0x1F"` // face, hair style, hair colour, facial hair
	GuildID      uint32               `v12340:"0x20"`
	Flags        uint32               `v12340:"0x21"` // CorpseWhole
	DynamicFlags uint32               `v12340:"0x22"`
	_            uint32
}

// CorpseWhole is the flag of a corpse that is not bones.
//
// Source: CORPSE_FLAG_UNK2, Corpse.h, and Player::CreateCorpse, AzerothCore.
const CorpseWhole = 0x4

// CorpseParts are the components with update fields that a corpse shows. It also has those of a dead creature, so
// that systems can treat it as a unit.
func CorpseParts() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[Object](), reflect.TypeFor[Corpse]()}
}

// A CorpseImage is the public words of a corpse as they were last sent, in the order of its parts.
type CorpseImage [34]uint32

// CorpseGUID is the GUID of the corpse of a player, with the player's counter. Its low 32 bits are unique.
//
// Source: protocol.md 3.1.2 and 4.1.
func CorpseGUID(player uint64) uint64 { return uint64(HighCorpse)<<48 | 1<<30 | player&MaxCounter }
