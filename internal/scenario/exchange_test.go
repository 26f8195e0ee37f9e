package scenario

import (
	"fmt"
	"strconv"

	"muster/components"
	"muster/net/protocol/msg"
)

// exchange fills what players do in a trade: "sends CMSG_INITIATE_TRADE Bert", "sends CMSG_SET_TRADE_ITEM 0 from 23" and "0 from 2 in 19",
// "sends CMSG_SET_TRADE_GOLD 7".
func (p *play) exchange(m msg.Message, words []string) bool {
	number := func(of string) uint8 {
		n, _ := strconv.ParseUint(of, 10, 8)
		return uint8(n)
	}
	switch m := m.(type) {
	case *msg.InitiateTrade:
		m.GUID = p.guid(words[0])
	case *msg.SetTradeItem:
		*m = msg.SetTradeItem{TradeSlot: number(words[0]), Bag: components.NoBag, Slot: number(after(words, "from"))}
		if bag := after(words, "in"); bag != "" {
			m.Bag = number(bag)
		}
	case *msg.ClearTradeItem:
		m.TradeSlot = number(words[0])
	case *msg.SetTradeGold:
		n, _ := strconv.ParseUint(words[0], 10, 32)
		m.Copper = uint32(n)
	case *msg.AcceptTrade:
	default:
		return false
	}
	return true
}

// tradeStates are the words for what becomes of trades.
var tradeStates = map[msg.TradeState]string{
	msg.TradeBusy: "busy", msg.TradeOpens: "opens", msg.TradeCancelled: "cancelled", msg.TradeAccepted: "accepted", msg.TradeNoTarget: "no target",
	msg.TradeGoesOn: "goes on", msg.TradeComplete: "complete", msg.TradeTooFar: "too far", msg.TradeWrongFaction: "wrong faction", msg.TradeIgnored: "ignored",
	msg.TradeStunned: "stunned", msg.TradeTargetStunned: "target stunned", msg.TradeDead: "dead", msg.TradeTargetDead: "target dead", msg.TradeLogout: "logout",
	msg.TradeTargetLogout: "target logout",
}

// describeExchange says what a packet of a trade tells, "" for any other packet.
func (p *play) describeExchange(m msg.Message) string {
	switch m := m.(type) {
	case *msg.TradeStatus:
		if m.State == msg.TradeBegins {
			return "begins by " + p.names[m.Trader]
		}
		return tradeStates[m.State]
	case *msg.TradeOffer:
		text := fmt.Sprintf("%d copper", m.Copper)
		for _, it := range m.Items {
			if it.Entry != 0 {
				text += fmt.Sprintf(", %d: %d %s", it.Slot, it.Count, things[it.Entry-1].Name)
			}
		}
		return text
	case *msg.Notification:
		return strconv.Quote(m.Text)
	}
	return ""
}
