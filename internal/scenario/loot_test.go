package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/rules"
)

// things are the items of corpses and characters: "Wolf has Tooth 3, Club and 7 copper".
var things = []defs.Item{
	{Entry: 1, Name: "Tooth", Display: 11, Stack: 20, SellPrice: 1, BuyPrice: 4, BuyCount: 5},
	{Entry: 2, Name: "Club", Display: 12, Stack: 1, Class: defs.ItemWeapon, Wear: defs.WearMainHand, MinDamage: 10, MaxDamage: 12, DelayMs: 2000, Durability: 20, BuyPrice: 10, SellPrice: 2},
	{Entry: 3, Name: "Sack", Display: 13, Stack: 1, Class: defs.ItemContainer, Wear: defs.WearBag, Bag: 2, BuyPrice: 30, SellPrice: 3},
	{Entry: 4, Name: "Crown", Display: 14, Stack: 1, Class: defs.ItemArmor, Wear: defs.WearHead, RequiredLevel: 5, Armor: 3},
	{Entry: 5, Name: "Maul", Display: 15, Stack: 1, Class: defs.ItemWeapon, Wear: defs.WearTwoHands, MinDamage: 20, MaxDamage: 22, DelayMs: 3000},
	{Entry: 6, Name: "Board", Display: 16, Stack: 1, Class: defs.ItemArmor, Wear: defs.WearShield, Armor: 5, Block: 1},
	{Entry: 7, Name: "Balm", Display: 17, Stack: 5, Class: defs.ItemConsumable, Spell: 2}, // Mend
	{Entry: 8, Name: "Robe", Display: 18, Stack: 1, Class: defs.ItemArmor, Wear: defs.WearRobe, Bonding: defs.BindTaken, Classes: 1 << 7, BuyPrice: 1},
}

func thing(name string) uint32 {
	for _, it := range things {
		if it.Name == name {
			return it.Entry
		}
	}
	return 0
}

// has reads the loot of a creature.
func (c *creature) has(words []string) error {
	for i, word := range words {
		name := strings.TrimSuffix(word, ",")
		n := 1
		if i+1 < len(words) {
			if many, err := strconv.Atoi(strings.TrimSuffix(words[i+1], ",")); err == nil {
				n = many
			}
		}
		switch entry := thing(name); {
		case entry != 0:
			c.loot = append(c.loot, defs.LootEntry{Item: entry, Chance: 100, Min: uint8(n), Max: uint8(n)})
		case word == "copper":
			copper, err := strconv.ParseUint(words[i-1], 10, 32)
			if err != nil {
				return err
			}
			c.copper = uint32(copper)
		}
	}
	return nil
}

// lease gives the world GUIDs for items, which are called by their numbers.
func (p *play) lease(count string) error {
	n, err := strconv.ParseUint(count, 10, 16)
	if err != nil {
		return err
	}
	for i := range n {
		p.names[uint64(components.HighItem)<<48|uint64(p.leased)+i+1] = fmt.Sprintf("item %d", uint64(p.leased)+i+1)
	}
	p.leased += uint32(n)
	return p.world.Inbox().Add(frame.Item{Session: frame.NoSession, Op: frame.OpLease,
		Body: msg.Append(nil, wire.V12340, &frame.Lease{First: p.leased - uint32(n) + 1, Count: uint32(n)})})
}

// hurt reads "Wolf is hurt by Anna for 40", "Anna is hurt for 5".
func (p *play) hurt(e *event) error {
	n, err := strconv.ParseUint(after(e.words, "for"), 10, 32)
	if err != nil {
		return err
	}
	h := rules.Damage{To: p.world.Find(p.guid(e.subject)), Amount: uint32(n), Quiet: true}
	if by := after(e.words, "by"); by != "" {
		h.By, h.Quiet = p.world.Find(p.guid(by)), false
	}
	h.Kind = rules.SilentDamage
	p.world.Damage(h)
	return nil
}

// handle fills what is asked about bodies and items: "sends CMSG_LOOT Wolf", "sends CMSG_SWAP_ITEM 255 23 to 19 0".
func (p *play) handle(a *actor, m msg.Message, words []string) error {
	var numbers []uint8
	for _, w := range words {
		if n, err := strconv.ParseUint(w, 10, 8); err == nil {
			numbers = append(numbers, uint8(n))
		}
	}
	numbers = append(numbers, make([]uint8, 4)...)
	switch m := m.(type) {
	case *msg.Loot:
		m.GUID = p.guid(words[0])
	case *msg.LootRelease:
		m.GUID = p.guid(words[0])
	case *msg.GameObjectUse:
		m.GUID = p.guid(after(words, ""))
	case *msg.GameObjectReportUse:
		m.GUID = p.guid(words[0])
	case *msg.AutoStoreLootItem:
		m.Slot = numbers[0]
	case *msg.AutoEquipItem:
		m.Bag, m.Slot = numbers[0], numbers[1]
	case *msg.SwapInvItem:
		m.FromSlot, m.ToSlot = numbers[0], numbers[1]
	case *msg.SwapItem:
		m.FromBag, m.FromSlot, m.ToBag, m.ToSlot = numbers[0], numbers[1], numbers[2], numbers[3]
	case *msg.DestroyItem:
		m.Bag, m.Slot, m.Count = numbers[0], numbers[1], numbers[2]
	case *msg.UseItem:
		m.GUID = p.guid("item " + words[1])
		m.Bag, m.Slot = numbers[1], numbers[2]
	case *msg.ReclaimCorpse:
		m.GUID = a.guid
	case *msg.ResurrectResponse:
		m.GUID, m.Accept = p.guid(words[0]), numbers[0]
	case *msg.SpiritHealerActivate:
		m.GUID = p.guid(words[0])
	case *msg.RepopRequest:
	default:
		if !p.trade(a, m, words) && !p.exchange(m, words) && !p.talk(m, words) {
			return errors.ErrUnsupported
		}
	}
	return nil
}

// describeLoot says what a packet about bodies, items, experience or death tells.
func (p *play) describeLoot(m msg.Message) (detail string, loud bool) {
	name := func(entry uint32) string {
		if i := slices.IndexFunc(things, func(it defs.Item) bool { return it.Entry == entry }); i >= 0 {
			return things[i].Name
		}
		return fmt.Sprint("entry ", entry)
	}
	switch m := m.(type) {
	case *msg.LootResponse:
		if m.Type == msg.LootNone {
			return fmt.Sprintf("%s: error %d", p.names[m.GUID], m.Error), true
		}
		detail = fmt.Sprintf("%s: %d copper", p.names[m.GUID], m.Copper)
		for _, it := range m.Items {
			detail += fmt.Sprintf(", %d: %d %s", it.Slot, it.Count, name(it.Item))
			if it.Kind != msg.LootSlotOwner {
				detail += fmt.Sprintf(" of kind %d", it.Kind)
			}
		}
		return detail, true
	case *msg.LootReleaseResponse:
		return p.names[m.GUID], true
	case *msg.GameObjectCustomAnim:
		return fmt.Sprintf("%s %d", p.names[m.GUID], m.Animation), true
	case *msg.GameObjectDespawnAnim:
		return p.names[m.GUID], true
	case *msg.LootRemoved:
		return fmt.Sprint(m.Slot), true
	case *msg.LootMoneyNotify:
		return fmt.Sprintf("%d, alone %v", m.Copper, m.Alone), true
	case *msg.ItemPushResult:
		return fmt.Sprintf("%d %s into %d %d, %d in all", m.Count, name(m.Item), m.Bag, m.Slot, m.Total), true
	case *msg.InventoryChangeFailure:
		detail = fmt.Sprintf("reason %d", m.Result)
		if m.Detail != 0 {
			detail += fmt.Sprintf(" %d", m.Detail)
		}
		return strings.TrimSpace(detail + " " + p.names[m.Item]), true
	case *msg.XPGain:
		return fmt.Sprintf("%d for %s", m.Total, p.names[m.Victim]), true
	case *msg.LevelUpInfo:
		return fmt.Sprintf("%d, health %d, powers %v, stats %v", m.Level, m.Health, m.Powers, m.Stats), true
	case *msg.DeathReleaseLoc:
		return fmt.Sprintf("%s on %d", place(m.Position.X, m.Position.Y, m.Position.Z), m.Map), true
	case *msg.CorpseReclaimDelay:
		return fmt.Sprintf("%d ms", m.Ms), true
	case *msg.PreResurrect:
		return p.names[m.GUID], true
	case *msg.CorpseQueryResponse:
		return fmt.Sprintf("%v %s", m.Found, place(m.Position.X, m.Position.Y, m.Position.Z)), true
	case *msg.ResurrectRequest:
		return p.names[m.Caster], true
	}
	return "", false
}
