package msg

import "muster/net/protocol/wire"

// Loot asks what there is to take.
//
// Source: WorldSession::HandleLootOpcode, AzerothCore.
type Loot struct{ GUID uint64 }

// Wire walks the body.
func (m *Loot) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// LootRelease reports that the player has closed the loot window.
//
// Source: WorldSession::HandleLootReleaseOpcode, AzerothCore.
type LootRelease struct{ GUID uint64 }

// Wire walks the body.
func (m *LootRelease) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// AutoStoreLootItem asks for one of the items of a LootResponse, by its Slot.
//
// Source: WorldSession::HandleAutostoreLootItemOpcode, AzerothCore.
type AutoStoreLootItem struct{ Slot uint8 }

// Wire walks the body.
func (m *AutoStoreLootItem) Wire(c *wire.Codec) { wire.U8(c, &m.Slot) }

// GameObjectUse asks to use a game object.
//
// Source: WorldSession::HandleGameObjectUseOpcode, AzerothCore.
type GameObjectUse struct{ GUID uint64 }

// Wire walks the body.
func (m *GameObjectUse) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// GameObjectReportUse reports that the player has used a game object, which counts for achievements.
//
// Source: WorldSession::HandleGameobjectReportUse, AzerothCore.
type GameObjectReportUse struct{ GUID uint64 }

// Wire walks the body.
func (m *GameObjectReportUse) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// GameObjectCustomAnim has a game object show an animation.
//
// Source: GameObject::SendCustomAnim, AzerothCore.
type GameObjectCustomAnim struct {
	GUID      uint64
	Animation uint32
}

// Wire walks the body.
func (m *GameObjectCustomAnim) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U32(c, &m.Animation)
}

// GameObjectDespawnAnim has a game object vanish.
//
// Source: WorldObject::SendObjectDeSpawnAnim, AzerothCore.
type GameObjectDespawnAnim struct{ GUID uint64 }

// Wire walks the body.
func (m *GameObjectDespawnAnim) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// AreaTrigger reports that the player has walked into an area of AreaTrigger.dbc.
//
// Source: WorldSession::HandleAreaTriggerOpcode, AzerothCore.
type AreaTrigger struct{ ID uint32 }

// Wire walks the body.
func (m *AreaTrigger) Wire(c *wire.Codec) { wire.U32(c, &m.ID) }

// A LootType is where loot is from.
//
// Source: LootType, LootMgr.h, AzerothCore.
type LootType uint8

// The loot types of build 12340.
const (
	LootNone          LootType = 0 // there is an Error
	LootCorpse        LootType = 1
	LootPickpocketing LootType = 2
	LootFishing       LootType = 3
	LootDisenchanting LootType = 4
	LootSkinning      LootType = 6 // and gathering herbs and ore
)

// A LootError is why there is no loot.
//
// Source: LootError, LootMgr.h, AzerothCore.
type LootError uint8

// The loot errors.
const (
	LootDidntKill        LootError = 0 // it is for another player
	LootTooFar           LootError = 4
	LootBadFacing        LootError = 5
	LootLocked           LootError = 6 // another player is looting it
	LootNotStanding      LootError = 8
	LootStunned          LootError = 9
	LootPlayerNotFound   LootError = 10
	LootPlayTimeExceeded LootError = 11
	LootMasterInvFull    LootError = 12
	LootMasterUniqueItem LootError = 13
	LootMasterOther      LootError = 14
	LootAlreadyPicked    LootError = 15 // the pocket is empty
	LootNotWhileShaped   LootError = 16
)

// maxLoot bounds the items of a LootResponse.
//
// Source: MAX_NR_LOOT_ITEMS and MAX_NR_QUEST_ITEMS, LootMgr.h, AzerothCore (18 and 32).
const maxLoot = 50

// LootResponse is what there is to take.
//
// Source: Player::SendLoot, Player::SendLootError and the writing of LootView, AzerothCore.
type LootResponse struct {
	GUID   uint64
	Type   LootType
	Error  LootError // with LootNone; the other fields are absent
	Copper uint32
	Items  []LootItem
}

// A LootItem is one item of a LootResponse.
type LootItem struct {
	Slot     uint8 // for AutoStoreLootItem
	Item     uint32
	Count    uint32
	Display  uint32
	Suffix   uint32
	Property uint32
	Kind     LootSlot
}

// A LootSlot is how an item is assigned to a player.
//
// Source: LootSlotType, LootMgr.h, AzerothCore.
type LootSlot uint8

// The loot slots.
const (
	LootSlotAllow  LootSlot = 0 // take it
	LootSlotRoll   LootSlot = 1 // dice are being thrown for it
	LootSlotMaster LootSlot = 2 // the master looter assigns it
	LootSlotLocked LootSlot = 3
	LootSlotOwner  LootSlot = 4 // only this player can take it
)

// Wire walks the body.
func (m *LootResponse) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	if wire.U8(c, &m.Type); m.Type == LootNone {
		wire.U8(c, &m.Error)
		return
	}
	wire.U32(c, &m.Copper)
	wire.Slice[uint8](c, &m.Items, maxLoot, wireLootItem)
}

func wireLootItem(c *wire.Codec, i *LootItem) {
	wire.U8(c, &i.Slot)
	wire.U32(c, &i.Item)
	wire.U32(c, &i.Count)
	wire.U32(c, &i.Display)
	wire.U32(c, &i.Suffix)
	wire.U32(c, &i.Property)
	wire.U8(c, &i.Kind)
}

// LootReleaseResponse confirms that the player's loot window is closed.
//
// Source: Player::SendLootRelease, AzerothCore.
type LootReleaseResponse struct {
	GUID uint64
	One  uint8 // always 1
}

// Wire walks the body.
func (m *LootReleaseResponse) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U8(c, &m.One)
}

// LootRemoved reports that an item of a LootResponse is gone.
//
// Source: Player::SendNotifyLootItemRemoved, AzerothCore.
type LootRemoved struct{ Slot uint8 }

// Wire walks the body.
func (m *LootRemoved) Wire(c *wire.Codec) { wire.U8(c, &m.Slot) }

// LootMoneyNotify is how much money the player has taken.
//
// Source: WorldSession::HandleLootMoneyOpcode, AzerothCore.
type LootMoneyNotify struct {
	Copper uint32
	Alone  bool // else it is a share
}

// Wire walks the body.
func (m *LootMoneyNotify) Wire(c *wire.Codec) {
	wire.U32(c, &m.Copper)
	wire.Bool(c, &m.Alone)
}

// ItemPushResult reports that the player has received an item.
//
// Source: Player::SendNewItem, AzerothCore.
type ItemPushResult struct {
	GUID     uint64 // of the player
	FromNPC  uint32 // 0 looted, 1 from another unit
	Created  uint32 // 1 made by the player
	Show     uint32 // 1 in the chat
	Bag      uint8  // 255 for none
	Slot     int32  // -1 onto a stack
	Item     uint32
	Suffix   uint32
	Property int32
	Count    uint32
	Total    uint32 // in the inventory
}

// Wire walks the body.
func (m *ItemPushResult) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U32(c, &m.FromNPC)
	wire.U32(c, &m.Created)
	wire.U32(c, &m.Show)
	wire.U8(c, &m.Bag)
	wire.I32(c, &m.Slot)
	wire.U32(c, &m.Item)
	wire.U32(c, &m.Suffix)
	wire.I32(c, &m.Property)
	wire.U32(c, &m.Count)
	wire.U32(c, &m.Total)
}
