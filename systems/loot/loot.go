// Package loot is what creatures leave when they die, and how players take it.
package loot

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
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

// A Changed is a body that has loot now, or none any more. System flags reads it.
type Changed struct{ Body ecs.Entity }

// A Closed is a player whose open body was destroyed. System loot takes it.
type Closed struct{ Player ecs.Entity }

// System lets players loot bodies: it opens and closes them, and asks for what players take to be given to them. What
// is asked for is out of the body until the answer comes, within the same stage.
type System struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	space    ecs.Res[space.Space]
	bodies   ecs.ResMut[Bodies]
	out      change.Out
	dirty    change.Dirty

	requests requests
	handlers []handler
	order    []request

	deaths     ecs.EventReader[rules.Death]
	closed     ecs.Requests[Closed]
	items      ecs.Emit[goods.GiveItem]
	itemsGiven ecs.EventReader[goods.ItemGiven]
	money      ecs.Emit[goods.GiveMoney]
	moneyGiven ecs.EventReader[goods.MoneyGiven]
	changed    ecs.Emit[Changed]
	looted     ecs.Emit[rules.Looted]

	objects      ecs.Read[components.Object]
	vitals       ecs.View[components.Vitals]
	units        ecs.Write[components.Unit]
	stances      ecs.Read[components.Stance]
	appearances  ecs.Read[components.PlayerAppearance]
	auraStates   ecs.Read[components.AuraState]
	threatStates ecs.Read[components.ThreatState]
	positions    ecs.Read[components.Position]
	corpseLoot   ecs.Read[components.CorpseLoot]
	looting      ecs.Write[components.Looting]

	response msg.LootResponse // kept here, since a packet takes its message by reference
	released msg.LootReleaseResponse
	removed  msg.LootRemoved
	notify   msg.LootMoneyNotify
	failure  msg.InventoryChangeFailure

	tooFar   sched.Counter `name:"loot.too_far"`
	notTheir sched.Counter `name:"loot.not_theirs"`
	gone     sched.Counter `name:"loot.gone"`
	unable   sched.Counter `name:"loot.unable"`
}

// Run handles the messages of clients in the order of their arrival.
func (s *System) Run(t sched.Tick) {
	s.React(t)
	s.handleRequests(t)
}

// React implements sched.Reactor: players that have died end their looting, and those that have been given something
// are told.
func (s *System) React(sched.Tick) {
	for _, d := range s.deaths.Next() {
		if s.entities.Alive(d.Entity) && s.looting.Has(d.Entity) && s.looting.Get(d.Entity).Open != 0 {
			s.sendRelease(d.Entity)
		}
	}
	for _, c := range s.closed.Take() {
		if s.entities.Alive(c.Player) && s.looting.Get(c.Player).Open == 0 {
			s.stop(c.Player)
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
