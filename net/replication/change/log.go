// Package change collects what a tick changes, by entity: it is how systems report changes to fan-out.
//
// A system has fields of type Out for packets, Dirty for components of which clients see values, Unsaved for what is to
// be saved, and Cells for where an entity is. Only fan-out computes which observers see any of it.
package change

import (
	"muster/components"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/replication/frame"
	"muster/sched"
)

// A Log is shared by the systems of one world, which append to it through Out, Dirty, Unsaved and Cells. Fan-out empties it
// at the end of each tick, but for LeftCells, which last until visibility has seen it.
type Log struct {
	Builder frame.Builder

	Broadcasts []Broadcast
	Dirty      []ecs.Entity // once each
	LeftCells  grid.Set     // cells that some entity has left; visibility sorts them anew

	urgent  []ecs.Entity // players to be saved in this tick, once each
	rehomed *ecs.Queue[Rehomed]
	cells   ecs.Accessor[components.HomeCell]
	dirty   ecs.Accessor[components.Dirty]
	unsaved ecs.Accessor[components.Unsaved]
}

// A Broadcast is packets about an entity. A withdrawn one is empty.
type Broadcast struct {
	Entity ecs.Entity
	Part   frame.Part
	Span   frame.Span
}

// NewLog returns the log of a world.
func NewLog(w *ecs.World) *Log {
	return &Log{
		rehomed: ecs.QueueOf[Rehomed](w),
		cells:   ecs.NewAccessor[components.HomeCell](w),
		dirty:   ecs.NewAccessor[components.Dirty](w),
		unsaved: ecs.NewAccessor[components.Unsaved](w),
	}
}

// Broadcast assigns the packets appended to Builder.Bytes since the last call to an entity. The number it
// returns is valid for Withdraw within the tick.
func (l *Log) Broadcast(e ecs.Entity, part frame.Part) int {
	l.Broadcasts = append(l.Broadcasts, Broadcast{e, part, l.Builder.Cut()})
	return len(l.Broadcasts) - 1
}

// Withdraw takes back a broadcast.
func (l *Log) Withdraw(broadcast int) { l.Broadcasts[broadcast].Span.Len = 0 }

// setCell gives an entity a home cell; None hides it for good.
func (l *Log) setCell(t sched.Tick, e ecs.Entity, h *components.HomeCell, c grid.Cell) {
	l.LeftCells.Mark(h.Cell)
	if h.Set(uint32(t.N), c) {
		l.rehomed.Next().Entity = e
	}
}

// Reset empties the log except the builder, which empties itself, and LeftCells.
func (l *Log) Reset() {
	l.Broadcasts, l.Dirty, l.urgent = l.Broadcasts[:0], l.Dirty[:0], l.urgent[:0]
}
