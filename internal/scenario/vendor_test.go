package scenario

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/msg"
)

// sells reads what a vendor sells: "sells Tooth, Club 3 every 10s".
func (p *play) sells(template *defs.Creature, words []string) error {
	v := defs.Vendor{Entry: template.Entry}
	for _, part := range strings.Split(strings.Join(words, " "), ", ") {
		word := strings.Fields(part)
		it := defs.VendorItem{Item: thing(word[0])}
		if it.Item == 0 {
			return fmt.Errorf("what is %q", word[0])
		}
		if len(word) == 4 {
			n, err := strconv.ParseUint(word[1], 10, 32)
			if err != nil {
				return err
			}
			every, err := time.ParseDuration(word[3])
			if err != nil {
				return err
			}
			it.Max, it.RestockSec = uint32(n), uint32(every/time.Second)
		}
		v.Items = append(v.Items, it)
	}
	template.NPCFlags, template.Faction = template.NPCFlags|components.NPCVendor, defs.FactionFriendly
	p.defs.Vendors = append(p.defs.Vendors, v)
	return nil
}

// trade fills what is asked of a vendor: "sends CMSG_BUY_ITEM Peddler 1 Tooth count 2 in 255 30", "sends CMSG_SELL_ITEM Peddler
// item 3 count 1".
func (p *play) trade(a *actor, m msg.Message, words []string) bool {
	number := func(of string) uint32 {
		n, _ := strconv.ParseUint(of, 10, 32)
		return uint32(n)
	}
	count := number(after(words, "count"))
	item := p.guid("item " + after(words, "item"))
	switch m := m.(type) {
	case *msg.ListInventory:
		m.GUID = p.guid(words[0])
	case *msg.BuyItem:
		*m = msg.BuyItem{Vendor: p.guid(words[0]), Slot: number(words[1]), Item: thing(words[2]), Count: count}
	case *msg.BuyItemInSlot:
		*m = msg.BuyItemInSlot{Vendor: p.guid(words[0]), Slot: number(words[1]), Item: thing(words[2]), Count: count, Bag: item}
		if after(words, "in") == "255" {
			m.Bag = a.guid
		}
		m.BagSlot = uint8(number(words[len(words)-1]))
	case *msg.SellItem:
		*m = msg.SellItem{Vendor: p.guid(words[0]), Item: item, Count: count}
	case *msg.BuybackItem:
		*m = msg.BuybackItem{Vendor: p.guid(words[0]), Slot: number(words[1])}
	default:
		return false
	}
	return true
}

// describeTrade says what a packet of a vendor tells, "" for any other packet.
func (p *play) describeTrade(m msg.Message) string {
	switch m := m.(type) {
	case *msg.VendorList:
		text := p.names[m.GUID] + ":"
		for i, it := range m.Items {
			if i > 0 {
				text += ","
			}
			text += fmt.Sprintf(" %d: %d %s for %d", it.Slot, it.BuyCount, things[it.Item-1].Name, it.Price)
			if it.Left >= 0 {
				text += fmt.Sprintf(" %d left", it.Left)
			}
		}
		return text
	case *msg.ItemBought:
		return fmt.Sprintf("%s %d count %d, %d left", p.names[m.Vendor], m.Slot, m.Count, m.Left)
	case *msg.BuyFailed:
		return fmt.Sprintf("%s item %d reason %d", p.names[m.Vendor], m.Item, m.Result)
	case *msg.SellFailed:
		return fmt.Sprintf("%s %s reason %d", p.names[m.Vendor], p.names[m.Item], m.Result)
	}
	return ""
}
