package change

import (
	"reflect"

	"muster/components"
	"muster/components/life"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched"
)

// Out is the one way in which a system sends: packets to all that see an entity or to one player, and notices to
// gateways. Systems append to it and see nothing of what others sent.
type Out struct {
	log      *Log
	sessions ecs.Read[components.Session]
}

// BindParam implements ecs.Param.
func (o *Out) BindParam(w *ecs.World, tag reflect.StructTag) []ecs.Access {
	o.log = ecs.Shared[Log](w)
	return append(o.sessions.BindParam(w, tag), ecs.Access{Type: reflect.TypeFor[Out](), Mode: ecs.ModeAppend})
}

// Broadcast sends a packet to every client that has an entity in view, including the one that controls it unless it
// is movement. frame.PartOf gives its position in the tick. The number that it returns is valid for Withdraw within
// the tick.
func (o *Out) Broadcast(e ecs.Entity, op uint16, m msg.Message) int {
	b := &o.log.Builder
	b.Bytes = msg.Packet(b.Bytes, wire.V12340, op, m)
	return o.log.Broadcast(e, frame.PartOf(op))
}

// Send sends a packet to a player, with its next flush, and nothing to an entity without a client. frame.PlaceOf
// gives its position.
func (o *Out) Send(player ecs.Entity, op uint16, m msg.Message) {
	if o.sessions.Has(player) {
		o.Packet(op, m)
		o.log.Builder.Send(o.sessions.Get(player).ID, frame.PlaceOf(op), o.log.Builder.Cut())
	}
}

// SendNow is Send for what must not wait for the player's turn to be flushed: answers, and orders for its mover.
func (o *Out) SendNow(player ecs.Entity, op uint16, m msg.Message) {
	if o.sessions.Has(player) {
		o.Packet(op, m)
		o.log.Builder.SendNow(o.sessions.Get(player).ID, frame.PlaceOf(op), o.log.Builder.Cut())
	}
}

// FlushNow has all that a player is sent in this tick flushed at once.
func (o *Out) FlushNow(player ecs.Entity) {
	if o.sessions.Has(player) {
		o.log.Builder.SendNow(o.sessions.Get(player).ID, frame.Middle, frame.Span{})
	}
}

// Packet writes a packet that is not addressed yet: BroadcastWritten follows, or Cut and SendSpan.
func (o *Out) Packet(op uint16, m msg.Message) {
	o.log.Builder.Bytes = msg.Packet(o.log.Builder.Bytes, wire.V12340, op, m)
}

// Write puts a buffer in the place of Buffer, which it was appended to: packets, or a list for a gateway.
func (o *Out) Write(b []byte) { o.log.Builder.Bytes = b }

// Buffer is what to append to for Write.
func (o *Out) Buffer() []byte { return o.log.Builder.Bytes }

// Cut names what was written and not addressed yet, for SendSpan.
func (o *Out) Cut() frame.Span { return o.log.Builder.Cut() }

// SendSpan sends what Cut has named to a player, one of several. It panics for an entity without a client.
func (o *Out) SendSpan(player ecs.Entity, place frame.Place, span frame.Span) {
	o.log.Builder.Send(o.sessions.Get(player).ID, place, span)
}

// SendSpanNow is SendSpan, at once.
func (o *Out) SendSpanNow(player ecs.Entity, place frame.Place, span frame.Span) {
	o.log.Builder.SendNow(o.sessions.Get(player).ID, place, span)
}

// BroadcastWritten broadcasts what was written and not addressed yet. See Broadcast.
func (o *Out) BroadcastWritten(e ecs.Entity, part frame.Part) int { return o.log.Broadcast(e, part) }

// Withdraw takes back what was broadcast.
func (o *Out) Withdraw(broadcast int) { o.log.Withdraw(broadcast) }

// Span is what was broadcast, to be sent to another session as well.
func (o *Out) Span(broadcast int) frame.Span { return o.log.Broadcasts[broadcast].Span }

// Refuse counts that a packet of a player was not used, and reports it to the log of its gateway. The opcode is 0 for a packet
// that did not come.
func (o *Out) Refuse(player ecs.Entity, op uint16, why *sched.Counter) {
	why.Count()
	if o.sessions.Has(player) {
		o.log.Builder.Refuse(o.sessions.Get(player).ID, op, why.Name)
	}
}

// Kick closes a player's connection, for a reason that is counted as closed.<reason>: one of a few words that are
// fixed when the world is made. The player leaves the world when its gateway removes it.
func (o *Out) Kick(player ecs.Entity, reason string) {
	o.log.Builder.Kick(o.sessions.Get(player).ID, reason)
}

// SetGM notifies a player's gateway whether the player shows that it is a game master.
func (o *Out) SetGM(player ecs.Entity, on bool) {
	o.log.Builder.SetGameMaster(o.sessions.Get(player).ID, on)
}

// Reply answers a command of an operator with what was written and not addressed yet.
func (o *Out) Reply(command uint64) { o.log.Builder.Answer(command, o.log.Builder.Cut()) }

// WantGUIDs asks the gateway for GUIDs for so many items.
func (o *Out) WantGUIDs(items uint32) { o.log.Builder.RequestItems(items) }

// Goodbye notifies a gateway that a session has left the world, with its character as it was written last.
func (o *Out) Goodbye(session uint32) { o.log.Builder.PlayerLeft(session, o.log.Builder.Cut()) }

// Save adds the snapshot of a player that stays to the frame; the caller fills in the returned value, which is valid
// until the next call. A tick saves a player at most once.
func (o *Out) Save() *frame.Save { return o.log.Builder.Save() }

// Dirty marks components of which clients see values as changed, for fan-out to compare with what it sent last.
type Dirty struct{ log *Log }

// BindParam implements ecs.Param.
func (d *Dirty) BindParam(w *ecs.World, _ reflect.StructTag) []ecs.Access {
	d.log = ecs.Shared[Log](w)
	return []ecs.Access{{Type: reflect.TypeFor[components.Dirty](), Mode: ecs.ModeAppend}}
}

// Mark notes that components of an entity were written; bits are components.DirtyObject and following.
func (d *Dirty) Mark(e ecs.Entity, bits uint32) {
	dirty := d.log.dirty.Get(e)
	if dirty.Mask == 0 {
		d.log.Dirty = append(d.log.Dirty, e)
	}
	dirty.Mask |= bits
}

// Unsaved marks what of a player's character is to be saved anew.
type Unsaved struct{ log *Log }

// BindParam implements ecs.Param.
func (u *Unsaved) BindParam(w *ecs.World, _ reflect.StructTag) []ecs.Access {
	u.log = ecs.Shared[Log](w)
	return []ecs.Access{{Type: reflect.TypeFor[components.Unsaved](), Mode: ecs.ModeAppend}}
}

// Mark notes that lists of a player's character have changed: its next periodic snapshot has them. What is in
// components.SavedState need not be noted.
func (u *Unsaved) Mark(player ecs.Entity, lists life.Set) { u.log.unsaved.Get(player).Lists |= lists }

// MarkNow is Mark for what a player must not lose: levels, money, items. The snapshot is taken in this tick. An empty
// set means that no list has changed.
func (u *Unsaved) MarkNow(player ecs.Entity, lists life.Set) {
	unsaved := u.log.unsaved.Get(player)
	unsaved.Lists |= lists
	if unsaved.Soon == 0 {
		unsaved.Soon = 1
		u.log.urgent = append(u.log.urgent, player)
	}
}

// Urgent is the players whose snapshots are to be taken in this tick, once each, for the system that takes them.
type Urgent struct{ log *Log }

// BindParam implements ecs.Param.
func (u *Urgent) BindParam(w *ecs.World, _ reflect.StructTag) []ecs.Access {
	u.log = ecs.Shared[Log](w)
	return []ecs.Access{{Type: reflect.TypeFor[components.Unsaved](), Mode: ecs.ModeRead}}
}

// All lists the players in the order in which they were marked.
func (u *Urgent) All() []ecs.Entity { return u.log.urgent }

// Cells keeps the cell of an entity in step with its position.
type Cells struct{ log *Log }

// BindParam implements ecs.Param.
func (c *Cells) BindParam(w *ecs.World, _ reflect.StructTag) []ecs.Access {
	c.log = ecs.Shared[Log](w)
	return []ecs.Access{
		{Type: reflect.TypeFor[components.HomeCell](), Mode: ecs.ModeWrite},
		{Type: reflect.TypeFor[Rehomed](), Mode: ecs.ModeAppend},
	}
}

// Follow gives an entity the cell that its position asks for.
func (c *Cells) Follow(t sched.Tick, e ecs.Entity, p *components.Position) {
	home := c.log.cells.Get(e)
	if cell := home.Cell.Track(p.X, p.Y); cell != home.Cell {
		c.log.setCell(t, e, home, cell)
	}
}

// Set gives an entity a cell, None to take it out of sight for good.
func (c *Cells) Set(t sched.Tick, e ecs.Entity, cell grid.Cell) {
	c.log.setCell(t, e, c.log.cells.Get(e), cell)
}

// Leave notes that the entities of a home cell are to be sorted anew.
func (c *Cells) Leave(cell grid.Cell) { c.log.LeftCells.Mark(cell) }

// Changes is what all systems have appended in a tick, for the system that builds the frame.
type Changes struct{ *Log }

// BindParam implements ecs.Param.
func (c *Changes) BindParam(w *ecs.World, _ reflect.StructTag) []ecs.Access {
	c.Log = ecs.Shared[Log](w)
	return []ecs.Access{
		{Type: reflect.TypeFor[Out](), Mode: ecs.ModeWrite}, {Type: reflect.TypeFor[components.Session](), Mode: ecs.ModeRead},
		{Type: reflect.TypeFor[components.HomeCell](), Mode: ecs.ModeWrite},
		{Type: reflect.TypeFor[components.Dirty](), Mode: ecs.ModeWrite},
	}
}

// Left is the cells that some entity has left, to be sorted anew. They come with Rehomed.
type Left struct{ *grid.Set }

// BindParam implements ecs.Param.
func (l *Left) BindParam(w *ecs.World, _ reflect.StructTag) []ecs.Access {
	l.Set = &ecs.Shared[Log](w).LeftCells
	return []ecs.Access{{Type: reflect.TypeFor[Rehomed](), Mode: ecs.ModeRead}}
}
