package respawn

import (
	"fmt"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/sched"
)

// check panics if a spawn point has an unknown template, path or leader, or a path has no nodes.
func (s *Respawn) check() {
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
	s.links.Begin("respawn", s.place.Get())
	s.pools.Begin("respawn", s.place.Get(), s.place.Get().Pools, len(s.place.Get().Spawns))
	s.checkEvents()
}

// begin makes every point dormant, except those that a pool leaves out or an event is to bring.
func (s *Respawn) begin(t sched.Tick) {
	for i := range s.place.Get().Spawns {
		if !s.pools.Pooled(uint32(i)) && !s.events.Absent(uint32(i)) {
			s.offer(uint32(i))
		}
	}
	for i := range s.place.Get().Pools {
		if !s.pools.Nested(uint32(i)) && !s.eventPools.Absent(uint32(i)) {
			s.pools.Fill(t, s.place.Get().Pools, uint32(i), s.offer)
		}
	}
}

// offer gives a point a creature: at once if its cell is awake, else when it wakes.
func (s *Respawn) offer(point uint32) {
	cell := s.cell(point)
	if s.space.Get().Awake(cell) {
		s.spawn(point)
		return
	}
	s.dormant.Add(point, cell)
}

// spawn spawns the creature of a point. Its level is rolled once: the same creature respawns.
func (s *Respawn) spawn(point uint32) {
	at := &s.place.Get().Spawns[point]
	template := s.defs.Get().Creature(at.Entry)
	dice := sched.Tick{Seed: s.tick.Seed}.Dice("respawn", uint64(point))
	s.births.Emit(birth{
		look:  *s.place.Get().LookOf(template, point+1),
		entry: at.Entry, counter: FirstCounter + point, level: level(template, &dice), faction: template.Faction,
		info: components.SpawnInfo{
			At: components.Position{X: at.X, Y: at.Y, Z: at.Z, O: at.O}, Wander: at.Wander, Path: at.Path, Point: point + 1,
		},
	})
}

// cell is the cell of a point's creature.
func (s *Respawn) cell(point uint32) grid.Cell {
	at := &s.place.Get().Spawns[point]
	return grid.At(at.X, at.Y, layerOf(s.defs.Get().Creature(at.Entry)))
}

// creature is the creature of a point, zero or gone if it has none.
func (s *Respawn) creature(point uint32) ecs.Entity {
	return s.space.Get().Find(components.CreatureGUID(s.place.Get().Spawns[point].Entry, FirstCounter+point))
}

// refill respawns the creature of a point that is due, or lets its pool choose another point. While the old creature
// still exists it waits: no client may see two entities of one GUID.
func (s *Respawn) refill(t sched.Tick, due timer) {
	point := due.point - 1
	if s.absent(point) || due.era != s.eras[point] {
		return
	}
	if old := s.creature(point); s.entities.Exists(old) {
		if s.vitals.Get(old).Health > 0 && s.vitalsStates.Get(old).Gone == 0 {
			return // it has been respawned earlier on request
		}
		s.remove(old)
		s.timers.Add(t.N+1, due)
		return
	}
	if s.links.Hold(defs.SpawnPoint(point), due.era) {
		return
	}
	s.note(point, false)
	if s.pools.Pooled(point) {
		s.pools.Leave(t, s.place.Get().Pools, point, s.offer)
		return
	}
	if !s.offered(point) {
		s.refilled = append(s.refilled, point)
		s.offer(point)
	}
}

// offered reports whether a point is dormant, or gets its creature in this tick: it had two timers.
func (s *Respawn) offered(point uint32) bool {
	return slices.Contains(s.refilled, point) || s.dormant.Has(point, s.cell(point))
}

// respawnMs is the time from a death to the respawn, milliseconds.
func (s *Respawn) respawnMs(point uint32) uint32 {
	if ms := s.place.Get().Spawns[point].RespawnMs; ms != 0 {
		return ms
	}
	return defs.DefaultRespawnMs
}
