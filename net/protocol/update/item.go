package update

import (
	"muster/components"
	"muster/net/protocol/wire"
)

// Items writes the blocks of a player's items. One goroutine owns it; it allocates nothing but what dst grows by.
type Items struct {
	item, container *Layout

	object     components.Object
	possession components.ItemValues
	bag        components.Container
	words      Words
}

// NewItems returns a writer of items.
func NewItems() *Items {
	parts := components.ItemParts()
	x := &Items{
		item:      NewLayout(wire.V12340, Item, parts[:2]...),
		container: NewLayout(wire.V12340, Container, parts...),
	}
	x.words[0] = components.Words(&x.object)
	x.words[1] = components.Words(&x.possession)
	x.words[2] = components.Words(&x.bag)
	return x
}

// The parts of an item that change.
const dirtyItem = 1<<1 | 1<<2

// AppendCreate appends the block that creates the item at a place for its owner. There must be one.
func (x *Items) AppendCreate(dst []byte, owner uint64, v *components.Inventory, place int) []byte {
	l := x.view(owner, v, place)
	return l.Create(dst, &Subject{GUID: x.object.GUID, Self: true, Words: &x.words})
}

// AppendValues appends the block with the changes of an item that its owner knows.
func (x *Items) AppendValues(dst []byte, owner uint64, v *components.Inventory, place int) []byte {
	l := x.view(owner, v, place)
	return l.All(dst, x.object.GUID, &x.words, dirtyItem)
}

// view fills the words with those of the item at a place, and returns their layout.
func (x *Items) view(owner uint64, v *components.Inventory, place int) *Layout {
	it := &v.Items[place]
	x.object = components.Object{GUID: it.GUID(), Type: components.MaskOfItem, Entry: it.Entry, Scale: 1}
	x.possession = components.ItemValues{
		Owner: owner, Contained: owner, Count: uint32(it.Count),
		Durability: uint32(it.Durability), MaxDurability: uint32(it.MaxDurability),
	}
	if holder := v.Holder(place); holder != nil {
		x.possession.Contained = holder.GUID()
	}
	if it.Slots == 0 {
		return x.item
	}
	x.object.Type = components.MaskOfContainer
	x.bag = components.Container{Slots: uint32(it.Slots)}
	if place >= components.FirstBag && place < components.FirstPack {
		inside := components.Inside(place)
		for i := range min(int(it.Slots), components.BagRoom) {
			x.bag.GUID[i] = v.Items[inside+i].GUID()
		}
	}
	return x.container
}
