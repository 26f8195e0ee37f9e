package respawn

import (
	"fmt"

	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/sched"
)

// points are the spawn points of the map, by number.
type points struct {
	born    []ecs.Entity // their creatures; zero for a point without one
	dormant grid.Table[[]dormant]
	waking  []uint32 // points of a patch that comes into view
	next    []uint32 // one more than the next point with the same leader
	first   []uint32 // of a leader's followers; nil if no leader has any
}

// A dormant point gets a creature as soon as its cell wakes.
type dormant struct {
	point uint32
	cell  grid.Cell
}

// check panics if a spawn point has an unknown template, path or leader, or a path has no nodes.
func (s *System) check() {
	bad := func(i int, what string, n any) {
		panic(fmt.Sprintf("respawn: spawn point %d of map %d %q: no %s has %v", i, s.place.Get().ID, s.place.Get().Name, what, n))
	}
	if n := len(s.place.Get().Spawns); n > MaxCreatures-maxSummons {
		panic(fmt.Sprintf("respawn: map %d %q: %d spawn points are more than %d", s.place.Get().ID, s.place.Get().Name, n, MaxCreatures-maxSummons))
	}
	for i := range s.place.Get().Spawns {
		switch at := &s.place.Get().Spawns[i]; {
		case s.defs.Get().Creature(at.Entry) == nil:
			bad(i, "creature", fmt.Sprintf("entry %d", at.Entry))
		case at.Path >= int32(len(s.place.Get().Paths)):
			bad(i, "path", fmt.Sprintf("number %d", at.Path))
		case at.Leader > uint32(len(s.place.Get().Spawns)) || at.Leader > 0 && s.place.Get().Spawns[at.Leader-1].Leader != 0:
			bad(i, "leader", fmt.Sprintf("number %d", at.Leader-1))
		}
	}
	for i := range s.place.Get().Paths {
		if len(s.place.Get().Paths[i].Nodes) == 0 {
			panic(fmt.Sprintf("respawn: path %d of map %d %q has no nodes", i, s.place.Get().ID, s.place.Get().Name))
		}
	}
	s.checkPools()
}

// begin makes every point dormant, except those that a pool leaves out.
func (s *System) begin(t sched.Tick) {
	spawns := s.place.Get().Spawns
	s.points.born = make([]ecs.Entity, len(spawns))
	s.beginPools()
	for i := range spawns {
		if leader := spawns[i].Leader; leader > 0 {
			if s.points.first == nil {
				s.points.first, s.points.next = make([]uint32, len(spawns)), make([]uint32, len(spawns))
			}
			s.points.next[i] = s.points.first[leader-1]
			s.points.first[leader-1] = uint32(i) + 1
		}
		if s.pools.ofPoint[uint32(i)] == 0 {
			s.offer(uint32(i))
		}
	}
	for i := range s.place.Get().Pools {
		if s.pools.ofPool[i] == 0 {
			s.fill(t, uint32(i))
		}
	}
}

// offer gives a point a creature: at once if its cell is awake, else when it wakes.
func (s *System) offer(point uint32) {
	at := &s.place.Get().Spawns[point]
	cell := grid.At(at.X, at.Y, layerOf(s.defs.Get().Creature(at.Entry)))
	if s.space.Get().Awake(cell) {
		s.settle(s.tick, point, s.creatures.Spawn())
		return
	}
	list := s.points.dormant.Of(cell.Tile())
	*list = append(*list, dormant{point, cell})
}

// wake spawns the creatures of dormant points in cells that have just come into view.
func (s *System) wake(p grid.Patch) {
	if len(s.points.dormant.At(p.Tile)) == 0 {
		return
	}
	at := s.points.dormant.Of(p.Tile)
	list := *at
	kept := list[:0]
	s.points.waking = s.points.waking[:0]
	for _, it := range list {
		if p.Mask&it.cell.Bit() != 0 {
			s.points.waking = append(s.points.waking, it.point)
		} else {
			kept = append(kept, it)
		}
	}
	*at = kept
	s.creatures.SpawnBatch(len(s.points.waking), s.born)
}

// refill respawns the creature of a point that is due, or lets its pool choose another point. While the old creature
// still exists it waits: no client may see two entities of one GUID.
func (s *System) refill(t sched.Tick, point uint32) {
	if old := s.points.born[point]; s.entities.Alive(old) {
		if s.vitals.Get(old).Health > 0 && s.vitalsStates.Get(old).Gone == 0 {
			return // it has been respawned earlier on request
		}
		s.remove(old)
		s.timers.Add(t.N+1, timer{point: point + 1})
		return
	}
	s.points.born[point] = ecs.Entity{}
	if pool := s.pools.ofPoint[point]; pool != 0 {
		s.leave(t, pool-1, defs.PoolMember{Index: point})
		return
	}
	s.offer(point)
}

// respawnMs is the time from a death to the respawn, milliseconds.
func (s *System) respawnMs(point uint32) uint32 {
	if ms := s.place.Get().Spawns[point].RespawnMs; ms != 0 {
		return ms
	}
	return defs.DefaultRespawnMs
}
