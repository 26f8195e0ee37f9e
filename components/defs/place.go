package defs

// A Map is a square of land and what lives on it.
type Map struct {
	ID     uint32
	Name   string
	Half   float32 // coordinates lie in ±Half yards, at most 17,066
	Zones  []Zone  // the first that contains a point is the point's zone
	Paths  []Path
	Spawns []Spawn
	Pools  []Pool
	Ground Ground // nil is flat, at height 0

	Instanced bool // each instance of it is a world of its own, made when a player is to enter it
	Exit      Hub  // of an instanced map: where players are put that are in no instance of it, on a map that is not

	Objects     []ObjectSpawn
	Looks       []Look       // of spawn points
	EventSpawns []EventSpawn // by ascending Point, then Event

	EventObjects []EventSpawn `json:",omitempty"` // of game objects, in the same order
	EventLooks   []EventLook  `json:",omitempty"` // by ascending Point, then Event
	EventPools   []EventSpawn `json:",omitempty"` // of pools that lie in no others, in the same order

	ObjectPools []Pool        `json:",omitempty"` // whose members are in Objects and ObjectPools
	Links       []RespawnLink `json:",omitempty"` // by ascending Of, at most one of each
}

// Ground is the shape of the land.
type Ground interface {
	// Height is the z of the ground at a point, finite wherever the point is finite, even off the map. It is
	// a pure function and safe for concurrent use.
	Height(x, y float32) float32
}

// Height is the z of the ground at a point.
func (m *Map) Height(x, y float32) float32 {
	if m.Ground == nil {
		return 0
	}
	return m.Ground.Height(x, y)
}

// Zone is the ID of the zone at a point, 0 if it lies in none. It looks at each zone.
func (m *Map) Zone(x, y float32) uint32 {
	for i := range m.Zones {
		if m.Zones[i].Contains(x, y) {
			return m.Zones[i].ID
		}
	}
	return 0
}

// A Zone is a named rectangle of a map.
type Zone struct {
	ID                     uint32 // not 0, once in a World
	Name                   string
	MinX, MinY, MaxX, MaxY float32
}

// Contains reports whether a point lies in the zone. The lower edges belong to it, the upper ones do not.
func (z *Zone) Contains(x, y float32) bool {
	return z.MinX <= x && x < z.MaxX && z.MinY <= y && y < z.MaxY
}

// A Spawn is the spawn point of one creature. It stands there, or wanders around it if Wander is not 0, or walks a
// path whose first node it is.
type Spawn struct {
	Entry      uint32 // of its template
	X, Y, Z, O float32
	Wander     float32 // radius in yards; 0 stands
	Path       int32   // index into Map.Paths, -1 none

	Look      uint32 // one more than an index into Map.Looks; 0: it has that of its template
	RespawnMs uint32 // from its creature's death to the next one; 0 is DefaultRespawnMs

	Leader      uint32  // one more than the index of the spawn point of its leader; 0 none
	BesideYards float32 // how far from the leader it walks,
	BesideAngle float32 // and in which direction, radians from where the leader faces

	Script uint32 // one more than the index of its creature's script among World.Scripts, instead of the template's; 0 that
}

// LookOf is how the creature of a spawn point is spawned; point is one more than its index, 0 for a creature without one.
func (m *Map) LookOf(template *Creature, point uint32) *Look {
	if point != 0 && m.Spawns[point-1].Look != 0 {
		return &m.Looks[m.Spawns[point-1].Look-1]
	}
	return &template.Look
}

// DefaultRespawnMs is how long after a death the next creature comes.
//
// Source: spawntimesecs, creature table, AzerothCore.
const DefaultRespawnMs = 300_000

// A Pool is spawn points and other pools, all of creatures or all of game objects, of which only some are in use at a time. When one of them has lost
// what it has, and its time has come, the pool picks anew. A pool within a pool comes back as a whole. A spawn
// point or pool belongs to one pool at most.
//
// Source: PoolMgr, AzerothCore.
type Pool struct {
	Limit   uint32 // how many members are in use at a time; not 0
	Members []PoolMember
}

// MaxPoolDepth is how deep pools lie within pools.
const MaxPoolDepth = 8

// A PoolMember is a spawn point or, if Nested, a pool.
type PoolMember struct {
	Index  uint32  // into Map.Spawns or Map.Pools
	Nested bool    // it is a pool
	Chance float32 // percent; what has none shares what the others leave
}

// A RespawnLink keeps a creature or a game object from respawning while another one is gone, and for good if that is itself.
//
// Source: linked_respawn, ObjectMgr::LoadLinkedRespawn, AzerothCore.
type RespawnLink struct{ Of, To SpawnPoint }

// A SpawnPoint is the index of one in Map.Spawns, or one that ObjectPoint makes.
type SpawnPoint uint32

// objectPoint is the bit of the spawn points of game objects.
const objectPoint SpawnPoint = 1 << 31

// ObjectPoint is the spawn point with an index in Map.Objects.
func ObjectPoint(index uint32) SpawnPoint { return objectPoint | SpawnPoint(index) }

// Object is the index in Map.Objects of a spawn point of a game object; ok is false for one of a creature.
func (p SpawnPoint) Object() (index uint32, ok bool) {
	return uint32(p &^ objectPoint), p&objectPoint != 0
}

// Has reports whether a map has a spawn point.
func (m *Map) Has(p SpawnPoint) bool {
	if i, ok := p.Object(); ok {
		return i < uint32(len(m.Objects))
	}
	return p < SpawnPoint(len(m.Spawns))
}

// A Path is walked from node to node, and from the last to the first again: there and back is a path that
// lists its inner nodes twice. Neighbours, the last and the first among them, are at different points.
type Path struct {
	Nodes []Node // at least 2
}

// A Node is a corner of a path.
type Node struct {
	X, Y, Z float32
	PauseMs uint32 // how long to stay; 0 walks on
	Runs    bool   // to it

	Script uint32 `json:",omitempty"` // one more than the index among World.NodeScripts of what happens when it is reached; 0 nothing
	Chance uint8  `json:",omitempty"` // percent, that it does
}

// A NodeScript is what happens when a creature reaches a node of its path: rows without events, each When[0] milliseconds after that.
//
// Source: waypoint_scripts and WaypointMovementGenerator::OnArrived, AzerothCore.
type NodeScript struct {
	Rows []ScriptRow // by ascending When[0]; at most MaxScriptRows
}
