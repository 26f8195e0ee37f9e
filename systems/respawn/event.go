package respawn

import (
	"fmt"

	"muster/sched"
)

// checkEvents panics if a game event changes a spawn point that is not there or of a pool, or a pool that is not there or lies in another, and
// notes which are absent while no event is on.
func (s *Respawn) checkEvents() {
	n := len(s.defs.Get().GameEvents)
	for i, it := range s.place.Get().EventSpawns {
		if it.Point >= uint32(len(s.place.Get().Spawns)) || s.pools.Pooled(it.Point) || it.Event >= uint32(n) {
			panic(fmt.Sprintf("respawn: event spawn %d of map %d %q is not valid: %+v", i, s.place.Get().ID, s.place.Get().Name, it))
		}
	}
	for i, it := range s.place.Get().EventPools {
		if it.Point >= uint32(len(s.place.Get().Pools)) || s.pools.Nested(it.Point) || it.Event >= uint32(n) {
			panic(fmt.Sprintf("respawn: event pool %d of map %d %q is not valid: %+v", i, s.place.Get().ID, s.place.Get().Name, it))
		}
	}
	s.eras = make(map[uint32]uint32)
	s.events.Begin(s.place.Get().EventSpawns, n)
	s.eventPools.Begin(s.place.Get().EventPools, n)
}

// followEvents spawns and despawns the creatures of events that have begun or ended. A creature whose GUID was in use in the tick before
// waits for the next.
func (s *Respawn) followEvents(t sched.Tick) {
	for _, point := range s.events.Follow(s.place.Get().EventSpawns, len(s.defs.Get().GameEvents), s.eventChanges.All()) {
		if s.events.Absent(point) {
			s.withdraw(point)
		} else {
			s.timers.Add(t.N, s.due(point))
		}
	}
	for _, pool := range s.eventPools.Follow(s.place.Get().EventPools, len(s.defs.Get().GameEvents), s.eventChanges.All()) {
		if s.eventPools.Absent(pool) {
			s.pools.Drain(s.place.Get().Pools, pool, s.withdraw)
		} else {
			s.pools.Fill(t, s.place.Get().Pools, pool, func(point uint32) {
				s.note(point, false)
				s.offer(point)
			})
		}
	}
}

// absent reports whether events keep the creature of a point away: themselves, or its pool.
func (s *Respawn) absent(point uint32) bool {
	if s.events.Absent(point) {
		return true
	}
	pool, ok := s.pools.Outermost(point)
	return ok && s.eventPools.Absent(pool)
}

// withdraw despawns the creature of a point, alive or dead. Timers of the point are of another era from now on.
func (s *Respawn) withdraw(point uint32) {
	s.eras[point]++
	s.remove(s.creature(point))
	s.dormant.Remove(point, s.cell(point))
}
