package inventory

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// ItemQuery answers queries for the templates of items.
type ItemQuery struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	out      change.Out
	items    ecs.Events[change.Sent[msg.ItemQuerySingle]]
	names    ecs.Events[change.Sent[msg.ItemNameQuery]]

	item msg.ItemQueryResponse // kept here, since a packet takes its message by reference
	name msg.ItemNameQueryResponse
}

// Run implements sched.Runner.
func (s *ItemQuery) Run(sched.Tick) {
	for i, all := 0, s.items.All(); i < len(all); i++ {
		if s.entities.Alive(all[i].By) {
			s.queryItem(all[i].By, all[i].Msg.Entry)
		}
	}
	for i, all := 0, s.names.All(); i < len(all); i++ {
		if s.entities.Alive(all[i].By) {
			s.queryName(all[i].By, all[i].Msg.Entry)
		}
	}
}

// queryItem answers an item query.
//
// Source: WorldSession::HandleItemQuerySingleOpcode, AzerothCore.
func (s *ItemQuery) queryItem(by ecs.Entity, entry uint32) {
	stats := s.item.Stats[:0]
	s.item = msg.ItemQueryResponse{Entry: entry, Unknown: true, Stats: stats}
	if it := s.defs.Get().Item(entry); it != nil {
		for _, stat := range it.Stats {
			if stat.Value != 0 {
				stats = append(stats, msg.ItemStat{Type: stat.Type, Value: stat.Value})
			}
		}
		s.item = msg.ItemQueryResponse{
			Entry: entry, Class: it.Class, Subclass: it.Subclass, Sound: -1, Name: it.Name, Display: it.Display,
			Quality: it.Quality, BuyPrice: it.BuyPrice, SellPrice: it.SellPrice, InventoryType: it.Wear,
			Classes: allMask, Races: allMask, Level: it.Level, RequiredLevel: uint32(it.RequiredLevel),
			Stackable: int32(it.Stack), ContainerSlots: uint32(it.Bag), Stats: stats, DelayMs: it.DelayMs,
			Bonding: it.Bonding, Block: it.Block, Durability: uint32(it.Durability),
		}
		s.item.Damage[0] = msg.ItemDamage{Min: it.MinDamage, Max: it.MaxDamage}
		s.item.Resistances[0] = it.Armor
		if it.Spell != 0 {
			s.item.Spells[0] = msg.ItemSpell{Spell: it.Spell, Charges: -1, CooldownMs: -1, CategoryMs: -1}
		}
	}
	s.out.SendNow(by, msg.OpItemQueryResponse, &s.item)
}

// allMask is the mask of all classes, and of all races.
const allMask = 0xFFFFFFFF

// queryName answers an item's name. There is no answer for an unknown item.
//
// Source: WorldSession::HandleItemNameQueryOpcode, AzerothCore.
func (s *ItemQuery) queryName(by ecs.Entity, entry uint32) {
	if it := s.defs.Get().Item(entry); it != nil {
		s.name = msg.ItemNameQueryResponse{Entry: it.Entry, Name: it.Name, InventoryType: it.Wear}
		s.out.SendNow(by, msg.OpItemNameQueryResponse, &s.name)
	}
}
