package respawn

import (
	"muster/ecs/grid"
	"muster/sched"
)

// grant does what others have asked for: takes creatures out of the world, and brings others back at once.
func (s *System) grant(t sched.Tick) {
	for _, d := range s.despawnRequests.Take() {
		if !s.entities.Alive(d.Entity) || !s.spawnInfos.Has(d.Entity) {
			continue
		}
		if point := s.spawnInfos.Get(d.Entity).Point; point != 0 && s.vitals.Get(d.Entity).Health > 0 {
			s.after(t, s.respawnMs(point-1), timer{point: point})
		}
		s.remove(d.Entity)
	}
	if len(s.respawnRequests.Take()) > 0 {
		s.refillAll(t)
	}
}

// refillAll brings back at once what has died at the spawn points whose cells are awake, but for those of pools, which
// choose for themselves. What is due later finds them at home.
func (s *System) refillAll(t sched.Tick) {
	for i, old := range s.points.born {
		at := &s.place.Get().Spawns[i]
		there := s.entities.Alive(old)
		switch {
		case s.tick.N == 0 || s.pools.ofPoint[uint32(i)] != 0 || !s.space.Get().Awake(grid.At(at.X, at.Y, layerOf(s.defs.Get().Creature(at.Entry)))):
		case there && s.vitals.Get(old).Health > 0, !there && old.ID() == 0: // lives, or has never been
		default:
			s.remove(old)
			s.timers.Add(t.N+1, timer{point: uint32(i) + 1})
		}
	}
}
