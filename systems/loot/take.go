package loot

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/goods"
	"muster/systems/rules"
)

// opened is the loot of the body that a player has open, nil if there is none within reach any more; then the client
// gets a release.
func (s *Loot) opened(r *Request, op uint16) *components.Loot {
	e := r.By
	mine := s.looting.Get(e)
	if mine.Open == 0 {
		s.out.Refuse(e, op, &s.gone)
		return nil
	}
	l := s.bodies.Get().At(mine.Open)
	if l.Viewer != e {
		s.close(e)
		s.out.Refuse(e, op, &s.gone)
		return nil
	}
	if !s.entities.Exists(l.Body) {
		s.close(e)
		return nil
	}
	if r.Dead || s.living(l.Body) || !s.inReach(e, l.Body) {
		s.tooFar.Count()
		s.sendRelease(e)
		return nil
	}
	return l
}

// take asks for an item of a body to be given to a player.
//
// Source: WorldSession::HandleAutostoreLootItemOpcode and Player::StoreLootItem, AzerothCore.
func (s *Loot) take(r *Request) {
	e, slot := r.By, uint32(r.Slot)
	l := s.opened(r, msg.OpAutoStoreLootItem)
	if l == nil {
		return
	}
	if slot >= l.Count || l.Items[slot].State != components.LootLies {
		s.gone.Count()
		s.fail(e, msg.InventoryLootGone)
		return
	}
	d := &l.Items[slot]
	d.State = components.LootGiven
	s.items.Emit(goods.GiveItem{To: e, Entry: d.Entry, Count: uint32(d.Count), From: l.Body, Slot: slot})
}

// itemGot removes an item from a body for good, or puts it back if the player could not be given it.
func (s *Loot) itemGot(g *goods.ItemGiven) {
	l := s.of(g.From)
	if l != nil && l.Items[g.Slot].State != components.LootGiven {
		l = nil
	}
	switch {
	case g.Why == msg.InventoryOK && l != nil:
		l.Items[g.Slot].State = components.LootTaken
	case l != nil:
		l.Items[g.Slot].State = components.LootLies
	case g.Why != msg.InventoryOK: // the body is gone with everything in it
		s.bodies.Get().Items.Unmade += uint64(g.Count)
	}
	switch {
	case !s.entities.Exists(g.To):
	case g.Why != msg.InventoryOK:
		s.fail(g.To, g.Why)
	default:
		s.removed = msg.LootRemoved{Slot: uint8(g.Slot)}
		s.out.SendNow(g.To, msg.OpLootRemoved, &s.removed)
	}
	s.emptied(g.To, l)
}

// takeMoney asks for the money of a body to be given to a player.
//
// Source: WorldSession::HandleLootMoneyOpcode, AzerothCore.
func (s *Loot) takeMoney(r *Request) {
	l := s.opened(r, msg.OpLootMoney)
	if l == nil {
		return
	}
	if l.Copper == 0 {
		s.out.Refuse(r.By, msg.OpLootMoney, &s.gone)
		return
	}
	s.money.Emit(goods.GiveMoney{To: r.By, Copper: int64(l.Copper), From: l.Body})
	l.Given, l.Copper = l.Copper, 0
}

// moneyGot removes the money from a body for good, or puts it back if the player would have more than
// goods.MaxMoney.
func (s *Loot) moneyGot(g *goods.MoneyGiven) {
	l, copper := s.of(g.From), uint32(g.Copper)
	if l != nil && l.Given == 0 {
		l = nil
	}
	switch {
	case g.OK && l != nil:
		l.Given = 0
	case l != nil:
		l.Copper, l.Given = l.Given, 0
	case !g.OK: // the body is gone with everything in it
		s.bodies.Get().Money.Unmade += uint64(copper)
	}
	switch {
	case !s.entities.Exists(g.To):
	case !g.OK:
		s.fail(g.To, msg.InventoryFull)
	default:
		s.notify = msg.LootMoneyNotify{Copper: copper, Alone: true}
		s.out.SendNow(g.To, msg.OpLootClearMoney, &nothing)
		s.out.SendNow(g.To, msg.OpLootMoneyNotify, &s.notify)
	}
	s.emptied(g.To, l)
	if l != nil && l.Gone != 0 && l.Viewer == g.To && s.entities.Exists(g.To) {
		s.sendRelease(g.To)
	}
}

var nothing msg.Empty

// of returns the loot of a body, nil if there is none any more.
func (s *Loot) of(body ecs.Entity) *components.Loot {
	if !s.entities.Exists(body) || s.corpseLoot.Get(body).Loot == 0 {
		return nil
	}
	return s.bodies.Get().At(s.corpseLoot.Get(body).Loot)
}

// emptied marks a body as empty, if it is.
func (s *Loot) emptied(by ecs.Entity, l *components.Loot) {
	if l != nil && l.Gone == 0 && l.Empty() {
		l.Gone = 1
		s.looted.Emit(rules.Looted{Entity: l.Body, By: by})
		if !s.entities.Exists(l.Viewer) {
			s.leave(l)
		}
	}
}

// leave reports an empty chest, which has no owner, when no player has it open any more.
func (s *Loot) leave(l *components.Loot) {
	if l.Gone == 1 && l.Owner == 0 && s.entities.Exists(l.Body) {
		l.Gone = 2
		s.looted.Emit(rules.Looted{Entity: l.Body, Left: true})
	}
}

// fail sends why an item was not moved.
func (s *Loot) fail(e ecs.Entity, why msg.InventoryResult) {
	s.failure = msg.InventoryChangeFailure{Result: why}
	s.out.SendNow(e, msg.OpInventoryChangeFailure, &s.failure)
}
