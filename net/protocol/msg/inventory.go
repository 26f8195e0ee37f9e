package msg

import "muster/net/protocol/wire"

// NoBag is the bag of what is not in a bag: worn items, and the backpack.
//
// Source: INVENTORY_SLOT_BAG_0, Player.h, AzerothCore.
const NoBag = 255

// AutoEquipItem asks to wear an item.
//
// Source: WorldSession::HandleAutoEquipItemOpcode, AzerothCore.
type AutoEquipItem struct{ Bag, Slot uint8 }

// Wire walks the body.
func (m *AutoEquipItem) Wire(c *wire.Codec) {
	wire.U8(c, &m.Bag)
	wire.U8(c, &m.Slot)
}

// SwapItem asks to put an item into another place, and what is there into its own.
//
// Source: WorldSession::HandleSwapItem, AzerothCore.
type SwapItem struct{ ToBag, ToSlot, FromBag, FromSlot uint8 }

// Wire walks the body.
func (m *SwapItem) Wire(c *wire.Codec) {
	wire.U8(c, &m.ToBag)
	wire.U8(c, &m.ToSlot)
	wire.U8(c, &m.FromBag)
	wire.U8(c, &m.FromSlot)
}

// SwapInvItem is a SwapItem with NoBag.
//
// Source: WorldSession::HandleSwapInvItemOpcode, AzerothCore.
type SwapInvItem struct{ ToSlot, FromSlot uint8 }

// Wire walks the body.
func (m *SwapInvItem) Wire(c *wire.Codec) {
	wire.U8(c, &m.ToSlot)
	wire.U8(c, &m.FromSlot)
}

// DestroyItem destroys items of a stack.
//
// Source: WorldSession::HandleDestroyItemOpcode, AzerothCore.
type DestroyItem struct {
	Bag    uint8
	Slot   uint8
	Count  uint8    // 0 for all
	Unused [3]uint8 // the rest of a wider count
}

// Wire walks the body.
func (m *DestroyItem) Wire(c *wire.Codec) {
	wire.U8(c, &m.Bag)
	wire.U8(c, &m.Slot)
	wire.U8(c, &m.Count)
	wire.Fixed(c, m.Unused[:])
}

// UseItem asks to cast the spell of an item.
//
// Source: WorldSession::HandleUseItemOpcode, AzerothCore.
type UseItem struct {
	Bag     uint8
	Slot    uint8
	Count   uint8 // as in CastSpell
	Spell   uint32
	GUID    uint64 // of the item
	Glyph   uint32 // the place for a glyph
	Flags   uint8  // CastHasMissile
	Targets Targets
	Missile Missile // with CastHasMissile
}

// Wire walks the body.
func (m *UseItem) Wire(c *wire.Codec) {
	wire.U8(c, &m.Bag)
	wire.U8(c, &m.Slot)
	wire.U8(c, &m.Count)
	wire.U32(c, &m.Spell)
	wire.U64(c, &m.GUID)
	wire.U32(c, &m.Glyph)
	wire.U8(c, &m.Flags)
	m.Targets.Wire(c)
	if m.Flags&CastHasMissile != 0 {
		m.Missile.wire(c)
	}
}

// InventoryChangeFailure is why an item stays where it is.
//
// Source: Player::SendEquipError, AzerothCore.
type InventoryChangeFailure struct {
	Result   InventoryResult // with InventoryOK, nothing follows
	Item     uint64
	Other    uint64
	Subclass uint8  // of bag, for one of the wrong kind
	Detail   uint32 // with the results that note it
	Source   uint64 // of the item, with InventoryConfirmBind
	Slot     uint32 // the same
	Dest     uint64 // the same
}

// Wire walks the body.
func (m *InventoryChangeFailure) Wire(c *wire.Codec) {
	if wire.U8(c, &m.Result); m.Result == InventoryOK {
		return
	}
	wire.U64(c, &m.Item)
	wire.U64(c, &m.Other)
	wire.U8(c, &m.Subclass)
	switch {
	case m.Result == InventoryConfirmBind:
		wire.U64(c, &m.Source)
		wire.U32(c, &m.Slot)
		wire.U64(c, &m.Dest)
	case m.Result.detailed():
		wire.U32(c, &m.Detail)
	}
}
