package content

import (
	"math"

	"muster/components/defs"
)

// A spawnRow is a row of creature.
type spawnRow struct {
	GUID     int64   `column:"guid" key:""`
	Entry    int64   `column:"id1 id"`
	Second   int64   `column:"id2" or:"0"`
	Map      int64   `column:"map"`
	Masks    int64   `column:"spawnmask" or:"1"` // a bit for each difficulty
	Phases   int64   `column:"phasemask" or:"1"`
	X        float64 `column:"position_x"`
	Y        float64 `column:"position_y"`
	Z        float64 `column:"position_z" or:"0"`
	O        float64 `column:"orientation" or:"0"`
	Respawn  float64 `column:"spawntimesecs spawntimesecsmin" or:"120"`
	Wander   float64 `column:"wander_distance spawndist" or:"0"`
	Movement int64   `column:"movementtype" or:"0"`
	Equipped int64   `column:"equipment_id" or:"0"`
}

// How a creature moves while nothing happens.
//
// Source: MovementGeneratorType, MotionMaster.h, AzerothCore.
const (
	moveIdle     = 0
	moveRandom   = 1
	moveWaypoint = 2
)

// normal is the bit of the normal difficulty, and of the phase that all are in at first.
const normal = 1

// maxWander is the widest circle that a creature wanders in, yards.
const maxWander = 500

// An entryRow is a row of creature_spawn_entry: one of the entries that a spawn point of CMaNGOS may have.
type entryRow struct {
	GUID  int64 `column:"guid" key:""`
	Entry int64 `column:"entry" key:""`
}

// readSpawns reads the spawn points, the paths that their creatures walk, and what they belong to.
func (l *loader) readSpawns() error {
	events, err := l.readEvents()
	if err != nil {
		return err
	}
	pools, err := l.readPools()
	if err != nil {
		return err
	}
	pooled := make(map[int64]bool) // that events do not change
	for guid := range events.rows {
		_, pooled[guid] = pools.creatures.of[guid]
	}
	entries := make(map[int64]int64)
	if err := read(l, "creature_spawn_entry", func(r *entryRow) string {
		if _, twice := entries[r.GUID]; twice {
			return "a spawn point has one entry here, the smallest"
		}
		entries[r.GUID] = r.Entry
		return ""
	}); err != nil {
		return err
	}
	n, err := l.readNodes()
	if err != nil {
		return err
	}
	if err := l.readEquipment(&n.looks); err != nil {
		return err
	}
	for entry, c := range l.templates { // what is summoned has the first
		c.Look = n.looks.of(-1, entry, l.equipped[entry], anyEquipment)
	}
	points := make(map[int64]spawned)
	var part map[string]int64
	if l.src.Has("creature") {
		part = l.of("creature").Part
	}
	err = read(l, "creature", func(r *spawnRow) string {
		if r.Entry == 0 {
			r.Entry = entries[r.GUID]
		}
		x, y, z, o, ok := position(r.X, r.Y, r.Z, r.O)
		switch {
		case l.templates[r.Entry] == nil:
			return noTemplate
		case r.Masks&normal == 0:
			return "its spawn mask is without the normal difficulty"
		case r.Phases&normal == 0:
			return "its phase mask is without phase 1"
		case !ok || r.Map < 0 || r.Map > math.MaxUint16:
			return offMap
		}
		if refused := events.refuse(events.rows[r.GUID], pooled[r.GUID]); refused != "" {
			return refused
		}
		if refused := pools.refuse(&pools.creatures, events, r.GUID, uint32(r.Map)); refused != "" {
			return refused
		}
		if r.Second != 0 {
			part["a spawn point has one entry here, the first"]++
		}
		on := l.place(uint32(r.Map))
		s := defs.Spawn{Entry: uint32(r.Entry), X: x, Y: y, Z: z, O: o, Path: -1, RespawnMs: respawnMs(r.Respawn)}
		switch r.Movement {
		case moveRandom:
			room := halfYards - max(math.Abs(r.X), math.Abs(r.Y)) // to the edge of the map
			s.Wander = float32(min(amount(r.Wander), maxWander, room))
		case moveWaypoint:
			if key, ok := n.find(r.GUID, r.Entry, l.src.Family); ok {
				s.Path = n.walk(key, on)
			}
			if s.Path < 0 {
				part["it stands: its path is not there, or has one point"]++
			}
		}
		s.Look = on.wear(n.looks.of(r.GUID, r.Entry, l.equipped[r.Entry], r.Equipped), l.templates[r.Entry].Look)
		on.stand(x, y, z)
		points[r.GUID] = spawned{on, len(on.Spawns)}
		pools.creatures.join(r.GUID, len(on.Spawns))
		on.Spawns = append(on.Spawns, s)
		return ""
	})
	if err != nil {
		return err
	}
	l.points = points
	l.nodes = n
	pools.placeCreatures(l)
	events.finish(l, points, func(guid int64) bool { return pooled[guid] })
	if err := l.readEventLooks(points, &n.looks); err != nil {
		return err
	}
	return l.readFormations(points)
}

// respawnMs is a time of seconds; 0 is that of a database without one.
func respawnMs(seconds float64) uint32 {
	if !(seconds > 0) {
		return 0
	}
	return uint32(min(seconds*1000, math.MaxUint32-1))
}
