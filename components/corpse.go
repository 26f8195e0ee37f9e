package components

import "reflect"

// Corpse is the body of a player that has left it.
//
// Source: CORPSE_FIELD_OWNER and following, protocol.md appendix A.
type Corpse struct {
	Owner        uint64               `v12340:"0x6"`
	Party        uint64               `v12340:"0x8"`
	DisplayID    uint32               `v12340:"0xA"`
	Item         [VisibleSlots]uint32 `v12340:"0xB"`  // entries of what it wears
	Bytes1       [4]uint8             `v12340:"0x1E"` // –, race, gender, skin
	Bytes2       [4]uint8             `v12340:"0x1F"` // face, hair style, hair colour, facial hair
	GuildID      uint32               `v12340:"0x20"`
	Flags        uint32               `v12340:"0x21"` // CorpseWhole
	DynamicFlags uint32               `v12340:"0x22"`
	_            uint32
}

// CorpseWhole is the flag of a corpse that is still a body.
//
// Source: CORPSE_FLAG_UNK2, Corpse.h, and Player::CreateCorpse, AzerothCore.
const CorpseWhole = 0x4

// CorpseParts are the components with update fields that a corpse shows. It has those of a creature, too, a dead one,
// so that whoever comes upon it finds what there is to find on a unit.
func CorpseParts() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[Object](), reflect.TypeFor[Corpse]()}
}

// A CorpseImage is the public words of a corpse as they were last sent, in the order of its parts.
type CorpseImage [34]uint32

// CorpseGUID names the corpse of a player, by the player's own counter. Its low 32 bits are nobody else's.
//
// Source: protocol.md 3.1.2 and 4.1.
func CorpseGUID(player uint64) uint64 { return uint64(HighCorpse)<<48 | 1<<30 | player&MaxCounter }
