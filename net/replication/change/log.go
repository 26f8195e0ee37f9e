// Package change collects what a tick changes, by entity: it is how systems report changes to fan-out.
//
// A system has fields of type Out for packets, Dirty for components of which clients see values, Unsaved for what is to
// be saved, and Cells for where an entity is. Only fan-out computes which observers see any of it.
package change

import (
	"muster/components"
	"muster/components/life"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/replication/frame"
	"muster/sched"
)

// A Log is shared by the systems of one world, which reach it through Out, Dirty, Unsaved and Cells. Fan-out empties it
// at the end of each tick, but for LeftCells, which last until visibility has seen it.
type Log struct {
	Builder frame.Builder

	Broadcasts []Broadcast
	Dirty      []ecs.Entity // once each
	LeftCells  grid.Set     // cells that some entity has left; visibility sorts them anew

	urgent   []ecs.Entity // players to be saved in this tick, once each
	rehomed  *ecs.Queue[Rehomed]
	cells    ecs.Accessor[components.HomeCell]
	dirty    ecs.Accessor[components.Dirty]
	sessions ecs.Accessor[components.Session]
	unsaved  ecs.Accessor[components.Unsaved]
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
		rehomed:  ecs.QueueOf[Rehomed](w),
		cells:    ecs.NewAccessor[components.HomeCell](w),
		dirty:    ecs.NewAccessor[components.Dirty](w),
		sessions: ecs.NewAccessor[components.Session](w),
		unsaved:  ecs.NewAccessor[components.Unsaved](w),
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

// Send addresses the packets appended to Builder.Bytes to one player.
func (l *Log) Send(e ecs.Entity, place frame.Place) {
	l.Builder.Send(l.sessions.Get(e).ID, place, l.Builder.Cut())
}

// SetGameMaster notifies a player's gateway whether the player shows that it is a game master.
func (l *Log) SetGameMaster(e ecs.Entity, master bool) {
	l.Builder.SetGameMaster(l.sessions.Get(e).ID, master)
}

// Kick closes a player's connection, for a reason that is counted as closed.<reason>: one of a few words that are
// fixed when the world is made. The player leaves the world when its gateway removes it.
func (l *Log) Kick(e ecs.Entity, reason string) { l.Builder.Kick(l.sessions.Get(e).ID, reason) }

// MarkDirty notes that components of an entity were written; bits are components.DirtyObject and
// following.
func (l *Log) MarkDirty(e ecs.Entity, bits uint32) {
	t := l.dirty.Get(e)
	if t.Mask == 0 {
		l.Dirty = append(l.Dirty, e)
	}
	t.Mask |= bits
}

// MarkUnsaved notes that lists of a player's life have changed: its next snapshot, within a persist.Period, contains
// them. What is in components.SavedState need not be noted.
func (l *Log) MarkUnsaved(e ecs.Entity, lists life.Set) { l.unsaved.Get(e).Lists |= lists }

// SaveNow is MarkUnsaved for what a player must not lose: levels, money, items. The snapshot is taken in this
// tick, and is on the disk as soon as the disk allows. An empty set means that no list has changed.
func (l *Log) SaveNow(e ecs.Entity, lists life.Set) {
	u := l.unsaved.Get(e)
	u.Lists |= lists
	if u.Soon == 0 {
		u.Soon = 1
		l.urgent = append(l.urgent, e)
	}
}

// UpdateCell gives an entity the home cell of its position.
func (l *Log) UpdateCell(t sched.Tick, e ecs.Entity, p *components.Position) {
	h := l.cells.Get(e)
	if c := h.Cell.Track(p.X, p.Y); c != h.Cell {
		l.setCell(t, e, h, c)
	}
}

// SetCell gives an entity a home cell; None hides it for good.
func (l *Log) SetCell(t sched.Tick, e ecs.Entity, c grid.Cell) { l.setCell(t, e, l.cells.Get(e), c) }

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
