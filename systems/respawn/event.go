package respawn

import (
	"fmt"
	"slices"

	"muster/sched"
)

// checkEvents panics if a game event changes a spawn point that is not there or of a pool, and notes which are absent while no event is
// on.
func (s *Respawn) checkEvents() {
	n := len(s.defs.Get().GameEvents)
	for i, it := range s.place.Get().EventSpawns {
		if it.Point >= uint32(len(s.place.Get().Spawns)) || s.pools.ofPoint[it.Point] != 0 || it.Event >= uint32(n) {
			panic(fmt.Sprintf("respawn: event spawn %d of map %d %q is not valid: %+v", i, s.place.Get().ID, s.place.Get().Name, it))
		}
	}
	s.eras = make(map[uint32]uint32)
	s.events.Begin(s.place.Get().EventSpawns, n)
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
}

// withdraw despawns the creature of a point, alive or dead. Timers of the point are of another era from now on.
func (s *Respawn) withdraw(point uint32) {
	s.eras[point]++
	s.remove(s.creature(point))
	if list := s.points.dormant.At(s.cell(point).Tile()); len(list) > 0 {
		at := s.points.dormant.Of(s.cell(point).Tile())
		*at = slices.DeleteFunc(*at, func(it dormant) bool { return it.point == point })
	}
}
