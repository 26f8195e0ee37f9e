package respawn

import (
	"fmt"
	"slices"
	"time"

	"muster/ecs"
	"muster/sched"
)

// links are the spawn points whose creatures respawn only while those of other points live.
type links struct {
	dead  map[uint32]bool // by each point that another is linked to: its creature has died, and has not respawned
	waits []timer         // the respawns that are due and wait for them
}

// How long a respawn comes after that for which it has waited, seconds.
//
// Source: Creature::Update, AzerothCore (urand(5, MINUTE)).
const leastLinkSec, mostLinkSec = 5, 60

// checkLinks panics if a spawn point is linked to one that is not there, and notes which are linked to.
func (s *Respawn) checkLinks() {
	s.links = links{dead: make(map[uint32]bool)}
	spawns := s.place.Get().Spawns
	for i := range spawns {
		switch to := spawns[i].Linked; {
		case to > uint32(len(spawns)):
			panic(fmt.Sprintf("respawn: spawn point %d of map %d %q is linked to %d, which is not there", i, s.place.Get().ID, s.place.Get().Name, to-1))
		case to != 0:
			s.links.dead[to-1] = false
		}
	}
}

// noteDeath notes the death of a creature that others are linked to.
func (s *Respawn) noteDeath(e ecs.Entity) {
	if !s.entities.Exists(e) || !s.spawnInfos.Has(e) {
		return
	}
	if point := s.spawnInfos.Get(e).Point; point != 0 {
		if _, ok := s.links.dead[point-1]; ok {
			s.links.dead[point-1] = true
		}
	}
}

// noteLife notes that a point has a creature again: what has waited for it respawns a little later.
func (s *Respawn) noteLife(t sched.Tick, point uint32) {
	if !s.links.dead[point] {
		return
	}
	s.links.dead[point] = false
	s.links.waits = slices.DeleteFunc(s.links.waits, func(due timer) bool {
		if s.place.Get().Spawns[due.point-1].Linked != point+1 {
			return false
		}
		dice := t.Dice("respawn.link", uint64(due.point))
		seconds := leastLinkSec + dice.Intn(mostLinkSec-leastLinkSec+1)
		s.timers.Add(t.After(time.Duration(seconds)*time.Second), due)
		return true
	})
}

// waits reports whether a respawn that is due has to wait for the creature of another point.
func (s *Respawn) waits(due timer) bool {
	to := s.place.Get().Spawns[due.point-1].Linked
	switch {
	case to == 0 || !s.links.dead[to-1]:
		return false
	case to != due.point: // else it never comes back
		s.links.waits = append(s.links.waits, due)
	}
	return true
}
