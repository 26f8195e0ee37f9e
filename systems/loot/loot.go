// Package loot is what players do with items outside of a fight: they loot bodies, equip, move, use and destroy
// items, and query their templates.
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

// Bodies has all lootable bodies: a shared value.
type Bodies struct {
	ecs.Slab[components.Loot]
	Lying []uint32 // the blocks in use; blocks of despawned bodies are removed later
}

// Share gives a world its bodies.
func Share(w *ecs.World) { ecs.Share(w, new(Bodies)) }

// System generates the loot of bodies, handles looting and inventories, and answers item queries. It runs after all
// systems that kill, and before those that remove players.
type System struct {
	entities       ecs.Entities
	defs           ecs.Res[defs.World]
	space          ecs.Res[space.Space]
	mint           ecs.ResMut[goods.Mint]
	tally          ecs.ResMut[goods.Tally]
	bodies         ecs.ResMut[Bodies]
	out            change.Out
	dirty          change.Dirty
	unsaved        change.Unsaved
	ledger         goods.Ledger
	recipientFlags recipientFlags

	requests requests
	handlers []handler
	order    []request

	joined    ecs.Events[change.Joined]
	rehomed   ecs.Events[change.Rehomed]
	resets    ecs.Events[change.Reset]
	deaths    ecs.EventReader[rules.Death]
	newcomers ecs.Events[goods.Newcomer]
	looted    ecs.Emit[rules.Looted]
	casts     ecs.Emit[rules.Cast]

	objects      ecs.Read[components.Object]
	auraStates   ecs.Read[components.AuraState]
	threatStates ecs.Read[components.ThreatState]
	vitals       ecs.View[components.Vitals]
	units        ecs.Write[components.Unit]
	stances      ecs.Read[components.Stance]
	appearances  ecs.Read[components.PlayerAppearance]
	positions    ecs.Read[components.Position]
	homeCells    ecs.Read[components.HomeCell]
	corpseLoot   ecs.Write[components.CorpseLoot]
	looting      ecs.Write[components.Looting]
	records      ecs.Write[components.Record]

	naked  []ecs.Entity // players that wait for the outfit of their class
	thrown int          // tables rolled so far for the body that is being filled

	response msg.LootResponse // kept here, since a packet takes its message by reference
	released msg.LootReleaseResponse
	removed  msg.LootRemoved
	money    msg.LootMoneyNotify
	failure  msg.InventoryChangeFailure
	item     msg.ItemQueryResponse
	name     msg.ItemNameQueryResponse

	tooFar   sched.Counter `name:"loot.too_far"`
	notTheir sched.Counter `name:"loot.not_theirs"`
	gone     sched.Counter `name:"loot.gone"`
	unable   sched.Counter `name:"loot.unable"`
	tooDeep  sched.Counter `name:"loot.too_deep"`
	tooMany  sched.Counter `name:"loot.too_many"`
	badPlace sched.Counter `name:"loot.bad_place"`
}

// Run generates the loot of units that have died, handles the messages of clients in the order of their arrival, and
// sends players what they can loot.
func (s *System) Run(t sched.Tick) {
	if t.N > 0 { // in the first tick there is no gateway to answer
		if n := s.mint.Get().Wants(); n > 0 {
			s.out.WantGUIDs(n)
		}
	}
	s.dress(t)
	for _, d := range s.deaths.Next() {
		switch {
		case !s.entities.Alive(d.Entity):
		case s.corpseLoot.Has(d.Entity):
			s.fill(t, d.Entity)
		case s.looting.Get(d.Entity).Open != 0:
			s.sendRelease(d.Entity)
		}
	}
	s.claim()
	s.handleRequests(t)
	s.show(t)
	s.sweep(t)
}
