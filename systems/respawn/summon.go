package respawn

import (
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// maxSummons is how many summoned creatures a map has at a time, our own choice. Their GUIDs have the last
// counters, in turn: one comes again only after so many others.
const maxSummons = 1 << 12

// firstSummon is the counter of the first summoned creature.
const firstSummon = FirstCounter + MaxCreatures - maxSummons

// guests are the creatures that were summoned.
type guests struct {
	next uint32 // whose turn it is
	here [maxSummons]ecs.Entity
}

// summon makes a creature at no spawn point, on the side of who asks for it, and in their service.
func (s *System) summon(t sched.Tick, m *rules.Summon) {
	template := s.defs.Get().Creature(m.Entry)
	if template == nil || !m.At.OnMap() {
		s.badSummon.Count()
		return
	}
	seat, ok := s.seat()
	if !ok {
		s.crowded.Count()
		return
	}
	dice := t.Dice("respawn.summon", uint64(seat))
	e := s.creatures.Spawn()
	s.make(t, e, template, firstSummon+seat, m.At, &dice)
	s.guests.here[seat] = e
	if s.entities.Alive(m.By) {
		s.units.Get(e).Faction = s.units.Get(m.By).Faction
		s.spawnInfos.Get(e).Owner = m.By
	}
	if m.ForMs > 0 {
		s.after(t, m.ForMs, timer{entity: e})
	}
}

// seat is the number of the next summoned creature. Those that are taken are passed over: some never go.
func (s *System) seat() (n uint32, ok bool) {
	g := &s.guests
	for range maxSummons {
		n = g.next
		g.next = (g.next + 1) % maxSummons
		if !s.entities.Alive(g.here[n]) {
			return n, true
		}
	}
	return 0, false
}
