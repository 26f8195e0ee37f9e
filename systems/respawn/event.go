package respawn

import (
	"fmt"
	"slices"

	"muster/components/defs"
	"muster/sched"
)

// eventPoints are the spawn points of the map that game events change.
type eventPoints struct {
	of     [][]uint32        // points by event, ascending
	on     []bool            // by event
	absent map[uint32]bool   // points that have no creature now
	eras   map[uint32]uint32 // by point: how often it has become absent
}

// checkEvents panics if a game event changes a spawn point that is not there or of a pool, and notes which are absent while no event is
// on.
func (s *Respawn) checkEvents() {
	p := &s.events
	n := len(s.defs.Get().GameEvents)
	p.of, p.on, p.absent, p.eras = make([][]uint32, n), make([]bool, n), make(map[uint32]bool), make(map[uint32]uint32)
	for i, it := range s.place.Get().EventSpawns {
		if it.Point >= uint32(len(s.place.Get().Spawns)) || s.pools.ofPoint[it.Point] != 0 || it.Event >= uint32(n) {
			panic(fmt.Sprintf("respawn: event spawn %d of map %d %q is not valid: %+v", i, s.place.Get().ID, s.place.Get().Name, it))
		}
		p.of[it.Event] = append(p.of[it.Event], it.Point)
		p.absent[it.Point], p.eras[it.Point] = !s.wanted(it.Point), 0
	}
}

// wanted reports whether a spawn point with events is to have a creature.
//
// Source: GameEventMgr::GameEventSpawn and GameEventMgr::GameEventUnspawn, AzerothCore.
func (s *Respawn) wanted(point uint32) bool {
	all := s.place.Get().EventSpawns
	first, _ := slices.BinarySearchFunc(all, point, func(it defs.EventSpawn, point uint32) int { return int(it.Point) - int(point) })
	brought, brings := false, false
	for _, it := range all[first:] {
		switch {
		case it.Point != point:
			return brought || !brings
		case it.Away && s.events.on[it.Event]:
			return false
		case !it.Away:
			brings = true
			brought = brought || s.events.on[it.Event]
		}
	}
	return brought || !brings
}

// followEvents spawns and despawns the creatures of events that have begun or ended. A creature whose GUID was in use in the tick before
// waits for the next.
func (s *Respawn) followEvents(t sched.Tick) {
	changed := s.eventChanges.All()
	for _, c := range changed {
		s.events.on[c.Event] = c.On
	}
	for _, c := range changed {
		for _, point := range s.events.of[c.Event] {
			switch absent := !s.wanted(point); {
			case absent == s.events.absent[point]:
			case absent:
				s.events.absent[point] = true
				s.withdraw(point)
			default:
				s.events.absent[point] = false
				s.timers.Add(t.N, s.due(point))
			}
		}
	}
}

// withdraw despawns the creature of a point, alive or dead. Timers of the point are of another era from now on.
func (s *Respawn) withdraw(point uint32) {
	s.events.eras[point]++
	s.remove(s.creature(point))
	if list := s.points.dormant.At(s.cell(point).Tile()); len(list) > 0 {
		at := s.points.dormant.Of(s.cell(point).Tile())
		*at = slices.DeleteFunc(*at, func(it dormant) bool { return it.point == point })
	}
}
