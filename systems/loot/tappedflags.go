package loot

import (
	"slices"

	"muster/components"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// TappedFlags sends players which living creatures they are the loot recipient of: when they become it, when another
// player does, and when such a creature comes into view. Other players see that a creature is tapped, and no more. It
// runs last before fan-out, since systems until then clear loot recipients.
type TappedFlags struct {
	entities       ecs.Entities
	space          ecs.Res[space.Space]
	threats        rules.Threats
	lootRecipients ecs.Events[rules.LootRecipientSet]
	rehomed        ecs.Events[change.Rehomed]
	resets         ecs.Events[change.ViewReset]
	looting        ecs.Read[components.Looting]
	recipientFlags recipientFlags

	threatened []ecs.Entity              `snapshot:"-"` // creatures that threaten a player, during one pass
	collect    func(ecs.Entity, float32) // bound once
}

// Init implements ecs.Initializer.
func (s *TappedFlags) Init() {
	s.collect = func(creature ecs.Entity, _ float32) { s.threatened = append(s.threatened, creature) }
}

// OnEvents implements sched.Handler.
func (s *TappedFlags) OnEvents(t sched.Tick) {
	for _, it := range s.lootRecipients.All() {
		if s.entities.Exists(it.Player) && s.entities.Exists(it.Entity) && s.recipientFlags.taps.Get(it.Entity).LootRecipient != 0 {
			s.send(t, it.Player, it.Entity)
		}
	}
	resets := s.resets.All()
	for _, it := range s.rehomed.All() {
		e := it.Entity
		switch {
		case !s.entities.Exists(e):
		case s.looting.Has(e):
			if !slices.Contains(resets, change.ViewReset{Entity: e}) {
				s.showNew(t, e, false)
			}
		case s.recipientFlags.taps.Has(e) && s.recipientFlags.taps.Get(e).LootRecipient != 0:
			player := s.space.Get().Find(uint64(s.recipientFlags.taps.Get(e).LootRecipient))
			if s.entities.Exists(player) && !s.recipientFlags.view(t, player, true).Has(s.recipientFlags.homeCells.Get(e).Before(uint32(t.N))) {
				s.send(t, player, e)
			}
		}
	}
	for _, it := range resets {
		if s.entities.Exists(it.Entity) {
			s.showNew(t, it.Entity, true)
		}
	}
}

// showNew sends a player the flags of the creatures whose loot recipient it is and that have come into its view, or
// of all in view.
func (s *TappedFlags) showNew(t sched.Tick, e ecs.Entity, all bool) {
	s.threatened = s.threatened[:0]
	s.threats.Against(e, s.collect)
	if len(s.threatened) == 0 {
		return
	}
	before := s.recipientFlags.view(t, e, true)
	for _, creature := range s.threatened {
		if s.recipientFlags.tapped(creature, e) && (all || !before.Has(s.recipientFlags.homeCells.Get(creature).Cell)) {
			s.send(t, e, creature)
		}
	}
}

// send sends a player the flags of a living creature.
func (s *TappedFlags) send(t sched.Tick, player, e ecs.Entity) {
	if s.recipientFlags.vitals.Get(e).Health > 0 {
		s.recipientFlags.send(t, player, e, 0)
	}
}
