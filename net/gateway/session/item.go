package session

import (
	"math"

	"muster/components/defs"
	"muster/net/protocol/msg"
)

// itemQuery answers with the template of an item.
//
// Source: WorldSession::HandleItemQuerySingleOpcode, AzerothCore.
func (s *Session) itemQuery(t *Turn, m *msg.ItemQuerySingle) {
	answer := msg.ItemQueryResponse{Entry: m.Entry, Unknown: true}
	if it := s.item(m.Entry); it != nil {
		answer = msg.ItemQueryResponse{
			Entry: it.Entry, Class: it.Class, Subclass: it.Subclass, Sound: -1, Name: it.Name, Display: it.Display,
			Quality: it.Quality, BuyPrice: it.BuyPrice, SellPrice: it.SellPrice, InventoryType: it.Wear,
			Classes: mask(it.Classes), Races: mask(it.Races), Level: it.Level, RequiredLevel: uint32(it.RequiredLevel),
			Stackable: int32(it.Stack), ContainerSlots: uint32(it.Bag), DelayMs: it.DelayMs,
			Bonding: it.Bonding, Block: it.Block, Durability: uint32(it.Durability),
		}
		for _, stat := range it.Stats {
			if stat.Value != 0 {
				answer.Stats = append(answer.Stats, msg.ItemStat{Type: stat.Type, Value: stat.Value})
			}
		}
		answer.Damage[0] = msg.ItemDamage{Min: it.MinDamage, Max: it.MaxDamage}
		answer.Resistances[0] = it.Armor
		for i := range answer.Spells {
			answer.Spells[i] = msg.ItemSpell{CooldownMs: -1, CategoryMs: -1}
		}
		if it.Spell != 0 {
			answer.Spells[0].Spell, answer.Spells[0].Charges = it.Spell, -1
		}
	}
	t.send(msg.OpItemQueryResponse, &answer)
}

// mask is a mask of classes or races as clients read it.
func mask(of uint32) uint32 {
	if of == 0 {
		return math.MaxUint32
	}
	return of
}

// itemNameQuery answers with an item's name. There is no answer for an unknown item.
//
// Source: WorldSession::HandleItemNameQueryOpcode, AzerothCore.
func (s *Session) itemNameQuery(t *Turn, m *msg.ItemNameQuery) {
	if it := s.item(m.Entry); it != nil {
		t.send(msg.OpItemNameQueryResponse, &msg.ItemNameQueryResponse{Entry: it.Entry, Name: it.Name, InventoryType: it.Wear})
	}
}

// item is a template, nil if there is none.
func (s *Session) item(entry uint32) *defs.Item {
	if s.config.Templates == nil {
		return nil
	}
	return s.config.Templates.Item(entry)
}
