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

// Claims tells players which living creatures are theirs: when they have become so, when they no longer are but are
// another player's, and when they come into view. Others are told that such a creature is taken, and no more. It comes
// last before fan-out, since creatures are given up until then.
type Claims struct {
	entities       ecs.Entities
	space          ecs.Res[space.Space]
	book           rules.Book
	lootRecipients ecs.Events[rules.LootRecipientSet]
	rehomed        ecs.Events[change.Rehomed]
	resets         ecs.Events[change.Reset]
	looting        ecs.Read[components.Looting]
	eyes           eyes

	haters  []ecs.Entity              `image:"-"` // of a player, within one look at them
	collect func(ecs.Entity, float32) // bound once
}

// Init implements ecs.Initializer.
func (s *Claims) Init() {
	s.collect = func(creature ecs.Entity, _ float32) { s.haters = append(s.haters, creature) }
}

// Run implements sched.Runner.
func (s *Claims) Run(t sched.Tick) {
	for _, it := range s.lootRecipients.All() {
		if s.entities.Alive(it.Player) && s.entities.Alive(it.Entity) && s.eyes.combats.Get(it.Entity).LootRecipient != 0 {
			s.tell(t, it.Player, it.Entity)
		}
	}
	for _, it := range s.rehomed.All() {
		e := it.Entity
		switch {
		case !s.entities.Alive(e):
		case s.looting.Has(e):
			s.showNew(t, e, slices.Contains(s.resets.All(), change.Reset(it)))
		case s.eyes.combats.Has(e) && s.eyes.combats.Get(e).LootRecipient != 0:
			player := s.space.Get().Find(uint64(s.eyes.combats.Get(e).LootRecipient))
			if s.entities.Alive(player) && !s.eyes.view(t, player, true).Has(s.eyes.homeCells.Get(e).Before(uint32(t.N))) {
				s.tell(t, player, e)
			}
		}
	}
	for _, it := range s.resets.All() {
		if s.entities.Alive(it.Entity) && !slices.Contains(s.rehomed.All(), change.Rehomed(it)) {
			s.showNew(t, it.Entity, true)
		}
	}
}

// showNew tells a player of the creatures that are its own and have come into its view, or of all that are in it.
func (s *Claims) showNew(t sched.Tick, e ecs.Entity, all bool) {
	s.haters = s.haters[:0]
	s.book.ThreatenedBy(e, s.collect)
	if len(s.haters) == 0 {
		return
	}
	before := s.eyes.view(t, e, true)
	for _, creature := range s.haters {
		if s.eyes.tapped(creature, e) && (all || !before.Has(s.eyes.homeCells.Get(creature).Cell)) {
			s.tell(t, e, creature)
		}
	}
}

// tell tells a player how a living creature looks to it.
func (s *Claims) tell(t sched.Tick, player, e ecs.Entity) {
	if s.eyes.vitals.Get(e).Health > 0 {
		s.eyes.tell(t, player, e, 0)
	}
}
