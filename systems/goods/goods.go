// Package goods is the one way in which items and money come into being, change hands and go. It is no system:
// whoever deals in them calls it, in the tick and on the tick's goroutine, and names what goods.Reads and
// goods.Writes list.
//
// Nothing is lost and nothing doubled: what all inventories and bodies hold is what the Tally says was made, less
// what it says was unmade.
package goods

import (
	"slices"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/internal/metric"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/update"
	"muster/net/wire"
	"muster/sched"
	"muster/systems/rules"
)

// A Ledger deals in the goods of one world. Each system makes its own.
type Ledger struct {
	defs  *defs.World
	log   *change.Log
	book  *rules.Book
	mint  *Mint
	tally *Tally

	objects     ecs.Column[components.Object]
	units       ecs.Column[components.Unit]
	homes       ecs.Column[components.Home]
	inventories ecs.Column[components.Inventory]
	carried     ecs.Column[components.Carried]
	worn        ecs.Column[components.Worn]
	progress    ecs.Column[components.Progress]

	noGUID *metric.Counter

	items   *update.Items
	updates update.Writer
	block   []byte
	pushed  msg.ItemPushResult // kept here, since a packet takes its message by reference
	gone    msg.DestroyObject
}

// A Tally is what was ever made and unmade in a world: a shared value. Who comes in with goods makes them, who goes
// out with them unmakes them.
type Tally struct {
	ItemsMade, ItemsUnmade   uint64 // pieces, not stacks
	CopperMade, CopperUnmade uint64
}

// New returns a ledger of a world.
func New(w *ecs.World) *Ledger {
	return &Ledger{
		defs:        ecs.Shared[defs.World](w),
		log:         ecs.Shared[change.Log](w),
		book:        rules.New(w),
		mint:        ecs.Shared[Mint](w),
		tally:       ecs.Shared[Tally](w),
		objects:     ecs.NewColumn[components.Object](w),
		units:       ecs.NewColumn[components.Unit](w),
		homes:       ecs.NewColumn[components.Home](w),
		inventories: ecs.NewColumn[components.Inventory](w),
		carried:     ecs.NewColumn[components.Carried](w),
		worn:        ecs.NewColumn[components.Worn](w),
		progress:    ecs.NewColumn[components.Progress](w),
		noGUID:      ecs.Shared[metric.Table](w).Counter("goods.no_guid"),
		items:       update.NewItems(),
	}
}

// Reads is what a Ledger reads and does not write.
func Reads() []ecs.Type {
	return append(rules.Reads(), ecs.Of[components.Home]()...)
}

// Writes is what a Ledger writes.
func Writes() []ecs.Type {
	return slices.Concat(rules.Writes(),
		ecs.Of4[components.Inventory, components.Carried, components.Worn, components.Progress](),
		ecs.Of3[components.Unsaved, Mint, Tally]())
}

// Share gives a world what its ledgers meet in.
func Share(w *ecs.World) {
	ecs.Share(w, new(Mint))
	ecs.Share(w, new(Tally))
}

// Inventory is what a player has. It is good until the stage ends.
func (l *Ledger) Inventory(e ecs.Entity) *components.Inventory { return l.inventories.Get(e) }

// Template is what an item is, nil if nobody knows.
func (l *Ledger) Template(it *components.Item) *defs.Item {
	if it.Counter == 0 {
		return nil
	}
	return l.defs.Item(it.Entry)
}

// MaxMoney is how much a player can have, in copper.
//
// Source: MAX_MONEY_AMOUNT, Player.h, AzerothCore.
const MaxMoney = 1<<31 - 1

// Earn gives a player money that it did not have, and reports whether there was room for it: all or nothing. Made
// says that it is new in the world, and was not on a body before.
func (l *Ledger) Earn(e ecs.Entity, copper uint32, made bool) bool {
	p := l.progress.Get(e)
	if uint64(p.Coinage)+uint64(copper) > MaxMoney {
		return false
	}
	p.Coinage += copper
	if made {
		l.tally.CopperMade += uint64(copper)
	}
	l.paid(e)
	return true
}

// Spend takes money from a player, out of the world, and reports whether it had so much.
func (l *Ledger) Spend(e ecs.Entity, copper uint32) bool {
	p := l.progress.Get(e)
	if p.Coinage < copper {
		return false
	}
	p.Coinage -= copper
	l.tally.CopperUnmade += uint64(copper)
	l.paid(e)
	return true
}

func (l *Ledger) paid(e ecs.Entity) {
	l.log.Touch(e, components.TouchedProgress)
	l.log.UnsaveNow(e, 0)
}

// known reports whether a player's client has seen the player itself: who comes in during this tick is told of all
// its items then.
func (l *Ledger) known(t sched.Tick, e ecs.Entity) bool {
	return l.homes.Get(e).Before(uint32(t.N)) != grid.None
}

// settle tells of the place where an item came or went: its number in Carried, its looks in Worn, or the bag around
// it.
func (l *Ledger) settle(t sched.Tick, e ecs.Entity, place int) {
	v := l.inventories.Get(e)
	it := &v.Items[place]
	l.log.UnsaveNow(e, life.Items)
	if place >= components.FirstDeep {
		bag, _ := components.Slot(place)
		l.showChange(t, e, int(bag))
		return
	}
	l.carried.Get(e).GUID[place] = it.GUID()
	l.log.Touch(e, components.TouchedCarried)
	if place < components.WornSlots {
		l.worn.Get(e).Item[2*place] = it.Entry
		l.log.Touch(e, components.TouchedWorn)
		l.book.Restat(e)
	}
}

func (l *Ledger) showNew(t sched.Tick, e ecs.Entity, place int) {
	if l.known(t, e) {
		l.block = l.items.AppendCreate(l.block[:0], l.objects.Get(e).GUID, l.inventories.Get(e), place)
		l.show(e)
	}
}

func (l *Ledger) showChange(t sched.Tick, e ecs.Entity, place int) {
	l.log.UnsaveNow(e, life.Items)
	if l.known(t, e) {
		l.block = l.items.AppendValues(l.block[:0], l.objects.Get(e).GUID, l.inventories.Get(e), place)
		l.show(e)
	}
}

func (l *Ledger) show(e ecs.Entity) {
	d := &l.log.Draft
	l.updates.Begin(d.Bytes)
	l.updates.Block(l.block)
	d.Bytes = l.updates.End()
	l.log.Tell(e, frame.Last)
}

func (l *Ledger) showGone(t sched.Tick, e ecs.Entity, guid uint64) {
	if l.known(t, e) {
		l.gone = msg.DestroyObject{GUID: guid}
		l.log.Draft.Bytes = msg.Packet(l.log.Draft.Bytes, wire.V12340, msg.OpDestroyObject, &l.gone)
		l.log.Tell(e, frame.Last)
	}
}
