// Package inspect is how a world is inspected from outside: a caller asks for what is in a part of its map, and the
// world answers between two ticks by copying it into the caller's buffer. Nothing in a world depends on queries, and
// without one a tick pays one load.
package inspect

import "muster/ecs"

// Bounds on one answer.
const (
	// MaxThings is how many things are listed one by one.
	MaxThings = 4096
	// MaxBlocks is how many blocks they are counted in, where there are more: 64 by 64 of them, of whatever size.
	MaxBlocks = 4096
)

// A Query is a question about a world, and the answer to it. It is reused: the memory of the answer is kept.
type Query struct {
	Box  Box    // the part of the map
	GUID uint64 // entity whose components are listed too; 0 none

	Most  int    // how many creatures are listed in Creatures, at most
	Entry uint32 // whose these are; 0 all
	Near  Circle // where; of radius 0, on the whole map

	Tick                   uint64 // the last that was run
	Players, Awake, Asleep int    // on the whole map; Awake has the players, too

	// Things are all that is in the box, tile by tile, if Grain is 0.
	Things []Thing
	// Grain is the side of a block in cells if there is too much in the box, a power of two. Blocks are then those
	// that touch the box, row by row, Columns to a row. The first has its corner at Left, Bottom.
	Grain        int
	Blocks       []Block
	Columns      int
	Left, Bottom float32

	Creatures []CreatureSeen // as many as Most, those of awake tiles first

	Found bool // there is a GUID
	At    Thing
	Row   ecs.Row
	Auras []AuraSeen // on it
}

// An AuraSeen is what is seen of an aura.
type AuraSeen struct {
	Spell   uint32
	Caster  uint64 // GUID
	Stacks  uint8
	Charges uint8
}

// A Box is a rectangle of a map, in yards. Its edges belong to it.
type Box struct{ MinX, MinY, MaxX, MaxY float32 }

// Has reports whether a point is in the box.
func (b *Box) Has(x, y float32) bool {
	return x >= b.MinX && x <= b.MaxX && y >= b.MinY && y <= b.MaxY
}

// Meets reports whether a square with its corner at a point has a point in common with the box.
func (b *Box) Meets(x, y, side float32) bool {
	return x <= b.MaxX && x+side >= b.MinX && y <= b.MaxY && y+side >= b.MinY
}

// A Circle is a part of a map, in yards.
type Circle struct{ X, Y, Radius float32 }

// Squared is the square of the distance of a point from the middle.
func (c *Circle) Squared(x, y float32) float32 {
	dx, dy := x-c.X, y-c.Y
	return float32(dx*dx) + float32(dy*dy)
}

// Has reports whether a point is in the circle.
func (c *Circle) Has(x, y float32) bool { return c.Squared(x, y) <= float32(c.Radius*c.Radius) }

// Box is the smallest box around the circle.
func (c *Circle) Box() Box {
	return Box{c.X - c.Radius, c.Y - c.Radius, c.X + c.Radius, c.Y + c.Radius}
}

// A CreatureSeen is what is seen of a creature.
type CreatureSeen struct {
	GUID       uint64
	Entry      uint32
	Level      uint32
	X, Y, Z, O float32
	Health     uint32
	MaxHealth  uint32
	State      State
}

// A Thing is what is seen of an entity.
type Thing struct {
	GUID  uint64
	X, Y  float32
	Kind  Kind
	State State
}

// A Kind is what a thing is.
type Kind uint8

// The kinds.
const (
	Other Kind = iota
	Player
	Creature
	Corpse // a player's body
)

// A State is a set of facts about a thing.
type State uint8

// The parts of a State.
const (
	Asleep State = 1 << iota // no observer near
	Dead
	Fighting
	Ghost // otherwise hidden from some observers
)

// A Block counts what is in a square of cells.
type Block struct{ Awake, Asleep, Players uint32 }
