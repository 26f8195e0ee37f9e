// Package loot is what creatures leave when they die, and how players take it.
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

// Bodies has all lootable bodies: a shared value. Its tallies count what was ever put into bodies, and what was
// destroyed with them.
type Bodies struct {
	ecs.Slab[components.Loot]
	Lying []uint32 // the blocks in use; blocks of despawned bodies are removed later
	Items goods.ItemTally
	Money goods.MoneyTally
}

// Share gives a world its bodies.
func Share(w *ecs.World) { ecs.Share(w, new(Bodies)) }

// Loot lets players loot bodies: it opens and closes them, and asks for what players take to be given to them. What
// is asked for is out of the body until the answer comes, within the same stage.
type Loot struct {
	entities   ecs.Entities
	bodies     ecs.ResMut[Bodies]
	out        change.Out
	requests   ecs.Requests[Request]
	items      ecs.Emit[goods.GiveItem]
	itemsGiven ecs.EventReader[goods.ItemGiven]
	money      ecs.Emit[goods.GiveMoney]
	moneyGiven ecs.EventReader[goods.MoneyGiven]
	looted     ecs.Emit[rules.Looted]
	unitFlags  ecs.Emit[rules.SetUnitFlags]
	units      ecs.Read[components.Unit]

	vitals     ecs.Read[components.Vitals]
	positions  ecs.Read[components.Position]
	corpseLoot ecs.Read[components.CorpseLoot]
	looting    ecs.Write[components.Looting]

	response msg.LootResponse // kept here, since a packet takes its message by reference
	released msg.LootReleaseResponse
	removed  msg.LootRemoved
	notify   msg.LootMoneyNotify
	failure  msg.InventoryChangeFailure

	tooFar   sched.Counter `name:"loot.too_far"`
	notTheir sched.Counter `name:"loot.not_theirs"`
	gone     sched.Counter `name:"loot.gone"`
	unable   sched.Counter `name:"loot.unable"`
	empty    sched.Counter `name:"loot.empty_chest"`
}

// React implements sched.Reactor: it executes requests, and tells players that have been given something.
func (s *Loot) React(sched.Tick) {
	requests := s.requests.Take()
	for i := range requests {
		if s.entities.Exists(requests[i].By) {
			s.execute(&requests[i])
		}
	}
	for i, all := 0, s.itemsGiven.Next(); i < len(all); i++ {
		if all[i].From != (ecs.Entity{}) {
			s.itemGot(&all[i])
		}
	}
	for i, all := 0, s.moneyGiven.Next(); i < len(all); i++ {
		if all[i].From != (ecs.Entity{}) {
			s.moneyGot(&all[i])
		}
	}
}

func (s *Loot) execute(r *Request) {
	switch r.Verb {
	case Open:
		s.open(r)
	case TakeItem:
		s.take(r)
	case TakeMoney:
		s.takeMoney(r)
	case Release:
		s.release(r)
	case Die:
		if s.looting.Get(r.By).Open != 0 {
			s.sendRelease(r.By)
		}
	case Close:
		if s.looting.Get(r.By).Open == 0 {
			s.stop(r.By)
		}
	}
}
