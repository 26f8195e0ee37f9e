package loot

import (
	"slices"

	"muster/components"
	"muster/components/change"
	"muster/ecs"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

// Claims returns the system that tells players which living creatures are theirs: when they have become so, when they
// no longer are but are somebody else's, and when they come into view. Others are told that such a creature is taken,
// and no more. It comes last before fanout, since creatures are given up until then.
func Claims(w *ecs.World) sched.System {
	s := &claims{
		world:   w,
		log:     ecs.Shared[change.Log](w),
		space:   ecs.Shared[space.Space](w),
		book:    rules.New(w),
		tapped:  ecs.QueueOf[rules.Tapped](w),
		looting: ecs.NewColumn[components.Looting](w),
		eyes:    newEyes(w),
	}
	s.collect = func(creature ecs.Entity, _ float32) { s.haters = append(s.haters, creature) }
	return sched.System{
		Name: "claims", Stage: sched.Send,
		Reads: append(rules.Reads(),
			ecs.Of4[components.Home, components.Sight, components.Looting, space.Space]()...),
		Writes: rules.Writes(),
		Self:   s,
		Run:    s.run,
	}
}

type claims struct {
	world   *ecs.World
	log     *change.Log
	space   *space.Space
	book    *rules.Book
	tapped  *ecs.Queue[rules.Tapped]
	looting ecs.Column[components.Looting]
	eyes    eyes

	haters  []ecs.Entity              `image:"-"` // of a player, within one look at them
	collect func(ecs.Entity, float32) // bound once
}

func (s *claims) run(t sched.Tick) {
	for _, it := range s.tapped.All() {
		if s.world.Alive(it.Player) && s.world.Alive(it.Entity) && s.eyes.bouts.Get(it.Entity).Tap != 0 {
			s.tell(t, it.Player, it.Entity)
		}
	}
	for _, e := range s.log.Rehomed {
		switch {
		case !s.world.Alive(e):
		case s.looting.Has(e):
			s.showNew(t, e, slices.Contains(s.log.Resets, e))
		case s.eyes.bouts.Has(e) && s.eyes.bouts.Get(e).Tap != 0:
			player := s.space.Find(uint64(s.eyes.bouts.Get(e).Tap))
			if s.world.Alive(player) && !s.eyes.view(t, player, true).Has(s.eyes.homes.Get(e).Before(uint32(t.N))) {
				s.tell(t, player, e)
			}
		}
	}
	for _, e := range s.log.Resets {
		if s.world.Alive(e) && !slices.Contains(s.log.Rehomed, e) {
			s.showNew(t, e, true)
		}
	}
}

// showNew tells a player of the creatures that are its own and have come into its view, or of all that are in it.
func (s *claims) showNew(t sched.Tick, e ecs.Entity, all bool) {
	s.haters = s.haters[:0]
	s.book.Haters(e, s.collect)
	if len(s.haters) == 0 {
		return
	}
	before := s.eyes.view(t, e, true)
	for _, creature := range s.haters {
		if s.eyes.tapped(creature, e) && (all || !before.Has(s.eyes.homes.Get(creature).Cell)) {
			s.tell(t, e, creature)
		}
	}
}

// tell tells a player how a living creature looks to it.
func (s *claims) tell(t sched.Tick, player, e ecs.Entity) {
	if s.eyes.vitals.Get(e).Health > 0 {
		s.eyes.tell(t, player, e, 0)
	}
}
