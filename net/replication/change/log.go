// Package change collects what a tick changes, by entity: it is how systems tell fanout.
//
// A system that wants packets relayed appends them to Draft.Bytes and files them under the entity they
// are about. A system that writes a component with update fields touches it. Nobody but fanout asks who
// can see it.
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
// at the end of each tick, but for Left, which lasts until visibility has seen it.
type Log struct {
	Draft frame.Draft

	Filed   []Filing
	Touched []ecs.Entity // once each
	Left    grid.Set     // cells that are no more the home of all whose home they were; visibility takes them

	rehomed  *ecs.Queue[Rehomed]
	urgent   *ecs.Queue[Urgent]
	homes    ecs.Column[components.Home]
	touched  ecs.Column[components.Touched]
	sessions ecs.Column[components.Session]
	unsaved  ecs.Column[components.Unsaved]
}

// A Filing is packets about an entity. A withdrawn one is empty.
type Filing struct {
	Entity ecs.Entity
	Part   frame.Part
	Span   frame.Span
}

// NewLog returns the log of a world.
func NewLog(w *ecs.World) *Log {
	return &Log{
		rehomed:  ecs.QueueOf[Rehomed](w),
		urgent:   ecs.QueueOf[Urgent](w),
		homes:    ecs.NewColumn[components.Home](w),
		touched:  ecs.NewColumn[components.Touched](w),
		sessions: ecs.NewColumn[components.Session](w),
		unsaved:  ecs.NewColumn[components.Unsaved](w),
	}
}

// File files the packets appended to Draft.Bytes since the last filing. The number it returns is good
// for Withdraw within the tick.
func (l *Log) File(e ecs.Entity, part frame.Part) int {
	l.Filed = append(l.Filed, Filing{e, part, l.Draft.Cut()})
	return len(l.Filed) - 1
}

// Withdraw takes back a filing.
func (l *Log) Withdraw(filing int) { l.Filed[filing].Span.Len = 0 }

// Tell files the packets appended to Draft.Bytes for a player alone.
func (l *Log) Tell(e ecs.Entity, place frame.Place) {
	l.Draft.Tell(l.sessions.Get(e).ID, place, l.Draft.Cut())
}

// Answer is Tell for what must not wait for the player's flush phase.
func (l *Log) Answer(e ecs.Entity) {
	l.Draft.TellNow(l.sessions.Get(e).ID, frame.Middle, l.Draft.Cut())
}

// Mark lets a player's gateway know whether it shows that it is a game master.
func (l *Log) Mark(e ecs.Entity, master bool) { l.Draft.Mark(l.sessions.Get(e).ID, master) }

// Kick has a player's connection closed, for a reason that is counted as closed.<reason>: one of a few words that
// are known when the world is made. The player goes out when its gateway takes it out.
func (l *Log) Kick(e ecs.Entity, reason string) { l.Draft.Kick(l.sessions.Get(e).ID, reason) }

// Touch notes that components of an entity were written; bits are components.TouchedObject and
// following.
func (l *Log) Touch(e ecs.Entity, bits uint32) {
	t := l.touched.Get(e)
	if t.Mask == 0 {
		l.Touched = append(l.Touched, e)
	}
	t.Mask |= bits
}

// Unsave notes that lists of a player's life have changed: its next snapshot, within a persist.Period, tells them.
// What is in components.Kept need not be noted.
func (l *Log) Unsave(e ecs.Entity, lists life.Set) { l.unsaved.Get(e).Lists |= lists }

// UnsaveNow is Unsave for what a player must not lose: levels, money, items. The snapshot is taken in this tick,
// and is on the disk as soon as the disk allows. No lists is what changes none of them.
func (l *Log) UnsaveNow(e ecs.Entity, lists life.Set) {
	u := l.unsaved.Get(e)
	u.Lists |= lists
	if u.Soon == 0 {
		u.Soon = 1
		l.urgent.Next().Entity = e
	}
}

// Follow gives an entity the home that its position asks for.
func (l *Log) Follow(t sched.Tick, e ecs.Entity, p *components.Position) {
	h := l.homes.Get(e)
	if c := h.Cell.Rehome(p.X, p.Y); c != h.Cell {
		l.rehome(t, e, h, c)
	}
}

// Rehome gives an entity a home, None to take it out of sight for good.
func (l *Log) Rehome(t sched.Tick, e ecs.Entity, c grid.Cell) { l.rehome(t, e, l.homes.Get(e), c) }

func (l *Log) rehome(t sched.Tick, e ecs.Entity, h *components.Home, c grid.Cell) {
	l.Left.Mark(h.Cell)
	if h.Set(uint32(t.N), c) {
		l.rehomed.Next().Entity = e
	}
}

// Reset empties the log but for the draft, which empties itself, and Left.
func (l *Log) Reset() { l.Filed, l.Touched = l.Filed[:0], l.Touched[:0] }
