package msg

import "muster/net/protocol/wire"

// InitiateTrade asks another player to trade.
//
// Source: WorldSession::HandleInitiateTradeOpcode, AzerothCore.
type InitiateTrade struct{ GUID uint64 }

// Wire walks the body.
func (m *InitiateTrade) Wire(c *wire.Codec) { wire.U64(c, &m.GUID) }

// AcceptTrade accepts what both players offer.
//
// Source: WorldSession::HandleAcceptTradeOpcode, AzerothCore; cmsg_accept_trade.wowm, wow_messages.
type AcceptTrade struct{ Unused uint32 }

// Wire walks the body.
func (m *AcceptTrade) Wire(c *wire.Codec) { wire.U32(c, &m.Unused) }

// SetTradeItem offers an item of the player's.
//
// Source: WorldSession::HandleSetTradeItemOpcode, AzerothCore.
type SetTradeItem struct {
	TradeSlot uint8 // below TradeSlots
	Bag, Slot uint8 // the place of the item
}

// Wire walks the body.
func (m *SetTradeItem) Wire(c *wire.Codec) {
	wire.U8(c, &m.TradeSlot)
	wire.U8(c, &m.Bag)
	wire.U8(c, &m.Slot)
}

// ClearTradeItem takes back an item that was offered.
//
// Source: WorldSession::HandleClearTradeItemOpcode, AzerothCore.
type ClearTradeItem struct{ TradeSlot uint8 }

// Wire walks the body.
func (m *ClearTradeItem) Wire(c *wire.Codec) { wire.U8(c, &m.TradeSlot) }

// SetTradeGold offers money.
//
// Source: WorldSession::HandleSetTradeGoldOpcode, AzerothCore.
type SetTradeGold struct{ Copper uint32 }

// Wire walks the body.
func (m *SetTradeGold) Wire(c *wire.Codec) { wire.U32(c, &m.Copper) }

// A TradeState is what becomes of a trade.
//
// Source: TradeStatus, SharedDefines.h, AzerothCore.
type TradeState uint32

// The states of trades.
const (
	TradeBusy          TradeState = 0 // the other player trades already, or does not want to
	TradeBegins        TradeState = 1 // Trader asks for a trade
	TradeOpens         TradeState = 2 // has an ID
	TradeCancelled     TradeState = 3
	TradeAccepted      TradeState = 4 // by the other player
	TradeNoTarget      TradeState = 6
	TradeGoesOn        TradeState = 7 // it is not accepted any more
	TradeComplete      TradeState = 8
	TradeTooFar        TradeState = 10
	TradeWrongFaction  TradeState = 11
	TradeCloses        TradeState = 12 // has Result, TargetError and Category
	TradeIgnored       TradeState = 14
	TradeStunned       TradeState = 15
	TradeTargetStunned TradeState = 16
	TradeDead          TradeState = 17
	TradeTargetDead    TradeState = 18
	TradeLogout        TradeState = 19
	TradeTargetLogout  TradeState = 20
	TradeOnlyConjured  TradeState = 22 // has a Slot
	TradeNotEligible   TradeState = 23 // has a Slot
)

// TradeStatus tells a player what has become of a trade.
//
// Source: WorldSession::SendTradeStatus, AzerothCore; smsg_trade_status.wowm, wow_messages.
type TradeStatus struct {
	State       TradeState
	Trader      uint64 // with TradeBegins
	ID          uint32 // with TradeOpens: that of each TradeOffer
	Result      uint32 // with TradeCloses: an InventoryResult
	TargetError bool   // with TradeCloses: Result is the other player's
	Category    uint32 // with TradeCloses: of ItemLimitCategory.dbc
	Slot        uint8
}

// Wire walks the body.
func (m *TradeStatus) Wire(c *wire.Codec) {
	wire.U32(c, &m.State)
	switch m.State {
	case TradeBegins:
		wire.U64(c, &m.Trader)
	case TradeOpens:
		wire.U32(c, &m.ID)
	case TradeCloses:
		wire.U32(c, &m.Result)
		wire.Bool(c, &m.TargetError)
		wire.U32(c, &m.Category)
	case TradeOnlyConjured, TradeNotEligible:
		wire.U8(c, &m.Slot)
	}
}

// TradeSlots is how many items a player can show, TradedSlots how many of them change hands: the last one is for spells that
// the other player casts on it.
//
// Source: TradeSlots, TradeData.h, AzerothCore.
const (
	TradeSlots  = 7
	TradedSlots = 6
)

// TradeOffer is what a player offers.
//
// Source: WorldSession::SendUpdateTrade, AzerothCore; smsg_trade_status_extended.wowm, wow_messages.
type TradeOffer struct {
	Theirs       bool // the other player's offer
	ID           uint32
	Count, Shown uint32 // TradeSlots
	Copper       uint32
	Spell        uint32 // cast on the item of the last slot
	Items        [TradeSlots]TradeItem
}

// A TradeItem is an item of a TradeOffer.
type TradeItem struct {
	Slot          uint8 // its index
	Entry         uint32
	Display       uint32
	Count         uint32
	Wrapped       uint32
	GiftFrom      uint64
	Enchantment   uint32
	Gems          [3]uint32
	Creator       uint64
	Charges       uint32
	SuffixFactor  uint32
	Property      int32
	Lock          uint32
	MaxDurability uint32
	Durability    uint32
}

// Wire walks the body.
func (m *TradeOffer) Wire(c *wire.Codec) {
	wire.Bool(c, &m.Theirs)
	wire.U32(c, &m.ID)
	wire.U32(c, &m.Count)
	wire.U32(c, &m.Shown)
	wire.U32(c, &m.Copper)
	wire.U32(c, &m.Spell)
	for i := range m.Items {
		wireTradeItem(c, &m.Items[i])
	}
}

func wireTradeItem(c *wire.Codec, i *TradeItem) {
	wire.U8(c, &i.Slot)
	wire.U32(c, &i.Entry)
	wire.U32(c, &i.Display)
	wire.U32(c, &i.Count)
	wire.U32(c, &i.Wrapped)
	wire.U64(c, &i.GiftFrom)
	wire.U32(c, &i.Enchantment)
	for k := range i.Gems {
		wire.U32(c, &i.Gems[k])
	}
	wire.U64(c, &i.Creator)
	wire.U32(c, &i.Charges)
	wire.U32(c, &i.SuffixFactor)
	wire.I32(c, &i.Property)
	wire.U32(c, &i.Lock)
	wire.U32(c, &i.MaxDurability)
	wire.U32(c, &i.Durability)
}
