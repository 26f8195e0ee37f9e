package respawn

import (
	"fmt"
	"slices"

	"muster/components/defs"
	"muster/sched"
	"muster/systems/rules"
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
	n := len(s.defs.Get().GameEvents)
	for i, it := range s.place.Get().EventSpawns {
		if it.Point >= uint32(len(s.place.Get().Spawns)) || s.pools.ofPoint[it.Point] != 0 || it.Event >= uint32(n) {
			panic(fmt.Sprintf("respawn: event spawn %d of map %d %q is not valid: %+v", i, s.place.Get().ID, s.place.Get().Name, it))
		}
	}
	s.events.eras = make(map[uint32]uint32)
	s.noteEvents(make([]bool, n))
}

// noteEvents notes which points events change, and which of those are absent while some events are on.
func (s *Respawn) noteEvents(on []bool) {
	p := &s.events
	p.of, p.on, p.absent = make([][]uint32, len(on)), on, make(map[uint32]bool)
	for _, it := range s.place.Get().EventSpawns {
		p.of[it.Event] = append(p.of[it.Event], it.Point)
		p.absent[it.Point] = !s.wanted(it.Point)
	}
}

// replaceEvents spawns and despawns what is there or missing by events that were replaced, of which none is on yet.
func (s *Respawn) replaceEvents(t sched.Tick, on []rules.GameEventChanged) {
	was, now := s.events.absent, make([]bool, len(s.defs.Get().GameEvents))
	for _, c := range on {
		now[c.Event] = c.On
	}
	s.noteEvents(now)
	for point := range s.place.Get().Spawns {
		if point := uint32(point); was[point] != s.events.absent[point] {
			s.turn(t, point)
		}
	}
}

// turn spawns the creature of a point that is not absent any more, or despawns that of one that is now.
func (s *Respawn) turn(t sched.Tick, point uint32) {
	if s.events.absent[point] {
		s.withdraw(point)
	} else {
		s.timers.Add(t.N, s.due(point))
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
	if i := slices.IndexFunc(changed, func(c rules.GameEventChanged) bool { return c.Replaced }); i >= 0 {
		s.replaceEvents(t, changed[i+1:])
		return
	}
	for _, c := range changed {
		s.events.on[c.Event] = c.On
	}
	for _, c := range changed {
		for _, point := range s.events.of[c.Event] {
			if absent := !s.wanted(point); absent != s.events.absent[point] {
				s.events.absent[point] = absent
				s.turn(t, point)
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
