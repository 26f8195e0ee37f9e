// Package loot is what players do with their hands outside of a fight: they take what bodies leave, put on and away
// what they have, and ask what it is.
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

// Bodies is all that lies about to be looted: a shared value.
type Bodies struct {
	ecs.Slab[components.Loot]
	Lying []uint32 // the blocks in use; those of bodies that are gone are still there for a while
}

// Share gives a world its bodies.
func Share(w *ecs.World) { ecs.Share(w, new(Bodies)) }

// System fills bodies, has players take what is in them and handle what they have, and answers what items are. It comes
// after all that kills, and before those that let players go.
type System struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	space    ecs.Res[space.Space]
	mint     ecs.ResMut[goods.Mint]
	tally    ecs.ResMut[goods.Tally]
	bodies   ecs.ResMut[Bodies]
	out      change.Out
	dirty    change.Dirty
	unsaved  change.Unsaved
	ledger   goods.Ledger
	eyes     eyes

	requests requests
	ears     []ear
	order    []wish

	joined    ecs.Events[change.Joined]
	rehomed   ecs.Events[change.Rehomed]
	resets    ecs.Events[change.Reset]
	deaths    ecs.EventReader[rules.Death]
	newcomers ecs.Events[goods.Newcomer]
	looted    ecs.Emit[rules.Looted]
	casts     ecs.Emit[rules.Cast]

	objects     ecs.Read[components.Object]
	vitals      ecs.View[components.Vitals]
	units       ecs.Write[components.Unit]
	stances     ecs.Read[components.Stance]
	appearances ecs.Read[components.PlayerAppearance]
	combats     ecs.View[components.CombatState]
	positions   ecs.Read[components.Position]
	homeCells   ecs.Read[components.HomeCell]
	corpseLoot  ecs.Write[components.CorpseLoot]
	looting     ecs.Write[components.Looting]
	records     ecs.Write[components.Record]

	naked  []ecs.Entity // who waits for the outfit of its class
	thrown int          // tables of which dice were thrown for the body that is being filled

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

// Run fills the bodies of units that have died, does what clients ask for in the order in which it arrived, and shows
// what can be looted to the players that may.
func (s *System) Run(t sched.Tick) {
	if t.N > 0 { // in the first tick no gateway is there to answer
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
			s.bid(d.Entity)
		}
	}
	s.claim()
	s.obey(t)
	s.show(t)
	s.sweep(t)
}
