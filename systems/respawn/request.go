package respawn

import "muster/sched"

// executeRequests executes requests of other systems: despawns, and respawns at once.
func (s *Respawn) executeRequests(t sched.Tick) {
	for _, d := range s.despawnRequests.Take() {
		if !s.entities.Exists(d.Entity) || !s.spawnInfos.Has(d.Entity) {
			continue
		}
		if point := s.spawnInfos.Get(d.Entity).Point; point != 0 && s.vitals.Get(d.Entity).Health > 0 {
			s.after(t, s.respawnMs(point-1), s.due(point-1))
		}
		s.remove(d.Entity)
	}
	if len(s.respawnRequests.Take()) > 0 {
		s.refillAll(t)
	}
}

// refillAll respawns dead creatures at once at the spawn points of awake cells, except those of pools, which choose
// for themselves. A point whose event is not on gets none (refill). Timers that are due later find them alive.
func (s *Respawn) refillAll(t sched.Tick) {
	for i := range s.place.Get().Spawns {
		old := s.creature(uint32(i))
		there := s.entities.Exists(old)
		switch {
		case s.tick.N == 0 || s.pools.Pooled(uint32(i)) || !s.space.Get().Awake(s.cell(uint32(i))):
		case there && s.vitals.Get(old).Health > 0:
		default:
			s.remove(old)
			s.timers.Add(t.N+1, s.due(uint32(i)))
		}
	}
}
