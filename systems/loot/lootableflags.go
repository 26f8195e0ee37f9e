package loot

import (
	"slices"

	"muster/components"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// LootableFlags sends players which bodies they can loot: when there is loot for them, when nothing is left, and when such a
// body comes into view.
type LootableFlags struct {
	entities       ecs.Entities
	bodies         ecs.Res[Bodies]
	filled         ecs.Events[Filled]
	looted         ecs.EventReader[rules.Looted]
	rehomed        ecs.Events[change.Rehomed]
	resets         ecs.Events[change.ViewReset]
	looting        ecs.Read[components.Looting]
	recipientFlags recipientFlags
}

// OnEvents implements sched.Handler.
func (s *LootableFlags) OnEvents(t sched.Tick) {
	for _, it := range s.looted.Next() {
		if !it.Left {
			s.sendOne(t, it.By, it.Entity)
		}
	}
	for _, it := range s.filled.All() {
		s.sendOne(t, it.Player, it.Body)
	}
	s.show(t)
}

// sendOne sends a player the flags of one of its bodies.
func (s *LootableFlags) sendOne(t sched.Tick, player, body ecs.Entity) {
	if !s.entities.Exists(player) {
		return
	}
	for block := s.looting.Get(player).First; block != 0; block = s.bodies.Get().At(block).Next {
		if s.bodies.Get().At(block).Body == body {
			s.sendIfSeen(t, player, block)
			return
		}
	}
}

// show sends players whose view has changed the flags of their bodies that have come into it; players that learn anew
// what they see get those of all in view.
func (s *LootableFlags) show(t sched.Tick) {
	resets := s.resets.All()
	for _, it := range s.rehomed.All() {
		if !slices.Contains(resets, change.ViewReset(it)) {
			s.showNew(t, it.Entity, false)
		}
	}
	for _, it := range resets {
		s.showNew(t, it.Entity, true)
	}
}

// showNew sends a player the flags of its bodies that have come into its view, or of all in view.
func (s *LootableFlags) showNew(t sched.Tick, e ecs.Entity, all bool) {
	if !s.entities.Exists(e) || !s.looting.Has(e) {
		return
	}
	for block := s.looting.Get(e).First; block != 0; block = s.bodies.Get().At(block).Next {
		if body := s.bodies.Get().At(block).Body; s.entities.Exists(body) && (all || !s.recipientFlags.view(t, e, true).Has(s.recipientFlags.homeCells.Get(body).Cell)) {
			s.sendIfSeen(t, e, block)
		}
	}
}

// sendIfSeen sends the owner of a body whether it is lootable, if the owner sees it. Other players get the flags
// without that, and a living creature has none.
//
// Source: protocol.md 4.6 and 3.1.2; Unit::PatchValuesUpdate, AzerothCore.
func (s *LootableFlags) sendIfSeen(t sched.Tick, player ecs.Entity, block uint32) {
	l := s.bodies.Get().At(block)
	if !s.entities.Exists(l.Body) || s.recipientFlags.vitals.Get(l.Body).Health > 0 {
		return
	}
	more := uint32(0)
	if l.Gone == 0 {
		more = components.DynamicLootable
	}
	s.recipientFlags.send(t, player, l.Body, more)
}
