package components

import "reflect"

// ItemValues are the fields of an item that its owner's client is sent, beside its Object. It is no component: it
// exists only while it is written.
//
// Source: ITEM_FIELD_OWNER and following, protocol.md appendix A.
type ItemValues struct {
	Owner         uint64 `v12340:"0x6"`
	Contained     uint64 `v12340:"0x8"` // the owner, or the bag that it is in
	Count         uint32 `v12340:"0xE"`
	Durability    uint32 `v12340:"0x3C"`
	MaxDurability uint32 `v12340:"0x3D"`
	_             uint32
}

// Container has the additional fields of a bag.
//
// Source: CONTAINER_FIELD_NUM_SLOTS and following, protocol.md appendix A.
type Container struct {
	Slots uint32 `v12340:"0x40"`
	_     uint32
	GUID  [36]uint64 `v12340:"0x42"` // of what is in it, by slot
}

// ItemParts are the parts of an item's fields; the last one of bags alone.
func ItemParts() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[Object](), reflect.TypeFor[ItemValues](), reflect.TypeFor[Container]()}
}
