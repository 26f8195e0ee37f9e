package respawn

import (
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// maxSummons is the most summoned creatures of a map at a time, our own choice. Their GUIDs have the last counters,
// in turn: each is reused only after all others.
const maxSummons = 1 << 12

// firstSummon is the counter of the first summoned creature.
const firstSummon = FirstCounter + MaxCreatures - maxSummons

// summoned has the summoned creatures.
type summoned struct {
	next uint32 // the next counter to try
	here [maxSummons]ecs.Entity
}

// summon makes a creature without a spawn point, in the faction and the service of its summoner.
func (s *System) summon(t sched.Tick, m *rules.Summon) {
	template := s.defs.Get().Creature(m.Entry)
	if template == nil || !m.At.OnMap() {
		s.badSummon.Count()
		return
	}
	counter, ok := s.counter()
	if !ok {
		s.crowded.Count()
		if m.Command != 0 {
			s.results.Emit(rules.Summoned{Command: m.Command})
		}
		return
	}
	dice := t.Dice("respawn.summon", uint64(counter))
	e := s.creatures.Spawn()
	s.make(t, e, template, firstSummon+counter, m.At, &dice)
	s.summoned.here[counter] = e
	if m.Command != 0 {
		s.results.Emit(rules.Summoned{Command: m.Command, GUID: s.objects.Get(e).GUID})
	}
	if s.entities.Alive(m.By) {
		s.made.units.Get(e).Faction = s.units.Get(m.By).Faction
		s.made.spawnInfos.Get(e).Owner = m.By
	}
	if m.ForMs > 0 {
		s.after(t, m.ForMs, timer{entity: e})
	}
}

// counter is the number of the next summoned creature. Used ones are skipped: some creatures never despawn.
func (s *System) counter() (n uint32, ok bool) {
	g := &s.summoned
	for range maxSummons {
		n = g.next
		g.next = (g.next + 1) % maxSummons
		if !s.entities.Alive(g.here[n]) {
			return n, true
		}
	}
	return 0, false
}
