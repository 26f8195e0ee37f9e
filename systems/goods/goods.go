// Package goods is the only way in which items and money are made, moved and removed. It is no system: a system that
// handles goods has a Ledger among its fields, and calls it in its Run.
//
// Goods are conserved: the contents of all inventories and bodies are what the Tally has as made, less what it has as
// unmade.
package goods

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/rules"
)

// A Ledger handles the goods of one world, as a part of each system that does: its fields are bound with those of the
// system.
type Ledger struct {
	defs    ecs.Res[defs.World]
	mint    ecs.ResMut[Mint]
	tally   ecs.ResMut[Tally]
	out     change.Out
	dirty   change.Dirty
	unsaved change.Unsaved
	changes ecs.Emit[rules.StatsDirty]

	objects      ecs.Read[components.Object]
	units        ecs.Read[components.Unit]
	homeCells    ecs.Read[components.HomeCell]
	inventories  ecs.Write[components.Inventory]
	carried      ecs.Write[components.Carried]
	visibleItems ecs.Write[components.VisibleItems]
	progress     ecs.Write[components.Progress]

	noGUID sched.Counter `name:"goods.no_guid"`

	items   *update.Items
	updates update.Writer
	block   []byte
	pushed  msg.ItemPushResult // kept here, since a packet takes its message by reference
	gone    msg.DestroyObject
}

// Init implements ecs.Initializer.
func (l *Ledger) Init() { l.items = update.NewItems() }

// A Tally counts what was ever made and unmade in a world: a shared value. A player that enters with goods makes
// them, and one that leaves unmakes them.
type Tally struct {
	ItemsMade, ItemsUnmade   uint64 // pieces, not stacks
	CopperMade, CopperUnmade uint64
}

// Share gives a world the values that its ledgers share.
func Share(w *ecs.World) {
	ecs.Share(w, new(Mint))
	ecs.Share(w, new(Tally))
}

// Inventory is a player's inventory. The pointer is valid until the stage ends.
func (l *Ledger) Inventory(e ecs.Entity) *components.Inventory { return l.inventories.Get(e) }

// Template is the template of an item, nil if there is none.
func (l *Ledger) Template(it *components.Item) *defs.Item {
	if it.Counter == 0 {
		return nil
	}
	return l.defs.Get().Item(it.Entry)
}

// MaxMoney is the most money of a player, in copper.
//
// Source: MAX_MONEY_AMOUNT, Player.h, AzerothCore.
const MaxMoney = 1<<31 - 1

// Earn gives a player money, and reports whether there was room for it: all or nothing. Made says that it is new in
// the world, and not from a body.
func (l *Ledger) Earn(e ecs.Entity, copper uint32, made bool) bool {
	p := l.progress.Get(e)
	if uint64(p.Coinage)+uint64(copper) > MaxMoney {
		return false
	}
	p.Coinage += copper
	if made {
		l.tally.Get().CopperMade += uint64(copper)
	}
	l.paid(e)
	return true
}

// Spend removes money of a player from the world, and reports whether it had so much.
func (l *Ledger) Spend(e ecs.Entity, copper uint32) bool {
	p := l.progress.Get(e)
	if p.Coinage < copper {
		return false
	}
	p.Coinage -= copper
	l.tally.Get().CopperUnmade += uint64(copper)
	l.paid(e)
	return true
}

func (l *Ledger) paid(e ecs.Entity) {
	l.dirty.Mark(e, components.DirtyProgress)
	l.unsaved.MarkNow(e, 0)
}

// known reports whether a player's client has seen the player itself: one that enters in this tick is sent all of its
// items then.
func (l *Ledger) known(t sched.Tick, e ecs.Entity) bool {
	return l.homeCells.Get(e).Before(uint32(t.N)) != grid.None
}

// settle sends the change of the place where an item came or went: its number in Carried, its appearance in
// VisibleItems, or the bag that contains it.
func (l *Ledger) settle(t sched.Tick, e ecs.Entity, place int) {
	v := l.inventories.Get(e)
	it := &v.Items[place]
	l.unsaved.MarkNow(e, life.Items)
	if place >= components.FirstDeep {
		bag, _ := components.Slot(place)
		l.showChange(t, e, int(bag))
		return
	}
	l.carried.Get(e).GUID[place] = it.GUID()
	l.dirty.Mark(e, components.DirtyCarried)
	if place < components.VisibleSlots {
		l.visibleItems.Get(e).Item[2*place] = it.Entry
		l.dirty.Mark(e, components.DirtyVisibleItems)
		l.changes.Emit(rules.StatsDirty{Entity: e})
	}
}

func (l *Ledger) showNew(t sched.Tick, e ecs.Entity, place int) {
	if l.known(t, e) {
		l.block = l.items.AppendCreate(l.block[:0], l.objects.Get(e).GUID, l.inventories.Get(e), place)
		l.show(e)
	}
}

func (l *Ledger) showChange(t sched.Tick, e ecs.Entity, place int) {
	l.unsaved.MarkNow(e, life.Items)
	if l.known(t, e) {
		l.block = l.items.AppendValues(l.block[:0], l.objects.Get(e).GUID, l.inventories.Get(e), place)
		l.show(e)
	}
}

func (l *Ledger) show(e ecs.Entity) {
	l.updates.Begin(l.out.Buffer())
	l.updates.Block(l.block)
	l.out.Write(l.updates.End())
	l.out.SendSpan(e, frame.PlaceOf(msg.OpUpdateObject), l.out.Cut())
}

func (l *Ledger) showGone(t sched.Tick, e ecs.Entity, guid uint64) {
	if l.known(t, e) {
		l.gone = msg.DestroyObject{GUID: guid}
		l.out.Send(e, msg.OpDestroyObject, &l.gone)
	}
}
