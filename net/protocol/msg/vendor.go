package msg

import "muster/net/protocol/wire"

// ListInventory asks what a creature sells. VendorList answers it.
//
// Source: WorldSession::HandleListInventoryOpcode, AzerothCore.
type ListInventory struct{ GUID uint64 }

// Wire walks the body.
func (m *ListInventory) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// MaxVendorItems bounds the items of a VendorList.
//
// Source: MAX_VENDOR_ITEMS, Creature.h, AzerothCore.
const MaxVendorItems = 150

// VendorList is what a creature sells.
//
// Source: WorldSession::SendListInventory, AzerothCore.
type VendorList struct {
	GUID  uint64
	Items []VendorItem
	Error uint8 // why there are none, without Items: 0 the creature has nothing to sell
}

// A VendorItem is one item of a VendorList.
type VendorItem struct {
	Slot         uint32 // for BuyItem; from 1
	Item         uint32
	Display      uint32
	Left         int32 // how many are left, -1 without a limit
	Price        uint32
	Durability   uint32
	BuyCount     uint32 // pieces of one purchase
	ExtendedCost uint32 // what it costs besides; 0 nothing
}

// Wire walks the body.
func (m *VendorList) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.Slice[uint8](c, &m.Items, MaxVendorItems, wireVendorItem)
	if len(m.Items) == 0 {
		wire.U8(c, &m.Error)
	}
}

func wireVendorItem(c *wire.Codec, i *VendorItem) {
	wire.U32(c, &i.Slot)
	wire.U32(c, &i.Item)
	wire.U32(c, &i.Display)
	wire.I32(c, &i.Left)
	wire.U32(c, &i.Price)
	wire.U32(c, &i.Durability)
	wire.U32(c, &i.BuyCount)
	wire.U32(c, &i.ExtendedCost)
}

// BuyItem asks to buy an item of a VendorList.
//
// Source: WorldSession::HandleBuyItemOpcode, AzerothCore.
type BuyItem struct {
	Vendor uint64
	Item   uint32
	Slot   uint32 // as in VendorItem
	Count  uint32 // purchases of BuyCount pieces
	Unused uint8
}

// Wire walks the body.
func (m *BuyItem) Wire(c *wire.Codec) {
	wire.U64(c, &m.Vendor)
	wire.U32(c, &m.Item)
	wire.U32(c, &m.Slot)
	wire.U32(c, &m.Count)
	wire.U8(c, &m.Unused)
}

// BuyItemInSlot is a BuyItem for a place in a bag.
//
// Source: WorldSession::HandleBuyItemInSlotOpcode, AzerothCore.
type BuyItemInSlot struct {
	Vendor  uint64
	Item    uint32
	Slot    uint32 // as in VendorItem
	Bag     uint64 // the GUID of the bag, or of the player
	BagSlot uint8
	Count   uint32
}

// Wire walks the body.
func (m *BuyItemInSlot) Wire(c *wire.Codec) {
	wire.U64(c, &m.Vendor)
	wire.U32(c, &m.Item)
	wire.U32(c, &m.Slot)
	wire.U64(c, &m.Bag)
	wire.U8(c, &m.BagSlot)
	wire.U32(c, &m.Count)
}

// SellItem asks to sell items of a stack.
//
// Source: WorldSession::HandleSellItemOpcode, AzerothCore.
type SellItem struct {
	Vendor uint64
	Item   uint64
	Count  uint32 // 0 for all
}

// Wire walks the body.
func (m *SellItem) Wire(c *wire.Codec) {
	wire.U64(c, &m.Vendor)
	wire.U64(c, &m.Item)
	wire.U32(c, &m.Count)
}

// BuybackItem asks for what the player has sold.
//
// Source: WorldSession::HandleBuybackItem, AzerothCore.
type BuybackItem struct {
	Vendor uint64
	Slot   uint32 // from FirstBuyback
}

// Wire walks the body.
func (m *BuybackItem) Wire(c *wire.Codec) {
	wire.U64(c, &m.Vendor)
	wire.U32(c, &m.Slot)
}

// FirstBuyback is the slot of the first item that can be bought back.
//
// Source: BUYBACK_SLOT_START, Player.h, AzerothCore.
const FirstBuyback = 74

// ItemBought reports that a purchase is done.
//
// Source: Player::_StoreOrEquipNewItem, AzerothCore.
type ItemBought struct {
	Vendor uint64
	Slot   uint32 // as in VendorItem
	Left   int32  // as in VendorItem
	Count  uint32 // as in BuyItem
}

// Wire walks the body.
func (m *ItemBought) Wire(c *wire.Codec) {
	wire.U64(c, &m.Vendor)
	wire.U32(c, &m.Slot)
	wire.I32(c, &m.Left)
	wire.U32(c, &m.Count)
}

// A BuyResult is why nothing was bought.
//
// Source: BuyResult, Item.h, AzerothCore.
type BuyResult uint8

// The results of purchases that muster sends.
const (
	BuyItemNotFound BuyResult = 0
	BuySoldOut      BuyResult = 1
	BuyTooExpensive BuyResult = 2
	BuyTooFar       BuyResult = 5
)

// BuyFailed is why nothing was bought.
//
// Source: Player::SendBuyError, AzerothCore.
type BuyFailed struct {
	Vendor uint64 // 0 if it is not there
	Item   uint32
	Result BuyResult
}

// Wire walks the body.
func (m *BuyFailed) Wire(c *wire.Codec) {
	wire.U64(c, &m.Vendor)
	wire.U32(c, &m.Item)
	wire.U8(c, &m.Result)
}

// A SellResult is why nothing was sold.
//
// Source: SellResult, Item.h, AzerothCore.
type SellResult uint8

// The results of sales that muster sends.
const (
	SellItemNotFound SellResult = 1
	SellNotWanted    SellResult = 2
	SellNoVendor     SellResult = 3
	SellUnknown      SellResult = 5
)

// SellFailed is why nothing was sold.
//
// Source: Player::SendSellError, AzerothCore.
type SellFailed struct {
	Vendor uint64 // 0 if it is not there
	Item   uint64
	Result SellResult
}

// Wire walks the body.
func (m *SellFailed) Wire(c *wire.Codec) {
	wire.U64(c, &m.Vendor)
	wire.U64(c, &m.Item)
	wire.U8(c, &m.Result)
}
