package msg

import "muster/net/protocol/wire"

// maxName bounds the name of a character where one is read, in bytes. Names have at most 12 letters of at
// most 4 bytes. Source: MAX_PLAYER_NAME, ObjectMgr.h, AzerothCore.
const maxName = 48

// CharEnum lists the characters of an account, in the order in which the client shows them.
//
// Source: WorldSession::HandleCharEnum, Player::BuildEnumData, AzerothCore.
type CharEnum struct{ Characters []Character }

// maxCharacters bounds a list of characters. A client shows ten of a realm.
const maxCharacters = 50

// Wire walks the body.
func (m *CharEnum) Wire(c *wire.Codec) {
	wire.Slice[uint8](c, &m.Characters, maxCharacters, wireCharacter)
}

// A Look is the appearance that a player chooses for a new character, without clothes.
type Look struct {
	Race, Class, Gender                           uint8
	Skin, Face, HairStyle, HairColor, FacialStyle uint8
}

func wireLook(c *wire.Codec, l *Look) {
	wire.U8(c, &l.Race)
	wire.U8(c, &l.Class)
	wire.U8(c, &l.Gender)
	wire.U8(c, &l.Skin)
	wire.U8(c, &l.Face)
	wire.U8(c, &l.HairStyle)
	wire.U8(c, &l.HairColor)
	wire.U8(c, &l.FacialStyle)
}

// A Character is one of the characters of CharEnum.
type Character struct {
	GUID       uint64
	Name       string
	Look       Look
	Level      uint8
	Zone, Map  uint32
	Position   wire.Vec3
	Guild      uint32
	Flags      CharacterFlags
	Customize  uint32 // what may be changed for money; not in 5875
	FirstLogin bool
	PetDisplay uint32
	PetLevel   uint32
	PetFamily  uint32
	Worn       [23]Worn // 19 slots and 4 bags; 5875 has the first 20
}

// CharacterFlags is what the character screen shows of a character's state.
type CharacterFlags uint32

// The flags. Source: CharacterFlags, Player.h, AzerothCore.
const (
	CharacterLocked      CharacterFlags = 0x4 // for a transfer
	CharacterHideHelm    CharacterFlags = 0x400
	CharacterHideCloak   CharacterFlags = 0x800
	CharacterGhost       CharacterFlags = 0x2000
	CharacterRename      CharacterFlags = 0x4000
	CharacterUnpaid      CharacterFlags = 0x01000000
	CharacterHasDeclined CharacterFlags = 0x02000000
)

// A Worn item is one slot on the character screen; zero if nothing is in it.
type Worn struct {
	Display uint32
	Type    uint8  // as in its template: head, chest, …
	Enchant uint32 // the visual of an enchantment; not in 5875
}

func wireCharacter(c *wire.Codec, m *Character) {
	wire.U64(c, &m.GUID)
	wire.CString(c, &m.Name, maxName)
	wireLook(c, &m.Look)
	wire.U8(c, &m.Level)
	wire.U32(c, &m.Zone)
	wire.U32(c, &m.Map)
	wire.XYZ(c, &m.Position)
	wire.U32(c, &m.Guild)
	wire.U32(c, &m.Flags)
	worn := m.Worn[:]
	if c.Version >= wire.V12340 {
		wire.U32(c, &m.Customize)
	} else {
		worn = m.Worn[:20]
	}
	wire.Bool(c, &m.FirstLogin)
	wire.U32(c, &m.PetDisplay)
	wire.U32(c, &m.PetLevel)
	wire.U32(c, &m.PetFamily)
	for i := range worn {
		wire.U32(c, &worn[i].Display)
		wire.U8(c, &worn[i].Type)
		if c.Version >= wire.V12340 {
			wire.U32(c, &worn[i].Enchant)
		}
	}
}

// CharCreate asks for a new character. CharResult answers it.
//
// Source: WorldSession::HandleCharCreateOpcode, AzerothCore.
type CharCreate struct {
	Name   string
	Look   Look
	Outfit uint8 // 0
}

// Wire walks the body.
func (m *CharCreate) Wire(c *wire.Codec) {
	wire.CString(c, &m.Name, maxName)
	wireLook(c, &m.Look)
	wire.U8(c, &m.Outfit)
}

// CharDelete asks to delete a character. CharResult answers it.
type CharDelete struct{ GUID uint64 }

// Wire walks the body.
func (m *CharDelete) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// PlayerLogin asks to enter the world with a character. The login sequence answers it, or CharResult in
// SMSG_CHARACTER_LOGIN_FAILED.
type PlayerLogin struct{ GUID uint64 }

// Wire walks the body.
func (m *PlayerLogin) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// CharResult is the result of CharCreate, CharDelete or PlayerLogin.
type CharResult struct{ Result Result }

// Wire walks the body.
func (m *CharResult) Wire(c *wire.Codec) { wire.U8(c, &m.Result) }

// RealmSplitQuery asks whether the realm is being split in two. RealmSplit answers it.
//
// Source: WorldSession::HandleRealmSplitOpcode, AzerothCore.
type RealmSplitQuery struct{ Choice uint32 }

// Wire walks the body.
func (m *RealmSplitQuery) Wire(c *wire.Codec) { wire.U32(c, &m.Choice) }

// RealmSplit reports that it is not.
type RealmSplit struct {
	Choice uint32 // that of the query
	State  uint32 // 0: no split
	Date   string // "01/01/01"
}

// Wire walks the body.
func (m *RealmSplit) Wire(c *wire.Codec) {
	wire.U32(c, &m.Choice)
	wire.U32(c, &m.State)
	wire.CString(c, &m.Date, 255)
}
