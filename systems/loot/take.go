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

// opened is the loot of the body that a player has open, nil if there is none within reach any more; then the client
// gets a release.
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
		s.sendRelease(e)
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

// takeMoney gives the money of a body to a player. It stays in the body if the player would have more than MaxMoney.
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
		s.sendRelease(e)
	}
}

var nothing msg.Empty

// emptied marks a body as empty, if it is: its owner gets its flags, and system respawn an event for its decay.
func (s *System) emptied(t sched.Tick, e ecs.Entity, l *components.Loot) {
	if l.Gone == 0 && l.Empty() {
		l.Gone = 1
		s.looted.Emit(rules.Looted{Entity: l.Body})
		s.sendIfSeen(t, e, s.corpseLoot.Get(l.Body).Loot)
	}
}

// fail sends why an item was not moved.
func (s *System) fail(e ecs.Entity, why msg.InventoryResult, item, other uint64) {
	s.failure = msg.InventoryChangeFailure{Result: why, Item: item, Other: other}
	s.out.SendNow(e, msg.OpInventoryChangeFailure, &s.failure)
}
