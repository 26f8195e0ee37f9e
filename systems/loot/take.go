package loot

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// opened is the body that a player has open, nil if there is none within its reach any more; then its client is told
// that it is closed.
func (s *System) opened(e ecs.Entity) *components.Loot {
	mine := s.looting.Get(e)
	if mine.Open == 0 {
		s.gone.Count()
		return nil
	}
	l := s.bodies.Get().At(mine.Open)
	if !s.entities.Alive(l.Body) {
		s.close(e)
		return nil
	}
	if s.dead(e) || s.vitals.Get(l.Body).Health > 0 || !s.inReach(e, l.Body) {
		s.tooFar.Count()
		s.bid(e)
		return nil
	}
	return l
}

// take moves an item from a body into a player's bags.
//
// Source: WorldSession::HandleAutostoreLootItemOpcode and Player::StoreLootItem, AzerothCore.
func (s *System) take(t sched.Tick, sent *change.Sent[msg.AutoStoreLootItem]) {
	e, slot := sent.By, uint32(sent.Msg.Slot)
	l := s.opened(e)
	if l == nil {
		return
	}
	if slot >= l.Count || l.Items[slot].Taken != 0 {
		s.gone.Count()
		s.fail(e, msg.InventoryLootGone, 0, 0)
		return
	}
	d := &l.Items[slot]
	if why := s.ledger.Give(t, e, goods.Gift{Entry: d.Entry, Count: uint32(d.Count)}); why != msg.InventoryOK {
		s.fail(e, why, 0, 0)
		return
	}
	d.Taken = 1
	s.removed = msg.LootRemoved{Slot: uint8(slot)}
	s.out.SendNow(e, msg.OpLootRemoved, &s.removed)
	s.emptied(t, e, l)
}

// takeMoney moves the money of a body into a player's purse. A purse that has no room leaves it.
//
// Source: WorldSession::HandleLootMoneyOpcode, AzerothCore.
func (s *System) takeMoney(t sched.Tick, e ecs.Entity) {
	l := s.opened(e)
	if l == nil {
		return
	}
	if l.Copper == 0 {
		s.gone.Count()
		return
	}
	if !s.ledger.Earn(e, l.Copper, false) {
		s.fail(e, msg.InventoryFull, 0, 0)
		return
	}
	s.money = msg.LootMoneyNotify{Copper: l.Copper, Alone: true}
	l.Copper = 0
	s.out.SendNow(e, msg.OpLootClearMoney, &nothing)
	s.out.SendNow(e, msg.OpLootMoneyNotify, &s.money)
	s.emptied(t, e, l)
	if l.Gone != 0 {
		s.bid(e)
	}
}

var nothing msg.Empty

// emptied says that there is nothing left in a body, if so: to its owner, and to who lets bodies decay.
func (s *System) emptied(t sched.Tick, e ecs.Entity, l *components.Loot) {
	if l.Gone == 0 && l.Empty() {
		l.Gone = 1
		s.looted.Emit(rules.Looted{Entity: l.Body})
		s.tellIfSeen(t, e, s.corpseLoot.Get(l.Body).Loot)
	}
}

// fail says why an item stays where it is.
func (s *System) fail(e ecs.Entity, why msg.InventoryResult, item, other uint64) {
	s.failure = msg.InventoryChangeFailure{Result: why, Item: item, Other: other}
	s.out.SendNow(e, msg.OpInventoryChangeFailure, &s.failure)
}
